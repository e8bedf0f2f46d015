"""What people get wrong who write a game down: beside what no position may hold (`legality`).

These are told with a game's score, never to a camera or a bot: a position in mid-game has none of
them, or not yet.
"""

from __future__ import annotations

from .board import RouteId
from .legality import Problem
from .position import Position


def pointless_routes(position: Position) -> tuple[Problem, ...]:
    """Return the lengths of a board that an edition, made for another board, gives nothing for.

    An edition without any route points is no oversight.

    Examples
    --------
    >>> from railspotter.scoring import load_board, load_edition
    >>> position = Position(load_edition("europe"), load_board("usa"), ())
    >>> [problem.what for problem in pointless_routes(position)]
    ['Europe (2005) has no points for routes of 5 spaces; the house rule route_points gives some']
    """
    edition, by_length = position.edition, dict[int, list[RouteId]]()
    for route in position.board.routes:
        if edition.route_points and route.length not in edition.route_points:
            by_length.setdefault(route.length, []).append(route.id)
    rule = edition.sources.get("route_points", "")
    return tuple(
        Problem(
            "route_points",
            rule,
            f"{edition.title} has no points for routes of {length} spaces; "
            "the house rule route_points gives some",
            tuple(routes),
        )
        for length, routes in sorted(by_length.items())
    )
