"""Evidence: for every pixel, how much better a train of each colour explains it than the print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Picture

from ..colours.train_colours import TrainColour
from ..lab import distance2, to_lab
from ..printed.board_cache import cached_per_board
from ..printed.print_windows import PrintWindows

# A print may be darkened by a shadow and brightened by a soft reflection, by these factors.
DARKEST, BRIGHTEST = 0.55, 1.25
# One standard deviation of a photo's bare print around the reference, in Lab units.
PRINT_SPREAD = 7.0
# Nothing counts as further away than three standard deviations: a pixel may show anything.
CAP = 9.0
AT_BEST = (-2.0, 3.5)  # least and most that evidence at a train's best place counts


@dataclass(frozen=True, eq=False)
class SeenBoard:
    """A photo's pixels, near the spaces or elsewhere, in the light of the reference."""

    lab: Float32s  # (M, 3) float32 array. CIE Lab of `PrintWindows.seen_pixels`.
    # (M,) float32: how far from the print, in squared standard deviations, capped.
    print_distance2: Float32s


def see_board(lit: Picture, printed: PrintWindows, darkest: float = DARKEST) -> SeenBoard:
    """Compare a photo of the board, in the reference's light, with the print.

    Parameters
    ----------
    lit : (H, W, 3) uint8 array, BGR
        The board from above, as large as the reference.
    darkest : float
        What a shadow may darken the print by, as a factor.
    """
    soft = np.asarray(cv2.GaussianBlur(lit, (0, 0), 0.6), np.uint8)
    bgr = soft.reshape(-1, 3).take(printed.seen_pixels, axis=0)
    low, high = printed.reference_range
    brightness = np.einsum("mi,mi->m", bgr.astype(np.float32), _of_brightness(printed))
    factor = np.clip(brightness, darkest, BRIGHTEST)[:, None]
    nearest_print = np.clip(bgr, factor * low, np.minimum(factor * high, 255)).astype(np.uint8)
    lab = to_lab(bgr)
    distance = distance2(lab, to_lab(nearest_print))
    # L*, a* and b* each in one piece: every colour is compared with all pixels.
    return SeenBoard(np.asfortranarray(lab), np.minimum(distance / PRINT_SPREAD**2, CAP))


@cached_per_board
def _of_brightness(printed: PrintWindows) -> Float32s:
    """Return what to weigh a photo's pixels with for how bright they are over the print, (M, 3)."""
    low, high = printed.reference_range
    middle = (low + high) / 2
    energy = np.einsum("mi,mi->m", middle, middle) + 30  # so that black print is not divided by
    return np.asarray(middle / energy[:, None], np.float32)


def colour_evidence(seen: SeenBoard, trains: Sequence[TrainColour]) -> Float32s:
    """Return the evidence for each colour.

    Logarithm of how much better the colour explains the pixel than the print does, and never more
    than how much better than the best other colour does.
    """
    distance = []
    best = np.full(len(seen.lab), np.inf, dtype=np.float32)
    second = best.copy()
    for train in trains:
        away = distance2(seen.lab, train.lab)
        away /= np.float32(train.spread**2)
        np.minimum(away, CAP, out=away)
        np.minimum(second, np.maximum(best, away), out=second)
        np.minimum(best, away, out=best)
        distance.append(away)
    # What else explains a pixel: the print, or the best other colour.
    other = np.minimum(seen.print_distance2, best)
    other_than_best = np.minimum(seen.print_distance2, second)
    for away in distance:
        np.subtract(np.where(away == best, other_than_best, other), away, out=away)
        away /= 2
    return np.asarray(cv2.merge(distance), np.float32).reshape(len(best), len(trains))
