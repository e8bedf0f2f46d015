"""Plastic that belongs to no answer: beside routes, between or under other lanes' trains."""

from collections.abc import Collection

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Int32s
from railspotter.scoring.board import RouteId

from ..lab import COLOURFUL
from ..look.evidence import SeenBoard, colour_evidence
from ..look.first_look import SURE, FirstLook
from ..look.placement import STATION
from ..look.shape_look import CELL_MM, SEEN, plastic_map
from ..look.view import SEEN_HEIGHT, SIDELESS_MM, View
from ..printed.print_windows import grid_along, pixels_at
from ..printed.printed_board import PrintedBoard

# Offset from which even sure trains may be meant for either lane; plastic beyond it is not theirs.
HALF_WAY_MM = 4.0
# Margin around a claimed train, along and across, in which plastic counts as that train's.
AROUND_MM = (2.5, 2.0)
# Margin around a space, along and across, in which loose plastic may be meant for it.
BESIDE_MM = (1.0, 7.0)
# Points from the middle of a train's image, along and across, where rims of others are looked for.
RIM_U_MM, RIM_V_MM = np.arange(-9.0, 9.5, 2.0), np.arange(-8.0, 8.5, 0.5)


def loose_plastic(view: View, first: FirstLook, claimed: Collection[RouteId]) -> Float32s:
    """Return the area of unclaimed plastic beside each space, in areas of a train, (N,).

    Plastic is the net's map. Cells under trains of claimed routes and under stations are taken out;
    the rest beside a space, on claimed routes too, is counted, so that trains wholly off their
    spaces are found.
    """
    printed = view.printed
    seen = plastic_map(printed, first.shape)
    is_claimed = np.array([route.id in claimed for route in printed.board.routes])
    spaces = np.flatnonzero(is_claimed[printed.route_of])
    lean = view.image_shift_mm
    # From the visible part of its side to its roof.
    away = np.linalg.norm(lean, axis=1, keepdims=True)
    side = lean * np.minimum(1, SEEN_HEIGHT * SIDELESS_MM / np.maximum(away, 1e-6))
    best = first.trains.placements.score.argmax(axis=1)
    off = first.trains.placements.offset_mm[np.arange(len(best)), best]
    far = np.linalg.norm(off, axis=1, keepdims=True)
    off = off * np.minimum(1, HALF_WAY_MM / np.maximum(far, 1e-6))
    length, width, _ = view.pieces.train_size_mm
    explained = np.zeros(seen.shape, np.uint8)
    half = (length / 2 + AROUND_MM[0], width / 2 + AROUND_MM[1])
    for space in spaces:
        for off_mm in (0.0, off[space]):
            ends = [
                _box(printed, space, seen + off_mm, half) for seen in (side[space], lean[space])
            ]
            cv2.fillConvexPoly(explained, cv2.convexHull(np.concatenate(ends)), 1)
    stations = (first.trains.owner == STATION).astype(np.uint8)
    under = cv2.resize(stations, seen.shape[::-1], interpolation=cv2.INTER_NEAREST)
    explained |= np.asarray(cv2.dilate(under, np.ones((3, 3), np.uint8)), np.uint8)
    left = ((seen > SEEN) & (explained == 0)).astype(np.uint8)
    # Thin rims are of trains that stand a little aside.
    left = cv2.morphologyEx(left, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    shares = np.zeros(len(printed.xy_mm), np.float32)
    reach = np.add(printed.size_mm / 2, BESIDE_MM)
    for space in np.arange(len(shares)):
        outline = _box(printed, space, lean[space], tuple(reach[space]))
        x, y, wide, high = cv2.boundingRect(outline)
        x, y = max(x, 0), max(y, 0)
        part = left[y : y + high, x : x + wide]
        if part.any():
            inside = np.zeros(part.shape, np.uint8)
            cv2.fillConvexPoly(inside, outline - np.array([x, y], np.int32), 1)
            seen_mm2 = np.count_nonzero((part > 0) & (inside > 0)) * CELL_MM**2
            shares[space] = seen_mm2 / (length * width)
    return shares


def rims_mm(view: View, first: FirstLook) -> Float64s:
    """Return the breadth of players' plastic of each colour on and beside each route, (R, C) in mm.

    Of a squeezed row so much shows under or over the trains beside it. A colour without a hue does
    not count, for dark sides of trains look black; nor do stations.
    """
    printed = view.printed
    middles = printed.xy_mm + view.image_shift_mm
    grid = grid_along(middles, printed.along, RIM_U_MM, RIM_V_MM)
    pixels = pixels_at(grid, printed.px_per_mm, printed.reference)
    at, owner = printed.place_among_seen[pixels], first.trains.owner.reshape(-1)[pixels]
    whole = cv2.resize(plastic_map(printed, first.shape), first.trains.owner.shape[::-1])
    is_plastic = (whole.reshape(-1)[pixels] > SEEN) & (owner != STATION)
    seen = SeenBoard(first.seen.lab[at].reshape(-1, 3), first.seen.print_distance2[at].reshape(-1))
    shown = colour_evidence(seen, first.colours).reshape(*pixels.shape, -1) > SURE
    has_hue = np.array([np.hypot(*train.lab[1:]) >= COLOURFUL for train in first.colours])
    shown &= is_plastic[..., None] & has_hue & (first.colours_seen.in_play > 0.5)
    return printed.per_route_mean(shown.mean(axis=(1, 2))) * float(np.ptp(RIM_V_MM))


def _box(
    printed: PrintedBoard,
    space: np.intp,
    off_mm: Float64s,
    half_mm: tuple[float, ...],
) -> Int32s:
    """Return the corners of a box along a space, in cells of the plastic map, (4, 2)."""
    return np.asarray(np.rint((printed.box_mm(space, half_mm) + off_mm) / CELL_MM - 0.5), np.int32)
