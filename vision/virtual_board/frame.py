"""A picture of the virtual board and what is true of it.

A board file is drawn as a map of the project's own, plastic trains stand on the claimed routes, and
a pinhole camera takes the picture. Everything is seeded: the same call gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from railspotter.scoring.board import Board, RouteId

from .camera import Matrix, View, board_corners_mm, project
from .printed_map import draw_board
from .trains import Train, cast_shadows, paint_trains, stand_trains

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

DRAWING_PX_PER_MM = (1.0, 1.5, 2.0, 3.0)
"""Resolutions that the camera sees the board in: the first that is as fine as the picture."""
TABLE_TILE_PX = 600
"""Side of the table's grain, which is mirrored on and on; one pixel is one millimetre."""
BOARD_SHADOW_MM = 5.0
"""How far the board's own edge darkens the table."""


@dataclass(frozen=True, eq=False)
class Frame:
    """A rendered picture and what is true of it.

    Attributes
    ----------
    picture : (H, W, 3) uint8 array, BGR
    frame_from_board : (3, 3) float64 array
        Maps board millimetres, on the board's plane, to pixels (x, y); a pixel's coordinates are
        those of its middle.
    frame_from_scene : (3, 4) float64 array
        Maps (x, y, z) to pixels, z being millimetres above the board.
    corners_px : (4, 2) float64 array
        The printed board's outer corners TL, TR, BR, BL.
    claims : dict
        Colour for each claimed route.
    spaces : dict
        For every route of the board, what stands on each space from `a` to `b`; None for empty.
    trains : tuple of Train
        Where every train really stands.
    """

    picture: Picture
    frame_from_board: Matrix
    frame_from_scene: Matrix
    corners_px: Matrix
    claims: dict[RouteId, str]
    spaces: dict[RouteId, tuple[str | None, ...]]
    trains: tuple[Train, ...]


def render(
    board: Board,
    claims: Mapping[RouteId, str],
    view: View | None = None,
    *,
    board_seed: int = 0,
    trains_seed: int = 0,
    looseness: float = 1.0,
) -> Frame:
    """Take a picture of a board with trains on its claimed routes.

    Parameters
    ----------
    board : Board
    claims : mapping
        Route id to the colour of its trains; a route that is missing is free.
    view : View
        The camera and the light; without it, those of `View()`.
    board_seed, trains_seed : int
        Which drawing of the board, and how its trains were put down.
    looseness : float
        How carelessly; 0 is the exact middle of every space.

    Raises
    ------
    SceneError
        For a route the board does not have, a colour no train has, or an impossible view.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> frame = render(load_board("usa"), {"atlanta--charleston": "red"}, View((320, 240)))
    >>> frame.picture.shape, frame.spaces["atlanta--charleston"], frame.corners_px.shape
    ((240, 320, 3), ('red', 'red'), (4, 2))
    """
    view = view or View()
    trains = stand_trains(board, claims, trains_seed, looseness)
    frame_from_scene = view.frame_from_scene(board.size_mm)
    frame_from_board = frame_from_scene[:, [0, 1, 3]]
    corners_mm = board_corners_mm(board.size_mm)
    corners_px = project(frame_from_scene, np.column_stack([corners_mm, np.zeros(4)]))

    px_per_mm = np.sqrt(cv2.contourArea(corners_px.astype(np.float32)) / np.prod(board.size_mm))
    sharp = next((fine for fine in DRAWING_PX_PER_MM if fine >= px_per_mm), DRAWING_PX_PER_MM[-1])
    scene = _table(view, frame_from_board, corners_mm)
    _lay(scene, draw_board(board, sharp, board_seed), frame_from_board, corners_mm)
    cast_shadows(scene, trains, frame_from_scene, view.towards_light)
    paint_trains(scene, trains, frame_from_scene, view.towards_light)

    spaces: dict[RouteId, tuple[str | None, ...]] = {
        route.id: (claims.get(route.id),) * route.length for route in board.routes
    }
    return Frame(
        picture=_exposed(scene, view, frame_from_board),
        frame_from_board=frame_from_board,
        frame_from_scene=frame_from_scene,
        corners_px=corners_px,
        claims=dict(claims),
        spaces=spaces,
        trains=trains,
    )


