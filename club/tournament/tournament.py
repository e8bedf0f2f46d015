"""A tournament: who takes part, its rounds, their tables and results. It is the fold of facts.

A fact that does not fit is refused with a sentence, and changes nothing; so whatever a log holds
folds again into the same tournament.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from .errors import EntrantError, ResultError, RoundError, RulesError, SeatingError
from .facts import (
    EntrantAdded,
    EntrantArrived,
    EntrantDroppedOut,
    EntrantRenamed,
    EntrantsSwapped,
    OfResult,
    ResultCorrected,
    ResultEntered,
    ResultWithdrawn,
    RoundClosed,
    RoundSeated,
    Rules,
    TournamentFact,
    TournamentStarted,
)

EntrantId = str
TableNumber = int


@dataclass(frozen=True)
class Entrant:
    """Somebody who takes part.

    Attributes
    ----------
    club : str
        Empty for none.
    is_present : bool
        Whether to be seated in the next round.
    """

    id: EntrantId
    name: str
    club: str = ""
    is_present: bool = True


@dataclass(frozen=True)
class TableResult:
    """How a game at a table ended: the game's points, and whom the game itself calls winners."""

    points: Mapping[EntrantId, int]
    winners: tuple[EntrantId, ...] = ()


@dataclass(frozen=True)
class Round:
    """One round.

    Attributes
    ----------
    tables : tuple of tuple of str
        Who sits at table 1, 2, ..., in the order of seats.
    byes : tuple of str
        Who has no table.
    results : mapping of int to TableResult
        By the table's number.
    """

    number: int
    tables: tuple[tuple[EntrantId, ...], ...]
    byes: tuple[EntrantId, ...] = ()
    results: Mapping[TableNumber, TableResult] = field(default_factory=dict)
    is_closed: bool = False

    @property
    def missing(self) -> tuple[TableNumber, ...]:
        """The tables without a result."""
        return tuple(n for n in range(1, len(self.tables) + 1) if n not in self.results)

    def table(self, number: TableNumber) -> tuple[EntrantId, ...]:
        """Return who sits at a table."""
        if not 1 <= number <= len(self.tables):
            raise RoundError(
                "there is no table {table} in round {round}", table=number, round=self.number
            )
        return self.tables[number - 1]


@dataclass(frozen=True)
class Tournament:
    """A tournament, as its facts have it until now.

    Attributes
    ----------
    entrants : mapping of str to Entrant
        By id, in the order they were added; also those who dropped out.
    rounds : tuple of Round
        Only the last one may be open.
    """

    name: str
    rules: Rules
    entrants: Mapping[EntrantId, Entrant]
    rounds: tuple[Round, ...] = ()

    @property
    def present(self) -> tuple[Entrant, ...]:
        """Who is to be seated in the next round."""
        return tuple(one for one in self.entrants.values() if one.is_present)

    @property
    def open_round(self) -> Round | None:
        """The round that is being played."""
        return self.rounds[-1] if self.rounds and not self.rounds[-1].is_closed else None

    @property
    def seated_until_now(self) -> tuple[Round, ...]:
        """The rounds before the one that is to be seated, or is seated and has no result yet."""
        last = self.open_round
        return self.rounds[:-1] if last is not None and not last.results else self.rounds

    def round(self, number: int) -> Round:
        """Return a round by its number, from 1."""
        if not 1 <= number <= len(self.rounds):
            raise RoundError("round {round} has not been seated", round=number)
        return self.rounds[number - 1]

    def entrant(self, entrant: EntrantId) -> Entrant:
        """Return somebody who takes part."""
        if entrant not in self.entrants:
            raise EntrantError("nobody in this tournament has the id {id!r}", id=entrant)
        return self.entrants[entrant]


