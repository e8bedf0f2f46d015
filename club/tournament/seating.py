"""Seating a round: players of like score together, and nobody twice with the same mate if possible.

Every seating has one cost, to be as low as possible: first how often two at a table have met before
(in the first round also: that they are of one club), then the squared differences of the tournament
points of all who sit together. For tables of two the lowest cost is a matching of minimum weight in
a graph of all players, and networkx finds it. For larger tables nobody knows a quick way to the
lowest cost. They are built by several matchings: players into pairs, pairs into fours, and one more
to each table of three or five. Swaps of two players follow, as long as one lowers the cost. Where
mates still meet again in a small round, a search tries all ways to seat everybody without, up to so
many steps: if there is one and the search gets through, it is found.

A matching among n takes some n**3 steps, so large rounds are cut into blocks of `BLOCK` neighbours
in the standing; swaps work across them. Chance, by the seed alone, decides between equal scores and
on the seats at a table.

Measured on one core (benchmarks/seating.py), tables of four, the slowest of six rounds: 100 players
.07 s, 500 .46 s, 2,500 1.4 s, and nobody met anybody again (by lot: 64, 71 and 84 pairs).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import networkx as nx

from .errors import RoundError
from .facts import RoundSeated
from .repeat_free import repeat_free
from .standings import standings
from .table_sizes import table_sizes
from .tournament import Entrant, EntrantId, Tournament, plain

BLOCK = 48
"""Groups in one matching: a complete graph of them takes 15 ms, one of 96 takes 180."""
REACH = 4
"""Over how many tables in the standing's order a swap is tried."""
MOST_SWEEPS = 20
MOST_FAR_SWAPS = 400_000
"""Swaps tried over any distance, for those who still meet again; some 1.5 s."""
SEARCHED = 60
"""Up to so many players a seating without repeats is searched for, where swaps found none."""
POINT_PARTS = 12
"""Points are compared in twelfths: halves, thirds and quarters of shared places are whole then."""

T = TypeVar("T")
Group = tuple[int, ...]
"""Who is to sit together: indices into a list of players that is sorted by score."""


@dataclass(frozen=True)
class _Costs:
    """What it costs to seat two together.

    Attributes
    ----------
    points : list of int
        By player, in `POINT_PARTS`.
    met : list of Counter
        By player, how often each other one was met.
    repeat : int
        What one meeting costs: more than all differences of points together.
    """

    points: list[int]
    met: list[Counter[int]]
    repeat: int

    def pair(self, one: int, other: int) -> int:
        """Return the cost of two at a table."""
        apart = (self.points[one] - self.points[other]) ** 2
        times = self.met[one].get(other)
        return apart + times * self.repeat if times else apart

    def between(self, group: Group, other: Group) -> int:
        """Return what two groups cost more at one table than at two."""
        return sum(self.pair(a, b) for a in group for b in other)

    def swap(self, table: list[int], i: int, other: list[int], j: int) -> int:
        """Return how much the cost rises when a player of a table changes with one of another."""
        a, b = table[i], other[j]
        pair, rise = self.pair, 0
        for mate in table:
            if mate != a:
                rise += pair(b, mate) - pair(a, mate)
        for mate in other:
            if mate != b:
                rise += pair(a, mate) - pair(b, mate)
        return rise

    def repeats(self, table: Sequence[int]) -> int:
        """Return how often those at a table have met before."""
        return sum(self.met[a][b] for n, a in enumerate(table) for b in table[:n])


