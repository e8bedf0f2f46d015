"""Pictures of a real board from any position, warped from photos, with exact ground truth.

A seed decides everything: the camera's place and lens, the table, what lies over the board, the
light and the sensor. One scene in five shows no board that may be found: the table alone, the
board in the mirror, two boards side by side, or another board.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from railspotter.calibration.arrays import AnyFloats, Float32s, Float64s, Picture
from railspotter.calibration.geometry import outline_mm
from railspotter.simulation.virtual_board.camera import CameraSetup, Projection, project_pinhole
from railspotter.simulation.virtual_board.errors import SceneError
from railspotter.simulation.virtual_board.light import Light, Sensor, SensorRecorder
from railspotter.simulation.virtual_board.things import Thing

from composed.camera import paint_thing
from composed.library import Library

# The photos that are warped: other exposures than the reference, where there are others.
BLANKS = {
    "usa": ("IMG_4169_1920", "IMG_4170_1920", "IMG_4171_1920", "IMG_4172_1920", "IMG_4181_1920"),
    "europe": ("cropped_blank",),
}
OTHER_BOARD = {"usa": "europe", "europe": "usa"}  # which other board lies there instead
SIZES = ((640, 480), (1280, 720), (1920, 1080), (1920, 1440), (3840, 2160))
SIZE_SHARES = (0.3, 0.3, 0.15, 0.15, 0.1)
MOST_TILT_DEG = 50.0
MOST_MOVED_PX = 10.0  # pixels, of a picture 1920 wide, that the camera moves while it is taken
# Tangent of the angle at which a phone's .5x lens, of 13 mm, sees its picture's corners. The
# formula of the virtual lens is no lens' beyond.
WIDEST_TANGENT = 1.66
GRID_PX = 4  # pixels whose place on the board is computed
FAR_MM = 1e4
TILE_PX = 512  # side of the table's pattern, mirrored on and on
COVERS = ("nothing", "a hand", "a card over a corner", "a cup", "hands and cards")
MOST_COVERED = 0.3
KINDS = ("board", "table alone", "mirrored", "two boards", "another board")
KIND_SHARES = (0.8, 0.05, 0.05, 0.05, 0.05)
BETWEEN_MM = 40.0  # table between two boards


@dataclass(frozen=True, eq=False)
class WarpedBoard:
    """A picture of a board with its ground truth."""

    picture: Picture
    kind: str  # one of `KINDS`; only a "board" is to be found
    # (4, 2) float64: the printed board's corners TL, TR, BR, BL, the lens' bending included.
    corners_px: Float64s
    projection: Projection  # maps all of the scene, lens included
    view: CameraSetup
    moved_px: float  # how far the camera moved while it was taken, in a picture 1920 pixels wide
    cover: str  # one of `COVERS`
    covered: float  # share of the board that is hidden, 0 to 1


def scene_kind(seed: int) -> str:
    """Return the kind of a seed's scene, one of `KINDS`."""
    return _choose_kind(np.random.default_rng([seed, 8]))


def _choose_kind(rng: np.random.Generator) -> str:
    return KINDS[int(rng.choice(len(KINDS), p=KIND_SHARES))]


def make_scene(library: Library, seed: int, other: Library | None = None) -> WarpedBoard:
    """Return a scene; the same seed gives the same bytes."""
    rng = np.random.default_rng([seed, 8])
    kind = _choose_kind(rng)
    photo = str(rng.choice(BLANKS[library.board.id]))
    size_mm = library.board.size_mm
    view, projection = _choose_view(rng, size_mm, 0.5 if kind == "two boards" else 1.0)
    lying = [_Board(library, photo, np.zeros(2))]
    if kind == "two boards":
        aside = rng.choice([-1.0, 1.0]) * (size_mm[0] + BETWEEN_MM)
        lying.append(
            _Board(library, str(rng.choice(BLANKS[library.board.id])), np.array([aside, 0]))
        )
    if kind == "another board" and other is not None:
        lying = [_Board(other, str(rng.choice(BLANKS[other.board.id])), np.zeros(2))]
    elif kind in ("table alone", "another board"):
        lying = []
    picture, inside = _render_boards(lying, projection, _table_texture(rng))
    name = str(rng.choice(COVERS))
    light = Light(from_deg=float(rng.uniform(0, 360)), height_deg=float(rng.uniform(35, 80)))
    mask = np.zeros(picture.shape[:2], np.uint8)
    board = inside > 0.5
    enough = rng.uniform(0, MOST_COVERED) if name == "hands and cards" else 1.0
    for thing in _choose_things(rng, name, size_mm):
        paint_thing(picture, mask, thing, projection, light)
        if board.any() and np.mean(mask[board] > 127) > enough:
            break
    warmth, strength = rng.uniform(0.6, 1.1), rng.uniform(0.55, 1.1)
    picture = np.clip(picture * (strength * np.array([warmth, warmth**0.4, 1])), 0, 255)
    moved_px = _choose_movement_px(rng, view.size_wh[0])
    sensor = _choose_sensor(rng, view.size_wh[0], seed)
    picture = SensorRecorder(sensor).record(_blur_along(picture.astype(np.uint8), moved_px), 0)
    corners_mm = np.column_stack([outline_mm(size_mm), np.zeros(4)])
    if kind == "mirrored":
        picture = np.ascontiguousarray(picture[:, ::-1])
    return WarpedBoard(
        picture,
        kind,
        projection.project(corners_mm),
        projection,
        view,
        float(np.hypot(*moved_px)) * 1920 / view.size_wh[0],
        name,
        float(np.mean(mask[board] > 127)) if board.any() else 0.0,
    )