def fold(facts: Iterable[TournamentFact]) -> Tournament:
    """Return the tournament that a log's facts make; the first one is its start.

    Examples
    --------
    >>> from .facts import EntrantAdded, TournamentStarted
    >>> held = fold([TournamentStarted("Friday"), EntrantAdded("ann", "Ann")])
    >>> held.name, held.entrants["ann"].name
    ('Friday', 'Ann')
    """
    tournament: Tournament | None = None
    for fact in facts:
        tournament = after(tournament, fact)
    if tournament is None:
        raise RoundError("there is no tournament in an empty log")
    return tournament


def after(tournament: Tournament | None, fact: TournamentFact) -> Tournament:
    """Return the tournament after a fact; before its start there is none.

    Raises
    ------
    TournamentError
        Where the fact does not fit, with a sentence that says why.
    """
    if isinstance(fact, TournamentStarted):
        if tournament is not None:
            raise RoundError("the tournament {name!r} has already begun", name=tournament.name)
        _check_rules(fact.rules)
        return Tournament(fact.name, fact.rules, {})
    if tournament is None:
        raise RoundError("a tournament's log begins with its start")
    match fact:
        case EntrantAdded(entrant=entrant, name=name, club=club, present=present):
            if entrant in tournament.entrants:
                raise EntrantError("somebody has the id {id!r} already", id=entrant)
            return _with_entrant(tournament, Entrant(entrant, name, club, present))
        case EntrantRenamed(entrant=entrant, name=name, club=club):
            old = tournament.entrant(entrant)
            return _with_entrant(tournament, replace(old, name=name, club=club))
        case EntrantArrived(entrant=entrant):
            return _with_presence(tournament, entrant, present=True)
        case EntrantDroppedOut(entrant=entrant):
            return _with_presence(tournament, entrant, present=False)
        case RoundSeated():
            return _seated(tournament, fact)
        case EntrantsSwapped():
            return _with_round(tournament, _swapped(tournament, fact))
        case ResultEntered() | ResultCorrected():
            return _with_round(tournament, _with_result(tournament, fact))
        case ResultWithdrawn(round=number, table=table):
            last = _open(tournament, number)
            last.table(table)
            kept = {n: result for n, result in last.results.items() if n != table}
            return _with_round(tournament, replace(last, results=kept))
        case RoundClosed(round=number):
            last = _open(tournament, number)
            if last.missing:
                raise RoundError(
                    "round {round} cannot be closed: table {table} has no result yet",
                    round=number,
                    table=last.missing[0],
                )
            return _with_round(tournament, replace(last, is_closed=True))


def _check_rules(rules: Rules) -> None:
    if not rules.smallest <= rules.preferred <= rules.largest:
        raise RulesError(
            "tables of {preferred} are preferred, but allowed are {smallest} to {largest}",
            preferred=rules.preferred,
            smallest=rules.smallest,
            largest=rules.largest,
        )
    for size in range(rules.smallest, rules.largest + 1):
        points = rules.place_points.get(size, ())
        if len(points) != size or list(points) != sorted(points, reverse=True):
            raise RulesError(
                "a table of {size} needs {size} points, from the first place to the last "
                "and never rising",
                size=size,
            )
    if len(set(rules.tie_breaks)) < len(rules.tie_breaks):
        raise RulesError("a tie-break is named twice")


def _with_entrant(tournament: Tournament, entrant: Entrant) -> Tournament:
    """Add or replace somebody; names are unlike each other also when read in small letters."""
    for other in tournament.entrants.values():
        if other.id != entrant.id and plain(other.name) == plain(entrant.name):
            raise EntrantError(
                "there is a {name} already: add what tells them apart", name=entrant.name
            )
    return replace(tournament, entrants={**tournament.entrants, entrant.id: entrant})


def plain(name: str) -> str:
    """Return a name in small letters and with single spaces, to be compared.

    Examples
    --------
    >>> plain(" Anna  MARIA ")
    'anna maria'
    """
    return " ".join(name.casefold().split())