def seat_round(tournament: Tournament, seed: int) -> RoundSeated:
    """Return a seating of the next round, or of the open one as long as it has no result.

    Everyone who is present has a table, or a bye where table sizes leave no other way. Byes go to
    those who had fewest, among them to the lowest in the standing.

    Parameters
    ----------
    seed : int
        The same tournament and seed give the same seating.

    Raises
    ------
    RoundError
        Where the last round is still being played.
    SeatingError
        Where there are too few players for a table.
    """
    earlier = tournament.seated_until_now
    if earlier and not earlier[-1].is_closed:
        raise RoundError("round {round} is still being played", round=earlier[-1].number)
    rng = random.Random(seed)  # noqa: S311  nothing secret is drawn
    sizes, left = table_sizes(len(tournament.present), tournament.rules)
    rows = {row.entrant.id: row for row in standings(tournament, len(earlier))}
    order = sorted(tournament.present, key=lambda one: one.id)
    rng.shuffle(order)
    lowest = sorted(order, key=lambda one: (rows[one.id].byes, -rows[one.id].place))
    byes = {one.id for one in lowest[:left]}
    order = [one for one in order if one.id not in byes]
    order.sort(key=lambda one: -rows[one.id].points)
    points = [round(rows[one.id].points * POINT_PARTS) for one in order]
    pairs = sum(size * (size - 1) // 2 for size in sizes)
    spread = max(points) - min(points)
    costs = _Costs(points, _met(tournament, order, len(earlier)), 1 + pairs * spread**2)
    tables = _tables(sizes, costs, rng)
    for table in tables:
        rng.shuffle(table)
    return RoundSeated(
        round=len(earlier) + 1,
        tables=tuple(tuple(order[one].id for one in table) for table in tables),
        byes=tuple(sorted(byes)),
        seed=seed,
    )


def repeats(tournament: Tournament) -> int:
    """Return how many pairs sat at one table again, added up over all rounds."""
    met: Counter[frozenset[EntrantId]] = Counter()
    for played in tournament.rounds:
        for table in played.tables:
            met.update(frozenset((a, b)) for n, a in enumerate(table) for b in table[:n])
    return sum(count - 1 for count in met.values())


def _met(tournament: Tournament, order: Sequence[Entrant], rounds: int) -> list[Counter[int]]:
    """Return whom each has met: who sat at one table, or before the first round a club's mates."""
    index = {one.id: n for n, one in enumerate(order)}
    groups: list[list[EntrantId]] = [
        [one for one in table if one in index]
        for played in tournament.rounds[:rounds]
        for table in played.tables
    ]
    if not rounds and tournament.rules.clubs_apart:
        clubs: dict[str, list[EntrantId]] = {}
        for entrant in order:
            clubs.setdefault(plain(entrant.club), []).append(entrant.id)
        groups = [members for club, members in clubs.items() if club]
    met: list[Counter[int]] = [Counter() for _ in order]
    for group in groups:
        for one in group:
            met[index[one]].update(index[other] for other in group if other != one)
    return met


def _tables(sizes: Sequence[int], costs: _Costs, rng: random.Random) -> list[list[int]]:
    """Return who sits together, the tables with most points first."""
    tables = _matched(sizes, costs, rng)
    _improve(tables, costs)
    if len(costs.points) <= SEARCHED and any(costs.repeats(table) for table in tables):
        found = repeat_free(sizes, costs.met, costs.points)
        if found is not None:
            tables = found
            _improve(tables, costs)
    points = costs.points
    return sorted(tables, key=lambda table: -sum(points[one] for one in table) / len(table))


def _matched(sizes: Sequence[int], costs: _Costs, rng: random.Random) -> list[list[int]]:
    """Return tables that are put together by matchings, in the order of scores.

    Each odd table's part of the order gives one player away, so that pairs can be made of the rest.
    """
    players = iter(range(len(costs.points)))
    single: dict[int, int] = {}
    rest: list[Group] = []
    for table, size in enumerate(sizes):
        part = [next(players) for _ in range(size)]
        if size % 2:
            single[table] = part.pop(rng.randrange(size))
        rest += [(one,) for one in part]
    pairs = iter(_coupled(rest, costs))
    cores: dict[int, Group] = {}
    halves: list[Group] = []
    for table, size in enumerate(sizes):
        if size >= 4:
            halves += [next(pairs), next(pairs)]
        else:
            cores[table] = next(pairs)
    fours = iter(_coupled(halves, costs))
    cores |= {table: next(fours) for table, size in enumerate(sizes) if size >= 4}
    cores |= _joined(cores, single, costs)
    return [list(cores[table]) for table in range(len(sizes))]


def _coupled(groups: Sequence[Group], costs: _Costs) -> list[Group]:
    """Return groups put together two by two, by a matching of minimum weight in each block."""
    coupled: list[Group] = []
    for block in _blocks(groups, BLOCK // 2, 2):
        graph: nx.Graph[int] = nx.Graph()
        for n, group in enumerate(block):
            for m in range(n):
                graph.add_edge(m, n, weight=costs.between(group, block[m]))
        matching = sorted(tuple(sorted(edge)) for edge in nx.min_weight_matching(graph))
        coupled += [(*block[a], *block[b]) for a, b in matching]
    return sorted(coupled, key=lambda group: sum(group))


def _joined(cores: dict[int, Group], single: dict[int, int], costs: _Costs) -> dict[int, Group]:
    """Return the odd tables, each with one of the singles."""
    joined: dict[int, Group] = {}
    for block in _blocks(sorted(single), BLOCK // 2, 1):
        graph: nx.Graph[tuple[str, int]] = nx.Graph()
        for table in block:
            for other in block:
                weight = costs.between(cores[table], (single[other],))
                graph.add_edge(("core", table), ("single", other), weight=weight)
        for edge in nx.min_weight_matching(graph):
            ends = dict(edge)
            joined[ends["core"]] = (*cores[ends["core"]], single[ends["single"]])
    return joined


def _blocks(items: Sequence[T], most: int, unit: int) -> Iterator[Sequence[T]]:
    """Cut into even blocks of at most so many units, and no unit in two."""
    units = len(items) // unit
    count = -(-units // most)
    for n in range(count):
        yield items[unit * (units * n // count) : unit * (units * (n + 1) // count)]


def _improve(tables: list[list[int]], costs: _Costs) -> None:
    """Swap players as long as that lowers the cost.

    Between tables near each other in the standing; from a table at which some meet again, also
    over any distance. In place.
    """
    far = MOST_FAR_SWAPS
    for _ in range(MOST_SWEEPS):
        tables.sort(key=lambda table: sum(table) / len(table))
        improved = False
        for n, table in enumerate(tables):
            others = range(n + 1, min(len(tables), n + 1 + REACH))
            if far > 0 and costs.repeats(table):
                others = range(len(tables))
                far -= len(costs.points) * len(table)
            for m in others:
                if m != n and _swapped(table, tables[m], costs):
                    improved = True
        if not improved:
            return


def _swapped(table: list[int], other: list[int], costs: _Costs) -> bool:
    swapped = False
    for i in range(len(table)):
        for j in range(len(other)):
            if costs.swap(table, i, other, j) < 0:
                table[i], other[j] = other[j], table[i]
                swapped = True
    return swapped
