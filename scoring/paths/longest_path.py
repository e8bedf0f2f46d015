"""The longest continuous path of one player's trains.

"A continuous path may include loops, and pass through the same city several times, but a given
plastic train may never be used twice in the same continuous path." In the words of graphs: the
longest trail of the player's network (`longest_trail`).

Networks can be made up on which nobody finds it in a lifetime, so the search takes `MOST_STEPS` and
no more. Then some path is known, and how long the longest may be at most. Nothing here is called a
length that may be longer: who reads a path says which of the two bounds is meant.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter
from typing import Generic, TypeVar

from ..board import RouteId
from .longest_trail import longest_trail
from .network import Network, StepCount
from .trail_sweep import Edge

# Steps of the search: a second or two. Of printed boards the hardest 45 trains that a climb found
# take 40,000, and 85 trains 340,000; see docs/benchmarks.md.
MOST_STEPS = 4_000_000

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

    Examples
    --------
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

    Examples
    --------
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

    Examples
    --------
    >>> path_text(LongestPath(9)), path_text(LongestPath(9, slack=2))
    ('9', 'at least 9')
    """
    return f"{path.at_least}" if path.is_exact else f"at least {path.at_least}"