def _table(view: View, frame_from_board: Matrix, corners_mm: Matrix) -> Picture:
    """Paint the grained table, and the shadow on it of the board's edge."""
    rng = np.random.default_rng([view.seed, 1])
    tile = np.full((TABLE_TILE_PX, TABLE_TILE_PX, 3), view.table_bgr, np.float32)
    for across_mm, along_mm, strength in ((3, 100, 6.0), (25, 200, 8.0), (1, 12, 5.0)):
        knots = (TABLE_TILE_PX // across_mm, TABLE_TILE_PX // along_mm)
        grain = rng.normal(0.0, strength, knots).astype(np.float32)
        tile += cv2.resize(grain, tile.shape[1::-1], interpolation=cv2.INTER_CUBIC)[..., None]
    table = cv2.warpPerspective(
        np.clip(tile, 0, 255).astype(np.uint8),
        frame_from_board,
        view.size_wh,
        borderMode=cv2.BORDER_REFLECT_101,
    )
    from_light = -view.towards_light[:2] * BOARD_SHADOW_MM
    shade = _covered(view.size_wh, frame_from_board, corners_mm + from_light)
    soft = cv2.GaussianBlur(shade, (0, 0), 1 + 0.004 * view.size_wh[0])
    return (table * (1 - 0.5 / 255 * soft[..., None].astype(np.float32))).astype(np.uint8)


def _lay(scene: Picture, drawing: Picture, frame_from_board: Matrix, corners_mm: Matrix) -> None:
    """Lay the flat board into the scene."""
    size_wh = (scene.shape[1], scene.shape[0])
    mm_per_px = corners_mm[2] / drawing.shape[1::-1]
    board_from_drawing = np.diag([*mm_per_px, 1.0])
    board_from_drawing[:2, 2] = mm_per_px / 2  # from the corner of a pixel to its middle
    laid = cv2.warpPerspective(
        drawing, frame_from_board @ board_from_drawing, size_wh, borderMode=cv2.BORDER_REPLICATE
    )
    cover = _covered(size_wh, frame_from_board, corners_mm)
    np.copyto(scene, laid, where=(cover == 255)[..., None])
    edge = (cover > 0) & (cover < 255)
    share = cover[edge, None] / 255
    scene[edge] = share * laid[edge] + (1 - share) * scene[edge]


def _covered(size_wh: tuple[int, int], frame_from_board: Matrix, outline_mm: Matrix) -> Picture:
    """Return how much of every pixel the outline covers, 0 to 255."""
    cover = np.zeros(size_wh[::-1], np.uint8)
    outline = cv2.perspectiveTransform(outline_mm[None], frame_from_board)
    cv2.fillConvexPoly(cover, np.rint(outline * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    return cover


def _exposed(scene: Picture, view: View, frame_from_board: Matrix) -> Picture:
    """Let the light fall off, and see the scene through a lens and a sensor."""
    width, height = view.size_wh
    x, y = np.meshgrid(
        np.linspace(-1, 1, width, dtype=np.float32),
        np.linspace(-1, 1, height, dtype=np.float32) * height / width,
    )
    ahead = frame_from_board[:2, :2] @ view.towards_light[:2]
    ahead = ahead / (np.linalg.norm(ahead) + 1e-9)
    light = 1 - view.light_falloff * (0.5 - 0.5 * (x * ahead[0] + y * ahead[1]))
    corner = 1 + (height / width) ** 2
    light *= view.light * (1 - view.vignette * (x * x + y * y) / corner)

    if view.blur_px > 0:
        scene = np.asarray(cv2.GaussianBlur(scene, (0, 0), view.blur_px), np.uint8)
    rng = np.random.default_rng([view.seed, 2])
    seen: Floats = scene * light.astype(np.float32)[..., None]
    seen += view.noise * rng.standard_normal(seen.shape, np.float32)
    picture: Picture = np.clip(seen + 0.5, 0, 255).astype(np.uint8)
    return picture
