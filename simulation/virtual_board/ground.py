"""The bare board on its table, as a camera sees it before anyone plays."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from railspotter.scoring.board import Board

from ..arrays import Float32s, Float64s, Picture
from .camera import Projection
from .light import Light
from .printed_copy import Copy
from .printed_map import draw_copy

# Resolutions that the camera sees the board in: the first that is as fine as the picture.
DRAWING_PX_PER_MM = (1.0, 1.5, 2.0, 3.0)
STRIP_ROWS = 128  # the picture is made in strips, so that a large one needs little memory
# Side of the table's grain, which is mirrored on and on; one pixel is one millimetre.
TABLE_TILE_PX = 600
# From the board's middle: where the table begins to fade into the room, and where it has.
FAR_MM = (1200.0, 4000.0)
ROOM = 0.45  # how bright the room behind the table is, beside the table
EDGE_STEPS = 48  # straight pieces of each edge of the board, which a lens bends
BOARD_THICK_MM = 5.0  # how far the board's own edge darkens the table


TABLE_BGR = (92, 128, 164)
TABLE_VARNISH = 60  # how strongly the table mirrors a lamp; 255 is the board


def lay_table(seed: int, seen: Projection, middle_mm: tuple[float, float]) -> Picture:
    """Return the grained table, which fades into the room far from the board's middle."""
    rng = np.random.default_rng([seed, 1])
    tile = np.full((TABLE_TILE_PX, TABLE_TILE_PX, 3), TABLE_BGR, np.float32)
    for across_mm, along_mm, strength in ((3, 100, 6.0), (25, 200, 8.0), (1, 12, 5.0)):
        knots = (TABLE_TILE_PX // across_mm, TABLE_TILE_PX // along_mm)
        grain = rng.normal(0.0, strength, knots).astype(np.float32)
        tile += cv2.resize(grain, tile.shape[1::-1], interpolation=cv2.INTER_CUBIC)[..., None]
    grained = np.clip(tile, 0, 255).astype(np.uint8)
    room = np.array(TABLE_BGR) * ROOM
    picture: Picture = np.empty((*seen.size_wh[::-1], 3), np.uint8)
    for rows, at_mm in _strips(seen):
        off = np.hypot(at_mm[..., 0] - middle_mm[0], at_mm[..., 1] - middle_mm[1])
        near = np.clip((FAR_MM[1] - off) / (FAR_MM[1] - FAR_MM[0]), 0, 1)[..., None]
        laid = _sampled(grained, at_mm, cv2.BORDER_REFLECT_101)
        picture[rows] = near * laid + (1 - near) * room
    return picture


def lay_ground(
    board: Board,
    copy: Copy,
    bare_table: Picture,
    seen: Projection,
    light: Light,
    art: Picture | None = None,
) -> tuple[Picture, Picture]:
    """Return the bare board on its table in even light, and how strongly each pixel is varnished.

    The varnish, (H, W) uint8, mirrors a lamp: 255 on the board, little on the table. `art` is what
    is printed, edge to edge, where it is not what the program draws for the copy.
    """
    picture = bare_table.copy()
    outline = _edge(board, copy)
    on_table = outline - (*(light.towards[:2] * BOARD_THICK_MM), 0.0)
    shade = covered(seen.size_wh, seen.project(on_table))
    sigma = 1 + 0.004 * seen.size_wh[0]
    shade = np.asarray(cv2.GaussianBlur(shade, (0, 0), sigma), np.uint8)
    darken(picture, shade, 0.5)

    cover = covered(seen.size_wh, seen.project(outline))
    fine = seen.px_per_mm(np.array(board.size_mm) / 2)
    sharp = next((step for step in DRAWING_PX_PER_MM if step >= fine), DRAWING_PX_PER_MM[-1])
    drawing = draw_copy(board, copy, sharp) if art is None else art
    for rows, seen_mm in _strips(seen, board, copy):
        drawing_px = seen_mm * (np.array(drawing.shape[1::-1]) / board.size_mm) - 0.5
        laid = _sampled(drawing, drawing_px, cv2.BORDER_REPLICATE)
        share = cover[rows].astype(np.uint16)[..., None]
        picture[rows] = (laid * share + picture[rows] * (255 - share) + 127) // 255
    return picture, np.maximum(cover, TABLE_VARNISH).astype(np.uint8)


def covered(size_wh: tuple[int, int], outline_px: Float64s) -> Picture:
    """Return how much of every pixel the outline covers, 0 to 255."""
    cover = np.zeros(size_wh[::-1], np.uint8)
    cv2.fillPoly(cover, [np.rint(outline_px * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return cover


def darken(picture: Picture, shade: Picture, share: float) -> None:
    """Take a share of the light away where the shade, 0 to 255, is full.

    In whole numbers: a part of a picture gets the same bytes as the whole.
    """
    kept = np.rint(256 - share / 255 * 256 * np.arange(256)).astype(np.uint16)
    picture[:] = np.multiply(picture, kept[shade][..., None], dtype=np.uint16) >> 8


def _strips(
    seen: Projection, board: Board | None = None, copy: Copy | None = None
) -> Iterator[tuple[slice, Float32s]]:
    """Yield rows of the picture, and what point of the plane is seen at each of their pixels.

    With a board and its copy it is the point of the board, which is no plane.
    """
    width, height = seen.size_wh
    eye = seen.eye
    for top in range(0, height, STRIP_ROWS):
        rows = slice(top, min(top + STRIP_ROWS, height))
        x, y = np.meshgrid(np.arange(width), np.arange(rows.start, rows.stop))
        flat = seen.board_points(np.column_stack([x.ravel(), y.ravel()]))
        flat = np.clip(np.nan_to_num(flat, nan=2 * FAR_MM[1]), -2 * FAR_MM[1], 2 * FAR_MM[1])
        at_mm = flat
        if board is not None and copy is not None and copy.fold_mm > 0:
            for _ in range(3):  # a ray meets the raised board a little before the plane
                rise = copy.height_mm(at_mm, board.size_mm)[:, None]
                at_mm = flat + (eye[:2] - flat) * (rise / eye[2])
        yield rows, at_mm.reshape(*x.shape, 2).astype(np.float32)


def _sampled(drawing: Picture, at_px: Float64s | Float32s, border: int) -> Picture:
    x, y = np.moveaxis(at_px.astype(np.float32), -1, 0)
    return np.asarray(cv2.remap(drawing, x, y, cv2.INTER_LINEAR, borderMode=border), np.uint8)


def _edge(board: Board, copy: Copy) -> Float64s:
    """Return points all around the board's edge, (N, 3)."""
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
