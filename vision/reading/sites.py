"""Philly's sites: each is one train space beside a station, and is read as a route of one space."""

from __future__ import annotations

from dataclasses import replace

from msgspec.structs import replace as with_fields
from railspotter.scoring.board import Board, Route

from ..readings import PieceReading, Reading


def with_site_routes(board: Board) -> Board:
    """Return a board that has its measured sites as further routes of one space.

    Both ends of such a route have names that no other route has, so that two sites of a station
    are no double route. Its colour is `grey`: a site is printed in two colours, and a train of
    one of them hides both.

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
    return with_fields(board, routes=board.routes + measured) if measured else board


def sites_apart(reading: Reading, board: Board) -> Reading:
    """Return a reading of a board of `with_site_routes` with its sites beside its routes."""
    if not board.sites:
        return reading
    routes, sites = {}, {}
    for name, seen in reading.routes.items():
        if name in board.site_by_id:
            sites[name] = _of_site(seen)
        else:
            routes[name] = seen
    return replace(reading, routes=routes, sites=sites)


def _of_site(seen: PieceReading) -> PieceReading:
    return replace(seen, doubt=seen.doubt and replace(seen.doubt, kind="site"))
