"""The sweep over a graph for what its longest trail leaves out.

It goes edge by edge, vertex by vertex, and keeps for each way in which the vertices at the border
between done and undone can hang together the least weight left out so far. Nothing is kept that a
lower bound puts above a budget, and the budget grows until a trail is found, so that the work
follows what must be left out, which is little, and not the graph's size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from .steps import OutOfStepsError, StepCount
from .trail_reduction import Links, ReducedGraph

Label = int  # of a vertex at the border: 0 untouched, else twice its part's number plus its parity

# The edges left out, last first, as a linked list: sweeps share their tails.
Skipped = tuple[int, "Skipped"] | None


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


STATE_STEPS = 4  # steps that a state counts as, beside one for each vertex of its border; measured

_State = tuple[int, tuple[Label, ...]]
_Loss = tuple[int, int, Skipped]


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
                shorter = _without(border, i)
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
def _without(border: tuple[Label, ...], i: int) -> tuple[Label, ...] | None:
    """Return the border without a vertex that is done; None where this closes the vertex's part."""
    shorter, label = border[:i] + border[i + 1 :], border[i]
    if label and label not in shorter and label ^ 1 not in shorter:
        return None
    return _numbered(shorter)


def _numbered(labels: tuple[Label, ...]) -> tuple[Label, ...]:
    """Return labels with the parts numbered in the order in which they appear."""
    numbers = {0: 0}
    return tuple(2 * numbers.setdefault(n >> 1, len(numbers)) + (n & 1) for n in labels)
