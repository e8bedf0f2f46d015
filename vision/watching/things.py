"""What lies or hovers over the board and is no train: a hand, an arm, a cup, a card."""

from __future__ import annotations

import cv2
import numpy as np
from railspotter.calibration.arrays import Mask

THICK_CELLS = 7
"""What is thicker, 35 mm, is no row of trains: with its lean and what glances blur it has 30. Seen
from the side or in a low light its shadow adds 10 to that, so that it is left out."""
FEW_CELLS = 6
"""Fewer cells at the edge of what is watched are no arm."""


def over_board(changed: Mask, in_frame: Mask, shadows: Mask | None = None) -> Mask:
    """Return the cells of changes that are thick, or reach in from outside.

    An arm that holds quite still moves nothing, but it comes from somewhere.

    Parameters
    ----------
    changed : (rows, columns) bool array
        Cells that look different from when they were settled, or move.
    in_frame : (rows, columns) bool array
    shadows : (rows, columns) bool array, optional
        Cells that make nothing thick: shadows of what may be trains.
    """
    count, labels, stats, _ = cv2.connectedComponentsWithStats(
        changed.astype(np.uint8), connectivity=4
    )
    if count == 1:
        return np.zeros(changed.shape, np.bool_)
    inside = np.pad(in_frame, 1).astype(np.uint8)
    edge = in_frame & (cv2.erode(inside, np.ones((3, 3), np.uint8))[1:-1, 1:-1] == 0)
    thick = thick_parts(changed if shadows is None else changed & ~shadows)
    is_thing = np.zeros(count, np.bool_)
    is_thing[labels[edge]] = True
    is_thing &= stats[:, cv2.CC_STAT_AREA] >= FEW_CELLS
    is_thing[labels[thick]] = True
    is_thing[0] = False
    return np.asarray(is_thing[labels], np.bool_)


def thick_parts(changed: Mask) -> Mask:
    """Return the cells of changes that are as thick as no row of trains is."""
    square = np.ones((THICK_CELLS, THICK_CELLS), np.uint8)
    beyond = np.pad(changed, THICK_CELLS).astype(np.uint8)
    opened = cv2.morphologyEx(beyond, cv2.MORPH_OPEN, square) > 0
    return np.asarray(opened[THICK_CELLS:-THICK_CELLS, THICK_CELLS:-THICK_CELLS], np.bool_)
