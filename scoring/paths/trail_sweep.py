"""The sweep over a graph for what its longest trail leaves out, and the graph reduced before it.

Each reduction keeps the longest trail and is exact; they are applied until none fits:

- The edges of a vertex of degree 2 are used both or not at all (a trail that ends there could go
  on), so they become one edge.
- A closed round at a vertex is taken whenever the vertex is, so it becomes the vertex's bonus.
- Of several dead ends at one vertex a trail has room for two: it begins with one and ends with one.

The sweep goes edge by edge, vertex by vertex, and keeps for each way in which the vertices at the
border between done and undone can hang together the least weight left out so far. Nothing is kept
that a lower bound puts above a budget, and the budget grows until a trail is found, so that the
work follows what must be left out, which is little, and not the graph's size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from ..board import PlaceId, RouteId
from .network import OutOfStepsError, StepCount

# An edge (u, v, key, weight), as `Network.edges` gives a route with its length.
Edge = tuple[PlaceId, PlaceId, RouteId, int]

Links = tuple[int, ...]  # positions of original edges
Label = int  # of a vertex at the border: 0 untouched, else twice its part's number plus its parity
# The edges left out, last first, as a linked list: sweeps share their tails.
Skipped = tuple[int, "Skipped"] | None
STATE_STEPS = 4  # steps that a state counts as, beside one for each vertex of its border; measured
_State = tuple[int, tuple[Label, ...]]
_Loss = tuple[int, int, Skipped]


@dataclass(slots=True)
class ReducedGraph:
    """A connected multigraph, reduced; each edge and bonus remembers the original edges in it.

    Vertices are numbers, in the order in which the original edges name them. Plain dicts, for an
    edge of a graph of networkx takes ten times as long to change, and most edges are changed.

    Examples
    --------
    A way of three edges is one edge.

    >>> import networkx as nx
    >>> graph = nx.path_graph("abcd", nx.MultiGraph)
    >>> nx.set_edge_attributes(graph, 4, "length")
    >>> ReducedGraph.of(graph.edges(keys=True, data="length")).edges
    {0: (0, 3, 12, (0, 1, 2))}
    """

    edges: dict[int, tuple[int, int, int, Links]] = field(default_factory=dict)
    at: dict[int, set[int]] = field(default_factory=dict)  # the edges at each vertex
    bonus: dict[int, tuple[int, Links]] = field(default_factory=dict)  # closed rounds at a vertex
    dropped: list[int] = field(default_factory=list)  # original edges that no longest trail needs
    dropped_weight: int = 0

    @classmethod
    def of(cls, edges: Iterable[Edge]) -> ReducedGraph:
        """Reduce the graph of these edges."""
        graph = cls()
        numbers: dict[PlaceId, int] = {}
        for i, (a, b, _, weight) in enumerate(edges):
            u = numbers.setdefault(a, len(numbers))
            v = numbers.setdefault(b, len(numbers))
            graph.at.setdefault(u, set())
            graph.at.setdefault(v, set())
            graph._add(i, u, v, weight, (i,))
        graph._reduce()
        return graph

    def _add(self, name: int, u: int, v: int, weight: int, originals: Links) -> None:
        if u == v:
            bonus, before = self.bonus.get(u, (0, ()))
            self.bonus[u] = bonus + weight, before + originals
        else:
            self.edges[name] = u, v, weight, originals
            self.at[u].add(name)
            self.at[v].add(name)

    def _remove(self, name: int) -> tuple[int, int, int, Links]:
        edge = self.edges.pop(name)
        self.at[edge[0]].discard(name)
        self.at[edge[1]].discard(name)
        return edge

    def _reduce(self) -> None:
        """Apply the three reductions until none fits."""
        waiting = list(self.at)
        while waiting:
            v = waiting.pop()
            names = self.at.get(v)
            if names is None:
                continue
            if len(names) == 1 and v in self.bonus:
                self._move_bonus_into_dead_end(v)
            if len(names) > 2:
                self._drop_third_dead_end(v)
            if len(names) == 2:
                waiting += self._join_at(v)

    def _move_bonus_into_dead_end(self, v: int) -> None:
        bonus, rounds = self.bonus.pop(v)
        (name,) = self.at[v]
        a, b, weight, originals = self.edges[name]
        self.edges[name] = a, b, weight + bonus, originals + rounds

    def _drop_third_dead_end(self, v: int) -> None:
        dead_ends = []
        for name in self.at[v]:
            a, b, weight, _ = self.edges[name]
            end = b if a == v else a
            if len(self.at[end]) == 1 and end not in self.bonus:
                dead_ends.append((weight, name, end))
        for weight, name, end in sorted(dead_ends)[:-2]:
            self.dropped += self._remove(name)[3]
            self.dropped_weight += weight
            del self.at[end]

    def _join_at(self, v: int) -> tuple[int, int]:
        """Make one edge of the two at `v`; return its ends."""
        first, second = sorted(self.at.pop(v))
        a, b, weight, originals = self.edges.pop(first)
        c, d, more, others = self.edges.pop(second)
        bonus, rounds = self.bonus.pop(v, (0, ()))
        u, w = (b if a == v else a), (d if c == v else c)
        self.at[u].discard(first)
        self.at[w].discard(second)
        self._add(first, u, w, weight + more + bonus, originals + others + rounds)
        return u, w


class _Step(NamedTuple):
    """One step of the sweep: an edge between two border positions, or a vertex that is done."""

    new: int  # vertices that join the border first, at its end
    i: int  # i, j: Positions; `j` is -1 when the vertex at `i` is done
    j: int
    width: int  # vertices at the border, with the new ones
    weight: int  # of the edge, or the bonus of the vertex
    originals: Links
    # odd_i, odd_j: Parity of the edges that remain at each vertex, this one among them.
    odd_i: int = 0
    odd_j: int = 0
    debt_i: int = 0  # debt_i, debt_j: The lightest edge at each vertex
    debt_j: int = 0


def lightest_left_out(
    graph: ReducedGraph, most: int, count: StepCount
) -> tuple[list[Links] | None, int]:
    """Return what the longest trail leaves out, if that weighs at most `most`, and the weight.

    Otherwise it is None, and the weight is one that every trail leaves out at least.
    """
    if most < 0:
        return None, most + 1
    if not graph.edges:
        return [], 0
    debts = {
        v: min(graph.edges[name][2] for name in names) for v, names in graph.at.items() if names
    }
    debt = sum(debts[v] for v, names in graph.at.items() if len(names) % 2)
    forgiven = sum(sorted(debts.values())[-2:])
    steps = list(_sweep_order(graph, debts))
    budget = least = max(0, (debt - forgiven + 1) // 2)
    with suppress(OutOfStepsError):
        while least <= most:
            budget = min(budget, most)
            found = _sweep(steps, budget, debt - forgiven, count)
            if found is not None:
                return found
            least, budget = budget + 1, budget + 2 + budget // 4
    return None, least


def _sweep_order(graph: ReducedGraph, debts: Mapping[int, int]) -> Iterator[_Step]:
    """Order the edges so that few vertices are at the border at any time."""
    edges, border = graph.edges, list[int]()
    remaining = {v: len(names) for v, names in graph.at.items()}
    beside: dict[int, set[int]] = {v: set() for v in graph.at}
    for a, b, _, _ in edges.values():
        beside[a].add(b)
        beside[b].add(a)

    def cost(v: int) -> tuple[int, int, int]:
        # Of equal vertices the last: on the USA map that is half the work.
        return len(beside[v].difference(border)), len(beside[v]), -v

    def finish(v: int) -> _Step:
        for other in beside.pop(v):
            beside[other].discard(v)
        i = border.index(v)
        border.pop(i)
        return _Step(0, i, -1, len(border) + 1, *graph.bonus.get(v, (0, ())))

    while beside:
        v = min(border or beside, key=cost)
        for name in sorted(graph.at[v]):
            a, b, weight, originals = edges[name]
            other = b if a == v else a
            if other not in beside:
                continue
            fresh = [end for end in (a, b) if end not in border]
            border += fresh
            odd = remaining[a] & 1, remaining[b] & 1
            i, j = border.index(a), border.index(b)
            width = len(border)
            yield _Step(len(fresh), i, j, width, weight, originals, *odd, debts[a], debts[b])
            remaining[a] -= 1
            remaining[b] -= 1
            if not remaining[other]:
                yield finish(other)
        yield finish(v)


def _sweep(
    steps: Sequence[_Step],
    budget: int,
    debt: int,
    count: StepCount,
) -> tuple[list[Links], int] | None:
    """Return the lightest parts to leave out and their weight, if that is at most `budget`.

    Notes
    -----
    A state is the number of odd vertices that are done and the border. Its debt is twice a weight
    that must still be left out: each vertex that would end up odd needs to lose an edge, an edge
    serves two vertices, and two vertices are forgiven, the ends of the trail. The debt changes only
    where an edge is left out.
    """
    rest = sum(step.weight for step in steps)
    best, best_skipped, best_step = budget + 1, None, len(steps)
    states: dict[_State, _Loss] = {(0, ()): (0, debt, None)}
    for number, step in enumerate(steps):
        new, i, j, width, weight, _, odd_i, odd_j, debt_i, debt_j = step
        count.take(len(states) * (width + STATE_STEPS))
        rest -= weight
        after: dict[_State, _Loss] = {}
        for (ends, border), (lost, debt, skipped) in states.items():
            if 2 * lost + debt >= 2 * best:
                continue
            if j >= 0:
                grown = border + (0,) * new if new else border
                state = ends, _taken(grown, i, j)
                known = after.get(state)
                if known is None or lost < known[0]:
                    after[state] = lost, debt, skipped
                lost += weight
                if lost >= best:
                    continue
                debt += -debt_i if grown[i] & 1 ^ odd_i else debt_i
                debt += -debt_j if grown[j] & 1 ^ odd_j else debt_j
                if 2 * lost + debt >= 2 * best:
                    continue
                state, skipped = (ends, grown), (number, skipped)
            else:
                label = border[i]
                if not label:
                    lost += weight
                    skipped = (number, skipped) if weight else skipped
                ends += label & 1
                if ends > 2 or lost >= best:
                    continue
                shorter = _drop_done(border, i)
                if shorter is None:
                    # A part of the trail is closed: it is the whole trail, or no trail at all.
                    if border.count(0) == len(border) - 1 and lost + rest < best:
                        best, best_skipped, best_step = lost + rest, skipped, number
                    continue
                state = ends, shorter
            known = after.get(state)
            if known is None or lost < known[0]:
                after[state] = lost, debt, skipped
        states = after
    if best > budget:
        return None
    left_out = [step.originals for step in steps[best_step + 1 :]]
    while best_skipped is not None:
        number, best_skipped = best_skipped
        left_out.append(steps[number].originals)
    return left_out, best


@lru_cache(maxsize=1 << 14)
def _taken(border: tuple[Label, ...], i: int, j: int) -> tuple[Label, ...]:
    """Return the border after an edge between two of its vertices is taken."""
    labels = list(border)
    first, second = labels[i] >> 1, labels[j] >> 1
    if not first:
        first = second or 1 + max(label >> 1 for label in labels)
        labels[i] = first * 2
    if not second:
        labels[j] = first * 2
    elif first != second:
        labels = [first * 2 + (label & 1) if label >> 1 == second else label for label in labels]
    labels[i] ^= 1
    labels[j] ^= 1
    return _numbered(tuple(labels))


@lru_cache(maxsize=1 << 14)
def _drop_done(border: tuple[Label, ...], i: int) -> tuple[Label, ...] | None:
    """Return the border without a vertex that is done; None where this closes the vertex's part."""
    shorter, label = border[:i] + border[i + 1 :], border[i]
    if label and label not in shorter and label ^ 1 not in shorter:
        return None
    return _numbered(shorter)


def _numbered(labels: tuple[Label, ...]) -> tuple[Label, ...]:
    """Return labels with the parts numbered in the order in which they appear."""
    numbers = {0: 0}
    return tuple(2 * numbers.setdefault(n >> 1, len(numbers)) + (n & 1) for n in labels)
