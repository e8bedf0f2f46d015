"""The longest trail of a graph, exactly: networkx has no algorithm for it.

A trail uses no edge twice; it may pass a vertex many times. A set of edges is one trail exactly
when it is connected and at most two of its vertices have odd degree (Euler). So the longest trail
of a connected graph leaves out the lightest set of edges that brings this about. Three steps find
it:

1. Euler: with at most two odd vertices nothing is left out.
2. Reductions make several edges one (`trail_reduction`).
3. A sweep over what remains, vertex by vertex, that keeps for each way in which the vertices at the
   border between done and undone can hang together the least weight left out so far. Nothing
   is kept that a lower bound puts above a budget, and the budget grows until a trail is found, so
   that the work follows what must be left out, which is little, and not the graph's size.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

import networkx as nx

from .trail_reduction import Edge, Links, ReducedGraph

Node = TypeVar("Node", bound=Hashable)
Trail = list[tuple[Node, Node, Any]]
"""Edges (u, v, key) in walking order: each leaves from where the one before arrives."""

Label = int
"""Of a vertex at the border: 0 untouched, else twice its part's number plus its parity."""

Skipped = tuple[int, "Skipped"] | None
"""The edges left out, last first, as a linked list: sweeps share their tails."""


def longest_trail(
    graph: nx.MultiGraph[Node], weight: str = "length", more_than: int = 0
) -> Trail[Node]:
    """Return the heaviest trail of a graph.

    A trail is a walk that uses no edge twice; it may pass a vertex several times and end where it
    begins. An edge is one of its keys: parallel edges are edges of their own, and a loop is walked
    like any other edge.

    Parameters
    ----------
    graph : networkx.MultiGraph
        Of one part or several. The keys of its edges can be compared with each other; of several
        heaviest trails their order and the order of the vertices decide.
    weight : str
        The attribute of the edges that holds their weights, positive integers; an edge without it
        weighs 1.
    more_than : int
        A trail of this weight is known already, and only a heavier one is wanted.

    Returns
    -------
    list of (u, v, key)
        In walking order; empty for a graph without edges, or when no trail weighs more than
        `more_than`.

    See Also
    --------
    trail_weight : the certificate that it is a trail, and of what weight.
    networkx.eulerian_path : the trail where it can use every edge.

    Notes
    -----
    The problem is NP-hard: a cubic graph of n vertices has a trail that leaves out n/2 - 1 edges
    just when it has a path through all vertices. The sweep takes O(m * 2**w * B(w)) for m edges, a
    border of w vertices and B(w) partitions of it. Printed boards have w <= 8.

    References
    ----------
    .. [1] L. Euler, "Solutio problematis ad geometriam situs pertinentis", 1741.
    .. [2] D. E. Knuth, "The Art of Computer Programming", vol. 4A, 7.1.4, algorithm Simpath: the
       sweep with a border, there for simple paths.

    Examples
    --------
    A star of three edges has room for two.

    >>> star = nx.MultiGraph()
    >>> star.add_weighted_edges_from([("m", "a", 3), ("m", "b", 5), ("m", "c", 4)], "length")
    >>> longest_trail(star)
    [('c', 'm', 0), ('m', 'b', 0)]
    >>> longest_trail(star, more_than=9)
    []

    With a second edge to `a` only two vertices are odd, and nothing is left out.

    >>> star.add_edge("a", "m", length=1)
    1
    >>> trail = longest_trail(star)
    >>> trail_weight(star, trail), len(trail)
    (13, 4)
    """
    part_of = {v: i for i, part in enumerate(nx.connected_components(graph)) for v in part}
    parts: dict[int, list[Edge]] = {}
    for edge in sorted(graph.edges(keys=True, data=weight, default=1), key=itemgetter(2)):
        parts.setdefault(part_of[edge[0]], []).append(edge)
    best: list[Edge] = []
    for part in sorted(parts.values(), key=_weight, reverse=True):
        kept = _heaviest_trail_edges(part, more_than)
        if kept is not None:
            best, more_than = kept, _weight(kept)
    return _walk(best)


