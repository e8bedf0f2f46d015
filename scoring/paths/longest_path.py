"""The longest continuous path of one player's trains.

"A continuous path may include loops, and pass through the same city several times, but a given
plastic train may never be used twice in the same continuous path." In the words of graphs: the
longest trail of the player's network, for which networkx has no algorithm.

A trail uses no edge twice; it may pass a vertex many times. A set of edges is one trail exactly
when it is connected and at most two of its vertices have odd degree (Euler). So the longest trail
of a connected graph leaves out the lightest set of edges that brings this about: nothing where at
most two vertices are odd, and else what a sweep finds (`trail_sweep`).

Networks can be made up on which nobody finds it in a lifetime, so the search takes `MOST_STEPS` and
no more. Then walks that choose each next edge by a rule find some path, and the budgets that held
none bound how long the longest may be. Nothing here is called a length that may be longer: who
reads a path says which of the two bounds is meant.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter
from typing import Generic, TypeVar

from ..board import PlaceId, RouteId
from .network import Network, StepCount, parts_of
from .trail_sweep import Edge, edges_at, lightest_left_out

WALKS = 0.25  # steps of the walks, as a share of all steps, in addition; chosen
# Steps of the search: a second or two. Of printed boards the hardest 45 trains that a climb found
# take 40,000, and 85 trains 340,000; see docs/benchmarks.md.
MOST_STEPS = 4_000_000


def longest_trail(edges: Sequence[Edge], steps: StepCount) -> tuple[list[RouteId], int]:
    """Return the keys of a graph's heaviest trail in walking order, and its weight.

    Where the steps do not suffice it is some trail, and the number is a bound of the weight.
    Parallel edges are edges of their own; no edge is a loop.

    The problem is NP-hard: a cubic graph of n vertices has a trail that leaves out n/2 - 1 edges
    just when it has a path through all vertices. The sweep takes O(m * 2**w * B(w)) for m edges, a
    border of w vertices and B(w) partitions of it. Printed boards have w <= 8.

    A star of three edges has room for two.

    >>> star = [("a", "m", "am", 3), ("b", "m", "bm", 5), ("c", "m", "cm", 4)]
    >>> longest_trail(star, StepCount(1_000))
    (['cm', 'bm'], 9)

    References
    ----------
    .. [1] L. Euler, "Solutio problematis ad geometriam situs pertinentis", 1741.
    .. [2] D. E. Knuth, "The Art of Computer Programming", vol. 4A, 7.1.4, algorithm Simpath: the
       sweep with a border, there for simple paths.
    """
    part_of = parts_of((u, v) for u, v, _, _ in edges)
    parts: dict[PlaceId, list[Edge]] = {}
    for edge in edges:
        parts.setdefault(part_of[edge[0]], []).append(edge)
    best: list[Edge] = []
    at_most = 0
    for part in sorted(parts.values(), key=_weight, reverse=True):
        kept, bound = _heaviest_trail_edges(part, _weight(best), steps)
        at_most = max(at_most, bound)
        best = best if kept is None else kept
    return _walk(best), at_most


def _weight(edges: Iterable[Edge]) -> int:
    return sum(weight for _, _, _, weight in edges)


def _walk(edges: Sequence[Edge]) -> list[RouteId]:
    """Return the keys of a trail's edges in walking order (Hierholzer).

    It is what `networkx.eulerian_path` does. That copies its graph first, edge by edge, which for
    the trails of a game takes as long as everything else here.
    """
    at = edges_at(edges)
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
                trail.append(edges[arrived_by][2])
    return trail


def _heaviest_trail_edges(
    edges: list[Edge], more_than: int, steps: StepCount
) -> tuple[list[Edge] | None, int]:
    """Return the edges of a connected graph's heaviest trail and its weight.

    The edges are None where no trail weighs more than `more_than`. Where the steps do not suffice
    the edges are those of some trail, or None, and the number is a bound of the weight.
    """
    if (total := _weight(edges)) <= more_than:
        return None, more_than
    if sum(len(there) % 2 for there in edges_at(edges).values()) <= 2:
        return edges, total
    left_out, least = lightest_left_out(edges, total - more_than - 1, steps)
    at_most = max(total - least, more_than)
    if left_out is None:
        # Something may weigh more only where the steps did not suffice.
        walk = _heaviest_walk(edges, WALKS * steps.most) if at_most > more_than else []
        return (walk if _weight(walk) > more_than else None), at_most
    return [edge for i, edge in enumerate(edges) if i not in left_out], at_most


def _heaviest_walk(edges: Sequence[Edge], most_steps: float) -> list[Edge]:
    """Return the heaviest of the trails that walks by one rule find, one from each vertex.

    The next edge leads to the vertex with the fewest unused edges, but into a dead end only where
    nothing else is left: so few edges are cut off. The first walk is taken whatever the steps.
    """
    at = edges_at(edges)
    best, most, steps = list[int](), 0, 0
    for start in at:
        if steps > most_steps:
            break
        unused = {v: dict.fromkeys(names) for v, names in at.items()}
        here, way, weight = start, list[int](), 0
        while unused[here]:
            steps += len(unused[here])
            ways = []
            for i in unused[here]:
                u, v, _, gain = edges[i]
                to = v if u == here else u
                free = len(unused[to])
                ways.append((free == 1, free, -gain, i, to))
            _, _, gain, i, to = min(ways)
            del unused[here][i]
            unused[to].pop(i, None)
            way.append(i)
            here, weight = to, weight - gain
        steps += len(edges)
        if weight > most:
            best, most = way, weight
    return [edges[i] for i in best]


Name = TypeVar("Name", bound=Hashable)


@dataclass(frozen=True, slots=True)
class LongestPath:
    """A path, and bounds of the longest path's length in trains."""

    # Spaces that this path covers (in the accessible edition too, where a route holds one shape).
    at_least: int = 0
    routes: tuple[RouteId, ...] = ()  # its route ids in walking order
    slack: int = 0  # how many spaces more the longest path may have; 0 where this is the longest
    # What the search took, of `MOST_STEPS`.
    steps: int = field(default=0, repr=False, compare=False)

    @property
    def at_most(self) -> int:
        """The longest path has no more spaces than this."""
        return self.at_least + self.slack

    @property
    def is_exact(self) -> bool:
        """Whether this is the longest path."""
        return not self.slack


