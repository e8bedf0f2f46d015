"""Pictures of boards with marker cards at their corners, and of the lens sheet, with exact truth.

The cards are the program's own sheet, taken apart along its cut lines and laid on the table, below
the printed board; board and camera are the virtual ones.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import cv2
import numpy as np
from railspotter.calibration.arrays import AnyFloats, Mask, Picture
from railspotter.calibration.sheets.lens_sheet import lens_sheet
from railspotter.calibration.sheets.marker_sheet import (
    CARD_WH_MM,
    STRIP_MM,
    TAB_MM,
    cards_on_page,
    marker_sheet,
)
from railspotter.calibration.sheets.sheet import Box, Sheet, SheetLine
from railspotter.scoring.board import Board
from railspotter.simulation.virtual_board.camera import CameraSetup, Projection
from railspotter.simulation.virtual_board.light import Light, Sensor, SensorRecorder
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera

PX_PER_MM = 4.0
PAPER_WHITE = 235
INK = 25


@dataclass(frozen=True)
class Laid:
    """How a card lies: moved and turned about its own middle from where it belongs."""

    card: int
    dx_mm: float = 0.0
    dy_mm: float = 0.0
    turned_deg: float = 0.0


@dataclass(frozen=True, eq=False)
class MarkedBoard:
    """A picture of a board with cards, and the projection that is its truth."""

    picture: Picture
    projection: Projection


def picture_of(sheet: Sheet, px_per_mm: float = PX_PER_MM) -> Picture:
    """Return a printed sheet, without its words, (H, W) grey."""
    width, height = sheet.size_mm
    page = np.full((round(height * px_per_mm), round(width * px_per_mm)), PAPER_WHITE, np.uint8)
    for item in sheet.items:
        if isinstance(item, Box):
            box = np.array([item.x, item.y, item.x + item.width, item.y + item.height])
            left, top, right, bottom = np.rint(box * px_per_mm).astype(int).tolist()
            page[top:bottom, left:right] = INK + round(item.grey * (PAPER_WHITE - INK))
        elif isinstance(item, SheetLine):
            ends = np.rint(np.array([item.x1, item.y1, item.x2, item.y2]) * px_per_mm).astype(int)
            grey = INK + round(item.grey * (PAPER_WHITE - INK))
            first, last = ends[:2].tolist(), ends[2:].tolist()
            cv2.line(page, first, last, grey, max(1, round(item.thick * px_per_mm)))
    return page


@cache
def card(corner: int) -> Picture:
    """Return one card as it was cut out."""
    sheet = marker_sheet()
    x, y = (np.array(cards_on_page("a4")[corner]) * PX_PER_MM).round().astype(int).tolist()
    width, height = (round(side * PX_PER_MM) for side in CARD_WH_MM)
    return picture_of(sheet)[y : y + height, x : x + width]


def marked_board(
    board: Board,
    view: CameraSetup,
    laid: Mapping[int, Laid] | None = None,
    below_mm: float = 2.0,
    sensor: Sensor | None = None,
    light: Light | None = None,
) -> MarkedBoard:
    """Return a picture of an empty board with cards at its corners."""
    laid = {corner: Laid(corner) for corner in range(4)} if laid is None else laid
    bare, is_table = _bare_board(board, view, light or Light())
    picture = bare.copy()
    projection = view.projection(board.size_mm)
    table_mm = _seen_mm(_lowered(projection, below_mm))
    for corner, lying in laid.items():
        _lay(picture, table_mm, is_table, corner, lying, board.size_mm)
    recorded = SensorRecorder(sensor or Sensor()).record(picture, 0)
    return MarkedBoard(recorded, projection)


@lru_cache(maxsize=2)
def _bare_board(board: Board, view: CameraSetup, light: Light) -> tuple[Picture, Mask]:
    """Return the empty board in front of a perfect sensor, and where the table shows."""
    perfect = Sensor(blur_px=0.0, vignette=0.0, noise=0.0)
    at_mm = _seen_mm(view.projection(board.size_mm))
    is_board = np.all((at_mm >= 0) & (at_mm < board.size_mm), axis=-1)
    camera = VirtualCamera(board, view=view, sensor=perfect)
    return camera.take(Scene(light=light)).picture, ~is_board


def _seen_mm(projection: Projection) -> AnyFloats:
    """Return what of the board's plane each pixel sees, (H, W, 2) mm."""
    width, height = projection.size_wh
    x, y = np.meshgrid(np.arange(width, dtype=np.float64), np.arange(height, dtype=np.float64))
    return projection.board_points(np.column_stack([x.ravel(), y.ravel()])).reshape(
        height, width, 2
    )


