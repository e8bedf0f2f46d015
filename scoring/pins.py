"""The accessible edition: one shape on a raised pin marks a whole route.

"The player places one of his color shapes on the extruded pin." Where the pin of a route is, and
what the shapes are called, is the user's: each made board differs.
"""

from __future__ import annotations

from collections.abc import Mapping

from .board import Route, RouteId, Space


def pin_space(route: Route, pins: Mapping[RouteId, int] | None = None) -> Space:
    """Return the space that carries a route's pin.

    Examples
    --------
    >>> from .board import load_board
    >>> route = load_board("usa").route_by_id["helena--seattle"]
    >>> pin_space(route) == route.spaces[3], pin_space(route, {route.id: 0}) == route.spaces[0]
    (True, True)
    """
    return route.spaces[(pins or {}).get(route.id, route.length // 2)]