@dataclass(frozen=True, slots=True)
class LongestHolders(Generic[Name]):
    """The holders of the longest path, as far as bounds tell."""

    sure: frozenset[Name]  # who has the longest, or as long a one as others
    undecided: frozenset[Name]  # who has it perhaps


def longest_holders(paths: Mapping[Name, LongestPath]) -> LongestHolders[Name]:
    """Return the holders of the longest path; nobody without any routes.

    >>> ann, bob, cleo = LongestPath(9), LongestPath(7, slack=3), LongestPath(8)
    >>> found = longest_holders({"ann": ann, "bob": bob, "cleo": cleo})
    >>> sorted(found.sure), sorted(found.undecided)
    ([], ['ann', 'bob'])
    >>> sorted(longest_holders({"ann": ann, "cleo": cleo}).sure)
    ['ann']
    """
    known = max((path.at_least for path in paths.values()), default=0)
    sure = {
        name
        for name, path in paths.items()
        if path.at_least
        and all(path.at_least >= other.at_most for of, other in paths.items() if of != name)
    }
    possible = {name for name, path in paths.items() if path.at_most >= max(known, 1)}
    return LongestHolders(frozenset(sure), frozenset(possible - sure))


def longest_path(network: Network, most_steps: float = MOST_STEPS) -> LongestPath:
    """Return the longest path along a network; which one of several equal ones is fixed.

    Where the steps do not suffice it is some path, and `slack` says so.

    >>> from ..board import load_board
    >>> from .network import route_network
    >>> usa = load_board("usa").route_by_id
    >>> names = "portland--seattle--0", "helena--seattle", "denver--helena"
    >>> longest_path(route_network(usa[name] for name in names))
    LongestPath(at_least=11, routes=('portland--seattle--0', 'helena--seattle', 'denver--helena'), \
slack=0)
    """
    edges: Iterable[Edge] = network.edges(keys=True, data="length")
    return _cached_longest_path(tuple(sorted(edges, key=itemgetter(2))), most_steps)


@lru_cache(maxsize=1 << 8)
def _cached_longest_path(edges: tuple[Edge, ...], most_steps: float) -> LongestPath:
    """Return the longest path along some edges, cached.

    Positions of one game differ by one player's claim, so the other players' paths are known.
    """
    steps = StepCount(most_steps)
    routes, at_most = longest_trail(edges, steps)
    lengths = {name: length for _, _, name, length in edges}
    length = sum(lengths[name] for name in routes)
    return LongestPath(length, tuple(routes), at_most - length, steps.taken)


def path_text(path: LongestPath) -> str:
    """Return a path's length as text for people.

    >>> path_text(LongestPath(9)), path_text(LongestPath(9, slack=2))
    ('9', 'at least 9')
    """
    return f"{path.at_least}" if path.is_exact else f"at least {path.at_least}"
