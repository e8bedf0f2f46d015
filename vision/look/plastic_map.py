"""The net's map of plastic, put together from the windows of all spaces."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Indices

from ..printed import PrintedBoard
from .train_net import CELLS, WINDOW_MM

CELL_MM = 1.5
"""Of the map of the whole board."""
FINER = 3
"""Points across each of the net's cells: fewer leave holes in the map where routes are turned."""
SEEN = 0.5
"""How likely plastic must be in a cell to be looked for."""


def plastic_map(printed: PrintedBoard, plastic: Float32s) -> Float32s:
    """Return how likely plastic is seen everywhere near routes, in cells of `CELL_MM`.

    Parameters
    ----------
    plastic : (N, rows, columns) float32 array
        Of each space's window.

    Returns
    -------
    (H, W) float32 array
        The mean of all windows that show a cell; 0 where none does.
    """
    at, weight, count = _cells(printed)
    fine = np.repeat(np.repeat(plastic, FINER, axis=1), FINER, axis=2).reshape(-1)
    total = np.bincount(at, weight * fine, count.size).reshape(count.shape)
    return np.asarray(total / np.maximum(count, 1e-6), np.float32)


@lru_cache(maxsize=2)
def _cells(
    printed: PrintedBoard,
) -> tuple[Indices, Float32s, Float64s]:
    """Return the board's cell for each point of all windows' cells, and what it counts.

    And what the points of each of the board's cells count together, (H, W).
    """
    columns, rows = FINER * CELLS[0], FINER * CELLS[1]
    u = ((np.arange(columns) + 0.5) / columns - 0.5) * WINDOW_MM[0]
    v = ((np.arange(rows) + 0.5) / rows - 0.5) * WINDOW_MM[1]
    xy = (
        printed.xy_mm[:, None, None]
        + u[None, None, :, None] * printed.along[:, None, None]
        + v[None, :, None, None] * printed.across[:, None, None]
    )
    width, height = (int(np.ceil(side / CELL_MM)) for side in printed.board.size_mm)
    column = np.clip((xy[..., 0] / CELL_MM).astype(int), 0, width - 1)
    row = np.clip((xy[..., 1] / CELL_MM).astype(int), 0, height - 1)
    # What lies at a window's rim is seen better by another one.
    middle = np.exp(-0.5 * ((u[None, :] / 11) ** 2 + (v[:, None] / 7) ** 2))
    spread = np.broadcast_to(middle, (len(printed.xy_mm), rows, columns))
    at = (row * width + column).reshape(-1)
    weight = np.asarray(spread, np.float32).reshape(-1)
    count = np.asarray(np.bincount(at, weight, height * width), np.float64)
    return at, weight, count.reshape(height, width)
