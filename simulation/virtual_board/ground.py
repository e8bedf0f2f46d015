"""Renders the bare board on its table."""

from collections.abc import Iterator

import cv2
import numpy as np
from railspotter.scoring.board import Board

from ..arrays import Float32s, Float64s, Picture
from .camera import Projection
from .light import Light
from .printed_copy import Copy
from .printed_map import draw_copy

# Resolutions in which the board is drawn: the first one that is at least the picture's.
DRAWING_PX_PER_MM = (1.0, 1.5, 2.0, 3.0)
STRIP_ROWS = 128  # the picture is computed in strips, to save memory
TABLE_TILE_PX = 600  # side of the table's texture, which is repeated mirrored; 1 px is 1 mm
# Distances from the board's middle between which the table fades into the room.
FADE_MM = (1200.0, 4000.0)
ROOM_BRIGHTNESS = 0.45  # of the room behind the table, relative to the table
EDGE_STEPS = 48  # straight pieces of each edge of the board, which the lens distorts
BOARD_THICK_MM = 5.0  # for the shadow of the board on the table
TABLE_BGR = (92, 128, 164)
TABLE_VARNISH = 60  # the table's reflection of a lamp; the board's is 255


def draw_table(seed: int, projection: Projection, middle_mm: tuple[float, float]) -> Picture:
    """Render the wooden table, which fades into the room far from the board's middle."""
    rng = np.random.default_rng([seed, 1])
    tile = np.full((TABLE_TILE_PX, TABLE_TILE_PX, 3), TABLE_BGR, np.float32)
    for across_mm, along_mm, strength in ((3, 100, 6.0), (25, 200, 8.0), (1, 12, 5.0)):
        knots = (TABLE_TILE_PX // across_mm, TABLE_TILE_PX // along_mm)
        grain = rng.normal(0.0, strength, knots).astype(np.float32)
        tile += cv2.resize(grain, tile.shape[1::-1], interpolation=cv2.INTER_CUBIC)[..., None]
    grained = np.clip(tile, 0, 255).astype(np.uint8)
    room = np.array(TABLE_BGR) * ROOM_BRIGHTNESS
    picture: Picture = np.empty((*projection.size_wh[::-1], 3), np.uint8)
    for rows, at_mm in _strips(projection):
        off = np.hypot(at_mm[..., 0] - middle_mm[0], at_mm[..., 1] - middle_mm[1])
        near = np.clip((FADE_MM[1] - off) / (FADE_MM[1] - FADE_MM[0]), 0, 1)[..., None]
        laid = _resample(grained, at_mm, cv2.BORDER_REFLECT_101)
        picture[rows] = near * laid + (1 - near) * room
    return picture


def draw_bare_board(
    board: Board,
    copy: Copy,
    bare_table: Picture,
    projection: Projection,
    light: Light,
    art: Picture | None = None,
) -> tuple[Picture, Picture]:
    """Render the bare board on its table in even light; return the picture and its varnish.

    The varnish, (H, W) uint8, is each pixel's reflection of a lamp: 255 on the board. `art` is a
    picture of the print, edge to edge; by default the copy is drawn.
    """
    picture = bare_table.copy()
    outline = _outline(board, copy)
    on_table = outline - (*(light.to_lamp[:2] * BOARD_THICK_MM), 0.0)
    shade = coverage_mask(projection.size_wh, projection.project(on_table))
    sigma = 1 + 0.004 * projection.size_wh[0]
    shade = np.asarray(cv2.GaussianBlur(shade, (0, 0), sigma), np.uint8)
    darken(picture, shade, 0.5)

    cover = coverage_mask(projection.size_wh, projection.project(outline))
    fine = projection.px_per_mm(np.array(board.size_mm) / 2)
    sharp = next((step for step in DRAWING_PX_PER_MM if step >= fine), DRAWING_PX_PER_MM[-1])
    drawing = draw_copy(board, copy, sharp) if art is None else art
    for rows, seen_mm in _strips(projection, board, copy):
        drawing_px = seen_mm * (np.array(drawing.shape[1::-1]) / board.size_mm) - 0.5
        laid = _resample(drawing, drawing_px, cv2.BORDER_REPLICATE)
        share = cover[rows].astype(np.uint16)[..., None]
        picture[rows] = (laid * share + picture[rows] * (255 - share) + 127) // 255
    return picture, np.maximum(cover, TABLE_VARNISH).astype(np.uint8)


def coverage_mask(size_wh: tuple[int, int], outline_px: Float64s) -> Picture:
    """Return the share of every pixel that the outline covers, (H, W) uint8, 0 to 255."""
    cover = np.zeros(size_wh[::-1], np.uint8)
    cv2.fillPoly(cover, [np.rint(outline_px * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return cover


def darken(picture: Picture, shade: Picture, share: float) -> None:
    """Reduce the light by `share` where the shade is 255, and less where it is less.

    Integers make a part of a picture get the same bytes as the whole.
    """
    kept = np.rint(256 - share / 255 * 256 * np.arange(256)).astype(np.uint16)
    picture[:] = np.multiply(picture, kept[shade][..., None], dtype=np.uint16) >> 8


def _strips(
    projection: Projection, board: Board | None = None, copy: Copy | None = None
) -> Iterator[tuple[slice, Float32s]]:
    """Yield strips of rows, with the point of the board's plane at each pixel, (rows, W, 2).

    With a board and its copy they are points of the board's surface, which the folds raise.
    """
    width, height = projection.size_wh
    eye = projection.eye
    for top in range(0, height, STRIP_ROWS):
        rows = slice(top, min(top + STRIP_ROWS, height))
        x, y = np.meshgrid(np.arange(width), np.arange(rows.start, rows.stop))
        flat = projection.board_points(np.column_stack([x.ravel(), y.ravel()]))
        flat = np.clip(np.nan_to_num(flat, nan=2 * FADE_MM[1]), -2 * FADE_MM[1], 2 * FADE_MM[1])
        at_mm = flat
        if board is not None and copy is not None and copy.fold_mm > 0:
            for _ in range(3):  # a ray meets the raised board a little before the plane
                rise = copy.height_mm(at_mm, board.size_mm)[:, None]
                at_mm = flat + (eye[:2] - flat) * (rise / eye[2])
        yield rows, at_mm.reshape(*x.shape, 2).astype(np.float32)


def _resample(drawing: Picture, at_px: Float64s | Float32s, border: int) -> Picture:
    x, y = np.moveaxis(at_px.astype(np.float32), -1, 0)
    return np.asarray(cv2.remap(drawing, x, y, cv2.INTER_LINEAR, borderMode=border), np.uint8)


def _outline(board: Board, copy: Copy) -> Float64s:
    """Return points along the board's edge, (N, 3)."""
    width, height = board.size_mm
    along = np.arange(EDGE_STEPS) / EDGE_STEPS
    sides = [
        (along, 0 * along),
        (1 + 0 * along, along),
        (1 - along, 1 + 0 * along),
        (0 * along, 1 - along),
    ]
    points = np.hstack([np.array(side) for side in sides]).T * (width, height)
    return np.column_stack([points, copy.height_mm(points, board.size_mm)])
