"""What people call a spot of a board: the one place where a lane of a double route gets its name.

A lane has a number, from 1 in the order of its route ids (`--0` is the first), which terminals,
messages and files tell in words; a page before which somebody sees the board tells its side.
"""

from __future__ import annotations

from typing import Literal

from .board import Board, Route, RouteId
from .spot import Spot

Side = Literal["left", "right", "upper", "lower"]
ORDINALS = ("first", "second", "third", "fourth")


def route_ends(board: Board, route_id: RouteId) -> str:
    """Return the names of a route's two ends, without its lane.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> route_ends(load_board("usa"), "portland--seattle--1")
    'Portland - Seattle'
    """
    route = board.route_by_id[route_id]
    return f"{board.place_by_id[route.a].name} - {board.place_by_id[route.b].name}"


def lane_number(board: Board, route_id: RouteId) -> int | None:
    """Return the number of a double route's lane, from 1; None for a route of one lane.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> lane_number(load_board("usa"), "portland--seattle--1")
    2
    """
    return board.route_by_id[route_id].lane + 1 if route_id in board.other_lanes else None


def lane_side(board: Board, route_id: RouteId) -> Side | None:
    """Return which of two lanes it is for who sees the board upright; None where that is unclear.

    It is unclear for a route of one lane, of three or more, and where spaces are not measured.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> lane_side(load_board("usa"), "portland--seattle--1")
    'right'
    """
    route = board.route_by_id[route_id]
    twins = [board.route_by_id[twin] for twin in board.other_lanes.get(route_id, ())]
    if len(twins) != 1 or not route.spaces or not twins[0].spaces:
        return None
    (x, y), (twin_x, twin_y) = _middle_mm(route), _middle_mm(twins[0])
    if abs(x - twin_x) > abs(y - twin_y):
        return "left" if x < twin_x else "right"
    return "upper" if y < twin_y else "lower"


def route_name(board: Board, route_id: RouteId) -> str:
    """Return what players call a route, its lane by number.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> route_name(load_board("usa"), "portland--seattle--1")
    'Portland - Seattle (second lane)'
    """
    ends, number = route_ends(board, route_id), lane_number(board, route_id)
    return ends if number is None else f"{ends} ({ORDINALS[number - 1]} lane)"


def spot_name(board: Board, spot: Spot) -> str:
    """Return what players call a route, a place's station or a site.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> spot_name(load_board("europe"), Spot("station", "roma"))
    'the station at Roma'
    """
    match spot:
        case Spot("route", name):
            return route_name(board, name)
        case Spot("station", name):
            return f"the station at {board.place_by_id[name].name}"
        case Spot(_, name):
            return f"the site {board.site_by_id[name].name}"


def _middle_mm(route: Route) -> tuple[float, float]:
    x, y = (sum(space.xy_mm[axis] for space in route.spaces) for axis in (0, 1))
    return x / len(route.spaces), y / len(route.spaces)
