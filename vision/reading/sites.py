"""Philly's sites: each is one train space beside a station, and is read as a route of one space."""

from __future__ import annotations

from msgspec.structs import replace
from railspotter.scoring.board import Board, Route, RouteId, SiteId
from railspotter.scoring.spot import Spot


def with_site_routes(board: Board) -> Board:
    """Return a board with its measured sites added as routes of one space.

    Its ends are the site's station and the site itself, so that two sites of a station are no
    double route. Its colour is `grey`: a site is printed in two colours, and a train hides both.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> with_site_routes(load_board("usa")) is load_board("usa")
    True
    """
    measured = tuple(
        Route(site.id, site.station, site.id, 1, "grey", (site.space,))
        for site in board.sites
        if site.space is not None
    )
    return replace(board, routes=board.routes + measured) if measured else board


def spot_of(board: Board, name: RouteId | SiteId) -> Spot:
    """Return the spot for the id of a route, or of a site, of a board of `with_site_routes`.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> spot_of(load_board("usa"), "duluth--helena").kind
    'route'
    """
    return Spot("site" if name in board.site_by_id else "route", name)
