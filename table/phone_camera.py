"""A phone as the camera: what it posts is watched, and it is told what was seen."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from railspotter.scoring import Board
from railspotter.vision.decoding import check_head
from railspotter.vision.errors import PictureError
from railspotter.vision.sources import PostedFrames
from railspotter.vision.watching import Spot

from .errors import PhotoError
from .live_table import LiveTable

HELD_S = 6.0
"""A phone that posted nothing for so long is the camera no longer, if another wants to be."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Sight:
    """Where the board is in a phone's picture, in shares of its width and height.

    Attributes
    ----------
    outline : tuple of (float, float)
        The board's corners, empty while it is not in sight.
    doubts : tuple of (float, float)
        Where the open questions are.
    """

    outline: tuple[Point, ...] = ()
    doubts: tuple[Point, ...] = ()


class PhoneCamera:
    """Takes one phone's pictures for a table. Several threads may use it at once.

    Parameters
    ----------
    table : LiveTable
        One that watches through posted pictures.
    box : PostedFrames
        Where it gets them from.
    """

    def __init__(
        self,
        table: LiveTable,
        box: PostedFrames,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._table, self._box, self._clock = table, box, clock
        self._lock = threading.Lock()
        self._held_by, self._held_s = "", 0.0
        self._count = 0

    @staticmethod
    def of(table: LiveTable) -> PhoneCamera | None:
        """Return it for a table; None for one that watches through something else."""
        box = table.source
        return PhoneCamera(table, box) if isinstance(box, PostedFrames) else None

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
        try:
            check_head(content)
        except PictureError as error:
            raise PhotoError(str(error)) from error
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

    def sight(self) -> Sight:
        """Return what was seen in the newest picture that was looked at."""
        sighted, view = self._table.sighted, self._table.view
        if sighted is None:
            return Sight()
        frame, pose = sighted
        board = view.game.table.board
        height, width = frame.picture.shape[:2]
        scale = pose.size_mm[0] / board.size_mm[0]  # a copy may be printed larger

        def shares(points_px: object) -> tuple[Point, ...]:
            found = (np.asarray(points_px, np.float64) + 0.5) / (width, height)
            return tuple((round(float(x), 4), round(float(y), 4)) for x, y in found)

        asked = [middle for q in view.questions if (middle := middle_mm(board, q.spot)) is not None]
        doubts = pose.seen_at(np.array(asked) * scale) if asked else ()
        return Sight(shares(pose.corners_px), shares(doubts) if asked else ())


def middle_mm(board: Board, spot: Spot) -> Point | None:
    """Return where on a board a spot is, in its file's millimetres."""
    kind, name = spot
    match kind:
        case "route":
            spaces = [space for route in board.routes if route.id == name for space in route.spaces]
            points = [space.xy_mm for space in spaces]
        case "site":
            points = [s.space.xy_mm for s in board.sites if s.id == name and s.space is not None]
        case _:
            points = [place.xy_mm for place in board.places if place.id == name]
    if not points:
        return None
    x, y = np.mean(points, axis=0)
    return float(x), float(y)
