"""One frame of a board that is watched, as it is judged: what it shows, and since when."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from railspotter.calibration.arrays import Float64s, Mask
from railspotter.scoring.spot import Spot

from .changes import Box
from .settling import FrameChanges, Settling
from .sighting import Sighter
from .watched_board import WatchedSpot


@dataclass(frozen=True, eq=False)
class Moment:
    """What one frame shows of every spot."""

    sight: FrameChanges
    settling: Settling  # when the frame has been taken in
    sighter: Sighter  # which has seen it last

    @property
    def at_s(self) -> float:
        """When the frame was taken."""
        return self.sight.at_s

    @cached_property
    def still_s(self) -> Float64s:
        """For how long each spot has held still, (S,); 0 for one that does not."""
        return self.settling.still_s

    @cached_property
    def in_sight(self) -> Mask:
        """The spots that changed, and that nothing moves or lies over, (S,)."""
        return self.sight.changed & ~self.sight.disturbed

    def changed_parts(self, spot: WatchedSpot) -> frozenset[int]:
        """Return which parts of a spot changed so much that a piece may have come or gone."""
        parts = self.sight.changed_parts[self.sighter.parts(spot.index)]
        return frozenset(np.flatnonzero(parts).tolist())

    def of(self, spot: WatchedSpot) -> tuple[Spot, float, float, Box]:
        """Return what is said with every change: which spot, when, how long still, and where."""
        still_s = float(self.still_s[spot.index])
        return spot.spot, self.at_s, still_s, self.sighter.box_px(spot.index)