def _choose_movement_px(rng: np.random.Generator, width_px: int) -> Float64s:
    """Choose a camera movement during the exposure, in one of three pictures."""
    is_moved, way, moved = (
        rng.random() < 1 / 3,
        rng.uniform(0, 2 * np.pi),
        rng.uniform(1, MOST_MOVED_PX),
    )
    return np.array([np.cos(way), np.sin(way)]) * moved * is_moved * width_px / 1920


def _blur_along(picture: Picture, moved_px: Float64s) -> Picture:
    """Return the picture blurred along a line, symmetrically, so that the truth holds."""
    reach = int(np.ceil(np.abs(moved_px).max() / 2))
    if reach == 0:
        return picture
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    for x, y in np.linspace(-0.5, 0.5, 8 * reach + 1)[:, None] * moved_px + reach:
        column, row = int(x), int(y)
        right, down = x - column, y - row
        for i, share_y in ((row, 1 - down), (row + 1, down)):
            for j, share_x in ((column, 1 - right), (column + 1, right)):
                if share_x * share_y > 0:
                    kernel[i, j] += share_x * share_y
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.uint8)


def _choose_sensor(rng: np.random.Generator, width_px: int, seed: int) -> Sensor:
    return Sensor(
        blur_px=float(rng.uniform(0, 1.2)) * width_px / 1920,
        noise=float(rng.uniform(0.5, 6)),
        jpeg_quality=int(rng.integers(30, 95)),
        seed=seed,
    )


def _choose_view(
    rng: np.random.Generator, size_mm: tuple[float, float], filled: float
) -> tuple[CameraSetup, Projection]:
    """Choose a camera position above the table, farther away until the board is visible."""
    size_wh = SIZES[int(rng.choice(len(SIZES), p=SIZE_SHARES))]
    is_wide = rng.random() < 0.25  # a phone's .5x lens, more or less corrected
    distance_mm = rng.uniform(450, 650) if is_wide else rng.uniform(700, 1500)
    k1 = rng.uniform(-0.28, -0.03) if is_wide else rng.uniform(-0.03, 0.03)
    tilt_deg, heading_deg, roll_deg = rng.uniform(0, (MOST_TILT_DEG, 360, 360))
    fill = filled * rng.uniform(0.6, 0.97)
    while True:
        view = CameraSetup(
            size_wh=size_wh,
            tilt_deg=float(tilt_deg),
            heading_deg=float(heading_deg),
            roll_deg=float(roll_deg),
            distance_mm=float(distance_mm),
            fill=float(fill),
            k1=float(k1),
            k2=0.04 if k1 < -0.15 else 0.0,
        )
        try:
            projection = view.projection(size_mm)
            if _corner_tangent(projection, size_mm) < WIDEST_TANGENT:
                return view, projection
        except SceneError:
            pass
        distance_mm *= 1.2


def _corner_tangent(projection: Projection, size_mm: tuple[float, float]) -> float:
    """Return the tangent of the largest angle between the lens' axis and a board's corner."""
    corners_px = project_pinhole(
        projection.frame_from_scene, np.column_stack([outline_mm(size_mm), np.zeros(4)])
    )
    lens = projection.lens
    return float(np.hypot(*((corners_px - lens.centre_px) / lens.focal_px).T).max())


@dataclass(frozen=True, eq=False)
class _Board:
    """A board on the table: its photo, and its distance from the middle of the scene."""

    library: Library
    photo: str
    aside_mm: Float64s


def _render_boards(
    lying: Sequence[_Board], projection: Projection, table: Picture
) -> tuple[Picture, Float32s]:
    """Return the boards as the camera sees them, and the first one's share of each pixel."""
    width, height = projection.size_wh
    at_mm = _board_points(projection)
    tile_at = np.abs((at_mm + 2 * FAR_MM) % (2 * TILE_PX) - TILE_PX).astype(np.float32)
    picture = cv2.remap(
        table, tile_at[..., 0], tile_at[..., 1], cv2.INTER_LINEAR, None, cv2.BORDER_REFLECT
    ).astype(np.float32)
    first = np.zeros((height, width), np.float32)
    for one in reversed(lying):
        first = _paint_board(picture, one, at_mm, projection)
    return picture.astype(np.uint8), first


