"""How long each spot has held still, what lies over it, and what state the board is in.

A pure state machine: frames come in as what was seen in them, with their time.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from railspotter.calibration.arrays import Float64s, Indices, Mask

LONGEST_S = 1.0  # what happened in a longer pause between two frames nobody saw
STILL_S = 0.7  # a claim needs a still picture for so long
READ_AFTER_S = 0.1  # a reading is worth its cost from then on: it takes a while itself


class WatchState(StrEnum):
    """What the watcher is doing, in the words that people see."""

    SEARCHING = "searching"
    MOVED = "moved"
    HAND = "hand"
    SETTLING = "settling"
    SETTLED = "settled"


@dataclass(frozen=True, eq=False)
class FrameChanges:
    """What one frame shows, before anything is read."""

    at_s: float  # when it was taken; never goes back
    disturbed: Mask  # (S,) bool: the spots that something moves over, or lies over
    changed: Mask  # (S,) bool array. Those that look different from when they were settled.
    # (N,) bool: the parts that changed so much that a piece may have come or gone.
    changed_parts: Mask
    is_hand: bool  # something moves or lies over the board, be it where nothing can stand
    stirred: Mask  # (S,) bool: the spots that something moves over
    wholly_changed: Mask  # (S,) bool: the spots of which every part changed nearly all over
    is_relit: bool = False  # a lamp was switched: nearly everything looks different at once
    is_still: bool = True  # nothing moves, over the board or beside it
    is_anew: bool = False  # the board was taken as it looks now, after a lamp or a push


class Settling:
    """Knows since when each spot holds still; a hand over one spot freezes no other.

    Attributes
    ----------
    still_s : (S,) float array
        For how long each spot has held still; 0 for one that does not.
    changed_since_s : (S,) float array
        When each spot was first seen free of hands and changed since it was settled.
    unsure_s : (S,) float array
        For how long altogether it was seen so; hands that pass over it only interrupt that.
    unseen_s : (S,) float array
        For how long, while the board was in sight, it has not once been free of hands and
        things for as long as a claim needs.
    lies_since_s : (S,) float array
        Since when something seems to lie over it quite still.
    in_sight : (S,) bool array
        Whether it looks different now, and nothing moves or lies over it.
    stays_open : (S,) bool array
        Whether a lamp or a push found it open, so that it is not settled as it looks afterwards.
    """

    def __init__(self, count: int) -> None:
        self.state = WatchState.SEARCHING
        self.at_s = -np.inf
        self.still_since_s = np.full(count, np.inf)
        self.changed_since_s = np.full(count, np.inf)
        self.still_s: Float64s = np.zeros(count)
        self.unsure_s = np.zeros(count)
        self.unseen_s = np.zeros(count)
        self.lies_since_s = np.full(count, np.inf)
        self.in_sight = np.zeros(count, np.bool_)
        self.stays_open = np.zeros(count, np.bool_)
        # Which were open when nothing moved last: changed and not decided, or something lay there.
        self._was_open = np.zeros(count, np.bool_)
        self._moved_s = -np.inf

    def lost(self, at_s: float) -> None:
        """Take in a frame in which the board was not found: nobody knows what happens."""
        self.at_s = at_s
        self.still_since_s[:] = self.lies_since_s[:] = np.inf
        self.still_s = np.zeros_like(self.still_s)
        self.in_sight = np.zeros_like(self.in_sight)
        self.state = WatchState.SEARCHING

    def moved(self, at_s: float) -> None:
        """Take in that the board is seen elsewhere now; every spot begins anew."""
        self._moved_s = at_s
        self.still_since_s[:] = np.inf
        self.still_s = np.zeros_like(self.still_s)

    def decided(self, spots: Indices) -> None:
        """Take in that it is known of some spots why they changed."""
        self.changed_since_s[spots] = np.inf
        self.unsure_s[spots] = 0.0

    def observe(self, sight: FrameChanges, decided: Mask, *, has_moved: bool = False) -> None:
        """Take in a frame in which the board was found.

        Parameters
        ----------
        decided : (S,) bool array
            Of which spots that looked different in the last frame it is known what stands there.
        has_moved : bool
            Whether the board was pushed.
        """
        self._keep_open(sight, decided, has_moved)
        self.in_sight = sight.changed & ~sight.disturbed
        goes_on = self.in_sight & np.isfinite(self.changed_since_s + self.still_since_s)
        passed_s = min(sight.at_s - self.at_s, LONGEST_S)
        self.unsure_s[goes_on] += passed_s
        self.unseen_s += passed_s
        self.changed_since_s[self.in_sight & np.isinf(self.changed_since_s)] = sight.at_s
        self.decided(np.flatnonzero(~sight.changed & ~sight.disturbed))
        self.at_s = sight.at_s
        self.still_since_s[sight.disturbed] = np.inf
        begins = ~sight.disturbed & np.isinf(self.still_since_s)
        self.still_since_s[begins] = sight.at_s
        self.still_s = np.maximum(self.at_s - self.still_since_s, 0.0)
        self.unseen_s[self.still_s >= STILL_S - 1e-9] = 0.0
        # What seems covered by a hair is free in one frame and covered in the next.
        lies = sight.disturbed | np.isfinite(self.lies_since_s)
        lies &= (self.still_s < STILL_S) & ~sight.stirred
        self.lies_since_s = np.where(lies, np.minimum(self.lies_since_s, sight.at_s), np.inf)
        if sight.at_s - self._moved_s < STILL_S:
            self.state = WatchState.MOVED
        elif sight.is_hand:
            self.state = WatchState.HAND
        elif sight.changed.any():
            self.state = WatchState.SETTLING
        else:
            self.state = WatchState.SETTLED

    def _keep_open(self, sight: FrameChanges, decided: Mask, has_moved: bool) -> None:
        """Keep which spots are open while a lamp or a push makes everything look different."""
        is_open = sight.changed | sight.disturbed
        if has_moved or sight.is_relit:
            self.stays_open |= self._was_open
        else:
            self.stays_open &= is_open
            if sight.is_anew:  # what a hand is over may be laid just now
                self.stays_open |= sight.disturbed
        if sight.is_still and not sight.is_relit:
            self._was_open = is_open & ~decided

    @property
    def readable(self) -> Mask:
        """The spots that hold still for long enough to be worth a reading, (S,)."""
        return np.asarray(self.still_s >= READ_AFTER_S - 1e-9, np.bool_)


def where(mask: Mask) -> list[int]:
    """Return where a mask of spots or parts is true."""
    indices: list[int] = np.flatnonzero(mask).tolist()
    return indices
