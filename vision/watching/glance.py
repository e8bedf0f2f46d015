"""Coarse samples of a board: one cell for every few millimetres, straight from the frame.

A glance takes a millisecond or two, of every frame. It only shows whether something moved or looks
different, not what stands on the board.
"""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Mask
from railspotter.calibration.pose import Pose
from railspotter.calibration.pyramid import Shown, pyramid_of

CELL_MM = 5.0  # a train covers five by two cells
MARGIN_CELLS = 4  # cells of the table around the board: hands come from there
# Pixels a cell, about, to which the frame is halved before cells are sampled.
SAMPLES_A_CELL = 2.0
# Standard deviation, in such pixels, of the blur before sampling. Without it a camera that trembles
# by a twentieth of a pixel moved up to twenty cells on the edges of sharp photos, and a game on
# such a board never began.
BLUR_PX = 0.6
# Thickness from which changes are no row of trains, 35 mm: with lean and blur a row has 30. From
# the side or in low light its shadow adds 10, so shadows are left out.
THICK_CELLS = 7
FEW_CELLS = 6  # least size, in cells, of an arm at the edge


@dataclass(frozen=True)
class Grid:
    """The cells over a board and its margin, rows down and columns to the right."""

    size_mm: tuple[float, float]  # the board's width and height

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns.

        >>> Grid((795.0, 525.0)).shape
        (113, 167)
        """
        width, height = self.size_mm
        columns, rows = (int(np.ceil(side / CELL_MM)) for side in (width, height))
        return rows + 2 * MARGIN_CELLS, columns + 2 * MARGIN_CELLS

    @property
    def middles_mm(self) -> Float64s:
        """The middles of the cells on the board, in mm, (rows, columns, 2)."""
        rows, columns = self.shape
        x = (np.arange(columns) + 0.5 - MARGIN_CELLS) * CELL_MM
        y = (np.arange(rows) + 0.5 - MARGIN_CELLS) * CELL_MM
        return np.stack(np.meshgrid(x, y), axis=-1)

    @cached_property
    def on_board(self) -> Mask:
        """The cells whose middles are on the board, (rows, columns)."""
        middles = self.middles_mm
        return np.asarray(((middles > 0) & (middles < self.size_mm)).all(axis=-1))


class CellSampler:
    """Samples frames at the cells of one board in one pose, with precomputed maps.

    `in_frame` are the cells inside the frame, (rows, columns).
    """

    def __init__(self, grid: Grid, pose: Pose, frame_wh: tuple[int, int]) -> None:
        seen = pose.seen_at(grid.middles_mm)
        step = np.linalg.norm(np.diff(seen, axis=1), axis=-1)
        finer = float(np.median(step)) / SAMPLES_A_CELL
        self._halvings = max(0, round(float(np.log2(finer))))
        factor = 2**self._halvings
        small = (seen + 0.5) / factor - 0.5
        width, height = (side // factor for side in frame_wh)
        x, y = small[..., 0], small[..., 1]
        self.in_frame: Mask = (x >= 0) & (y >= 0) & (x <= width - 1) & (y <= height - 1)
        self._map_x, self._map_y = x.astype(np.float32), y.astype(np.float32)

    def glance(self, frame: Shown) -> Float32s:
        """Return the colours of the cells, (rows, columns, 3) BGR, 0 to 255."""
        halved = pyramid_of(frame).at(self._halvings)
        blurred = cv2.GaussianBlur(halved, (3, 3), BLUR_PX)
        cells = cv2.remap(
            blurred, self._map_x, self._map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(cells, np.float32)


def things_over_board(changed: Mask, in_frame: Mask, shadows: Mask | None = None) -> Mask:
    """Return the cells of changes that are thick, or reach in from the edge, like a still arm."""
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
    """Return the cells of changes that are thicker than any row of trains, corners included."""
    square = np.ones((THICK_CELLS, THICK_CELLS), np.uint8)
    beyond = np.pad(changed, THICK_CELLS).astype(np.uint8)
    thick = cv2.morphologyEx(beyond, cv2.MORPH_OPEN, square)
    # The corner of a card that lies askew is narrower than the square, for half its side at most.
    for _ in range(THICK_CELLS // 2):
        thick = cv2.min(cv2.dilate(thick, np.ones((3, 3), np.uint8)), beyond)
    return np.asarray(thick[THICK_CELLS:-THICK_CELLS, THICK_CELLS:-THICK_CELLS] > 0, np.bool_)


def dilated(mask: Mask, cells: int = 1) -> Mask:
    """Return a mask dilated by some cells."""
    around = np.ones((2 * cells + 1,) * 2, np.uint8)
    return np.asarray(cv2.dilate(mask.view(np.uint8), around) > 0, np.bool_)
