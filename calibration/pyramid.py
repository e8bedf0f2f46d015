"""A picture pyramid: one picture at full size, half, a quarter, and so on.

Half the size of a frame is enough for most of what a live table does, and decodes a JPEG in half
the time. So each size is made when it is first needed.
"""

from collections.abc import Callable
from threading import Lock

import cv2
import numpy as np

from .arrays import Picture


class Pyramid:
    """A picture and its halvings, made lazily. Thread-safe.

    Pixel (x, y) of a half shows the pixels (2x, 2y) to (2x + 1, 2y + 1); an odd last row or column
    is left out.

    Parameters
    ----------
    whole : callable
        Makes the picture, an (H, W, 3) uint8 array, BGR.
    half : callable, optional
        Makes it at half its size, faster than by halving the whole.
    size_wh : tuple of int
        The picture's width and height.

    Examples
    --------
    >>> pyramid = pyramid_of(np.zeros((201, 300, 3), np.uint8))
    >>> pyramid.size_wh, pyramid.at(1).shape, pyramid.at(2).shape
    ((300, 201), (100, 150, 3), (50, 75, 3))
    """

    def __init__(
        self,
        whole: Callable[[], Picture],
        size_wh: tuple[int, int],
        half: Callable[[], Picture] | None = None,
    ) -> None:
        self.size_wh = size_wh
        self._whole, self._half = whole, half
        self._made: dict[int, Picture] = {}
        self._making = Lock()

    @property
    def whole(self) -> Picture:
        """The picture at full size; read-only."""
        return self.at(0)

    def at(self, halvings: int) -> Picture:
        """Return the picture halved this many times; read-only."""
        with self._making:
            return self._at(halvings)

    def _at(self, halvings: int) -> Picture:
        # Independent of the order of calls, since frames are compared.
        if halvings not in self._made:
            if halvings == 0:
                made = self._whole()
            elif halvings == 1 and self._half is not None:
                made = self._half()
            else:
                made = _halved(self._at(halvings - 1))
            self._made[halvings] = made
        return self._made[halvings]


Shown = Picture | Pyramid  # a picture as an array, or as a lazy pyramid


def pyramid_of(shown: Shown) -> Pyramid:
    """Return a picture as a pyramid; a pyramid as it is."""
    if isinstance(shown, Pyramid):
        return shown
    height, width = shown.shape[:2]
    return Pyramid(lambda: shown, (width, height))


def _halved(picture: Picture) -> Picture:
    height, width = (side // 2 for side in picture.shape[:2])
    even = picture[: 2 * height, : 2 * width]
    # Averaging two by two is OpenCV's fastest way.
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
