"""The longest continuous path of one player's trains.

"A continuous path may include loops, and pass through the same city several times, but a given
plastic train may never be used twice in the same continuous path." In the words of graphs: the
longest trail of the player's network (`longest_trail`).
"""

from __future__ import annotations

from dataclasses import dataclass

from .board import PlaceId, RouteId
from .longest_trail import longest_trail, trail_weight
from .network import Network


@dataclass(frozen=True, slots=True)
class LongestPath:
    """A path and its length in trains.

    Attributes
    ----------
    length : int
        Spaces that it covers (in the accessible edition too, where a route holds one shape).
    routes : tuple of str
        Route ids in walking order.
    """

    length: int = 0
    routes: tuple[RouteId, ...] = ()


def longest_path(network: Network) -> LongestPath:
    """Return the longest path along a network; which one of several equal ones is fixed.

    Examples
    --------
    >>> from .board import load_board
    >>> from .network import route_network
    >>> usa = load_board("usa").route_by_id
    >>> names = "portland--seattle--0", "helena--seattle", "denver--helena"
    >>> longest_path(route_network(usa[name] for name in names))
    LongestPath(length=11, routes=('portland--seattle--0', 'helena--seattle', 'denver--helena'))
    """
    trail = longest_trail(network)
    return LongestPath(trail_weight(network, trail), tuple(name for _, _, name in trail))


def check_path(path: LongestPath, network: Network) -> None:
    """Check that a path is one: each route follows the one before, none twice, lengths add up.

    Raises
    ------
    ValueError
        When it is not, with the route where it fails.

    Examples
    --------
    >>> from .board import load_board
    >>> from .network import board_network
    >>> usa = board_network(load_board("usa"))
    >>> check_path(LongestPath(6, ("helena--seattle",)), usa)
    >>> check_path(LongestPath(7, ("helena--seattle", "boston--new-york--0")), usa)
    Traceback (most recent call last):
    ...
    ValueError: 'boston--new-york--0' does not follow 'helena--seattle'
    """
    if len(set(path.routes)) < len(path.routes):
        raise ValueError(f"a route is used twice: {path.routes!r}")
    edges: dict[RouteId, tuple[PlaceId, PlaceId, RouteId]] = {
        edge[2]: edge for edge in network.edges(keys=True)
    }
    here: set[PlaceId] = set()
    for i, name in enumerate(path.routes):
        ends = set(edges[name][:2])
        # Where the first route is left is not known until the second one is seen.
        here = ends if i == 0 else {end for start in here & ends for end in ends - {start}}
        if not here:
            raise ValueError(f"{name!r} does not follow {path.routes[i - 1]!r}")
    length = sum(network.edges[edges[name]]["length"] for name in path.routes)
    if length != path.length:
        raise ValueError(f"the path is {length} long, not {path.length}")
