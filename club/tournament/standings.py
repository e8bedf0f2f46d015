"""Standings: tournament points, and why one comes before another who has as many.

Points come from the place at each table; who is level there shares what those places are worth.
Between level points these decide, in the order that the rules name:

share
    The game's points as a multiple of the table's average, added up over all rounds. Points below
    nought count as nought; a table at which nobody has any gives everyone 1, and so does a bye.
wins
    Games in which nobody came before one.
encounters
    Among those who are still level: how often one came before another of them at the same table,
    less how often behind.
opponents
    The tournament points of everyone met, on average over the encounters, so that tables of
    different sizes can be compared (Buchholz's idea).

Those who are level in one only go on to the next among themselves. Missed rounds are worth nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby

from railspotter.scoring.sentence import NOTHING, Sentence, together

from .facts import Rules, TieBreak
from .tournament import Entrant, EntrantId, TableResult, Tournament


@dataclass(frozen=True)
class StandingRow:
    """One entrant's place.

    Attributes
    ----------
    place : int
        From 1; those whom nothing tells apart share it.
    points : Fraction
        Tournament points.
    share : Fraction
        The game's points as multiples of the tables' averages, added up.
    opponents : Fraction
        The average tournament points of everyone met.
    games, byes : int
        Rounds with a result at a table, and rounds without a table.
    reason : Sentence
        Why behind the row before, where both have the same points; else nothing.
    """

    place: int
    entrant: Entrant
    points: Fraction
    share: Fraction
    wins: int
    opponents: Fraction
    games: int
    byes: int
    reason: Sentence = NOTHING


@dataclass
class _Tally:
    """What is added up for one entrant; `met` has everyone met with 1 for ahead, -1 for behind."""

    points: Fraction = Fraction(0)
    share: Fraction = Fraction(0)
    wins: int = 0
    games: int = 0
    byes: int = 0
    opponents: Fraction = Fraction(0)
    met: list[tuple[EntrantId, int]] = field(default_factory=list)


@dataclass
class _Tier:
    """Entrants whom nothing tells apart, and what put them behind the tier before.

    `decided` is what decided, with the value of the tier before and the own one.
    """

    members: tuple[EntrantId, ...]
    decided: tuple[TieBreak, Fraction, Fraction] | None = None


def table_places(result: TableResult) -> dict[EntrantId, int]:
    """Return everyone's place at a table, from 1; whoever the game calls winner is first.

    Examples
    --------
    >>> table_places(TableResult({"ann": 98, "bob": 120, "cem": 98}))
    {'ann': 2, 'bob': 1, 'cem': 2}
    >>> table_places(TableResult({"ann": 120, "bob": 120, "cem": 98}, winners=("ann",)))
    {'ann': 1, 'bob': 2, 'cem': 3}
    """
    rank = {one: (one in result.winners, points) for one, points in result.points.items()}
    if len(result.winners) > 1:  # several winners are level, whatever their points
        rank |= dict.fromkeys(result.winners, (True, 0))
    return {one: 1 + sum(other > own for other in rank.values()) for one, own in rank.items()}


def table_points(rules: Rules, result: TableResult) -> dict[EntrantId, Fraction]:
    """Return the tournament points of a table; ties share what their places are worth.

    Examples
    --------
    >>> tied = TableResult({"ann": 98, "bob": 120, "cem": 98, "dan": 80})
    >>> {who: str(points) for who, points in table_points(Rules(), tied).items()}
    {'ann': '6', 'bob': '12', 'cem': '6', 'dan': '0'}
    """
    places = table_places(result)
    worth = rules.place_points[len(places)]
    shared = {place: list(places.values()).count(place) for place in places.values()}
    return {
        one: Fraction(sum(worth[place - 1 : place - 1 + shared[place]]), shared[place])
        for one, place in places.items()
    }


def standings(tournament: Tournament, rounds: int | None = None) -> tuple[StandingRow, ...]:
    """Return everyone's place, the first first; those who dropped out keep theirs.

    Parameters
    ----------
    rounds : int, optional
        How many rounds count; else all, with what is known of the open one.

    Examples
    --------
    >>> from .facts import EntrantAdded, ResultEntered, RoundSeated, TournamentStarted
    >>> from .tournament import fold
    >>> evening = fold([
    ...     TournamentStarted("Friday"), EntrantAdded("ann", "Ann"), EntrantAdded("bob", "Bob"),
    ...     RoundSeated(1, (("ann", "bob"),)), ResultEntered(1, 1, {"ann": 98, "bob": 120}),
    ... ])
    >>> [(row.place, row.entrant.name, int(row.points)) for row in standings(evening)]
    [(1, 'Bob', 12), (2, 'Ann', 0)]
    """
    tallies = _tallies(tournament, rounds)
    rows: list[StandingRow] = []
    everyone = sorted(tallies, key=lambda one: (-tallies[one].points, _name(tournament, one)))
    for _, level in groupby(everyone, key=lambda one: tallies[one].points):
        before: _Tier | None = None
        for tier in _tiers(tuple(level), tournament.rules.tie_breaks, tallies):
            place = len(rows) + 1
            for one in tier.members:
                own = tallies[one]
                rows.append(
                    StandingRow(
                        place=place,
                        entrant=tournament.entrants[one],
                        points=own.points,
                        share=own.share,
                        wins=own.wins,
                        opponents=own.opponents,
                        games=own.games,
                        byes=own.byes,
                        reason=_reason(tournament, tier, before, one),
                    )
                )
            before = tier
    return tuple(rows)


def number_text(number: Fraction | int) -> str:
    """Return a number with two decimals at most.

    Examples
    --------
    >>> number_text(Fraction(15, 2)), number_text(Fraction(10, 3)), number_text(12)
    ('7.5', '3.33', '12')
    """
    text = f"{float(number):.2f}"
    return text.rstrip("0").rstrip(".")


def _name(tournament: Tournament, entrant: EntrantId) -> str:
    return tournament.entrants[entrant].name


def _tallies(tournament: Tournament, rounds: int | None) -> dict[EntrantId, _Tally]:
    tallies = {one: _Tally() for one in tournament.entrants}
    for played in tournament.rounds[:rounds]:
        for one in played.byes:
            tallies[one].points += tournament.rules.bye_points
            tallies[one].share += 1
            tallies[one].byes += 1
        for result in played.results.values():
            _add(tallies, tournament.rules, result)
    for own in tallies.values():
        if own.met:
            met = sum((tallies[other].points for other, _ in own.met), Fraction(0))
            own.opponents = met / len(own.met)
    return tallies


def _add(tallies: Mapping[EntrantId, _Tally], rules: Rules, result: TableResult) -> None:
    places, points = table_places(result), table_points(rules, result)
    scored = {one: max(0, count) for one, count in result.points.items()}
    total = sum(scored.values())
    for one, place in places.items():
        own = tallies[one]
        own.points += points[one]
        own.share += Fraction(scored[one] * len(scored), total) if total else 1
        own.wins += place == 1
        own.games += 1
        own.met += [
            (other, (place < behind) - (place > behind))
            for other, behind in places.items()
            if other != one
        ]


def _tiers(
    level: tuple[EntrantId, ...], breaks: Sequence[TieBreak], tallies: Mapping[EntrantId, _Tally]
) -> list[_Tier]:
    if len(level) == 1 or not breaks:
        return [_Tier(level)]
    values = _measure(breaks[0], level, tallies)
    tiers: list[_Tier] = []
    ahead = Fraction(0)
    for value, members in groupby(
        sorted(level, key=lambda one: -values[one]), key=lambda one: values[one]
    ):
        part = _tiers(tuple(members), breaks[1:], tallies)
        if tiers:
            part[0].decided = (breaks[0], ahead, value)
        tiers += part
        ahead = value
    return tiers


def _measure(
    tie_break: TieBreak, level: tuple[EntrantId, ...], tallies: Mapping[EntrantId, _Tally]
) -> dict[EntrantId, Fraction]:
    if tie_break == "encounters":
        group = frozenset(level)
        return {
            one: Fraction(sum(sign for other, sign in tallies[one].met if other in group))
            for one in level
        }
    return {one: Fraction(getattr(tallies[one], tie_break)) for one in level}


LEVELS: dict[TieBreak, Sentence] = {
    "share": Sentence("share"),
    "wins": Sentence("wins"),
    "encounters": Sentence("encounters"),
    "opponents": Sentence("opponents"),
}
"""What a tie-break is called where it did not decide."""


def _told_apart(more: Fraction, fewer: Fraction) -> dict[str, str]:
    """Return two numbers with as many decimals as it takes to see which is more."""
    texts = [f"{float(one):.2f}" for one in (more, fewer)]
    for decimals in range(3, 16):
        if texts[0] != texts[1]:
            break
        texts = [f"{float(one):.{decimals}f}" for one in (more, fewer)]
    return {"more": texts[0], "fewer": texts[1]}


def _wins_text(more: Fraction, fewer: Fraction) -> Sentence:
    if more == 1:
        return Sentence("a win against none")
    return Sentence("{more} wins against {fewer}", more=str(more), fewer=str(fewer))


REASONS: dict[TieBreak, Callable[[Fraction, Fraction], Sentence]] = {
    "share": lambda more, fewer: Sentence(
        "{more} times the tables' average points against {fewer} times",
        **_told_apart(more, fewer),
    ),
    "wins": _wins_text,
    "encounters": lambda more, fewer: Sentence(
        "better where those still level met ({more} against {fewer})",
        more=f"{int(more):+d}",
        fewer=f"{int(fewer):+d}",
    ),
    "opponents": lambda more, fewer: Sentence(
        "stronger opponents ({more} points on average against {fewer})",
        **_told_apart(more, fewer),
    ),
}
"""How a tie-break says why it decided."""


def _reason(
    tournament: Tournament, tier: _Tier, before: _Tier | None, entrant: EntrantId
) -> Sentence:
    breaks = tournament.rules.tie_breaks
    place = tier.members.index(entrant)
    if place:
        return Sentence(
            "{one} and {other} share their place: level in {levels}",
            one=_name(tournament, tier.members[place - 1]),
            other=_name(tournament, entrant),
            levels=_levels(breaks),
        )
    if before is None or tier.decided is None:
        return NOTHING
    tie_break, more, fewer = tier.decided
    return Sentence(
        "{ahead} before {behind}: level in {levels}, but {reason}",
        ahead=_name(tournament, before.members[-1]),
        behind=_name(tournament, entrant),
        levels=_levels(breaks[: breaks.index(tie_break)]),
        reason=REASONS[tie_break](more, fewer),
    )


def _levels(breaks: Sequence[TieBreak]) -> Sentence:
    return together([Sentence("points"), *(LEVELS[one] for one in breaks)], ", ")
