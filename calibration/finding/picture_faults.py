"""Finds out why a picture is poor: dark, lit in bands, not sharp, or without colours.

No picture is refused for it: a poor one may be read. It is told where a board was not found, or
hardly read, for it is what a person can change. Limits are for pictures 960 pixels long.
"""

from math import log2

import cv2
import numpy as np
from railspotter.scoring.board import Board
from railspotter.scoring.sentence import Sentence

from ..arrays import Float32s, Float64s, Picture
from ..pose import Grounds, NotFound, Pose, rectifying_maps
from ..pyramid import Shown, pyramid_of

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


# Many cameras give black-and-white pictures at night, by infrared. In one equally light pixels have
# one colour, whatever tint the whole has; a board's printed spaces have several. So cells of the
# board are sorted by lightness, and the measure is the distance of the most colourful from the
# median of cells as light, relative to the picture's contrast: a dark or pale one has less of both.

# Colourfulness relative to contrast below which a picture has no colours. The labelled photos
# have .44 to .72, darkened to an eighth at least .41, paled by 70 % .44, under a light with a tenth
# of their blue .24. Made black-and-white they have none, tinted and as JPEG .054 at most, and in
# the dark with noise .12.
LEAST_COLOUR = 0.15
# A cell is 8 mm wide: small enough for a coloured space, large enough against noise.
CELLS_PER_MM = 0.125
FINER = 2  # pixels of the halved frame along the side of a cell, about
ALIKE = 40  # classes of lightness, with equally many cells
# The percentile of cells that is compared: coloured spaces are a tenth of a board.
COLOURFUL = 95.0
LUMA = np.array([0.114, 0.587, 0.299], np.float32)  # weights of blue, green and red for grey
UNCOLOURED = ("grey", "unknown")  # routes' colours without a hue

NO_COLOURS = Sentence(
    "the camera sees no colours, as many do at night: give the board more light, or trains cannot"
    " be told apart"
)


def why_colourless(shown: Shown, pose: Pose, board: Board) -> Sentence | None:
    """Return the reason why a picture has no colours; None if it has.

    Parameters
    ----------
    shown : (H, W, 3) uint8 array, BGR, or Pyramid
    pose : Pose
        Pose of the board in it.
    board : Board
        If it has no coloured routes, the answer is None.
    """
    if not _has_colours(board) or colour_of(_cells(shown, pose)) >= LEAST_COLOUR:
        return None
    whole = pyramid_of(shown).whole
    fault = fault_of(whole, pose.corners_px)
    return TOO_DARK if fault is not None and fault.reason == TOO_DARK else NO_COLOURS


def is_colourless(reference: Picture, px_per_mm: float, board: Board) -> bool:
    """Tell whether a rectified picture of a board has no colours.

    Parameters
    ----------
    reference : (H, W, 3) uint8 array, BGR
    board : Board
        If it has no coloured routes, the answer is no.
    """
    scale = CELLS_PER_MM / px_per_mm
    cells = cv2.resize(reference, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return _has_colours(board) and colour_of(np.asarray(cells, np.uint8)) < LEAST_COLOUR


def _has_colours(board: Board) -> bool:
    return any(route.colour not in UNCOLOURED for route in board.routes)


def colour_of(cells: Float32s | Picture) -> float:
    """Return the colourfulness of a picture relative to its contrast.

    >>> steps = np.arange(0, 256, 4, np.uint8)
    >>> grey = np.repeat(steps, 3).reshape(8, 8, 3)
    >>> round(colour_of(grey), 3)
    0.0
    >>> colourful = grey.copy()
    >>> colourful[::2, ::2, 0] //= 2
    >>> colour_of(colourful) > LEAST_COLOUR
    True
    """
    levels = cells.reshape(-1, 3).astype(np.float32)
    grey = levels @ LUMA
    colour = (levels - grey[:, None])[np.argsort(grey, kind="stable")][:, [0, 2]]
    off = [np.hypot(*(part - np.median(part, axis=0)).T) for part in np.array_split(colour, ALIKE)]
    low, high = np.percentile(grey, (10, 90))
    return float(np.percentile(np.concatenate(off), COLOURFUL) / max(high - low, 1.0))


def _cells(shown: Shown, pose: Pose) -> Picture:
    """Return the rectified board at one pixel a cell."""
    map_x, map_y = rectifying_maps(pose, CELLS_PER_MM)
    corners = pose.corners_px
    px_per_cell = float(np.linalg.norm(corners[1] - corners[0])) / map_x.shape[1]
    halvings = max(0, round(log2(max(px_per_cell, 1.0) / FINER)))
    scale = np.float32(2**halvings)
    seen = pyramid_of(shown).at(halvings)
    x, y = ((at + np.float32(0.5)) / scale - np.float32(0.5) for at in (map_x, map_y))
    return np.asarray(cv2.remap(seen, x, y, cv2.INTER_LINEAR), np.uint8)
