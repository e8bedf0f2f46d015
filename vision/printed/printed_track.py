"""The score track of a board as one copy prints it, with the pixels around its steps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Indices, Int32s

from .kept import kept_with_board
from .print_windows import PrintWindows, range_around
from .printed_board import PrintedBoard

REACH_MM = 17.0  # half the window: half a step, a marker's radius or its lean
SAME_WAY_DEG = 15.0
ENOUGH_ALIKE = 8  # steps of a side from which they tell what an empty one looks like
# References of real copies have .35 to .71; with a tenth or a fifth fewer steps .11 at most.
ALIKE = 0.2


@dataclass(frozen=True, eq=False)
class PrintedTrack(PrintWindows):
    """Where a copy prints the steps of its score track, S of them, and what is printed there.

    Windows are square, K by K pixels, with the step's middle in the middle; those of neighbours
    overlap, so that nothing on the track lies between two.
    """

    printed: PrintedBoard

    @cached_property
    def xy_mm(self) -> Float64s:
        """The middles of the steps from Start on, (S, 2)."""
        return np.array(self.printed.board.score_track, np.float64).reshape(-1, 2)

    @cached_property
    def windows(self) -> Int32s:
        """For each window's pixels, where they are in the flattened picture: (S, K, K)."""
        # By whole pixels: no pixel between two may be left out.
        half = round(REACH_MM * self.printed.px_per_mm)
        around = np.arange(-half, half + 1)
        height, width = self.printed.reference.shape[:2]
        middle = np.rint(self.xy_mm * self.printed.px_per_mm - 0.5).astype(np.int32)
        columns = np.clip(middle[:, 0, None] + around, 0, width - 1)
        rows = np.clip(middle[:, 1, None] + around, 0, height - 1)
        return np.asarray(rows[:, :, None] * width + columns[:, None, :], np.int32)

    @cached_property
    def reference_range(self) -> tuple[Float32s, Float32s]:
        """The least and the largest value of the print within one pixel, (M, 3) each."""
        low, high = (
            values.reshape(-1, 3)[self.seen_pixels].astype(np.float32)
            for values in range_around(self.printed.reference)
        )
        return low, high

    @cached_property
    def sides(self) -> tuple[Indices, ...]:
        """The steps that are printed alike: those from which the track goes on the same way."""
        onward = np.roll(self.xy_mm, -1, axis=0) - np.roll(self.xy_mm, 1, axis=0)
        turns = np.degrees(np.arctan2(onward[:, 1], onward[:, 0]))
        ways = np.rint(turns / SAME_WAY_DEG).astype(int) % round(360 / SAME_WAY_DEG)
        sides = (np.flatnonzero(ways == way) for way in np.unique(ways))
        return tuple(side for side in sides if len(side) >= ENOUGH_ALIKE)

    @cached_property
    def alikeness(self) -> float:
        """How much the steps of a side look alike in the reference, 0 to 1.

        Printings differ, some in how many steps there are: where this copy has other ones, every
        window shows another part of a step.
        """
        grey = cv2.cvtColor(self.printed.reference, cv2.COLOR_BGR2GRAY).reshape(-1)
        half = self.windows.shape[1] // 2
        inner = slice(half - half // 2, half + half // 2 + 1)
        found: list[Float64s] = []
        for side in self.sides:
            shown = grey[self.windows[side][:, inner, inner]].astype(np.float32)
            # What is the same all along the track tells nothing of its steps.
            runs_across = np.ptp(self.xy_mm[side], axis=0).argmax() == 0
            shown -= shown.mean(axis=2 if runs_across else 1, keepdims=True)
            shown = shown.reshape(len(side), -1)
            usual = np.median(shown, axis=0)
            lengths = np.linalg.norm(shown, axis=1) * np.linalg.norm(usual)
            found.append(np.asarray(shown @ usual / (lengths + 1e-3), np.float64))
        return float(np.median(np.concatenate(found))) if found else 0.0

    @property
    def is_as_known(self) -> bool:
        """Whether this copy's steps lie where the board file has them."""
        return self.alikeness >= ALIKE


@kept_with_board
def track_of(printed: PrintedBoard) -> PrintedTrack:
    """Return a board's score track; what is computed of it is kept."""
    return PrintedTrack(printed)
