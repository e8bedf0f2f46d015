"""The pieces of a game: solids of trains, taxis, shapes, stations and markers, and their places.

People place them a little inexactly: on spaces, sites, cities and the score track of the printed
board (`Copy.printed`). A piece's displacement depends only on the seed and its spot, so pieces do
not move when others are added.
"""

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
from railspotter.scoring.board import Board, PlaceId, RouteId, SiteId, Space

from ..arrays import Float64s
from .errors import SceneError
from .printed_copy import Ink, vary_ink
from .solids import Solid, box, circle, fused, joined, loft, prism

# A mould is a piece at the origin, x ahead, z up from its foot. Small details have no `parts`, as
# their shadows would not be visible.

# Grey levels of the highlight on plastic; chosen near what photos of trains show.
PLASTIC_GLOSS = 90.0
WOOD_GLOSS = 8.0
PIN_INK = (176, 182, 184)

# The accessible edition's shapes: the number of corners of each colour; chosen.
SHAPE_CORNERS = {"red": 3, "blue": 4, "green": 6, "yellow": 16}
OTHER_CORNERS = 5
# BGR of each plastic in full light; chosen near what photos of trains show.
PLASTIC_INKS: dict[str, Ink] = {
    "black": (42, 40, 40),
    "blue": (176, 92, 20),
    "green": (70, 104, 24),
    "red": (38, 36, 190),
    "yellow": (34, 200, 236),
    "white": (232, 236, 236),
    "purple": (104, 40, 100),
}
TAXI_INKS = {**PLASTIC_INKS, "blue": (140, 148, 44)}  # New York's blue is a teal
TRAIN_SIZE_MM = (26.0, 9.0, 9.0)
KINDS = ("train", "taxi", "shape", "station", "marker")
# Standard deviations of a train's displacement along and across its space in millimetres, and of
# its rotation in degrees; chosen.
SIGMAS = (0.7, 0.7, 2.0)


@cache
def train_mould(size_mm: tuple[float, float, float]) -> Solid:
    """Return a train: a boxy engine with pillars at its sides, a stepped roof and a chimney."""
    length, width, height = size_mm
    x, y = length / 2 - 0.8, width / 2 - 0.35
    profile = [
        (y, 0.0),
        (y, 0.7 * height),
        (0.36 * width, 0.85 * height),
        (0.25 * width, 0.9 * height),
    ]
    mirrored = [(-across, up) for across, up in reversed(profile)]
    buffers = box(
        (-length / 2, -0.3 * width, 0.1 * height), (length / 2, 0.3 * width, 0.35 * height)
    )
    body = prism([*profile, *mirrored], -x, x, axis=0)
    pillars = [
        _on_side(_frustum((at, 0.0), (1.5, 0.35), 0.3, 1.0, 0.69 * height), side * y)
        for at in (-0.3 * length, 0.0, 0.3 * length)
        for side in (-1, 1)
    ]
    roof = _frustum((0.0, 0.0), (0.41 * length, 0.2 * width), 0.5, 0.88 * height, height)
    rivets = [
        _without_parts(_cylinder(at * length, 0.75, height, height + 0.45, corners=6))
        for at in (-0.26, 0.0)
    ]
    chimney = _cylinder(0.28 * length, 1.35, height, height + 1.7)
    return fused([buffers, body, *pillars, roof, *rivets, chimney])


@cache
def taxi_mould(size_mm: tuple[float, float, float]) -> Solid:
    """Return a taxi: a body on four wheels, a cabin and a sign on its roof."""
    length, width, height = size_mm
    x, y = length / 2, width / 2
    belt, roof = 0.5 * height, 0.86 * height
    rim = circle((0.0, 0.0, 0.0), 1.9)[:, :2]
    rim -= (0.0, rim[:, 1].min())
    wheels = [
        _on_side(prism(rim + np.array((at, 0.0)), -0.15, 0.15, axis=1), side * (y - 0.15))
        for at in (-0.3 * length, 0.3 * length)
        for side in (-1, 1)
    ]
    body = loft(
        [
            _rectangle((0.0, 0.0), (x - 0.4, y - 0.4), 0.9),
            _rectangle((0.0, 0.0), (x, y - 0.15), 0.32 * height),
            _rectangle((0.0, 0.0), (x - 0.9, y - 0.8), belt),
        ]
    )
    cabin = loft(
        [
            _rectangle((-0.05 * length, 0.0), (0.28 * length, y - 0.9), belt),
            _rectangle((-0.06 * length, 0.0), (0.17 * length, y - 1.9), roof),
        ]
    )
    sign = _frustum((-0.06 * length, 0.0), (1.0, 2.0), 0.2, roof, height)
    return fused([body, *wheels, cabin, sign])


@cache
def station_mould() -> Solid:
    """Return Europe's station: a house with a gable roof and a tower at one end."""
    house = box((-7.0, -7.0, 0.0), (7.0, 7.0, 8.0))
    roof = prism([(-7.5, 8.0), (7.5, 8.0), (0.0, 12.0)], -7.5, 7.5, axis=0)
    tower = box((2.0, -2.5, 9.0), (7.0, 2.5, 13.5))
    return fused([house, roof, tower])


@cache
def shape_mould(colour: str) -> Solid:
    """Return the accessible edition's shape of a colour."""
    corners = SHAPE_CORNERS.get(colour, OTHER_CORNERS)
    rings = ((0.0, 6.5), (4.0, 6.5), (5.0, 5.8))
    return loft([circle((0.0, 0.0, z), radius, corners) for z, radius in rings])


