"""Reductions of a graph that keep its longest trail.

Each one is exact, and they are applied until none fits:

- The edges of a vertex of degree 2 are used both or not at all (a trail that ends there could go
  on), so they become one edge.
- A closed round at a vertex is taken whenever the vertex is, so it becomes the vertex's bonus.
- Of several dead ends at one vertex a trail has room for two: it begins with one and ends with one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any

# An edge (u, v, key, weight), as `networkx.MultiGraph.edges` gives it with keys and a weight.
Edge = tuple[Hashable, Hashable, Any, int]

Links = tuple[int, ...]  # positions of original edges


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
        numbers: dict[Hashable, int] = {}
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
