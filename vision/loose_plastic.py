"""Plastic that belongs to no answer: every train that is seen must be somebody's claim.

The net says where plastic is seen, cell by cell. What lies under the trains of claimed routes is
accounted for; where as much is left as a good part of a train, the free routes beside it are asked
about, also where trains lie wholly off their spaces.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt
from railspotter.scoring.board import RouteId

from .first_look import FirstLook
from .lab import Floats
from .printed_board import PrintedBoard
from .space_looks import SEEN_HEIGHT
from .train_net import CELLS, WINDOW_MM
from .view import View

CELL_MM = 1.5
"""Of the map of the whole board."""
FINER = 3
"""Points across each of the net's cells: fewer leave holes in the map where routes are turned."""
SEEN = 0.5
"""How likely plastic must be in a cell to be looked for."""
AROUND_MM = (2.5, 2.0)
"""How far beyond a claimed train, along and across, plastic still counts as that train's."""
ASTRAY_MM = 4.0
"""No train is taken to stand farther off its space than this to account for plastic."""
BESIDE_MM = (1.0, 7.0)
"""How far beyond a space, along and across, a train that is meant for it may lie."""


def loose_plastic(view: View, first: FirstLook, claimed: Collection[RouteId]) -> Floats:
    """Return how much plastic is left beside each space when claimed trains are taken away, (N,).

    As shares of one train, beside spaces of claimed routes too.

    Parameters
    ----------
    claimed : collection of str
        The routes whose trains account for what lies there.
    """
    printed = view.printed
    seen = plastic_map(printed, first.shape.plastic)
    is_claimed = np.array([route.id in claimed for route in printed.board.routes])
    spaces = np.flatnonzero(is_claimed[printed.route_of])
    lean = view.viewpoint.lean_mm(printed.xy_mm, SEEN_HEIGHT * view.train_size_mm[2])
    best = first.trains.placements.score.argmax(axis=1)
    off = first.trains.placements.offset_mm[np.arange(len(best)), best]
    far = np.linalg.norm(off, axis=1, keepdims=True)
    off = off * np.minimum(1, ASTRAY_MM / np.maximum(far, 1e-6))
    length, width, _ = view.train_size_mm
    explained = np.zeros(seen.shape, np.uint8)
    half = (length / 2 + AROUND_MM[0], width / 2 + AROUND_MM[1])
    for space in spaces:
        middles = (
            printed.xy_mm[space] + lean[space],
            printed.xy_mm[space] + lean[space] + off[space],
        )
        for middle in middles:
            cv2.fillConvexPoly(explained, _box(printed, space, middle, half), 1)
    left = ((seen > SEEN) & (explained == 0)).astype(np.uint8)
    # Rims of trains that stood a little otherwise are no trains: a train is broader.
    left = cv2.morphologyEx(left, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    shares = np.zeros(len(printed.xy_mm), np.float32)
    reach = np.add(printed.size_mm / 2, BESIDE_MM)
    for space in np.arange(len(shares)):
        outline = _box(printed, space, printed.xy_mm[space] + lean[space], tuple(reach[space]))
        x, y, wide, high = cv2.boundingRect(outline)
        x, y = max(x, 0), max(y, 0)
        part = left[y : y + high, x : x + wide]
        if part.any():
            inside = np.zeros(part.shape, np.uint8)
            cv2.fillConvexPoly(inside, outline - np.array([x, y], np.int32), 1)
            seen_mm2 = np.count_nonzero((part > 0) & (inside > 0)) * CELL_MM**2
            shares[space] = seen_mm2 / (length * width)
    return shares


def plastic_map(printed: PrintedBoard, plastic: Floats) -> Floats:
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
    at, weight = _cells(printed)
    width, height = (int(np.ceil(side / CELL_MM)) for side in printed.board.size_mm)
    fine = np.repeat(np.repeat(plastic, FINER, axis=1), FINER, axis=2).reshape(-1)
    total = np.bincount(at, weight * fine, height * width)
    count = np.bincount(at, weight, height * width)
    return np.asarray((total / np.maximum(count, 1e-6)).reshape(height, width), np.float32)


@lru_cache(maxsize=2)
def _cells(printed: PrintedBoard) -> tuple[npt.NDArray[np.intp], Floats]:
    """Return the board's cell for each point of all windows' cells, and what it counts."""
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
    weight = np.broadcast_to(middle, (len(printed.xy_mm), rows, columns))
    return (row * width + column).reshape(-1), np.asarray(weight, np.float32).reshape(-1)


def _box(
    printed: PrintedBoard,
    space: np.intp,
    middle: npt.NDArray[np.float64],
    half_mm: tuple[float, ...],
) -> npt.NDArray[np.int32]:
    """Return the corners of a box along a space, in cells, (4, 2)."""
    along, across = printed.along[space] * half_mm[0], printed.across[space] * half_mm[1]
    corners = np.array([along + across, along - across, -along - across, across - along])
    return np.asarray(np.rint((middle + corners) / CELL_MM - 0.5), np.int32)
