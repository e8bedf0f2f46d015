"""Tells whether a camera sees colours: many give black-and-white pictures at night, by infrared.

In such a picture equally light pixels have one colour, whatever tint the whole has; a board's
printed spaces have several. So cells of the board are sorted by lightness, and the measure is the
distance of the most colourful from the median of cells as light, relative to the picture's
contrast: a dark or pale picture has less of both.
"""

from math import log2

import cv2
import numpy as np
from railspotter.scoring.board import Board
from railspotter.scoring.sentence import Sentence

from ..arrays import Float32s, Picture
from ..pose import Pose, rectifying_maps
from ..pyramid import Shown, pyramid_of
from .picture_faults import TOO_DARK, fault_of

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
    """Return the reason why a picture of a board has no colours; None if it has.

    It is None too if the board has no coloured routes.
    """
    if not _has_colours(board) or colour_of(_cells(shown, pose)) >= LEAST_COLOUR:
        return None
    whole = pyramid_of(shown).whole
    fault = fault_of(whole, pose.corners_px)
    return TOO_DARK if fault is not None and fault.reason == TOO_DARK else NO_COLOURS


def is_colourless(reference: Picture, px_per_mm: float, board: Board) -> bool:
    """Tell whether a rectified picture has no colours, of a board that has coloured routes."""
    scale = CELLS_PER_MM / px_per_mm
    cells = cv2.resize(reference, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return _has_colours(board) and colour_of(np.asarray(cells, np.uint8)) < LEAST_COLOUR


def _has_colours(board: Board) -> bool:
    return any(route.colour not in UNCOLOURED for route in board.routes)


def colour_of(cells: Float32s | Picture) -> float:
    """Return the colourfulness of a picture relative to its contrast.

    Examples
    --------
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
