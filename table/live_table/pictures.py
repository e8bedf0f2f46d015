"""Pictures of a table for the pages, and frames that a phone's camera posts.

A question's picture shows the spot with its neighbours, rectified and upright as the board on the
page, so that "the upper lane" is up.
"""

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
from railspotter.scoring.sentence import NOTHING, Sentence, raised_as
from railspotter.scoring.spot import Spot
from railspotter.vision.errors import PictureError
from railspotter.vision.sources.phone import PostedFrames
from railspotter.vision.sources.source import Frame, Source

from ..errors import PhotoError
from ..photo_file import check_photo, shrunk_to, to_jpeg
from .table_view import TableView

Point = tuple[float, float]
Area = tuple[float, float, float, float]  # of the board: left, top, width, height in millimetres

# The margin around a spot, to show its other lane, and both ends.
AROUND_MM = 28.0
# The smallest area, so that people recognise the corner of the board.
LEAST_MM = (120.0, 75.0)
WIDTH_PX = 960  # for upright phones with two pixels to a CSS pixel; chosen
MOST_PX_PER_MM = 6.0  # no camera over a table has a finer resolution
SPOT_QUALITY = 80
MARGIN = 0.25  # of a proof: the share of the spot's size on each side of it
PROOF_LEAST_PX = 96
FRAME_QUALITY = 75  # five pictures a second go to every viewing phone; one has some 60 kB
MOST_PX = 1280  # of a live picture's longer side: enough for a phone's screen
# After so long without a picture, another phone may become the camera.
LEASE_S = 6.0


def area_around(board: Board, spot: Spot) -> Area:
    """Return the part of the board to show for a question about a spot."""
    points = _points_mm(board, spot)
    low, high = np.min(points, axis=0), np.max(points, axis=0)
    size = np.maximum(high - low + 2 * AROUND_MM, LEAST_MM)
    left, top = (low + high - size) / 2
    return float(left), float(top), float(size[0]), float(size[1])


def _points_mm(board: Board, spot: Spot) -> list[Point]:
    """Return the positions of a spot's spaces; empty for an unknown spot."""
    match spot:
        case Spot("route", name):
            spaces = [space for route in board.routes if route.id == name for space in route.spaces]
            return [space.xy_mm for space in spaces]
        case Spot("site", name):
            return [s.space.xy_mm for s in board.sites if s.id == name and s.space is not None]
        case Spot(_, name):
            return [place.xy_mm for place in board.places if place.id == name]


def picture_of_board(frame: Frame, pose: Pose) -> bytes:
    """Return the rectified board as JPEG."""
    return picture_around(frame.picture, pose, (0.0, 0.0, *pose.size_mm))


def picture_around(
    picture: Picture, pose: Pose, area: Area, scale: float = 1.0, width_px: int = WIDTH_PX
) -> bytes:
    """Return a rectified part of the board as JPEG.

    `scale` is how much smaller the picture is than the pose's frame.
    """
    left, top, width, height = area
    px_per_mm = min(width_px / width, MOST_PX_PER_MM)
    columns, rows = (max(1, round(size * px_per_mm)) for size in (width, height))
    x_mm = left + (np.arange(columns) + 0.5) / px_per_mm
    y_mm = top + (np.arange(rows) + 0.5) / px_per_mm
    whole = pose.seen_at(np.stack(np.meshgrid(x_mm, y_mm), axis=-1))
    seen = ((whole + 0.5) * scale - 0.5).astype(np.float32)
    upright = cv2.remap(picture, seen[..., 0], seen[..., 1], cv2.INTER_LINEAR)
    return to_jpeg(np.asarray(upright, np.uint8), SPOT_QUALITY)


def picture_on_board(rectified: Picture, px_per_mm: float, area: Area) -> bytes:
    """Return a part of a rectified board as JPEG, as `picture_around`."""
    left, top, width, height = area
    scale = min(WIDTH_PX / width, MOST_PX_PER_MM)
    size_wh = max(1, round(width * scale)), max(1, round(height * scale))
    grown = scale / px_per_mm
    moved = np.array([[grown, 0, -left * scale], [0, grown, -top * scale]], np.float64)
    return to_jpeg(np.asarray(cv2.warpAffine(rectified, moved, size_wh), np.uint8), SPOT_QUALITY)


