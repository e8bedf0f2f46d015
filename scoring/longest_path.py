"""The longest continuous path of one player's trains.

"A continuous path may include loops, and pass through the same city several times, but a given
plastic train may never be used twice in the same continuous path." In the words of graphs: the
heaviest trail of a multigraph whose edges are routes and whose weights are their lengths.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .board import PlaceId, Route, RouteId
from .longest_trail import longest_trail


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


def longest_path(routes: Iterable[Route]) -> LongestPath:
    """Return the longest path along these routes; which one of several equal ones is fixed.

    Examples
    --------
    >>> from .board import load_board
    >>> usa = load_board("usa").route_by_id
    >>> longest_path([usa["portland--seattle--0"], usa["helena--seattle"], usa["denver--helena"]])
    LongestPath(length=11, routes=('portland--seattle--0', 'helena--seattle', 'denver--helena'))
    """
    best = LongestPath()
    for part in _parts(sorted(routes, key=lambda route: route.id)):
        numbers = {place: i for i, place in enumerate(dict.fromkeys(_ends(part)))}
        edges = [(numbers[route.a], numbers[route.b], route.length) for route in part]
        chosen = longest_trail(edges, more_than=best.length)
        if chosen is not None:
            walk = _walk([part[i] for i in chosen])
            best = LongestPath(sum(route.length for route in walk), tuple(r.id for r in walk))
    return best


def check_path(path: LongestPath, routes: Mapping[RouteId, Route]) -> None:
    """Check that a path is one: each route follows the one before, none twice, lengths add up.

    Raises
    ------
    ValueError
        When it is not, with the route where it fails.

    Examples
    --------
    >>> from .board import load_board
    >>> usa = load_board("usa").route_by_id
    >>> check_path(LongestPath(6, ("helena--seattle",)), usa)
    >>> check_path(LongestPath(7, ("helena--seattle", "boston--new-york--0")), usa)
    Traceback (most recent call last):
    ...
    ValueError: 'boston--new-york--0' does not follow 'helena--seattle'
    """
    if len(set(path.routes)) < len(path.routes):
        raise ValueError(f"a route is used twice: {path.routes!r}")
    here: set[PlaceId] = set()
    for i, name in enumerate(path.routes):
        ends = {routes[name].a, routes[name].b}
        # Where the first route is left is not known until the second one is seen.
        here = ends if i == 0 else {end for start in here & ends for end in ends - {start}}
        if not here:
            raise ValueError(f"{name!r} does not follow {path.routes[i - 1]!r}")
    length = sum(routes[name].length for name in path.routes)
    if length != path.length:
        raise ValueError(f"the path is {length} long, not {path.length}")


def _ends(routes: Iterable[Route]) -> Iterable[PlaceId]:
    for route in routes:
        yield route.a
        yield route.b


def _parts(routes: Sequence[Route]) -> list[list[Route]]:
    """Split routes into connected parts, the one with most trains first."""
    part_of: dict[PlaceId, list[Route]] = {}
    for route in routes:
        first = part_of.setdefault(route.a, [])
        second = part_of.get(route.b, first)
        if second is not first:
            if len(second) > len(first):
                first, second = second, first
            first += second
            part_of.update((place, first) for place in _ends(second))
        first.append(route)
        part_of[route.a] = part_of[route.b] = first
    parts = {id(part): part for part in part_of.values()}.values()
    return sorted(parts, key=lambda part: -sum(route.length for route in part))


def _walk(routes: Sequence[Route]) -> list[Route]:
    """Order the routes of a trail so that each follows the one before (Hierholzer)."""
    at: dict[PlaceId, list[int]] = {}
    for i, route in enumerate(routes):
        at.setdefault(route.a, []).append(i)
        at.setdefault(route.b, []).append(i)
    start = next((place for place in at if len(at[place]) % 2), routes[0].a)
    unused = [True] * len(routes)
    way: list[tuple[PlaceId, int]] = [(start, -1)]
    walk: list[Route] = []
    while way:
        place, arrived_by = way[-1]
        while at[place] and not unused[at[place][-1]]:
            at[place].pop()
        if at[place]:
            i = at[place].pop()
            unused[i] = False
            way.append((routes[i].b if routes[i].a == place else routes[i].a, i))
        else:
            way.pop()
            if arrived_by >= 0:
                walk.append(routes[arrived_by])
    return walk
