"""The longest trail of a connected network: which edges to leave out.

A trail uses no edge twice; it may pass a vertex many times. A set of edges is one trail exactly
when it is connected and at most two of its vertices have odd degree (Euler). So the longest trail
leaves out the lightest set of edges that brings this about. Three steps find it:

1. Euler: with at most two odd vertices nothing is left out.
2. Reductions make several edges one (`trail_reduction`).
3. A sweep over what remains, vertex by vertex, that keeps for each way in which the vertices at the
   border between done and undone can hang together the least weight left out so far. Nothing
   is kept that a lower bound puts above a budget, and the budget grows until a trail is found, so
   that the work follows what must be left out, which is little, and not the network's size.

The sweep takes O(m * 2**w * B(w)) for m edges, a border of w vertices and B(w) partitions of it;
printed boards have w <= 8. It is exact on every input.

References
----------
.. [1] L. Euler, "Solutio problematis ad geometriam situs pertinentis", 1741.
.. [2] D. E. Knuth, "The Art of Computer Programming", vol. 4A, 7.1.4, algorithm Simpath: the
   sweep with a border, there for simple paths.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from .trail_reduction import Edge, Links, ReducedNetwork

Label = int
"""Of a vertex at the border: 0 untouched, else twice its part's number plus its parity."""

Skipped = tuple[int, "Skipped"] | None
"""The edges left out, last first, as a linked list: sweeps share their tails."""


def longest_trail(edges: Sequence[Edge], more_than: int = 0) -> list[int] | None:
    """Return the edges of the longest trail of a connected network, in no order.

    Parameters
    ----------
    edges : sequence of (u, v, weight)
        Connected; weights are positive; parallel edges and loops are welcome.
    more_than : int
        A trail of this weight is known already.

    Returns
    -------
    list of int or None
        Positions in `edges`; None when no trail weighs more than `more_than`.

    Examples
    --------
    A star of three edges has room for two.

    >>> longest_trail([(0, 1, 3), (0, 2, 5), (0, 3, 4)])
    [1, 2]
    """
    total = sum(weight for _, _, weight in edges)
    if total <= more_than:
        return None
    if _has_euler_trail(edges):
        return list(range(len(edges)))
    network = ReducedNetwork.of(edges)
    budget = total - more_than - 1 - network.dropped_weight
    if budget < 0:
        return None
    left_out = _lightest_left_out(network, budget)
    if left_out is None:
        return None
    lost = set(network.dropped)
    for part in left_out:
        lost.update(part)
    return [i for i in range(len(edges)) if i not in lost]


def _has_euler_trail(edges: Sequence[Edge]) -> bool:
    odd: set[int] = set()
    for u, v, _ in edges:
        odd ^= {u}
        odd ^= {v}
    return len(odd) <= 2


class _Step(NamedTuple):
    """One step of the sweep: an edge between two positions of the border, or a vertex that is done.

    Attributes
    ----------
    new : int
        Vertices that join the border first, at its end.
    i, j : int
        Positions; `j` is -1 when the vertex at `i` is done.
    weight : int
        Of the edge, or the bonus of the vertex.
    odd_i, odd_j : int
        Parity of the edges that remain at each vertex, this one among them.
    debt_i, debt_j : int
        The lightest edge at each vertex.
    """

    new: int
    i: int
    j: int
    weight: int
    originals: Links
    odd_i: int = 0
    odd_j: int = 0
    debt_i: int = 0
    debt_j: int = 0


def _lightest_left_out(network: ReducedNetwork, most: int) -> list[Links] | None:
    """Return what the longest trail leaves out, if that weighs at most `most`."""
    if not network.edges:
        return []
    debts = {
        v: min(network.edges[name][2] for name in names) for v, names in network.at.items() if names
    }
    debt = sum(debts[v] for v, names in network.at.items() if len(names) % 2)
    forgiven = sum(sorted(debts.values())[-2:])
    steps = list(_sweep_order(network, debts))
    budget = max(0, (debt - forgiven + 1) // 2)
    while budget < most:
        if (found := _sweep(steps, budget, debt - forgiven)) is not None:
            return found
        budget += 2 + budget // 4
    return _sweep(steps, most, debt - forgiven)


def _sweep_order(network: ReducedNetwork, debts: Mapping[int, int]) -> Iterator[_Step]:
    """Order the edges so that few vertices are at the border at any time."""
    edges = network.edges
    remaining = {v: set(names) for v, names in network.at.items()}
    border: list[int] = []
    done: set[int] = set()

    def cost(v: int) -> tuple[int, int, int]:
        ends = {edges[n][0] for n in remaining[v]} | {edges[n][1] for n in remaining[v]}
        return len(ends.difference(border, (v,))) - (v in border), len(ends), v

    def finish(v: int) -> _Step:
        i = border.index(v)
        border.pop(i)
        done.add(v)
        return _Step(0, i, -1, *network.bonus.get(v, (0, ())))

    while len(done) < len(remaining):
        v = min(border or [v for v in remaining if v not in done], key=cost)
        for name in sorted(remaining[v]):
            a, b, weight, originals = edges[name]
            fresh = [end for end in (a, b) if end not in border]
            border += fresh
            odd = len(remaining[a]) & 1, len(remaining[b]) & 1
            i, j = border.index(a), border.index(b)
            yield _Step(len(fresh), i, j, weight, originals, *odd, debts[a], debts[b])
            remaining[a].discard(name)
            remaining[b].discard(name)
            other = b if a == v else a
            if not remaining[other]:
                yield finish(other)
        if v not in done:
            yield finish(v)


_State = tuple[int, tuple[Label, ...]]
_Loss = tuple[int, int, Skipped]


def _sweep(steps: Sequence[_Step], budget: int, debt: int) -> list[Links] | None:
    """Return the lightest parts to leave out, if they weigh at most `budget`.

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
        new, i, j, weight, _, odd_i, odd_j, debt_i, debt_j = step
        rest -= weight
        after: dict[_State, _Loss] = {}
        for (ends, border), (lost, debt, skipped) in states.items():
            if 2 * lost + debt >= 2 * best:
                continue
            if j >= 0:
                grown = border + (0,) * new
                state = ends, _taken(grown, i, j)
                known = after.get(state)
                if known is None or lost < known[0]:
                    after[state] = lost, debt, skipped
                lost += weight
                debt += -debt_i if grown[i] & 1 ^ odd_i else debt_i
                debt += -debt_j if grown[j] & 1 ^ odd_j else debt_j
                if lost < best and 2 * lost + debt < 2 * best:
                    state = ends, grown
                    known = after.get(state)
                    if known is None or lost < known[0]:
                        after[state] = lost, debt, (number, skipped)
                continue
            label = border[i]
            if not label:
                lost += weight
                skipped = (number, skipped) if weight else skipped
            ends += label & 1
            if ends > 2 or lost >= best:
                continue
            shorter = border[:i] + border[i + 1 :]
            part = label >> 1
            if part and all(other >> 1 != part for other in shorter):
                # This part of the trail is closed: it is the whole trail, or no trail at all.
                if not any(shorter) and lost + rest < best:
                    best, best_skipped, best_step = lost + rest, skipped, number
                continue
            state = ends, _numbered(shorter)
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
    return left_out


@lru_cache(maxsize=1 << 16)
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


@lru_cache(maxsize=1 << 16)
def _numbered(labels: tuple[Label, ...]) -> tuple[Label, ...]:
    """Return labels with the parts numbered in the order in which they appear."""
    numbers = {0: 0}
    return tuple(2 * numbers.setdefault(n >> 1, len(numbers)) + (n & 1) for n in labels)