@cache
def pin_mould() -> Solid:
    """Return the top of the board's pin that is visible above a shape."""
    return _cylinder(0.0, 1.6, 5.0, 8.0).with_ink(PIN_INK, 0.0)


@cache
def marker_mould() -> Solid:
    """Return a score marker: a wooden disc."""
    return loft(
        [circle((0.0, 0.0, z), radius, 20) for z, radius in ((0, 6.5), (4.4, 6.5), (5, 6.0))]
    )


def _without_parts(solid: Solid) -> Solid:
    return replace(solid, parts=())


def _on_side(solid: Solid, y: float) -> Solid:
    """Attach a detail to a body's side, without its hidden face."""
    moved = _without_parts(solid).placed(np.eye(3), np.array([0.0, y, 0.0]))
    is_seen = moved.normals[:, 1] * np.sign(y) > -0.5
    return replace(
        moved,
        faces=moved.faces[is_seen],
        groups=moved.groups[is_seen],
        normals=moved.normals[is_seen],
        inks=moved.inks[is_seen],
        gloss=moved.gloss[is_seen],
    )


def _rectangle(middle: Sequence[float], half: Sequence[float], z: float) -> Float64s:
    (x, y), (along, across) = middle, half
    signs = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    return np.array([(x + i * along, y + j * across, z) for i, j in signs])


def _frustum(
    middle: Sequence[float], half: Sequence[float], bevel: float, low: float, high: float
) -> Solid:
    top = [side - bevel for side in half]
    return loft([_rectangle(middle, half, low), _rectangle(middle, top, high)])


def _cylinder(x: float, radius: float, low: float, high: float, corners: int = 8) -> Solid:
    return loft(
        [circle((x, 0.0, low), radius, corners), circle((x, 0.0, high), 0.88 * radius, corners)]
    )


@dataclass(frozen=True)
class Piece:
    """One piece of a game on the table.

    >>> spare = Piece("train", "red", (-40.0, 60.0), lean_deg=90.0)
    >>> spare.colour, spare.route
    ('red', None)
    """

    kind: str  # one of `KINDS`; the first three are the words that editions have for a train
    colour: str  # the player's
    xy_mm: tuple[float, float]  # of its middle
    angle_deg: float = 0.0  # its direction, clockwise from +x
    z_mm: float = 0.0  # height of its lowest point above the board
    lean_deg: float = 0.0  # its tilt to the right; 90 or -90 lies on its side
    route: RouteId | None = None  # the route that it claims, if any
    space: int | None = None  # the number of its space there, from 0
    place: str | None = None  # the place or site that it occupies instead


def plastic_ink(colour: str, spread: float = 0.0, seed: int = 0, kind: str = "train") -> Ink:
    """Return the BGR of a colour's plastic in full light.

    >>> plastic_ink("red")
    (38, 36, 190)
    """
    if colour not in PLASTIC_INKS:
        raise SceneError(f"no train is {colour!r}; there are {', '.join(sorted(PLASTIC_INKS))}")
    inks = TAXI_INKS if kind == "taxi" else PLASTIC_INKS
    return vary_ink(inks[colour], spread, seed, f"plastic {colour}")


def piece_solid(
    piece: Piece,
    size_mm: tuple[float, float, float] = TRAIN_SIZE_MM,
    ink: Sequence[float] | None = None,
) -> Solid:
    """Return the solid of a piece at its position.

    >>> train = Piece("train", "red", (100.0, 50.0), angle_deg=90.0, lean_deg=90.0)
    >>> float(piece_solid(train).corners[:, 2].min())
    0.0
    """
    moulds: dict[str, Callable[[], Solid]] = {
        "train": partial(train_mould, size_mm),
        "taxi": partial(taxi_mould, size_mm),
        "shape": partial(shape_mould, piece.colour),
        "station": station_mould,
        "marker": marker_mould,
    }
    mould = moulds[piece.kind]()
    turn = rotation_about_z(piece.angle_deg) @ _rotation_about_x(piece.lean_deg)
    turned = mould.corners @ turn.T
    low, high = turned.min(axis=0), turned.max(axis=0)
    # Upright, the mould's middle is at the position; tilted, that of its bounding box.
    middle = (low + high) / 2 if piece.lean_deg else np.zeros(3)
    to_mm = np.array([*(piece.xy_mm - middle[:2]), piece.z_mm - low[2]])
    gloss = WOOD_GLOSS if piece.kind == "marker" else PLASTIC_GLOSS
    with_ink = mould.with_ink(
        plastic_ink(piece.colour, kind=piece.kind) if ink is None else ink, gloss
    )
    body = with_ink.placed(turn, to_mm)
    if piece.kind == "shape" and piece.z_mm == piece.lean_deg == 0:  # on the board's pin
        return joined([body, pin_mould().placed(turn, to_mm)])
    return body


def rotation_about_z(degrees: float) -> Float64s:
    """Return the (3, 3) rotation about z, clockwise seen from above, as y points down."""
    cos, sin = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    return np.array([(cos, -sin, 0.0), (sin, cos, 0.0), (0.0, 0.0, 1.0)])


def _rotation_about_x(degrees: float) -> Float64s:
    """Return the (3, 3) rotation about x, a tilt to the right."""
    cos, sin = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    return np.array([(1.0, 0.0, 0.0), (0.0, cos, sin), (0.0, -sin, cos)])


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