def trail_weight(
    graph: nx.MultiGraph[Node], trail: Iterable[tuple[Node, Node, Any]], weight: str = "length"
) -> int:
    """Return what a trail of a graph weighs, as `networkx.path_weight` does for a path.

    Raises
    ------
    networkx.NetworkXError
        When it is no trail: an edge that the graph has not, one that is used twice, or one that
        does not begin where the one before ends.

    Examples
    --------
    >>> graph = nx.MultiGraph([("a", "b", "ab", {"length": 2}), ("b", "c", "bc", {"length": 3})])
    >>> trail_weight(graph, [("c", "b", "bc"), ("b", "a", "ab")])
    5
    >>> trail_weight(graph, [("a", "b", "ab"), ("c", "b", "bc")])
    Traceback (most recent call last):
    ...
    networkx.exception.NetworkXError: ('c', 'b', 'bc') does not begin at 'b'
    """
    used: set[tuple[frozenset[Node], Any]] = set()
    here, total = None, 0
    for u, v, key in trail:
        if not graph.has_edge(u, v, key):
            raise nx.NetworkXError(f"the graph has no edge {(u, v, key)!r}")
        if used and u != here:
            raise nx.NetworkXError(f"{(u, v, key)!r} does not begin at {here!r}")
        if (edge := (frozenset((u, v)), key)) in used:
            raise nx.NetworkXError(f"{(u, v, key)!r} is used twice")
        used.add(edge)
        here, total = v, total + graph.edges[u, v, key].get(weight, 1)
    return total


def _weight(edges: Iterable[Edge]) -> int:
    return sum(weight for _, _, _, weight in edges)


def _walk(edges: Sequence[Edge]) -> Trail[Any]:
    """Order the edges of a trail so that each begins where the one before ends (Hierholzer).

    It is what `networkx.eulerian_path` does. That copies its graph first, edge by edge, which for
    the trails of a game takes as long as everything else here.
    """
    at: dict[Hashable, list[int]] = {}
    for i, (u, v, _, _) in enumerate(edges):
        at.setdefault(u, []).append(i)
        at.setdefault(v, []).append(i)
    # It ends at an odd vertex or, where there is none, where the first edge begins.
    ends = [*(v for v in at if len(at[v]) % 2), *at]
    way, used, trail = [(v, -1) for v in ends[:1]], set[int](), []
    while way:
        here, arrived_by = way[-1]
        while at[here] and at[here][-1] in used:
            at[here].pop()
        if at[here]:
            used.add(i := at[here].pop())
            u, v, _, _ = edges[i]
            way.append((v if u == here else u, i))
        else:
            way.pop()
            if way:
                trail.append((here, way[-1][0], edges[arrived_by][2]))
    return trail


def _heaviest_trail_edges(edges: list[Edge], more_than: int) -> list[Edge] | None:
    """Return the edges of a connected graph's heaviest trail, if it weighs more than that."""
    if (total := _weight(edges)) <= more_than:
        return None
    odd: set[Hashable] = set()
    for u, v, _, _ in edges:
        odd ^= {u}
        odd ^= {v}
    if len(odd) <= 2:
        return edges
    graph = ReducedGraph.of(edges)
    left_out = _lightest_left_out(graph, total - more_than - 1 - graph.dropped_weight)
    if left_out is None:
        return None
    lost = {i for links in (*left_out, graph.dropped) for i in links}
    return [edge for i, edge in enumerate(edges) if i not in lost]


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


def _lightest_left_out(graph: ReducedGraph, most: int) -> list[Links] | None:
    """Return what the longest trail leaves out, if that weighs at most `most`."""
    if most < 0:
        return None
    if not graph.edges:
        return []
    debts = {
        v: min(graph.edges[name][2] for name in names) for v, names in graph.at.items() if names
    }
    debt = sum(debts[v] for v, names in graph.at.items() if len(names) % 2)
    forgiven = sum(sorted(debts.values())[-2:])
    steps = list(_sweep_order(graph, debts))
    budget = max(0, (debt - forgiven + 1) // 2)
    while budget < most:
        if (found := _sweep(steps, budget, debt - forgiven)) is not None:
            return found
        budget += 2 + budget // 4
    return _sweep(steps, most, debt - forgiven)


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
        return _Step(0, i, -1, *graph.bonus.get(v, (0, ())))

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
            yield _Step(len(fresh), i, j, weight, originals, *odd, debts[a], debts[b])
            remaining[a] -= 1
            remaining[b] -= 1
            if not remaining[other]:
                yield finish(other)
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
    for number, (new, i, j, weight, _, odd_i, odd_j, debt_i, debt_j) in enumerate(steps):
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
