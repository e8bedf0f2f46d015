"""Finds out why a picture is poor, whatever it shows: dark, lit in bands, or not sharp.

No picture is refused for it: a poor one may be read. It is the reason that is told of a picture in
which a board was not found, or hardly read, for it is what a person can change.

Sharpness is how much steeper edges are than after a blur of `SOFT_PX`, in the direction in which
they are least so, as a shaken hand leaves edges along its way. It is measured in cells, for a phone
in portrait mode keeps the middle sharp. Measured on pictures 960 pixels long; see docs/vision.md.
"""

import cv2
import numpy as np
import numpy.typing as npt
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

# 95th percentile of grey levels below which a picture is dark, and hopelessly dark. At .35 of their
# levels photos have 77 and are read, at .22 they have 48, and mostly are not.
DARK_LEVEL = 64.0
BLACK_LEVEL = 45.0
# Amplitude of a wave of light across the picture, in natural logarithms. Photos with hard shadows
# have .12 at most, those lit by a lamp that loses 80 % of its light .35 and more.
MOST_BANDED = 0.25
STRIPS = 8  # parts of a picture that all have a lamp's bands
WAVES = slice(3, 60)  # bands in a picture
BLACK = 8.0  # grey levels added before logarithms: noise
# Median sharpness of cells below which a picture is blurred, and hopelessly so. Sharp photos have
# 1.7 to 2.6; out of focus by 1/250 of their length 1.3 to 1.5, by 1/170 1.2 to 1.3.
BLURRED = 1.5
SMEARED = 1.3
# Sharpness of the softest tenth of the cells, and that of the sharpest relative to it, if only a
# part is sharp. Sharp photos have no softer tenth than 1.5, and those blurred all over are uneven
# by 1.4 at most.
SOFT_PART = 1.35
UNEVEN = 1.5
CELLS_WH = (8, 6)
SHARP_PX, SOFT_PX = 1.0, 3.0  # standard deviations of the blurs that are compared
LEAST_SLOPE = 0.25  # grey levels per pixel, after `SOFT_PX`: plain cells have noise only
PLAIN = 30.0  # percentile of slopes below which a cell is plain in this picture
DIRECTIONS = ((1.0, 0.0), (0.0, 1.0), (0.7071, 0.7071), (0.7071, -0.7071))


def fault_of(frame: Picture, corners_px: Float64s | None = None) -> NotFound | None:
    """Return why a picture is poor, as a refusal; None for a sound one.

    With the corners of a board only its part of the picture counts, not the table.
    """
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    shrunk = min(1.0, 960 / max(grey.shape))
    grey = cv2.resize(grey, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA)
    if corners_px is not None:
        grey = _within(grey, corners_px * shrunk)
    light = np.percentile(grey, 95)
    if light < DARK_LEVEL:
        return _refusal(TOO_DARK, is_hopeless=light < BLACK_LEVEL)
    if max(_banding(grey), _banding(grey.T)) > MOST_BANDED:
        return _refusal(FLICKERING)
    sharpness = _sharpness(grey.astype(np.float32))
    if not len(sharpness):
        return None
    soft, middle, sharp = np.percentile(sharpness, (10, 50, 90))
    if soft < SOFT_PART and sharp > UNEVEN * soft:
        return _refusal(PARTLY_SHARP)
    return _refusal(TOO_BLURRED, is_hopeless=middle < SMEARED) if middle < BLURRED else None


def _refusal(reason: Sentence, *, is_hopeless: bool = False) -> NotFound:
    return NotFound(reason, grounds=Grounds.PICTURE if is_hopeless else Grounds.LOOKS)


def _within(grey: npt.NDArray[np.uint8], corners: Float64s) -> npt.NDArray[np.uint8]:
    """Return the part of a picture around an outline; all if that is outside."""
    left, top = np.maximum(corners.min(axis=0), 0).astype(int)
    right, bottom = np.maximum(corners.max(axis=0), 0).astype(int)
    part = grey[top:bottom, left:right]
    return part if min(part.shape) >= 2 * max(CELLS_WH) else grey


def _banding(grey: npt.NDArray[np.uint8]) -> float:
    """Return the largest amplitude of a wave of light down a picture."""
    logs = np.log(grey.astype(np.float32) + BLACK)
    strips = cv2.resize(logs, (STRIPS, len(logs)), interpolation=cv2.INTER_AREA)
    window = np.hanning(len(logs))[:, None]
    waves = np.fft.rfft((strips - strips.mean(axis=0)) * window, axis=0) * 4 / len(logs)
    common = np.hypot(np.median(waves.real, axis=1), np.median(waves.imag, axis=1))
    return float(common[WAVES].max(initial=0.0))


def _sharpness(grey: Float32s) -> Float64s:
    """Return the sharpness of the cells that are not plain, (N,)."""
    squares = []
    for sigma in (SHARP_PX, SOFT_PX):
        blurred = cv2.GaussianBlur(grey, (0, 0), sigma)
        x, y = (cv2.Sobel(blurred, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1)))
        along = ((u * x + v * y) ** 2 for u, v in DIRECTIONS)
        squares.append([cv2.resize(one, CELLS_WH, interpolation=cv2.INTER_AREA) for one in along])
    fine, coarse = np.sqrt(squares)
    slope = np.hypot(coarse[0], coarse[1])
    printed = slope >= max(LEAST_SLOPE, float(np.percentile(slope, PLAIN)))
    return np.asarray((fine / np.maximum(coarse, 1e-6)).min(axis=0)[printed], np.float64)