def _paint_board(
    picture: Float32s, one: _Board, at_mm: Float32s, projection: Projection
) -> Float32s:
    """Paint a board into the picture of the table; return its share of each pixel."""
    library = one.library
    board, size_mm = library.rectified_board(one.photo), np.array(library.board.size_mm)
    at_mm = at_mm - one.aside_mm.astype(np.float32)
    px_per_mm = projection.px_per_mm(size_mm / 2)
    if px_per_mm < library.px_per_mm:  # a coarser sensor adds up what it cannot tell apart
        board = np.asarray(
            cv2.GaussianBlur(board, (0, 0), 0.4 * library.px_per_mm / px_per_mm), np.uint8
        )
    at_px = (at_mm * library.px_per_mm - 0.5).astype(np.float32)
    laid = cv2.remap(
        board, at_px[..., 0], at_px[..., 1], cv2.INTER_CUBIC, None, cv2.BORDER_REPLICATE
    )
    to_edge = np.minimum(at_mm, size_mm - at_mm).min(axis=-1)
    inside = np.asarray(np.clip(to_edge * px_per_mm + 0.5, 0, 1), np.float32)
    shade = 0.45 * np.clip(1 + to_edge / 8, 0, 1) * (inside < 1)  # of the board's own edge
    picture *= 1 - np.asarray(shade, np.float32)[..., None]
    picture += inside[..., None] * (laid - picture)
    return inside


def _board_points(projection: Projection) -> Float32s:
    """Return what of the board's plane every pixel sees, (H, W, 2) mm; far off above the horizon.

    Some pixels are computed and the rest lies between them: the way is smooth.
    """
    width, height = projection.size_wh
    x, y = np.meshgrid(
        np.arange(0, width + GRID_PX, GRID_PX), np.arange(0, height + GRID_PX, GRID_PX)
    )
    at_mm = projection.board_points(np.column_stack([x.ravel(), y.ravel()]))
    sparse = np.nan_to_num(at_mm, nan=-FAR_MM).clip(-FAR_MM, FAR_MM).reshape(*x.shape, 2)
    across = np.arange(width, dtype=np.float32) / GRID_PX
    down = np.arange(height, dtype=np.float32) / GRID_PX
    return np.asarray(_lerp(_lerp(sparse.astype(np.float32), down, 0), across, 1), np.float32)


def _lerp(values: Float32s, at: AnyFloats, axis: int) -> Float32s:
    """Interpolate values at fractional positions along an axis."""
    first = np.minimum(at.astype(np.intp), values.shape[axis] - 2)
    share = np.expand_dims(at - first, (1, 2) if axis == 0 else (0, 2)).astype(np.float32)
    before, after = np.take(values, first, axis), np.take(values, first + 1, axis)
    return np.asarray(before + share * (after - before), np.float32)


def _table_texture(rng: np.random.Generator) -> Picture:
    """Return a table's texture, a pixel per millimetre: wood, a chequered cloth or a floor."""
    kind = rng.integers(3)
    ink = (rng.uniform(40, 190) + rng.uniform(-30, 30, 3)).astype(np.float32)
    tile = np.full((TILE_PX, TILE_PX, 3), ink, np.float32)
    grain = ((4, 120, 9.0), (30, 250, 10.0), (2, 14, 6.0)) if kind == 0 else ((2, 2, 6.0),)
    for across, along, strength in grain:
        knots = rng.normal(0, strength, (TILE_PX // across, TILE_PX // along)).astype(np.float32)
        tile += cv2.resize(knots, (TILE_PX, TILE_PX), interpolation=cv2.INTER_CUBIC)[..., None]
    if kind == 1:
        stripe = (np.arange(TILE_PX) // 40) % 2
        tile *= (0.35 + 0.65 * (stripe[:, None] + stripe[None, :]) / 2)[..., None]
    if kind == 2:
        for x, y, size in rng.integers((0, 0, 2), (TILE_PX, TILE_PX, 9), (60, 3)).tolist():
            cv2.circle(tile, (x, y), size, rng.uniform(60, 230, 3).tolist(), -1)
    return np.clip(tile, 0, 255).astype(np.uint8)


def _choose_things(
    rng: np.random.Generator, cover_name: str, size_mm: tuple[float, float]
) -> tuple[Thing, ...]:
    width, height = size_mm

    def anywhere() -> tuple[float, float]:
        x, y = rng.uniform(0.05, 0.95, 2) * size_mm
        return float(x), float(y)

    def seed() -> int:
        return int(rng.integers(1000))

    def hand() -> Thing:
        return Thing("hand", anywhere(), float(rng.uniform(-150, -30)), seed(), z_mm=5.0)

    def card(at: tuple[float, float]) -> Thing:
        return Thing("train card", at, float(rng.uniform(0, 360)), seed())

    def somewhere() -> Thing:
        return card(anywhere())

    corner = (float(rng.choice([0, width])), float(rng.choice([0, height])))
    return {
        "nothing": (),
        "a hand": (hand(),),
        "a card over a corner": (card(corner),),
        "a cup": (Thing("cup", anywhere(), 0.0, seed()),),
        "hands and cards": (card(corner), *(f() for f in (hand, somewhere, somewhere) * 12)),
    }[cover_name]
