"""Draws a reference from the board file and a few printed colours, in place of a photo.

The reader uses it for a board that was not calibrated. The numbers are no picture of the print: for
each printed colour one value for each half millimetre from a space's outline, and the ground's
colour in large cells. Symbols, places, lettering and artwork are missing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from railspotter.scoring.board import Board, RouteId, Space

from ..arrays import Float32s, Mask, Picture
from .profile import Offset, Profile

GROUND_CELL_MM = 25.0  # larger than any detail, even on a small board
# Depths inside a space's outline at which its colours are stored, below 0 outside.
DEPTHS_MM = tuple(np.arange(-2.0, 4.25, 0.5).tolist())
LEAST_ALIKE = 6  # least spaces of one colour, or places, for a median
PLACE_MM = 8.0  # most radius of a place's mark
CLEAR_MM = 2.0  # ground nearer to a space than this is not measured


@dataclass(frozen=True, eq=False)
class PrintedColours:
    """The colours of a print."""

    ground: Picture  # BGR, one pixel a cell: the ground between the spaces, blurred
    # By printed colour, (len(DEPTHS_MM), 3) uint8, BGR: the colour of its spaces at `DEPTHS_MM`.
    inks: Mapping[str, npt.NDArray[np.uint8]]


def measure_colours(
    reference: Picture,
    px_per_mm: float,
    board: Board,
    print_offsets_mm: Mapping[RouteId, Offset],
    is_hidden: Mask | None = None,
) -> PrintedColours:
    """Measure a print's colours in a reference, the board from straight above.

    `is_hidden` are pixels that are no print, (H, W); a printed colour that is hidden everywhere
    gets no ink.
    """
    is_ground = np.ones(reference.shape[:2], np.float32)
    if is_hidden is not None:
        is_ground[is_hidden] = 0
    found: dict[str, list[tuple[Float32s, Picture]]] = {}
    for colour, space in _spaces(board, print_offsets_mm):
        rows, columns, depth = _depth_mm(space, px_per_mm, is_ground.shape)
        is_ground[rows, columns][depth > -CLEAR_MM] = 0
        if is_hidden is None:
            found.setdefault(colour, []).append((depth, reference[rows, columns]))
        else:
            seen = ~is_hidden[rows, columns]
            found.setdefault(colour, []).append((depth[seen], reference[rows, columns][seen]))
    inks = {}
    for colour, spaces in found.items():
        depths = np.concatenate([depth.ravel() for depth, _ in spaces])
        pixels = np.concatenate([pixel.reshape(-1, 3) for _, pixel in spaces])
        of_rings = [pixels[abs(depths - at) < 0.25] for at in DEPTHS_MM]
        if all(len(ring) for ring in of_rings):
            rings = [np.median(ring, axis=0) for ring in of_rings]
            inks[colour] = np.rint(rings).astype(np.uint8)
    return PrintedColours(_ground(reference, is_ground, board.size_mm), inks)


def draw_reference(
    colours: PrintedColours,
    px_per_mm: float,
    board: Board,
    print_offsets_mm: Mapping[RouteId, Offset],
) -> Picture:
    """Draw the empty board from straight above, of its size times `px_per_mm`."""
    width, height = (round(side * px_per_mm) for side in board.size_mm)
    drawn = cv2.resize(colours.ground, (width, height), interpolation=cv2.INTER_CUBIC)
    deepest = np.full((height, width), -np.inf, np.float32)
    for colour, space in _spaces(board, print_offsets_mm):
        rows, columns, depth = _depth_mm(space, px_per_mm, (height, width))
        mine = (depth >= DEPTHS_MM[0]) & (depth > deepest[rows, columns])
        deepest[rows, columns][mine] = depth[mine]
        ink = colours.inks[colour].astype(np.float32)
        shades = [np.interp(depth[mine], DEPTHS_MM, ink[:, i]) for i in range(3)]
        drawn[rows, columns][mine] = np.rint(np.stack(shades, axis=-1)).astype(np.uint8)
    return np.asarray(drawn, np.uint8)


def with_common_marks(profile: Profile, shown: Picture, board: Board, is_hidden: Mask) -> Picture:
    """Return a drawing with the common marks of a photo's bare spaces and places.

    These are round ends, gaps, symbols and dashes of spaces, and the marks of places: medians of
    the difference between photo and drawing, which does not depend on light.

    Parameters
    ----------
    profile : Profile
        Its reference is the drawing.
    shown : (H, W, 3) uint8 array, BGR
        The rectified photo.
    is_hidden : (H, W) bool array
        Pixels of the photo that are no print.
    """
    drawn, px_per_mm = profile.reference, profile.px_per_mm
    apart = shown.astype(np.float32) - drawn
    of_colour: dict[str, list[Space]] = {}
    for colour, space in _spaces(board, profile.print_offsets_mm):
        of_colour.setdefault(colour, []).append(space)
    marked = drawn.astype(np.float32)
    for spaces in of_colour.values():
        size_px = np.ceil(np.max([s.size_mm for s in spaces], axis=0) * px_per_mm).astype(int)
        to_board = [_to_board(space, size_px, px_per_mm) for space in spaces]
        wh = int(size_px[0]), int(size_px[1])
        bare = [
            cv2.warpAffine(apart, way, wh, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
            for way in to_board
            if not cv2.warpAffine(
                is_hidden.astype(np.uint8), way, wh, flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
            ).any()
        ]
        if len(bare) < LEAST_ALIKE:
            continue
        both_ways = np.stack([*bare, *(one[::-1, ::-1] for one in bare)])
        common = np.asarray(np.median(both_ways, axis=0), np.float32)
        for space, way in zip(spaces, to_board, strict=True):
            rows, columns, depth = _depth_mm(space, px_per_mm, drawn.shape[:2])
            shifted = way.copy()
            shifted[:, 2] -= (columns.start, rows.start)
            there = cv2.warpAffine(common, shifted, depth.shape[::-1], flags=cv2.INTER_LINEAR)
            marked[rows, columns][depth > 0] += there[depth > 0]
    half = round(PLACE_MM * px_per_mm)
    side = np.arange(-half, half + 1)
    is_mark = np.hypot(side[:, None], side) <= half
    middles = np.rint([np.array(place.xy_mm) * px_per_mm - 0.5 for place in board.places])
    around = [
        (slice(int(y) - half, int(y) + half + 1), slice(int(x) - half, int(x) + half + 1))
        for x, y in middles
    ]
    inside = [part for part in around if apart[part].shape[:2] == is_mark.shape]
    if len(inside) >= LEAST_ALIKE:
        mark = np.median([apart[part] for part in inside], axis=0)
        for part in inside:
            marked[part][is_mark] += mark[is_mark]
    return np.clip(np.rint(marked), 0, 255).astype(np.uint8)


def _to_board(space: Space, size_px: npt.NDArray[np.intp], px_per_mm: float) -> Float32s:
    """Return the affine map from a level picture of a space to the board's picture, (2, 3)."""
    angle = np.deg2rad(space.angle_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    middle = np.array(space.xy_mm) * px_per_mm - 0.5
    shift = middle - turn @ ((size_px - 1) / 2)
    return np.column_stack([turn, shift]).astype(np.float32)


def _spaces(board: Board, offsets: Mapping[RouteId, Offset]) -> Iterator[tuple[str, Space]]:
    """Yield the printed colour of every space, and the space moved by this print's offset."""
    for route in board.routes:
        dx, dy = offsets.get(route.id, (0.0, 0.0))
        for space in route.spaces:
            middle = (space.xy_mm[0] + dx, space.xy_mm[1] + dy)
            yield route.colour, Space(middle, space.angle_deg, space.size_mm)


def _depth_mm(
    space: Space, px_per_mm: float, shape: tuple[int, ...]
) -> tuple[slice, slice, Float32s]:
    """Return the slices around a space, and the depth of their pixels inside its outline, in mm."""
    half_length, half_width = (side / 2 for side in space.size_mm)
    reach = np.hypot(half_length, half_width) + CLEAR_MM
    rows, columns = (
        slice(max(0, int((at - reach) * px_per_mm)), min(limit, int((at + reach) * px_per_mm) + 2))
        for at, limit in ((space.xy_mm[1], shape[0]), (space.xy_mm[0], shape[1]))
    )
    y, x = np.mgrid[rows, columns].astype(np.float32)
    x = (x + 0.5) / px_per_mm - space.xy_mm[0]
    y = (y + 0.5) / px_per_mm - space.xy_mm[1]
    angle = np.deg2rad(space.angle_deg)
    along, across = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    depth = np.minimum(half_length - abs(along), half_width - abs(across))
    return rows, columns, np.asarray(depth, np.float32)


def _ground(reference: Picture, is_ground: Float32s, size_mm: tuple[float, float]) -> Picture:
    """Return the ground's blurred colours by cell; under spaces those of the surroundings."""
    columns, rows = (round(side / GROUND_CELL_MM) for side in size_mm)
    sigma = is_ground.shape[1] / columns / 2
    around = cv2.GaussianBlur(is_ground, (0, 0), sigma) + 1e-3
    mean = cv2.GaussianBlur(reference * is_ground[..., None], (0, 0), sigma)
    mean += 1e-3 * reference[is_ground > 0].mean(axis=0)
    cells = cv2.resize(mean / around[..., None], (columns, rows), interpolation=cv2.INTER_AREA)
    return np.rint(np.clip(cells, 0, 255)).astype(np.uint8)
