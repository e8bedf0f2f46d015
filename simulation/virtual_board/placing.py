"""How people put the pieces of a game down: on spaces, sites, cities and the score track.

Every function that stands pieces takes the board as its copy prints it, and what it puts down
depends on the seed and on where it goes alone: pieces do not move when others join them.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

import numpy as np
from railspotter.scoring.board import Board, PlaceId, RouteId, SiteId, Space

from .errors import SceneError
from .pieces import Piece
from .printed_map import score_step_mm

# How people put trains: millimetres along and across the space, degrees of turn; chosen.
SIGMAS = (0.7, 0.7, 2.0)


def stand_trains(
    board: Board,
    claims: Mapping[RouteId | SiteId, str],
    seed: int = 0,
    looseness: float = 1.0,
    kind: str = "train",
) -> tuple[Piece, ...]:
    """Put a train on every space of the claimed routes and sites, as neatly as people do.

    A looseness of 0 stands them exactly in the middle of their spaces. `kind` is "train", "taxi",
    or "shape": of these one stands on a route's pin, which is on its middle space, for all of it.
    Raises `SceneError` for a route the board does not have, or a colour no train has.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> usa = load_board("usa")
    >>> trains = stand_trains(usa, {"atlanta--charleston": "red"}, looseness=0)
    >>> [(train.space, train.xy_mm) for train in trains]
    [(0, (643.9, 341.8)), (1, (672.5, 341.9))]
    >>> len(stand_trains(usa, {"atlanta--charleston": "red"}, kind="shape"))
    1
    >>> stand_trains(usa, {"a--b": "red"})
    Traceback (most recent call last):
    ...
    railspotter.simulation.virtual_board.errors.SceneError: board 'usa' has no route 'a--b'
    """
    pieces = []
    for claimed, colour in claims.items():
        rng = _rng(seed, claimed)
        if claimed in board.site_by_id:
            space = board.site_by_id[claimed].space
            if space is None:
                raise SceneError(f"nobody measured where the site {claimed!r} is")
            pieces.append(_put(kind, colour, space, looseness, rng, place=claimed))
            continue
        if claimed not in board.route_by_id:
            raise SceneError(f"board {board.id!r} has no route {claimed!r}")
        spaces = board.route_by_id[claimed].spaces
        standing = [len(spaces) // 2] if kind == "shape" else range(len(spaces))
        for i in standing:
            pieces.append(_put(kind, colour, spaces[i], looseness, rng, route=claimed, number=i))
    return tuple(pieces)


def stand_stations(
    board: Board, stations: Mapping[PlaceId, str], seed: int = 0, looseness: float = 1.0
) -> tuple[Piece, ...]:
    """Put a station at every one of those cities.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> (station,) = stand_stations(load_board("europe"), {"berlin": "red"}, looseness=0)
    >>> station.kind, station.xy_mm, station.place
    ('station', (390.1, 180.9), 'berlin')
    """
    pieces = []
    for place, colour in stations.items():
        if place not in board.place_by_id:
            raise SceneError(f"board {board.id!r} has no place {place!r}")
        rng = _rng(seed, place)
        dx, dy = looseness * rng.normal(0.0, 1.5, 2)
        x, y = board.place_by_id[place].xy_mm
        turn = looseness * rng.uniform(-180.0, 180.0)
        xy_mm = float(x + dx), float(y + dy)
        pieces.append(Piece("station", colour, xy_mm, float(turn), place=place))
    return tuple(pieces)


def stand_markers(
    board: Board, scores: Mapping[str, int], seed: int = 0, looseness: float = 1.0
) -> tuple[Piece, ...]:
    """Put everybody's marker on the score track; those of one score lie on each other.

    `scores` are in the order in which they came to their steps.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> red, blue = stand_markers(load_board("usa"), {"red": 7, "blue": 7}, looseness=0)
    >>> red.xy_mm == blue.xy_mm, red.z_mm, blue.z_mm
    (True, 0.0, 5.0)
    """
    pieces: list[Piece] = []
    for colour, score in scores.items():
        x, y = score_step_mm(board, score)
        below = sum(np.hypot(x - at[0], y - at[1]) < 9 for at in (one.xy_mm for one in pieces))
        dx, dy = looseness * _rng(seed, f"{colour} {score}").normal(0.0, 0.8, 2)
        xy_mm = float(x + dx), float(y + dy)
        pieces.append(Piece("marker", colour, xy_mm, z_mm=5.0 * float(below)))
    return tuple(pieces)


def _put(
    kind: str,
    colour: str,
    space: Space,
    looseness: float,
    rng: np.random.Generator,
    route: RouteId | None = None,
    number: int | None = None,
    place: SiteId | None = None,
) -> Piece:
    along, across, turn = looseness * rng.normal(0.0, SIGMAS)
    heading = np.deg2rad(space.angle_deg)
    x = space.xy_mm[0] + along * np.cos(heading) - across * np.sin(heading)
    y = space.xy_mm[1] + along * np.sin(heading) + across * np.cos(heading)
    angle = float(space.angle_deg + turn)
    xy_mm = float(x), float(y)
    return Piece(kind, colour, xy_mm, angle, route=route, space=number, place=place)


def _rng(seed: int, name: str) -> np.random.Generator:
    return np.random.default_rng([seed, zlib.crc32(name.encode())])
