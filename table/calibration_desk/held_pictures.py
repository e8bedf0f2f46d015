"""The last pictures, for whoever still has one of them before their eyes."""

from __future__ import annotations

import threading
from collections import OrderedDict

from railspotter.scoring.sentence import Sentence
from railspotter.vision.sources.source import Frame

from ..errors import NotNowError
from ..photo_file import to_jpeg
from .board_picture import BoardPicture

HELD = 4  # pictures that are kept: one that is asked for again and again outlasts the others
QUALITY = 88  # a picture's corners are looked at under a magnifier
GONE = Sentence("that picture is gone: look at the newest one")
WAITING = Sentence("waiting for a picture from the camera")


class HeldPictures:
    """Keeps some pictures, each with where the board is in it. Several threads may use it at once.

    Attributes
    ----------
    newest : Frame or None
        The picture that was taken in last.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: OrderedDict[int, tuple[Frame, BoardPicture | None]] = OrderedDict()
        self._packed: tuple[int, bytes] | None = None
        self.newest: Frame | None = None

    def take(self, frame: Frame, sight: BoardPicture | None) -> None:
        """Take in the newest picture, or what is known of it by now."""
        with self._lock:
            self.newest = frame
            self._held[frame.number] = frame, sight
            self._held.move_to_end(frame.number)
            while len(self._held) > HELD:
                self._held.popitem(last=False)

    def hold(self, number: int) -> None:
        """Keep a picture for longer, if it is still there."""
        with self._lock:
            if number in self._held:
                self._held.move_to_end(number)

    def picture(self, number: int | None = None) -> tuple[Frame, BoardPicture | None]:
        """Return a picture, and where the board is in it; the newest without a number."""
        with self._lock:
            if self.newest is None:
                raise NotNowError(WAITING)
            number = self.newest.number if number is None else number
            if number not in self._held:
                raise NotNowError(GONE)
            self._held.move_to_end(number)
            return self._held[number]

    def jpeg(self, number: int | None = None) -> bytes:
        """Return a picture in full, packed once for all; raises as `picture`."""
        frame, _ = self.picture(number)
        packed = self._packed
        if packed is None or packed[0] != frame.number:
            packed = self._packed = frame.number, to_jpeg(frame.picture, QUALITY)
        return packed[1]
