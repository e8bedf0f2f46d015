"""The look at shape: what a photo shows without the colours of trains, in its own light.

The net's answers for every space's window are joined into a map of plastic. They also weight the
pixels of a window when the colour of what lies there is measured.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from railspotter.calibration.arrays import AnyFloats, Float32s, Float64s, Indices, Picture

from ..lab import to_lab
from ..printed.board_cache import cached_per_board
from ..printed.print_windows import grid_along
from ..printed.printed_board import PrintedBoard
from .print_match import edges_of_prints
from .train_net import CELLS, WINDOW_MM, Windows, ask_net, seen_windows
from .view import SEEN_HEIGHT, View, roof_shift_mm

MOST = 8.0  # limit of the net's log-odds, so that no space overrules the others of its route
CELL_MM = 1.5  # side of a cell of the map of the whole board
# Points along each side of a net's cell: fewer leave holes in the map where routes are oblique.
FINER = 3
SEEN = 0.5  # probability from which a cell of the map shows plastic
# Standard deviations, along and across, of the weight of cells around a train's expected image.
NEAR_MM = (7.0, 3.0)
FLOOR = 0.02  # weight of a cell without plastic: decides where no cell has any


@dataclass(frozen=True, eq=False)
class ShapeLook:
    """The net's answers for a board, and the colours measured by them."""

    # (N,) float32: the net's log-odds that a piece stands on each space, `MOST` at most
    covered: Float32s
    # (N, rows, columns) float32: probability of plastic in each cell of each space's window.
    plastic: Float32s
    looks: "SpaceLooks"  # its colours
    edges: Float32s  # (M, 6) float32: as `print_match.edges_of_prints` returns them
    # (N, 2) float64: shift of the windows from their spaces on the board; None for no shift.
    aside_mm: Float64s | None = None

    def covered_routes(self, printed: PrintedBoard) -> Float64s:
        """Return the net's log-odds that trains stand on each route, (R,)."""
        return printed.per_route_mean(self.covered)


def look_at_shape(view: View, lit: Picture) -> ShapeLook:
    """Ask the net about all spaces, and measure their colours and edges."""
    edges = edges_of_prints(view, lit)
    windows = seen_windows(view, lit)
    covered, plastic = ask_net(windows, view.printed, view.pieces.net)
    covered = np.clip(covered, -MOST, MOST)
    return ShapeLook(covered, plastic, space_looks(windows, plastic), edges, windows.aside_mm)


def plastic_map(printed: PrintedBoard, shape: ShapeLook) -> Float32s:
    """Return the probability of plastic near all routes, in cells of `CELL_MM`.

    It is the weighted mean of all windows that show a cell, 0 where none does.
    """
    aside = shape.aside_mm
    at, weight, count = _cells(printed) if aside is None else _cells_at(printed, aside)
    fine = np.repeat(np.repeat(shape.plastic, FINER, axis=1), FINER, axis=2).reshape(-1)
    total = np.bincount(at, weight * fine, count.size).reshape(count.shape)
    return np.asarray(total / np.maximum(count, 1e-6), np.float32)


@cached_per_board
def _cells(printed: PrintedBoard) -> tuple[Indices, Float32s, Float64s]:
    return _cells_at(printed, np.zeros_like(printed.xy_mm))


def _cells_at(printed: PrintedBoard, aside_mm: Float64s) -> tuple[Indices, Float32s, Float64s]:
    """Return the cell of the map, and the weight, of every point of all windows.

    Third come the summed weights of each cell, (H, W).
    """
    columns, rows = FINER * CELLS[0], FINER * CELLS[1]
    u = ((np.arange(columns) + 0.5) / columns - 0.5) * WINDOW_MM[0]
    v = ((np.arange(rows) + 0.5) / rows - 0.5) * WINDOW_MM[1]
    xy = grid_along(printed.xy_mm + aside_mm, printed.along, u, v)
    width, height = (int(np.ceil(side / CELL_MM)) for side in printed.board.size_mm)
    column = np.clip((xy[..., 0] / CELL_MM).astype(int), 0, width - 1)
    row = np.clip((xy[..., 1] / CELL_MM).astype(int), 0, height - 1)
    # Points at a window's rim count less: another window sees them better.
    middle = np.exp(-0.5 * ((u[None, :] / 11) ** 2 + (v[:, None] / 7) ** 2))
    spread = np.broadcast_to(middle, (len(printed.xy_mm), rows, columns))
    at = (row * width + column).reshape(-1)
    weight = np.asarray(spread, np.float32).reshape(-1)
    count = np.asarray(np.bincount(at, weight, height * width), np.float64)
    return at, weight, count.reshape(height, width)


@dataclass(frozen=True, eq=False)
class SpaceLooks:
    """Colours of what lies on each space, in the light of the reference."""

    # seen, bare: (N, 3) float32, CIE Lab in the photo and in the reference: medians over the cells
    # where plastic is seen or would be.
    seen: Float32s
    bare: Float32s


def space_looks(windows: Windows, plastic: Float32s) -> SpaceLooks:
    """Measure the colours at the middle of each space's window."""
    count = len(plastic)
    u = ((np.arange(CELLS[0]) + 0.5) / CELLS[0] - 0.5) * WINDOW_MM[0]
    v = ((np.arange(CELLS[1]) + 0.5) / CELLS[1] - 0.5) * WINDOW_MM[1]
    lean = SEEN_HEIGHT * windows.lean_mm + roof_shift_mm(np.asarray(windows.lean_mm, np.float64))
    near = np.exp(
        -0.5 * ((u[None, None, :] - lean[:, 0, None, None]) / NEAR_MM[0]) ** 2
        - 0.5 * ((v[None, :, None] - lean[:, 1, None, None]) / NEAR_MM[1]) ** 2
    )
    weight = (near * (plastic**2 + FLOOR)).reshape(count, -1)
    seen, bare = (_medians(_cell_colours(p), weight) for p in (windows.photo, windows.reference))
    return SpaceLooks(seen, bare)


def _cell_colours(windows: npt.NDArray[np.floating | np.uint8]) -> Float32s:
    """Return the mean colour of each cell: (N, V, U, 3) to (N, cells, 3), CIE Lab."""
    tall = np.asarray(windows, np.uint8).reshape(-1, windows.shape[2], 3)
    rows = CELLS[1] * len(windows)
    means: Picture = np.asarray(cv2.resize(tall, (CELLS[0], rows), interpolation=cv2.INTER_AREA))
    return to_lab(means).reshape(len(windows), -1, 3)


def _medians(values: Float32s, weight: AnyFloats) -> Float32s:
    """Return the weighted median of each channel: (N, P, 3) and (N, P) to (N, 3)."""
    order = np.argsort(values, axis=1)
    sums = np.cumsum(np.take_along_axis(weight[..., None], order, axis=1), axis=1)
    half = (sums >= sums[:, -1:] / 2).argmax(axis=1)[:, None]
    middle = np.take_along_axis(order, half, axis=1)
    return np.asarray(np.take_along_axis(values, middle, axis=1)[:, 0], np.float32)
