"""Light: a photo brought to the light of its reference by the printed ground between the routes."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from .lab import Floats
from .printed_board import Picture, PrintedBoard

CELL_PX = 4
SPREAD_CELLS = 10.0
"""Radius, in cells, over which light is averaged: shadows' soft edges are about that wide."""
STRANGE = 1.2
"""A cell whose logarithm of gain is so far from the board's is no lit print."""
UNEVEN = 0.25
"""A cell that differs by more from its surroundings shows something that lies there."""
COLOURED = 0.5
"""Blue over red, of the light, below which trains cannot be told apart: the three photos under an
orange lamp had less, all others .62 or more."""


@dataclass(frozen=True, eq=False)
class Light:
    """How a photo's light differs from its reference's.

    Attributes
    ----------
    gain : (H, W, 3) float32 array
        The photo's values over the reference's where the print is bare.
    blue_over_red : float
        Of the whole board; 1 in the reference's own light.
    """

    gain: Floats
    blue_over_red: float

    def taken_out_of(self, rectified: Picture) -> Picture:
        """Return a photo of the board as it would be in the reference's light."""
        return np.asarray(cv2.divide(rectified, self.gain, dtype=cv2.CV_8U), np.uint8)

    @property
    def is_coloured(self) -> bool:
        """Whether the light is too coloured for reading."""
        return not COLOURED <= self.blue_over_red <= 1 / COLOURED


def blue_over_red(rectified: Picture, printed: PrintedBoard) -> float:
    """Return how much more blue against red a photo's light has than its reference's.

    Parameters
    ----------
    rectified : (H, W, 3) uint8 array, BGR
        The board from above, as large as the reference.
    """
    ratio, weight = _ratio(rectified, printed)
    overall = _overall(ratio, weight)
    return float(np.exp(overall[0] - overall[2]))


def measure_light(rectified: Picture, printed: PrintedBoard) -> Light:
    """Measure a photo's light against the reference's.

    Parameters
    ----------
    rectified : (H, W, 3) uint8 array, BGR
        The board from above, as large as the reference.
    """
    ratio, weight = _ratio(rectified, printed)
    overall = _overall(ratio, weight)
    weight *= np.abs(ratio - overall).max(axis=-1) < STRANGE
    for _ in range(2):
        around = cv2.GaussianBlur(weight, (0, 0), SPREAD_CELLS) + 1e-3
        mean = cv2.GaussianBlur(ratio * weight[..., None], (0, 0), SPREAD_CELLS)
        local = (mean + 1e-3 * overall) / around[..., None]
        weight *= np.abs(ratio - local).max(axis=-1) < UNEVEN
    height, width = rectified.shape[:2]
    gain = np.exp(cv2.resize(local.astype(np.float32), (width, height)))
    return Light(gain.astype(np.float32), float(np.exp(overall[0] - overall[2])))


def _ratio(rectified: Picture, printed: PrintedBoard) -> tuple[Floats, Floats]:
    """Return, for every cell, the logarithm of its gain, and 1 where its print is bare."""
    ratio = np.log(_shrunk(rectified) + 2) - np.log(_shrunk(printed.reference) + 2)
    weight = _shrunk(printed.background.astype(np.uint8)) > 0
    return ratio, weight.astype(np.float32)


def _overall(ratio: Floats, weight: Floats) -> Floats:
    if not weight.any():
        return np.zeros(3, np.float32)
    return np.asarray(np.median(ratio[weight > 0], axis=0), np.float32)


def _shrunk(picture: Picture) -> Floats:
    small = cv2.resize(picture, None, fx=1 / CELL_PX, fy=1 / CELL_PX, interpolation=cv2.INTER_AREA)
    return small.astype(np.float32)
