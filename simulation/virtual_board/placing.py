"""Places pieces as people do, a little inexactly: on spaces, sites, cities and the score track.

All functions take the printed board (`Copy.printed`). A piece's displacement depends only on the
seed and its spot, so pieces do not move when others are added.
"""

import zlib
from collections.abc import Mapping

import numpy as np
from railspotter.scoring.board import Board, PlaceId, RouteId, SiteId, Space

from .errors import SceneError
from .pieces import Piece

# Standard deviations of a train's displacement along and across its space in millimetres, and of
# its rotation in degrees; chosen.
SIGMAS = (0.7, 0.7, 2.0)


def place_trains(
    board: Board,
    claims: Mapping[RouteId | SiteId, str],
    seed: int = 0,
    looseness: float = 1.0,
    kind: str = "train",
) -> tuple[Piece, ...]:
    """Place a train on every space of the claimed routes and sites.

    `looseness` scales their displacement; 0 is exact. `kind` is "train", "taxi" or "shape": one
    shape, on a route's middle space, claims all of it. Raises `SceneError` for an unknown route or
    an unmeasured site.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> usa = load_board("usa")
    >>> trains = place_trains(usa, {"atlanta--charleston": "red"}, looseness=0)
    >>> [(train.space, train.xy_mm) for train in trains]
    [(0, (643.9, 341.8)), (1, (672.5, 341.9))]
    >>> len(place_trains(usa, {"atlanta--charleston": "red"}, kind="shape"))
    1
    >>> place_trains(usa, {"a--b": "red"})
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
            pieces.append(_piece_on(kind, colour, space, looseness, rng, place=claimed))
            continue
        if claimed not in board.route_by_id:
            raise SceneError(f"board {board.id!r} has no route {claimed!r}")
        spaces = board.route_by_id[claimed].spaces
        standing = [len(spaces) // 2] if kind == "shape" else range(len(spaces))
        for i in standing:
            pieces.append(
                _piece_on(kind, colour, spaces[i], looseness, rng, route=claimed, number=i)
            )
    return tuple(pieces)


def place_stations(
    board: Board, stations: Mapping[PlaceId, str], seed: int = 0, looseness: float = 1.0
) -> tuple[Piece, ...]:
    """Place a station at each of the cities.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> (station,) = place_stations(load_board("europe"), {"berlin": "red"}, looseness=0)
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


def place_markers(
    board: Board, scores: Mapping[str, int], seed: int = 0, looseness: float = 1.0
) -> tuple[Piece, ...]:
    """Place the players' markers on the board's score track; those on the same step are stacked.

    `scores` are in the order in which the markers were moved.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> red, blue = place_markers(load_board("usa"), {"red": 7, "blue": 7}, looseness=0)
    >>> red.xy_mm == blue.xy_mm, red.z_mm, blue.z_mm
    (True, 0.0, 5.0)
    """
    pieces: list[Piece] = []
    for colour, score in scores.items():
        x, y = board.score_track[score % len(board.score_track)]
        below = sum(np.hypot(x - at[0], y - at[1]) < 9 for at in (one.xy_mm for one in pieces))
        dx, dy = looseness * _rng(seed, f"{colour} {score}").normal(0.0, 0.8, 2)
        xy_mm = float(x + dx), float(y + dy)
        pieces.append(Piece("marker", colour, xy_mm, z_mm=5.0 * float(below)))
    return tuple(pieces)


def _piece_on(
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
