"""Spots that something seems to lie over: where readings say that nothing does, nothing does.

What lies over a spot is told from what the spot looked like when it was settled. That may be wrong:
torn pictures were taken for the board in a new light, or what lay there was. Then bare board seems
covered, and what is covered is frozen, for good. So what seems covered and holds still is read
all the same, ever more rarely, and what reads plainly as is believed is taken as it looks.
"""

from __future__ import annotations

import numpy as np
from railspotter.calibration.arrays import Indices, Mask

from .belief import BeliefSettings
from .looks import LookRead
from .settling import FrameChanges, Settling
from .watched_board import WatchedBoard

LIES_S = 5.0  # for how long nothing must have moved over a spot: no hand holds still for so long
# Readings in a row that say plainly what is believed: under a card or a hand they do not.
AGREEING = 2
# How long after the last reading the next one is worth it, by their number: what really lies there
# may lie there for the whole evening.
AGAIN_S = 0.0, 1.0, 5.0, 10.0, 20.0, 60.0


class CoveredSpots:
    """Holds what readings say of the spots that seem to be covered."""

    def __init__(self, spots: WatchedBoard, settings: BeliefSettings) -> None:
        self._spots, self._settings = spots, settings
        self._since_s = np.full(len(spots), np.inf)
        self._agreeing = np.zeros(len(spots), np.intp)
        self._was_read = np.zeros(len(spots), np.bool_)
        self._reads, self._read_s = 0, -np.inf

    def lost(self) -> None:
        """Take in that the board was not found: nobody knows what happens to it."""
        self._forget(np.ones(len(self._spots), np.bool_))

    def observe(self, sight: FrameChanges, settling: Settling) -> None:
        """Take in a frame that has settled."""
        # What seems covered by a hair is free in one frame and covered in the next.
        is_seen = settling.still_s >= settling.settings.still_s
        lies = ~is_seen & ~sight.stirred & (sight.disturbed | np.isfinite(self._since_s))
        self._forget(~lies)
        np.minimum(self._since_s, sight.at_s, out=self._since_s, where=lies)

    def is_due(self, at_s: float) -> bool:
        """Tell whether they are worth a reading."""
        lying = self._lying(at_s)
        if (lying & ~self._was_read).any():
            return True
        return bool(lying.any()) and at_s > self._read_s + AGAIN_S[self._reads]

    def take_in(self, read: LookRead) -> None:
        """Take in what a look says of them."""
        lying = self._lying(read.at_s)
        self._reads = 1 if (lying & ~self._was_read).any() else self._reads + 1
        self._reads = min(self._reads, len(AGAIN_S) - 1)
        self._read_s = read.at_s
        self._was_read |= lying
        for spot in self._spots.where(lying):
            seen = read.seen.get(spot.spot)
            agrees = (
                seen is not None
                and seen.doubt is None
                and seen.answer == spot.believed
                and seen.visible >= self._settings.visible
            )
            self._agreeing[spot.index] = self._agreeing[spot.index] + 1 if agrees else 0

    def take_free(self) -> Indices:
        """Return the spots over which nothing lies after all; they are looked after no more."""
        free = self._agreeing >= AGREEING
        self._forget(free)
        return np.flatnonzero(free)

    def _lying(self, at_s: float) -> Mask:
        """Return the spots over which something seems to lie quite still, (S,)."""
        return np.asarray(at_s - self._since_s >= LIES_S - 1e-9, np.bool_)

    def _forget(self, spots: Mask) -> None:
        self._since_s[spots] = np.inf
        self._agreeing[spots] = 0
        self._was_read[spots] = False
