"""The places of a board as one copy prints them, with a window of pixels around each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Int32s, Picture

from .printed_board import WINDOW_PX_PER_MM, PrintedBoard

REACH_MM = 20.0
"""Half the window: a station's lean, its carelessness, and half its foot."""
MARK_MM = 6.0
"""What is printed for every place alike lies this near to its middle."""


@dataclass(frozen=True, eq=False)
class PrintedPlaces:
    """Where a copy prints its places, P of them, and what is printed around each.

    Windows are square, K by K pixels, with the place in the middle: rows run down the board.

    Attributes
    ----------
    mark : (K, K, 3) uint8 array, BGR, or None
        What a place's printed mark looks like, where the reference shows none.
    """

    printed: PrintedBoard
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
        return min(self.printed.px_per_mm, WINDOW_PX_PER_MM)

    @cached_property
    def from_middle_mm(self) -> Float64s:
        """How far each pixel of a window lies from its middle, (K, K)."""
        return np.hypot(self.steps_mm[None, :], self.steps_mm[:, None])

    @cached_property
    def windows(self) -> Int32s:
        """For each window's pixels, where they are in the flattened picture: (P, K, K)."""
        height, width = self.printed.reference.shape[:2]
        at = (self.xy_mm[:, None, :] + self.steps_mm[None, :, None]) * self.printed.px_per_mm
        at = np.rint(at - 0.5)
        columns = np.clip(at[:, None, :, 0], 0, width - 1)
        rows = np.clip(at[:, :, None, 1], 0, height - 1)
        return np.asarray(rows * width + columns, np.int32)

    @cached_property
    def _seen(self) -> tuple[Int32s, Int32s]:
        pixels, places = np.unique(self.windows, return_inverse=True)
        places = places.reshape(self.windows.shape)
        return np.asarray(pixels, np.int32), np.asarray(places, np.int32)

    @property
    def seen_pixels(self) -> Int32s:
        """The pixels that lie in any window, (M,), as indices into the flattened picture."""
        return self._seen[0]

    @property
    def windows_of_seen(self) -> Int32s:
        """The windows as indices into `seen_pixels`, (P, K, K)."""
        return self._seen[1]

    @cached_property
    def reference_range(self) -> tuple[Float32s, Float32s]:
        """The least and the largest value of the print within one pixel, (M, 3) each."""
        around = np.ones((3, 3), np.uint8)
        low, high = (
            by(self.printed.reference, around).reshape(-1, 3)[self.seen_pixels].astype(np.float32)
            for by in (cv2.erode, cv2.dilate)
        )
        if self.mark is not None:
            inside = self.from_middle_mm <= MARK_MM
            pixels = self.windows_of_seen[:, inside]
            low[pixels] = cv2.erode(self.mark, around)[inside]
            high[pixels] = cv2.dilate(self.mark, around)[inside]
        return low, high


@lru_cache(maxsize=2)
def places_of(printed: PrintedBoard) -> PrintedPlaces:
    """Return a board's places; what is computed of them is kept."""
    return PrintedPlaces(printed)