def crop_of_spot(frame: Frame, box_px: tuple[int, int, int, int]) -> bytes:
    """Crop a spot with a margin out of a frame, as JPEG."""
    height, width = frame.picture.shape[:2]
    left, top, right, bottom = box_px
    across = max(MARGIN * (right - left), (PROOF_LEAST_PX - (right - left)) / 2)
    down = max(MARGIN * (bottom - top), (PROOF_LEAST_PX - (bottom - top)) / 2)
    rows = slice(max(int(top - down), 0), min(int(bottom + down), height))
    columns = slice(max(int(left - across), 0), min(int(right + across), width))
    part = frame.picture[rows, columns]
    return to_jpeg(part, SPOT_QUALITY) if part.size else b""


class TableCamera:
    """Encodes the newest frame as JPEG, with a cache. Thread-safe."""

    def __init__(self, newest: Callable[[], Frame | None]) -> None:
        self._newest = newest
        self._lock = threading.Lock()
        self._cached: tuple[int, bytes] | None = None

    def newest(self) -> tuple[int, bytes] | None:
        """Return the newest frame's number and JPEG; None before the first."""
        frame = self._newest()
        if frame is None:
            return None
        with self._lock:
            # Another thread may have encoded a newer frame meanwhile.
            if self._cached is None or self._cached[0] < frame.number:
                picture = shrunk_to(frame.picture, MOST_PX)
                self._cached = frame.number, to_jpeg(picture, FRAME_QUALITY)
            return self._cached


@dataclass(frozen=True)
class PhoneView:
    """What was seen in a phone's picture; points are fractions of its width and height."""

    state: str = ""  # the `WatchState`
    camera: Sentence = NOTHING  # the camera's status
    board: Sentence = NOTHING  # the board's status
    outline: tuple[Point, ...] = ()  # the board's corners; empty if not in sight
    doubts: tuple[Point, ...] = ()  # the spots of open questions


class PhoneCamera:
    """Receives the pictures of one phone at a time for a table. Thread-safe.

    They go to the source `box`; the callback `sight` returns what was seen in the newest one.
    """

    def __init__(
        self,
        box: PostedFrames,
        sight: Callable[[], PhoneView],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._box, self.sight, self._clock = box, sight, clock
        self._lock = threading.Lock()
        self._phone, self._posted_s = "", 0.0
        self._count = 0

    @staticmethod
    def of(source: Source, sight: Callable[[], PhoneView]) -> "PhoneCamera | None":
        """Return the phone camera of a source; None for other sources."""
        return PhoneCamera(source, sight) if isinstance(source, PostedFrames) else None

    def post(self, content: bytes, phone: str, *, is_filmed: bool = False) -> int | None:
        """Accept a phone's picture, a film's or a photo; return how many have come.

        None, and the picture is ignored, if another `phone` is the camera. Raises `PhotoError` for
        an unusable picture.
        """
        check_photo(content)
        with self._lock:
            now_s = self._clock()
            if self._phone not in ("", phone) and now_s < self._posted_s + LEASE_S:
                return None
            self._phone, self._posted_s = phone, now_s
            self._count += 1
            with raised_as(PhotoError, PictureError):
                self._box.post(content, is_filmed=is_filmed)
            return self._count

    def release(self) -> None:
        """Let another phone become the camera at once."""
        with self._lock:
            self._phone = ""


def phone_view(view: TableView, sighted: tuple[Frame, Pose] | None) -> PhoneView:
    """Return what the table sees; `sighted` is the newest frame with the board's pose."""
    found = PhoneView(view.sight.state.value, view.camera, view.sight.board)
    if sighted is None:
        return found
    frame, pose = sighted
    board = view.game.table.board
    width, height = frame.pyramid.size_wh
    scale = pose.size_mm[0] / board.size_mm[0]  # a copy may be printed larger
    asked = [_points_mm(board, question.spot) for question in view.questions]
    middles = [np.mean(points, axis=0) for points in asked if points]
    doubts = pose.seen_at(np.array(middles) * scale) if middles else ()
    size_wh = (width, height)
    return replace(found, outline=shares(pose.corners_px, size_wh), doubts=shares(doubts, size_wh))


def shares(points_px: npt.ArrayLike, size_wh: tuple[int, int]) -> tuple[Point, ...]:
    """Convert a picture's pixels to fractions of its width and height.

    >>> shares([(-0.5, -0.5), (199.5, 49.5)], (200, 100))
    ((0.0, 0.0), (1.0, 0.5))
    """
    fractions = (np.asarray(points_px, np.float64).reshape(-1, 2) + 0.5) / size_wh
    return tuple((round(float(x), 4), round(float(y), 4)) for x, y in fractions)
