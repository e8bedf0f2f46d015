"""Windows of pixels on a print, and the print at the pixels in any of them."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from railspotter.calibration.arrays import AnyFloats, Float32s, Float64s, Int32s, Picture, Points


@dataclass(frozen=True, eq=False)
class PrintRange:
    """What a print may look like at M pixels, one by one."""

    pixels: Int32s  # (M,): indices into the flattened picture, ascending
    # (M, 3) each: minimum and maximum of the print within one pixel
    low: Float32s | Picture
    high: Float32s | Picture

    @classmethod
    def of(cls, picture: Picture, pixels: Int32s) -> "PrintRange":
        """Return the range of some pixels of a print's picture."""
        low, high = (values.reshape(-1, 3)[pixels] for values in range_around(picture))
        return cls(pixels, low, high)

    @cached_property
    def brightness_weights(self) -> Float32s:
        """The weights that project a pixel onto its print, for its brightness, (M, 3)."""
        middle = (self.low.astype(np.float32) + self.high) / 2
        energy = np.einsum("mi,mi->m", middle, middle) + 30  # avoids dividing by black print
        return np.asarray(middle / energy[:, None], np.float32)


class PrintWindows(ABC):
    """Windows around points of a print, in which a photo is compared with it.

    N is the number of windows, (V, U) the size of one, M the number of pixels that lie in any.
    """

    @property
    @abstractmethod
    def window_pixels(self) -> Int32s:
        """Indices of each window's pixels in the flattened picture, (N, V, U)."""

    @cached_property
    def _seen(self) -> tuple[Int32s, Int32s]:
        pixels, places = np.unique(self.window_pixels, return_inverse=True)
        places = places.reshape(self.window_pixels.shape)
        return np.asarray(pixels, np.int32), np.asarray(places, np.int32)

    @property
    def seen_pixels(self) -> Int32s:
        """The pixels in any window, (M,), as indices into the flattened picture, ascending."""
        return self._seen[0]

    @property
    def windows_of_seen(self) -> Int32s:
        """The windows as indices into `seen_pixels`, (N, V, U)."""
        return self._seen[1]


def grid_along(xy_mm: Points, along: Points, u_mm: AnyFloats, v_mm: AnyFloats) -> Points:
    """Return the points of a grid on each space, (..., V, U, 2), about its middle `xy_mm`.

    `along` are unit vectors along the spaces, `u_mm` and `v_mm` the points' offsets along the
    space, and across it to the right.
    """
    across = np.stack([-along[..., 1], along[..., 0]], axis=-1)
    return np.asarray(
        xy_mm[..., None, None, :]
        + u_mm[:, None] * along[..., None, None, :]
        + v_mm[:, None, None] * across[..., None, None, :]
    )


def pixels_at(xy_mm: Float64s, px_per_mm: float, picture: Picture) -> Int32s:
    """Return the pixels nearest to points, (..., 2), as indices into a flattened picture: (...)."""
    height, width = picture.shape[:2]
    at = np.rint(xy_mm * px_per_mm - 0.5)
    column, row = np.clip(at[..., 0], 0, width - 1), np.clip(at[..., 1], 0, height - 1)
    return np.asarray(row * width + column, np.int32)


def range_around(picture: Picture) -> tuple[Picture, Picture]:
    """Return minimum and maximum of a picture's 3 x 3 neighbourhoods, both as large as it.

    A pose errs by about a pixel, so a photo's pixel may show a neighbour of the reference's.
    """
    around = np.ones((3, 3), np.uint8)
    low, high = (by(picture, around) for by in (cv2.erode, cv2.dilate))
    return np.asarray(low, np.uint8), np.asarray(high, np.uint8)