def _lowered(projection: Projection, below_mm: float) -> Projection:
    """Return the projection of the plane that lies so far below the board."""
    camera = projection.frame_from_scene.copy()
    camera[:, 3] -= below_mm * camera[:, 2]
    return replace(projection, frame_from_scene=camera)


def _lay(
    picture: Picture,
    table_mm: AnyFloats,
    is_free: Mask,
    corner: int,
    lying: Laid,
    size_mm: tuple[float, float],
) -> None:
    """Lay one card into the picture where the board does not hide it."""
    middle = np.array(CARD_WH_MM) / 2
    angle = np.deg2rad(lying.turned_deg)
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    moved = table_mm + card_from_board(corner, size_mm) - middle - (lying.dx_mm, lying.dy_mm)
    at_mm = moved @ turn + middle  # turned back
    is_card = is_free & np.all((at_mm >= 0) & (at_mm < CARD_WH_MM), axis=-1)
    at_px = (at_mm * PX_PER_MM - 0.5).astype(np.float32)
    coarse = float(np.sqrt(np.count_nonzero(is_card) / np.prod(CARD_WH_MM))) or 1.0
    sharp = cv2.GaussianBlur(card(lying.card), (0, 0), max(0.1, 0.4 * PX_PER_MM / coarse))
    seen = cv2.remap(
        sharp, at_px[..., 0], at_px[..., 1], cv2.INTER_LINEAR, None, cv2.BORDER_REPLICATE
    )
    picture[is_card] = np.asarray(seen)[is_card][:, None]


def lens_sheet_seen(view: CameraSetup, sensor: Sensor | None = None) -> MarkedBoard:
    """Return a picture of the chequered sheet on a plain table."""
    sheet = lens_sheet()
    page = picture_of(sheet)
    projection = view.projection(sheet.size_mm)
    at_px = (np.nan_to_num(_seen_mm(projection), nan=-1e4) * PX_PER_MM - 0.5).astype(np.float32)
    coarse = projection.px_per_mm(np.array(sheet.size_mm) / 2)
    sharp = cv2.GaussianBlur(page, (0, 0), max(0.1, 0.4 * PX_PER_MM / coarse))
    seen = cv2.remap(
        sharp, at_px[..., 0], at_px[..., 1], cv2.INTER_LINEAR, None, cv2.BORDER_CONSTANT, (96,)
    )
    picture = cv2.cvtColor(np.asarray(seen, np.uint8), cv2.COLOR_GRAY2BGR)
    return MarkedBoard(
        SensorRecorder(sensor or Sensor()).record(np.asarray(picture, np.uint8), 0), projection
    )


# Tilt, heading and roll of each photo of the lens sheet.
SIDES = ((5.0, 0.0, 88.0), (28.0, 60.0, 95.0), (30.0, 180.0, 80.0), (10.0, 120.0, 55.0))


def lens_sheet_photos(
    size_wh: tuple[int, int], k1: float, fill: float, sensor: Sensor | None = None
) -> tuple[MarkedBoard, ...]:
    """Return photos of the lens sheet by one camera, that is not zoomed in between."""
    sheet_mm = lens_sheet().size_mm
    views = [
        CameraSetup(size_wh, tilt, heading, roll, distance_mm=300.0, fill=fill, k1=k1)
        for tilt, heading, roll in SIDES
    ]
    focal = [view.projection(sheet_mm).lens.focal_px for view in views]
    return tuple(
        lens_sheet_seen(replace(view, fill=view.fill * focal[0] / own), sensor)
        for view, own in zip(views, focal, strict=True)
    )


def card_from_board(corner: int, size_mm: tuple[float, float]) -> tuple[float, float]:
    """Return the offset from board millimetres to those of a card, from its top left."""
    width, height = size_mm
    is_right, is_low = corner in (1, 2), corner >= 2
    x = TAB_MM - width if is_right else CARD_WH_MM[0] - TAB_MM
    y = CARD_WH_MM[1] - STRIP_MM - height if is_low else STRIP_MM
    return x, y
