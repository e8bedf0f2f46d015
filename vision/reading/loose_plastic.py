"""Plastic that belongs to no answer: every train that is seen must be somebody's claim.

The net says where plastic is seen, cell by cell. What lies under the trains of claimed routes is
accounted for; where as much is left as a good part of a train, the free routes beside it are asked
about, also where trains lie wholly off their spaces.
"""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Int32s
from railspotter.scoring.board import RouteId

from ..look.first_look import FirstLook
from ..look.shape_look import CELL_MM, SEEN, SEEN_HEIGHT, plastic_map
from ..look.view import View
from ..printed.printed_board import PrintedBoard

# How far beyond a claimed train, along and across, plastic still counts as that train's.
AROUND_MM = (2.5, 2.0)
ASTRAY_MM = 4.0  # no train is taken to stand farther off its space than this to account for plastic
# How far beyond a space, along and across, a train that is meant for it may lie.
BESIDE_MM = (1.0, 7.0)


def loose_plastic(view: View, first: FirstLook, claimed: Collection[RouteId]) -> Float32s:
    """Return how much plastic is left beside each space when claimed trains are taken away, (N,).

    As shares of one train, beside spaces of claimed routes too.
    """
    printed = view.printed
    seen = plastic_map(printed, first.shape.plastic)
    is_claimed = np.array([route.id in claimed for route in printed.board.routes])
    spaces = np.flatnonzero(is_claimed[printed.route_of])
    lean = view.viewpoint.lean_mm(printed.xy_mm, SEEN_HEIGHT * view.pieces.train_size_mm[2])
    best = first.trains.placements.score.argmax(axis=1)
    off = first.trains.placements.offset_mm[np.arange(len(best)), best]
    far = np.linalg.norm(off, axis=1, keepdims=True)
    off = off * np.minimum(1, ASTRAY_MM / np.maximum(far, 1e-6))
    length, width, _ = view.pieces.train_size_mm
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


def _box(
    printed: PrintedBoard,
    space: np.intp,
    middle: Float64s,
    half_mm: tuple[float, ...],
) -> Int32s:
    """Return the corners of a box along a space, in cells, (4, 2)."""
    along, across = printed.along[space] * half_mm[0], printed.across[space] * half_mm[1]
    corners = np.array([along + across, along - across, -along - across, across - along])
    return np.asarray(np.rint((middle + corners) / CELL_MM - 0.5), np.int32)
