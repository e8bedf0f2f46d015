"""Pictures at a table: those that people are shown, and those that a phone posts.

A spot that is asked about is shown with its neighbours, upright: the board lies as players see it
on the page, whatever way the camera looks at it, so that "the upper lane" is up; and where the spot
is in the picture is known without looking.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt
from railspotter.calibration.arrays import Picture
from railspotter.calibration.pose import Pose
from railspotter.scoring.board import Board
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.scoring.spot import Spot
from railspotter.vision.errors import PictureError
from railspotter.vision.sources.phone import PostedFrames
from railspotter.vision.sources.source import Frame, Source

from ..errors import PhotoError
from ..photo_file import check_photo, shrunk_to, to_jpeg
from .table_view import TableView

Point = tuple[float, float]

# Ground around a spot: the other lane, and the places at both ends with the routes that begin
# there.
AROUND_MM = 28.0
# What is shown at the least, so that people recognise the corner of the board.
LEAST_MM = (120.0, 75.0)
WIDE_PX = 960  # two pixels for each of a phone's held upright; chosen
MOST_PX_PER_MM = 6.0  # no camera over a table sees more
SPOT_QUALITY = 80
MARGIN = 0.25  # the share of a spot's size that is shown on each side of it
PROOF_LEAST_PX = 96
FRAME_QUALITY = 75  # five pictures a second go to every phone that looks; one takes some 60 kB
MOST_PX = 1280  # the most pixels of a picture's longer side: a phone's screen shows no more
# A phone that posted nothing for so long is the camera no longer, if another wants to be.
HELD_S = 6.0


@dataclass(frozen=True)
class Area:
    """A part of the board, in millimetres."""

    left: float
    top: float
    width: float
    height: float


def area_around(board: Board, spot: Spot) -> Area:
    """Return the part of the board that is shown of a spot."""
    points = _points_mm(board, spot)
    low, high = np.min(points, axis=0), np.max(points, axis=0)
    size = np.maximum(high - low + 2 * AROUND_MM, LEAST_MM)
    left, top = (low + high - size) / 2
    return Area(float(left), float(top), float(size[0]), float(size[1]))


def _points_mm(board: Board, spot: Spot) -> list[Point]:
    """Return where on a board a spot's spaces are; none of a spot that the board has not."""
    match spot:
        case Spot("route", name):
            spaces = [space for route in board.routes if route.id == name for space in route.spaces]
            return [space.xy_mm for space in spaces]
        case Spot("site", name):
            return [s.space.xy_mm for s in board.sites if s.id == name and s.space is not None]
        case Spot(_, name):
            return [place.xy_mm for place in board.places if place.id == name]


def picture_of_board(frame: Frame, pose: Pose) -> bytes:
    """Return the whole board as seen from straight above, the content of a JPEG file."""
    width, height = pose.size_mm
    return picture_around(frame.picture, pose, Area(0.0, 0.0, width, height))


def picture_around(picture: Picture, pose: Pose, area: Area) -> bytes:
    """Return a part of the board as seen from straight above, the content of a JPEG file."""
    px_per_mm = min(WIDE_PX / area.width, MOST_PX_PER_MM)
    columns, rows = (max(1, round(size * px_per_mm)) for size in (area.width, area.height))
    x_mm = area.left + (np.arange(columns) + 0.5) / px_per_mm
    y_mm = area.top + (np.arange(rows) + 0.5) / px_per_mm
    seen = pose.seen_at(np.stack(np.meshgrid(x_mm, y_mm), axis=-1)).astype(np.float32)
    upright = cv2.remap(picture, seen[..., 0], seen[..., 1], cv2.INTER_LINEAR)
    return to_jpeg(np.asarray(upright, np.uint8), SPOT_QUALITY)


def crop_of_spot(frame: Frame, box_px: tuple[int, int, int, int]) -> bytes:
    """Return a picture of a spot and what is around it, the content of a JPEG file."""
    height, width = frame.picture.shape[:2]
    left, top, right, bottom = box_px
    across = max(MARGIN * (right - left), (PROOF_LEAST_PX - (right - left)) / 2)
    down = max(MARGIN * (bottom - top), (PROOF_LEAST_PX - (bottom - top)) / 2)
    rows = slice(max(int(top - down), 0), min(int(bottom + down), height))
    columns = slice(max(int(left - across), 0), min(int(right + across), width))
    part = frame.picture[rows, columns]
    return to_jpeg(part, SPOT_QUALITY) if part.size else b""


