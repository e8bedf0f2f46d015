"""A phone as the camera: what it posts is watched, and it is told what was seen."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from railspotter.scoring.board import Board
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.scoring.spot import Spot
from railspotter.vision.errors import PictureError
from railspotter.vision.sources.phone import PostedFrames

from ..errors import PhotoError
from ..photo_file import check_photo
from .live_table import LiveTable

# A phone that posted nothing for so long is the camera no longer, if another wants to be.
HELD_S = 6.0

Point = tuple[float, float]


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

    Parameters
    ----------
    box : PostedFrames
        Where they are watched.
    sight : callable
        Returns what was seen in the newest one that was looked at.
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
    def of(table: LiveTable) -> PhoneCamera | None:
        """Return it for a table; None for one that watches through something else."""
        box = table.source
        if not isinstance(box, PostedFrames):
            return None
        return PhoneCamera(box, lambda: sight_of(table))

    def post(self, content: bytes, phone: str) -> int | None:
        """Take a picture in the place of one that nobody looked at yet.

        Parameters
        ----------
        phone : str
            What tells the phone from others: one at a time is the camera.

        Returns
        -------
        int or None
            How many came so far; None, and nothing is taken, when another phone was the camera
            just now.

        Raises
        ------
        PhotoError
            When it is no picture that can be watched.
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


def sight_of(table: LiveTable) -> PhoneView:
    """Return what a table saw in the newest picture that it looked at."""
    sighted, view = table.sighted, table.view
    said = PhoneView(view.sight.state.value, view.camera, view.sight.board)
    if sighted is None:
        return said
    frame, pose = sighted
    board = view.game.table.board
    width, height = frame.pyramid.size_wh
    scale = pose.size_mm[0] / board.size_mm[0]  # a copy may be printed larger
    asked = [middle for q in view.questions if (middle := middle_mm(board, q.spot)) is not None]
    doubts = pose.seen_at(np.array(asked) * scale) if asked else ()
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


def middle_mm(board: Board, spot: Spot) -> Point | None:
    """Return where on a board a spot is, in its file's millimetres."""
    match spot:
        case Spot("route", name):
            spaces = [space for route in board.routes if route.id == name for space in route.spaces]
            points = [space.xy_mm for space in spaces]
        case Spot("site", name):
            points = [s.space.xy_mm for s in board.sites if s.id == name and s.space is not None]
        case Spot(_, name):
            points = [place.xy_mm for place in board.places if place.id == name]
    if not points:
        return None
    x, y = np.mean(points, axis=0)
    return float(x), float(y)
