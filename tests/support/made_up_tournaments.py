"""Tournaments that nobody played: named players, results by seed or as told."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

from railspotter.club.tournament import (
    EntrantAdded,
    ResultEntered,
    RoundClosed,
    RoundSeated,
    Rules,
    Tournament,
    TournamentStarted,
    after,
    fold,
)

RULES = Rules()


def entered(players: Iterable[str], rules: Rules = RULES) -> Tournament:
    """Return a tournament before its first round; `ann` is called Ann."""
    held = fold([TournamentStarted("made up", rules)])
    for one in players:
        held = after(held, EntrantAdded(one, one.capitalize()))
    return held


def numbered(count: int, rules: Rules = RULES) -> Tournament:
    """Return a tournament of p0, p1, ..., before its first round."""
    return entered((f"p{n}" for n in range(count)), rules)


def played(held: Tournament, *tables: Mapping[str, int], byes: tuple[str, ...] = ()) -> Tournament:
    """Return a tournament after a round with these tables and the games' points."""
    number = len(held.rounds) + 1
    held = after(held, RoundSeated(number, tuple(tuple(table) for table in tables), byes))
    for n, table in enumerate(tables, 1):
        held = after(held, ResultEntered(number, n, dict(table)))
    return after(held, RoundClosed(number))


def played_by_luck(held: Tournament, seated: RoundSeated, rng: random.Random) -> Tournament:
    """Return a tournament after a round that is seated so, with any results."""
    held = after(held, seated)
    for n, table in enumerate(seated.tables, 1):
        points = {one: rng.randint(60, 140) for one in table}
        held = after(held, ResultEntered(seated.round, n, points))
    return after(held, RoundClosed(seated.round))


def seated_by_lot(held: Tournament, sizes: Iterable[int], rng: random.Random) -> RoundSeated:
    """Return a seating without a thought; who is left over has a bye."""
    order = [one.id for one in held.present]
    rng.shuffle(order)
    tables = tuple(tuple(order.pop() for _ in range(size)) for size in sizes)
    return RoundSeated(len(held.rounds) + 1, tables, tuple(order))
