"""What a table's camera sees, as pictures for a page: each frame packed once for all."""

from __future__ import annotations

import threading
from collections.abc import Callable

import cv2
import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.vision.sources.source import Frame

from ..photo_file import to_jpeg

QUALITY = 75  # five pictures a second go to every phone that looks; one takes some 60 kB
MOST_PX = 1280  # the most pixels of a picture's longer side: a phone's screen shows no more


class TableCamera:
    """Packs the newest frame of one grabber. Several threads may use it at once.

    Parameters
    ----------
    newest : callable
        Returns that frame, None before the first.
    """

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
                self._packed = frame.number, to_jpeg(_at_most(frame.picture, MOST_PX), QUALITY)
            return self._packed


def _at_most(picture: Picture, most_px: int) -> Picture:
    """Return a picture, made smaller where it is larger than that."""
    height, width = picture.shape[:2]
    scale = most_px / max(height, width)
    if scale >= 1:
        return picture
    size_wh = (max(1, round(width * scale)), max(1, round(height * scale)))
    return np.asarray(cv2.resize(picture, size_wh, interpolation=cv2.INTER_AREA), np.uint8)
