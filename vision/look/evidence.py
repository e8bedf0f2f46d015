"""Evidence: for every pixel, how much better a train's colour explains it than the print does."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Picture

from ..colours.train_colours import TrainColour
from ..lab import distance2, to_lab
from ..printed.print_windows import PrintRange

# A print may be darkened by a shadow and brightened by a soft reflection, by these factors.
DARKEST, BRIGHTEST = 0.55, 1.25
# Standard deviation of a photo's bare print around the reference, in Lab units.
PRINT_SPREAD = 7.0
# Distances are capped at three standard deviations: a pixel may show anything.
CAP = 9.0  # squared standard deviations
AT_BEST = (-2.0, 3.5)  # limits of the evidence at a train's best place


@dataclass(frozen=True, eq=False)
class SeenBoard:
    """A photo's pixels in any window of a print, in the light of the reference."""

    lab: Float32s  # (M, 3) float32 array. CIE Lab of `PrintRange.pixels`.
    # (M,) float32: distance from the print, in squared standard deviations, capped at `CAP`.
    print_distance2: Float32s


def see_board(lit: Picture, printed: PrintRange, darkest: float = DARKEST) -> SeenBoard:
    """Compare a photo of the board, in the reference's light and as large, with the print.

    `darkest` is the factor by which a shadow may darken the print.
    """
    soft = np.asarray(cv2.GaussianBlur(lit, (0, 0), 0.6), np.uint8)
    bgr = soft.reshape(-1, 3).take(printed.pixels, axis=0)
    low, high = printed.low, printed.high
    brightness = np.einsum("mi,mi->m", bgr.astype(np.float32), printed.brightness_weights)
    factor = np.clip(brightness, darkest, BRIGHTEST)[:, None]
    nearest_print = np.clip(bgr, factor * low, np.minimum(factor * high, 255)).astype(np.uint8)
    lab = to_lab(bgr)
    distance = distance2(lab, to_lab(nearest_print))
    # L*, a* and b* each in one piece: every colour is compared with all pixels.
    return SeenBoard(np.asfortranarray(lab), np.minimum(distance / PRINT_SPREAD**2, CAP))


def colour_evidence(seen: SeenBoard, trains: Sequence[TrainColour]) -> Float32s:
    """Return the evidence of each pixel for each colour, (M, C).

    It is the log-likelihood of the colour, less that of the print or of the best other colour,
    whichever is likelier.
    """
    away = [
        np.minimum(distance2(seen.lab, train.lab) / np.float32(train.spread**2), CAP)
        for train in trains
    ]
    evidence = []
    for own in away:
        others = (other for other in away if other is not own)
        evidence.append((np.minimum.reduce([seen.print_distance2, *others]) - own) / 2)
    return np.asarray(cv2.merge(evidence), np.float32).reshape(len(seen.lab), len(trains))
