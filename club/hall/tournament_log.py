"""The hall's tournaments, kept in its file: the newest is played, older ones stay there unread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ..tournament import (
    ResultCorrected,
    ResultEntered,
    ResultWithdrawn,
    RoundError,
    RoundSeated,
    Tournament,
    TournamentFact,
    TournamentStarted,
    after,
    fact_text,
    parse_fact,
)
from .hall_log import HallLog

Pairing = tuple[int, int]
"""A round's number, and a table's in it."""


@dataclass(frozen=True)
class Entry:
    """A fact, and which table's game it was taken from.

    Attributes
    ----------
    game : str or None
        Of a result that a table told: the game's id.
    """

    fact: TournamentFact
    game: str | None = None


@dataclass(frozen=True)
class HeldTournament:
    """A tournament, and where it comes from.

    Attributes
    ----------
    number : int
        Counts the hall's tournaments, from 1.
    facts : int
        How many made it.
    seated_at_s : mapping of int to float
        By round, when it was first seated, in seconds since 1970.
    games : mapping of Pairing to str
        The games that results were taken from.
    """

    number: int
    tournament: Tournament
    facts: int
    seated_at_s: Mapping[int, float]
    games: Mapping[Pairing, str]


class TournamentLog:
    """The tournaments of a hall; several threads may use it at once.

    Parameters
    ----------
    log : HallLog
        Open as long as this; it holds the file.
    clock : callable
        Seconds since 1970, as `time.time`.

    Raises
    ------
    ClubError
        When the file cannot be used, or what stands there is no tournament.
    """

    def __init__(self, log: HallLog, clock: Callable[[], float] = time.time) -> None:
        self._log, self._clock = log, clock
        self._one_at_a_time = threading.Lock()
        with log.lasting() as database:
            rows = database.execute(
                "select tournament, at_s, fact, game from tournament_facts where tournament ="
                " (select max(tournament) from tournament_facts) order by number"
            ).fetchall()
            (older,) = database.execute(
                "select count(*) from tournament_facts where tournament <"
                " (select max(tournament) from tournament_facts)"
            ).fetchone()
        self._older: int = older
        self._held: HeldTournament | None = None
        for number, at_s, text, game in rows:
            self._held = _after(self._held, number, Entry(parse_fact(text), game), at_s)

    @property
    def held(self) -> HeldTournament | None:
        """The newest tournament; None before the first one."""
        return self._held

    @property
    def version(self) -> int:
        """How many facts the file has, of all tournaments: it rises with every change."""
        return self._older + (self._held.facts if self._held else 0)

    def begin(self, start: TournamentStarted) -> HeldTournament:
        """Begin a tournament; the one before it stays in the file."""
        with self._one_at_a_time:
            before = self._held
            number = before.number + 1 if before else 1
            held = self._write(None, number, [Entry(start)])
            self._older += before.facts if before else 0
            self._held = held
            return held

    def change(
        self, number: int, entries: Callable[[HeldTournament], Sequence[Entry]]
    ) -> HeldTournament:
        """Add facts to a tournament, all of them or, where one does not fit, none.

        Parameters
        ----------
        number : int
            The tournament's: nothing is added to another one that was begun meanwhile.
        entries : callable
            Returns what to add; nobody else changes the tournament meanwhile.

        Raises
        ------
        TournamentError
            Where a fact does not fit.
        HallLogError
            Where it cannot be written down; then nothing has changed.
        """
        with self._one_at_a_time:
            held = self._held
            if held is None or held.number != number:
                raise RoundError("another tournament has begun meanwhile")
            added = entries(held)
            if added:
                self._held = self._write(held, number, added)
            return self._held or held

    def _write(
        self, held: HeldTournament | None, number: int, entries: Sequence[Entry]
    ) -> HeldTournament:
        at_s = self._clock()
        rows = []
        for entry in entries:
            text = fact_text(entry.fact)
            # What is written is what can be read again.
            held = _after(held, number, Entry(parse_fact(text), entry.game), at_s)
            rows.append((number, held.facts, at_s, text, entry.game))
        with self._log.lasting() as database:
            database.executemany(
                "insert into tournament_facts (tournament, number, at_s, fact, game)"
                " values (?, ?, ?, ?, ?)",
                rows,
            )
        if held is None:
            raise AssertionError("a tournament has a fact")
        return held


def _after(held: HeldTournament | None, number: int, entry: Entry, at_s: float) -> HeldTournament:
    fact = entry.fact
    tournament = after(held.tournament if held else None, fact)
    seated_at_s = dict(held.seated_at_s) if held else {}
    games = dict(held.games) if held else {}
    match fact:
        case RoundSeated(round=round_number):
            # A seating anew changes few tables, and others play already.
            seated_at_s.setdefault(round_number, at_s)
        case ResultEntered() | ResultCorrected():
            games.pop((fact.round, fact.table), None)
            if entry.game is not None:
                games[fact.round, fact.table] = entry.game
        case ResultWithdrawn():
            games.pop((fact.round, fact.table), None)
    return HeldTournament(
        number,
        tournament,
        held.facts + 1 if held else 1,
        MappingProxyType(seated_at_s),
        MappingProxyType(games),
    )
