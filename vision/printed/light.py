"""Light: a photo brought to the light of its reference by the printed ground between the routes.

What the camera made of that light, its tones, is taken out first: see `tones.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from railspotter.calibration.arrays import AnyFloats, Float32s, Picture

from .kept import kept_with_board
from .printed_board import PrintedBoard
from .tones import NO_TONES, Tones, measure_tones, shrunk

# Radius, in cells, over which light is averaged: shadows' soft edges are about that wide.
SPREAD_CELLS = 10.0
STRANGE = 1.2  # a cell whose logarithm of gain is so far from the board's is no lit print
UNEVEN = 0.25  # a cell that differs by more from its surroundings shows something that lies there


@dataclass(frozen=True, eq=False)
class LightChange:
    """How a photo's light differs from its reference's."""

    # (H, W, 3) float32: the photo's values over the reference's where the print is bare, its tones
    # taken out.
    gain: Float32s
    # Blue over red of the whole board, tones and all; 1 in the reference's own light.
    blue_over_red: float
    tones: Tones = NO_TONES  # how the photo's camera renders what the reference's shows

    def of_whole_board(self, lab: AnyFloats, xy_px: AnyFloats) -> Float32s:
        """Return colours as they look when the whole board's light is taken out, not that there.

        Glare makes paper brighter beside plastic of which it leaves the tops as they were.

        Parameters
        ----------
        lab : (N, 3) array
            CIE Lab of what is seen, in the reference's light.
        xy_px : (N, 2) array
            Where, in pixels of the rectified picture.

        Returns
        -------
        (N, 3) float32 array
        """
        height, width = self.gain.shape[:2]
        x, y = np.clip(np.rint(xy_px).astype(np.intp), 0, [width - 1, height - 1]).T
        some = self.gain[:: max(1, height // 40), :: max(1, width // 60)]
        overall = np.median(some.reshape(-1, 3), axis=0)
        row = np.asarray(lab, np.float32)[None]
        bgr = cv2.cvtColor(row, cv2.COLOR_LAB2BGR) * (self.gain[y, x] / overall)
        return np.asarray(
            cv2.cvtColor(np.clip(bgr, 0, 1).astype(np.float32), cv2.COLOR_BGR2LAB)[0], np.float32
        )

    def taken_out_of(self, rectified: Picture) -> Picture:
        """Return a photo of the board, at whatever scale, as the reference would have shown it."""
        size_wh = rectified.shape[1], rectified.shape[0]
        is_as_large = self.gain.shape[:2] == rectified.shape[:2]
        gain = self.gain if is_as_large else cv2.resize(self.gain, size_wh)
        plain = self.tones.taken_out_of(rectified)
        return np.asarray(cv2.divide(plain, gain, dtype=cv2.CV_8U), np.uint8)


def blue_over_red(rectified: Picture, printed: PrintedBoard) -> float:
    """Return how much more blue against red a photo's light has than its reference's.

    Parameters
    ----------
    rectified : (H, W, 3) uint8 array, BGR
        The board from above, as large as the reference.
    """
    return _blue_over_red(_overall(*_ratio(shrunk(rectified), printed)))


def measure_light(rectified: Picture, printed: PrintedBoard) -> LightChange:
    """Measure a photo's light against the reference's.

    Parameters
    ----------
    rectified : (H, W, 3) uint8 array, BGR
        The board from above, as large as the reference.
    """
    small = shrunk(rectified)
    tones = measure_tones(small, printed)
    ratio, weight = _ratio(small, printed)
    overall = _overall(ratio, weight)
    coloured = _blue_over_red(overall)
    if not tones.are_none:
        ratio, weight = _ratio(tones.taken_out_of_levels(small), printed)
        overall = _overall(ratio, weight)
    weight *= _furthest(ratio, overall) < STRANGE
    for _ in range(2):
        around = cv2.GaussianBlur(weight, (0, 0), SPREAD_CELLS) + 1e-3
        mean = cv2.GaussianBlur(ratio * weight[..., None], (0, 0), SPREAD_CELLS)
        local = (mean + 1e-3 * overall) / around[..., None]
        weight *= _furthest(ratio, np.asarray(local, np.float32)) < UNEVEN
    height, width = rectified.shape[:2]
    gain = cv2.resize(np.exp(local.astype(np.float32)), (width, height))
    return LightChange(np.asarray(gain, np.float32), coloured, tones)


def _ratio(small: Float32s, printed: PrintedBoard) -> tuple[Float32s, Float32s]:
    """Return, for every cell, the logarithm of its gain, and 1 where its print is bare."""
    reference, bare = _printed_cells(printed)
    return np.log(small + 2) - reference, bare.copy()


@kept_with_board
def _printed_cells(printed: PrintedBoard) -> tuple[Float32s, Float32s]:
    """Return the logarithm of each cell's level and 2, and 1 where the ground is bare."""
    bare = shrunk(printed.background.astype(np.uint8)) > 0
    return np.log(shrunk(printed.reference) + 2), bare.astype(np.float32)


def _furthest(ratio: Float32s, other: Float32s) -> Float32s:
    """Return how far the channel that is furthest off is: (h, w, 3) to (h, w)."""
    blue, green, red = np.moveaxis(np.abs(ratio - other), -1, 0)
    return np.asarray(np.maximum(np.maximum(blue, green), red), np.float32)


def _blue_over_red(overall: Float32s) -> float:
    return float(np.exp(overall[0] - overall[2]))


def _overall(ratio: Float32s, weight: Float32s) -> Float32s:
    if not weight.any():
        return np.zeros(3, np.float32)
    return np.asarray(np.median(ratio[weight > 0], axis=0), np.float32)
