"""Finds out why a picture is poor, whatever it shows: dark, lit in bands, or not sharp.

No picture is refused for it: a poor one may be read. It is told where a board was not found, or
hardly read, for it is what a person can change. Limits are for pictures 960 pixels long.
"""

import cv2
import numpy as np
from railspotter.scoring.sentence import Sentence

from ..arrays import Float32s, Float64s, Picture
from ..pose import Grounds, NotFound

TOO_DARK = Sentence("the picture is too dark: more light on the board helps")
FLICKERING = Sentence(
    "a lamp that flickers leaves dark bands in the picture: use another lamp or daylight, or set a"
    " longer exposure"
)
PARTLY_SHARP = Sentence(
    "only a part of the picture is sharp: turn portrait mode off, step back, and let the camera"
    " focus on the board"
)
TOO_BLURRED = Sentence(
    "the picture is too blurred: hold the camera still, let it focus and give it more light"
)
# 95th percentile of grey levels below which a picture is dark, and hopelessly so. At .35 of their
# levels photos have 77 and are read, at .22 they have 48 and mostly are not.
DARK_LEVEL, BLACK_LEVEL = 64.0, 45.0
# Amplitude of a wave of light across the picture, in natural logarithms. Photos with hard shadows
# have .12 at most, those lit by a lamp that loses 80 % of its light .35 and more.
MOST_BANDED = 0.25
STRIPS = 8  # parts of a picture side by side: a lamp's bands run through all
WAVES = slice(3, 60)  # bands in a picture
# Median sharpness below which a picture is blurred, and hopelessly so. Sharp photos have 1.7 to
# 2.6; out of focus by 1/250 of their length 1.3 to 1.5, by 1/170 1.2 to 1.3.
BLURRED, SMEARED = 1.5, 1.3
# Sharpness of the softest tenth, and that of the sharpest tenth relative to it, if only a part is
# sharp. The softest of sharp photos have 1.5; blurred all over they are uneven by 1.4 at most.
SOFT_PART, UNEVEN = 1.35, 1.5
CELLS_WH = (8, 6)  # in which sharpness is measured
SHARP_PX, SOFT_PX = 1.0, 3.0  # standard deviations of the blurs whose slopes are compared
LEAST_SLOPE = 0.25  # grey levels per pixel after `SOFT_PX`: plain cells have noise only
PLAIN = 30.0  # percentile of a picture's slopes below which a cell is plain
# A shaken hand leaves edges along its way as they are.
DIRECTIONS = ((1.0, 0.0), (0.0, 1.0), (0.7071, 0.7071), (0.7071, -0.7071))


def fault_of(frame: Picture, corners_px: Float64s | None = None) -> NotFound | None:
    """Return why a picture is poor, as a refusal; None for a sound one.

    With the corners of a board only the picture around it counts, not the table.
    """
    whole = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY).astype(np.float32)
    shrunk = min(1.0, 960 / max(whole.shape))
    small = cv2.resize(whole, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA)
    grey = np.asarray(small, np.float32)
    if corners_px is not None:
        ends = np.clip(corners_px * shrunk, 0, grey.shape[::-1])
        (left, top), (right, bottom) = ends.min(axis=0).astype(int), ends.max(axis=0).astype(int)
        grey = grey[top:bottom, left:right] if right > left and bottom > top else grey
    light = float(np.percentile(grey, 95))
    if light < DARK_LEVEL:
        return _refusal(TOO_DARK, is_hopeless=light < BLACK_LEVEL)
    if max(_banding(grey), _banding(grey.T)) > MOST_BANDED:
        return _refusal(FLICKERING)
    soft, middle, sharp = np.percentile(_sharpness(grey), (10, 50, 90))
    if soft < SOFT_PART and sharp > UNEVEN * soft:
        return _refusal(PARTLY_SHARP)
    return _refusal(TOO_BLURRED, is_hopeless=middle < SMEARED) if middle < BLURRED else None


def _refusal(reason: Sentence, *, is_hopeless: bool = False) -> NotFound:
    return NotFound(reason, grounds=Grounds.PICTURE if is_hopeless else Grounds.LOOKS)


def _banding(grey: Float32s) -> float:
    """Return the largest amplitude of a wave of light down a picture."""
    strips = cv2.resize(np.log(grey + 8), (STRIPS, len(grey)), interpolation=cv2.INTER_AREA)
    window = np.hanning(len(grey))[:, None] * 4 / len(grey)
    waves = np.fft.rfft((strips - strips.mean(axis=0)) * window, axis=0)
    common = np.hypot(np.median(waves.real, axis=1), np.median(waves.imag, axis=1))
    return float(common[WAVES].max(initial=0.0))


def _sharpness(grey: Float32s) -> Float64s:
    """Return how much steeper than blurred cells are, where least so; no blur for none, (N,)."""
    squares = []
    for sigma in (SHARP_PX, SOFT_PX):
        blurred = cv2.GaussianBlur(grey, (0, 0), sigma)
        x, y = (cv2.Sobel(blurred, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1)))
        along = ((u * x + v * y) ** 2 for u, v in DIRECTIONS)
        squares.append([cv2.resize(one, CELLS_WH, interpolation=cv2.INTER_AREA) for one in along])
    fine, coarse = np.sqrt(squares)
    slope = np.hypot(coarse[0], coarse[1])
    printed = slope >= max(LEAST_SLOPE, float(np.percentile(slope, PLAIN)))
    sharpness = (fine / np.maximum(coarse, 1e-6)).min(axis=0)[printed]
    return np.asarray(sharpness if printed.any() else [BLURRED], np.float64)