class TableCamera:
    """Packs the newest frame, None before the first. Several threads may use it at once."""

    def __init__(self, newest: Callable[[], Frame | None]) -> None:
        self._newest = newest
        self._packing = threading.Lock()
        self._packed: tuple[int, bytes] | None = None

    def newest(self) -> tuple[int, bytes] | None:
        """Return the newest frame's number and its JPEG; None before the first."""
        frame = self._newest()
        if frame is None:
            return None
        with self._packing:
            # Who comes late with an older frame gets the newest all the same.
            if self._packed is None or self._packed[0] < frame.number:
                picture = shrunk_to(frame.picture, MOST_PX)
                self._packed = frame.number, to_jpeg(picture, FRAME_QUALITY)
            return self._packed


@dataclass(frozen=True)
class PhoneView:
    """What was seen in a phone's picture; places in shares of its width and height."""

    # state, camera, board: What the watching is at, and what the camera and the board are doing, in
    # words for people.
    state: str = ""
    camera: Sentence = NOTHING
    board: Sentence = NOTHING
    outline: tuple[Point, ...] = ()  # the board's corners, empty while it is not in sight
    doubts: tuple[Point, ...] = ()  # where the open questions are


class PhoneCamera:
    """Takes one phone's pictures for a table. Several threads may use it at once.

    They are watched in `box`; `sight` returns what was seen in the newest one.
    """

    def __init__(
        self,
        box: PostedFrames,
        sight: Callable[[], PhoneView],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._box, self.sight, self._clock = box, sight, clock
        self._lock = threading.Lock()
        self._held_by, self._held_s = "", 0.0
        self._count = 0

    @staticmethod
    def of(source: Source, sight: Callable[[], PhoneView]) -> PhoneCamera | None:
        """Return it for a table's source; None for one that is no phone's camera."""
        return PhoneCamera(source, sight) if isinstance(source, PostedFrames) else None

    def post(self, content: bytes, phone: str) -> int | None:
        """Take a picture in the place of one that nobody looked at yet; return how many came.

        None, and nothing is taken, when another `phone` was the camera just now. Raises
        `PhotoError` for what is no picture that can be watched.
        """
        check_photo(content)
        with self._lock:
            now_s = self._clock()
            if self._held_by not in ("", phone) and now_s < self._held_s + HELD_S:
                return None
            self._held_by, self._held_s = phone, now_s
            self._count += 1
            try:
                self._box.post(content)
            except PictureError as error:
                raise PhotoError(str(error)) from error
            return self._count

    def let_go(self) -> None:
        """Let another phone be the camera at once."""
        with self._lock:
            self._held_by = ""


def sight_of(view: TableView, sighted: tuple[Frame, Pose] | None) -> PhoneView:
    """Return what a table saw in the newest picture, in which the board may not be in sight."""
    said = PhoneView(view.sight.state.value, view.camera, view.sight.board)
    if sighted is None:
        return said
    frame, pose = sighted
    board = view.game.table.board
    width, height = frame.pyramid.size_wh
    scale = pose.size_mm[0] / board.size_mm[0]  # a copy may be printed larger
    asked = [_points_mm(board, question.spot) for question in view.questions]
    middles = [np.mean(points, axis=0) for points in asked if points]
    doubts = pose.seen_at(np.array(middles) * scale) if middles else ()
    size_wh = (width, height)
    return replace(said, outline=shares(pose.corners_px, size_wh), doubts=shares(doubts, size_wh))


def shares(points_px: npt.ArrayLike, size_wh: tuple[int, int]) -> tuple[Point, ...]:
    """Return points of a picture in shares of its width and height.

    Examples
    --------
    >>> shares([(-0.5, -0.5), (199.5, 49.5)], (200, 100))
    ((0.0, 0.0), (1.0, 0.5))
    """
    found = (np.asarray(points_px, np.float64).reshape(-1, 2) + 0.5) / size_wh
    return tuple((round(float(x), 4), round(float(y), 4)) for x, y in found)