def _with_presence(tournament: Tournament, entrant: EntrantId, *, present: bool) -> Tournament:
    known = tournament.entrant(entrant)
    if known.is_present == present:
        if present:
            raise EntrantError("{name} is here already", name=known.name)
        raise EntrantError("{name} has gone already", name=known.name)
    changed = replace(known, is_present=present)
    return replace(tournament, entrants={**tournament.entrants, entrant: changed})


def _with_round(tournament: Tournament, changed: Round) -> Tournament:
    place = changed.number - 1
    rounds = (*tournament.rounds[:place], changed, *tournament.rounds[place + 1 :])
    return replace(tournament, rounds=rounds)


def _open(tournament: Tournament, number: int) -> Round:
    found = tournament.round(number)
    if found.is_closed:
        raise RoundError("round {round} is closed", round=number)
    return found


def _seated(tournament: Tournament, fact: RoundSeated) -> Tournament:
    earlier = tournament.seated_until_now
    if earlier and not earlier[-1].is_closed:
        raise RoundError("round {round} is still being played", round=earlier[-1].number)
    if fact.round != len(earlier) + 1:
        raise RoundError("the next round is {round}", round=len(earlier) + 1)
    rules = tournament.rules
    for number, players in enumerate(fact.tables, 1):
        if not rules.smallest <= len(players) <= rules.largest:
            raise SeatingError(
                "table {table} has {count} players; {smallest} to {largest} are allowed",
                table=number,
                count=len(players),
                smallest=rules.smallest,
                largest=rules.largest,
            )
    times = Counter(one for group in (*fact.tables, fact.byes) for one in group)
    for entrant, count in times.items():
        known = tournament.entrant(entrant)
        if count > 1:
            raise SeatingError("{name} is seated twice", name=known.name)
        if not known.is_present:
            raise SeatingError("{name} is not here and cannot be seated", name=known.name)
    for one in tournament.present:
        if one.id not in times:
            raise SeatingError("{name} has neither a table nor a bye", name=one.name)
    seated = Round(fact.round, fact.tables, fact.byes)
    return replace(tournament, rounds=(*earlier, seated))


def _swapped(tournament: Tournament, fact: EntrantsSwapped) -> Round:
    last = _open(tournament, fact.round)
    places = {one: n for n, players in enumerate(last.tables, 1) for one in players}
    places |= dict.fromkeys(last.byes, 0)
    for one in (fact.one, fact.other):
        if one not in places:
            raise SeatingError(
                "{name} is not seated in round {round}",
                name=tournament.entrant(one).name,
                round=fact.round,
            )
    if places[fact.one] != places[fact.other]:
        for one in (fact.one, fact.other):
            if places[one] in last.results:
                raise RoundError(
                    "table {table} has a result already: withdraw it before its players change",
                    table=places[one],
                )
    to = {fact.one: fact.other, fact.other: fact.one}
    return replace(
        last,
        tables=tuple(tuple(to.get(one, one) for one in players) for players in last.tables),
        byes=tuple(to.get(one, one) for one in last.byes),
    )


def _with_result(tournament: Tournament, fact: OfResult) -> Round:
    found = tournament.round(fact.round)
    players = found.table(fact.table)
    if isinstance(fact, ResultEntered) and fact.table in found.results:
        raise ResultError("table {table} has a result already: correct that one", table=fact.table)
    if isinstance(fact, ResultCorrected) and fact.table not in found.results:
        raise ResultError("table {table} has no result to correct", table=fact.table)
    for one in (*fact.points, *fact.winners):
        if one not in players:
            raise ResultError(
                "{name} does not play at table {table} in round {round}",
                name=tournament.entrant(one).name,
                table=fact.table,
                round=fact.round,
            )
    for one in players:
        if one not in fact.points:
            raise ResultError("{name}'s points are missing", name=tournament.entrant(one).name)
    result = TableResult(dict(fact.points), tuple(fact.winners))
    return replace(found, results={**found.results, fact.table: result})
