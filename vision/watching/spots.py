"""The spots where pieces can stand, and the cells that show them."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from railspotter.calibration.arrays import Float64s, Indices, Mask
from railspotter.calibration.pose import Viewpoint
from railspotter.scoring.spot import Spot

from ..look.placement import train_corners_mm
from ..printed.printed_board import PrintedBoard, places_of
from .glance import CELL_MM, MARGIN_CELLS, Grid, dilated

SHADOW_CELLS = 3  # margin of a spot for shadows


def spot_names(printed: PrintedBoard, *, has_stations: bool) -> tuple[Spot, ...]:
    """Return the spots of a board: routes and sites, then stations."""
    places = printed.board.places if has_stations else ()
    return (*printed.spots, *(Spot("station", place.id) for place in places))


def routes_at(printed: PrintedBoard) -> dict[Spot, frozenset[Spot]]:
    """Return, for each station's spot, the routes and sites that end there."""
    ends: dict[Spot, set[Spot]] = {}
    for route, spot in zip(printed.board.routes, printed.spots, strict=True):
        for place in (route.a, route.b):
            ends.setdefault(Spot("station", place), set()).add(spot)
    return {station: frozenset(routes) for station, routes in ends.items()}


@dataclass(frozen=True, eq=False)
class Spots:
    """The spots of a board, and the cells of their parts: a route's spaces or a station.

    S is the number of spots, N of parts, T of their cells, which parts share.
    """

    names: tuple[Spot, ...]
    part_of: Indices  # (N,) int: the index of each part's spot, ascending
    # (T,) int: the cells of one part after the other, as indices into the flattened grid.
    cells: Indices
    sizes: Indices  # (N,) int: the number of each part's cells
    grid: Grid

    @classmethod
    def of(
        cls,
        printed: PrintedBoard,
        viewpoint: Viewpoint,
        train_size_mm: tuple[float, float, float],
        station_size_mm: tuple[float, float, float] | None = None,
    ) -> "Spots":
        """Return the spots of a board as seen from a viewpoint.

        A train's cells are its space, and what its body hides of the board behind it.
        """
        grid = Grid(printed.board.size_mm)
        part_of = list(printed.route_of)
        seen = [
            train_corners_mm(printed, viewpoint, train_size_mm, space)
            for space in np.arange(len(part_of))
        ]
        if station_size_mm is not None:
            side, _, height = station_size_mm
            square = side / 2 * np.array([(1, 1), (1, -1), (-1, -1), (-1, 1)])
            for p, xy in enumerate(places_of(printed).xy_mm):
                part_of.append(np.intp(len(printed.board.routes) + p))
                foot = xy + square
                seen.append(np.vstack([foot, foot + viewpoint.lean_mm(foot, height)]))
        cells = [np.array(_cells_in(corners, grid), np.intp) for corners in seen]
        sizes = np.array([len(own) for own in cells], np.intp)
        names = spot_names(printed, has_stations=station_size_mm is not None)
        return cls(names, np.asarray(part_of, np.intp), np.concatenate(cells), sizes, grid)

    @cached_property
    def _first_part(self) -> Indices:
        return np.searchsorted(self.part_of, np.arange(len(self.names))).astype(np.intp)

    @cached_property
    def _first_cell(self) -> Indices:
        return np.cumsum(self.sizes) - self.sizes

    @cached_property
    def owned(self) -> Mask:
        """The cells of all parts, dilated by one."""
        return dilated(self.cells_of(range(len(self.names))))

    def parts(self, spot: int) -> slice:
        """Return where in arrays of parts those of a spot are."""
        first = np.searchsorted(self.part_of, [spot, spot + 1])
        return slice(int(first[0]), int(first[1]))

    def cells_of(self, spots: Collection[int]) -> Mask:
        """Return the cells of some spots, (rows, columns)."""
        mask = np.zeros(self.grid.shape, np.bool_)
        is_of = np.repeat(np.isin(self.part_of, list(spots)), self.sizes)
        mask.reshape(-1)[self.cells[is_of]] = True
        return mask

    def around(self, spots: Collection[int]) -> Mask:
        """Return the cells of some spots, dilated by `SHADOW_CELLS`."""
        return dilated(self.cells_of(spots), SHADOW_CELLS)

    def share(self, mask: Mask) -> Float64s:
        """Return the share of each part's cells inside a mask, (N,)."""
        inside = mask.reshape(-1)[self.cells]
        return np.add.reduceat(inside, self._first_cell, dtype=np.intp) / self.sizes

    def touched(self, mask: Mask) -> Mask:
        """Return the spots that a mask touches, dilated by one cell, (S,)."""
        touched = dilated(mask).reshape(-1)[self.cells]
        return self.any_of(np.logical_or.reduceat(touched, self._first_cell))

    def all_of(self, parts: Mask) -> Mask:
        """Return the spots whose parts are all in a mask: (N,) to (S,)."""
        return np.asarray(np.logical_and.reduceat(parts, self._first_part), np.bool_)

    def any_of(self, parts: Mask) -> Mask:
        """Return the spots with any part in a mask: (N,) to (S,)."""
        return np.asarray(np.logical_or.reduceat(parts, self._first_part), np.bool_)


def _cells_in(corners_mm: Float64s, grid: Grid) -> list[int]:
    """Return the cells whose middles are in a hull of corners; the nearest one if there is none."""
    outline = np.asarray(cv2.convexHull(corners_mm.astype(np.float32))[:, 0], np.float64)
    at = outline / CELL_MM + MARGIN_CELLS - 0.5
    contour = at.astype(np.float32)
    rows, columns = grid.shape
    low = np.clip(np.floor(at.min(axis=0)).astype(int), 0, (columns - 1, rows - 1))
    high = np.clip(np.ceil(at.max(axis=0)).astype(int), 0, (columns - 1, rows - 1))
    inside = [
        row * columns + column
        for row in range(low[1], high[1] + 1)
        for column in range(low[0], high[0] + 1)
        if cv2.pointPolygonTest(contour, (float(column), float(row)), False) >= 0
    ]
    if inside:
        return inside
    column, row = np.clip(np.rint(at.mean(axis=0)).astype(int), 0, (columns - 1, rows - 1))
    return [int(row * columns + column)]
