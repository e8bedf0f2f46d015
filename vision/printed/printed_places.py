"""The places of a board as one copy prints them, with a window of pixels around each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Int32s, Picture

from .kept import kept_with_board
from .print_windows import PrintWindows, pixels_at, range_around
from .printed_board import PrintedBoard

REACH_MM = 20.0  # half the window: a station's lean, its carelessness, and half its foot
MARK_MM = 6.0  # what is printed for every place alike lies this near to its middle


@dataclass(frozen=True, eq=False)
class PrintedPlaces(PrintWindows):
    """Where a copy prints its places, P of them, and what is printed around each.

    Windows are square, K by K pixels, with the place in the middle: rows run down the board.
    """

    printed: PrintedBoard
    # (K, K, 3) uint8, BGR, or None: what a place's printed mark looks like, where the reference
    # shows none.
    mark: Picture | None = None

    @cached_property
    def xy_mm(self) -> Float64s:
        """The middles of the places, (P, 2): printed as far off as the routes that end there."""
        offsets = self.printed.print_offsets_mm
        middles = []
        for place in self.printed.board.places:
            ends = [route for route in self.printed.board.routes if place.id in (route.a, route.b)]
            off = [offsets.get(route.id, (0.0, 0.0)) for route in ends] or [(0.0, 0.0)]
            middles.append(np.add(place.xy_mm, np.median(off, axis=0)))
        return np.array(middles, dtype=np.float64)

    @cached_property
    def steps_mm(self) -> Float64s:
        """How far each row or column of a window lies from its middle, (K,)."""
        half = round(REACH_MM * self.steps_per_mm)
        return np.arange(-half, half + 1) / self.steps_per_mm

    @property
    def steps_per_mm(self) -> float:
        """How many rows or columns of a window there are in a millimetre."""
        return self.printed.steps_per_mm

    @cached_property
    def from_middle_mm(self) -> Float64s:
        """How far each pixel of a window lies from its middle, (K, K)."""
        return np.hypot(self.steps_mm[None, :], self.steps_mm[:, None])

    @cached_property
    def windows(self) -> Int32s:
        """For each window's pixels, where they are in the flattened picture: (P, K, K)."""
        around_mm = np.stack(np.meshgrid(self.steps_mm, self.steps_mm), axis=-1)
        at_mm = self.xy_mm[:, None, None] + around_mm
        return pixels_at(at_mm, self.printed.px_per_mm, self.printed.reference)

    @cached_property
    def reference_range(self) -> tuple[Float32s, Float32s]:
        """The least and the largest value of the print within one pixel, (M, 3) each."""
        low, high = (
            values.reshape(-1, 3)[self.seen_pixels].astype(np.float32)
            for values in range_around(self.printed.reference)
        )
        if self.mark is not None:
            inside = self.from_middle_mm <= MARK_MM
            pixels = self.windows_of_seen[:, inside]
            low[pixels], high[pixels] = (values[inside] for values in range_around(self.mark))
        return low, high


@kept_with_board
def places_of(printed: PrintedBoard) -> PrintedPlaces:
    """Return a board's places; what is computed of them is kept."""
    return PrintedPlaces(printed)
