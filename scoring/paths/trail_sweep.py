"""The sweep over a graph for what its longest trail leaves out.

The sweep goes edge by edge, vertex by vertex, and keeps for each way in which the vertices at the
border between done and undone can hang together the least weight left out so far. Nothing is kept
that a lower bound puts above a budget, and the budget grows until a trail is found, so that the
work follows what must be left out, which is little, and not the graph's size.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from ..board import PlaceId, RouteId
from .network import OutOfStepsError, StepCount

# An edge (u, v, key, weight), as `Network.edges` gives a route with its length.
Edge = tuple[PlaceId, PlaceId, RouteId, int]

Label = int  # of a vertex at the border: 0 untouched, else twice its part's number plus its parity
# The edges left out, last first, as a linked list: sweeps share their tails.
Skipped = tuple[int, "Skipped"] | None
STATE_STEPS = 4  # steps that a state counts as, beside one for each vertex of its border; measured
_State = tuple[int, tuple[Label, ...]]
_Loss = tuple[int, int, Skipped]


class _Step(NamedTuple):
    """One step of the sweep: an edge between two border positions, or a vertex that is done."""

    new: int  # vertices that join the border first, at its end
    i: int  # i, j: Positions; `j` is -1 when the vertex at `i` is done
    j: int
    width: int  # vertices at the border, with the new ones
    edge: int = -1  # its position among the edges
    weight: int = 0
    # odd_i, odd_j: Parity of the edges that remain at each vertex, this one among them.
    odd_i: int = 0
    odd_j: int = 0
    debt_i: int = 0  # debt_i, debt_j: The lightest edge at each vertex
    debt_j: int = 0


def edges_at(edges: Iterable[Edge]) -> dict[PlaceId, list[int]]:
    """Return the positions of the edges at each vertex."""
    at: dict[PlaceId, list[int]] = {}
    for i, (u, v, _, _) in enumerate(edges):
        at.setdefault(u, []).append(i)
        at.setdefault(v, []).append(i)
    return at


def lightest_left_out(
    edges: Sequence[Edge], most: int, count: StepCount
) -> tuple[frozenset[int] | None, int]:
    """Return the edges that a connected graph's longest trail leaves out, and their weight.

    They are positions among `edges`, none of which is a loop; None if they weigh more than `most`,
    with a weight that every trail leaves out at least.
    """
    at = edges_at(edges)
    debts = {v: min(edges[i][3] for i in there) for v, there in at.items()}
    debt = sum(debts[v] for v, there in at.items() if len(there) % 2)
    forgiven = sum(sorted(debts.values())[-2:])
    steps = list(_sweep_order(edges, at, debts))
    budget = least = max(0, (debt - forgiven + 1) // 2)
    with suppress(OutOfStepsError):
        while least <= most:
            budget = min(budget, most)
            found = _sweep(steps, budget, debt - forgiven, count)
            if found is not None:
                return found
            least, budget = budget + 1, budget + 2 + budget // 4
    return None, least


def _sweep_order(
    edges: Sequence[Edge], at: Mapping[PlaceId, Sequence[int]], debts: Mapping[PlaceId, int]
) -> Iterator[_Step]:
    """Order the edges so that few vertices are at the border at any time."""
    border = list[PlaceId]()
    remaining = {v: len(there) for v, there in at.items()}
    number = {v: i for i, v in enumerate(at)}
    beside: dict[PlaceId, set[PlaceId]] = {v: set() for v in at}
    for a, b, _, _ in edges:
        beside[a].add(b)
        beside[b].add(a)

    def cost(v: PlaceId) -> tuple[int, int, int]:
        # Of equal vertices the last: on the USA map that is half the work.
        return len(beside[v].difference(border)), len(beside[v]), -number[v]

    def finish(v: PlaceId) -> _Step:
        for other in beside.pop(v):
            beside[other].discard(v)
        i = border.index(v)
        border.pop(i)
        return _Step(0, i, -1, len(border) + 1)

    while beside:
        v = min(border or beside, key=cost)
        for name in at[v]:
            a, b, _, weight = edges[name]
            other = b if a == v else a
            if other not in beside:
                continue
            fresh = [end for end in (a, b) if end not in border]
            border += fresh
            odd = remaining[a] & 1, remaining[b] & 1
            i, j = border.index(a), border.index(b)
            yield _Step(len(fresh), i, j, len(border), name, weight, *odd, debts[a], debts[b])
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
) -> tuple[frozenset[int], int] | None:
    """Return the lightest edges to leave out and their weight, if that is at most `budget`.

    A state is the number of odd vertices that are done and the border. Its debt is twice a weight
    that must still be left out: each vertex that would end up odd needs to lose an edge, an edge
    serves two vertices, and two vertices are forgiven, the ends of the trail. The debt changes only
    where an edge is left out.
    """
    rest = sum(step.weight for step in steps)
    best, best_skipped, best_step = budget + 1, None, len(steps)
    states: dict[_State, _Loss] = {(0, ()): (0, debt, None)}
    for number, step in enumerate(steps):
        new, i, j, width, edge, weight, odd_i, odd_j, debt_i, debt_j = step
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
                state, skipped = (ends, grown), (edge, skipped)
            else:
                ends += border[i] & 1
                if ends > 2:
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
    left_out = {step.edge for step in steps[best_step + 1 :]}
    while best_skipped is not None:
        edge, best_skipped = best_skipped
        left_out.add(edge)
    return frozenset(left_out), best


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
