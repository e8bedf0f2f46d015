"""Tracks how long each spot has held still, what lies over it, and the state of the board.

A pure state machine: its input is `FrameChanges`, with the time of the frame.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from railspotter.calibration.arrays import Float64s, Indices, Mask

LONGEST_S = 1.0  # limit of the time counted between two frames
STILL_S = 0.7  # time for which a spot must be still for a claim
READ_AFTER_S = 0.1  # time for which a spot must be still for a reading, which takes a while itself


class WatchState(StrEnum):
    """State of a watcher."""

    SEARCHING = "searching"
    MOVED = "moved"
    HAND = "hand"
    SETTLING = "settling"
    SETTLED = "settled"


@dataclass(frozen=True, eq=False)
class FrameChanges:
    """What one frame shows of all spots, before any reading."""

    at_s: float  # monotonic time of the frame
    disturbed: Mask  # (S,): spots that something moves or lies over
    changed: Mask  # (S,): spots that look different from when they were settled
    changed_parts: Mask  # (N,): parts that changed enough for a piece to have come or gone
    is_hand: bool  # something moves or lies over the board, even where nothing can stand
    stirred: Mask  # (S,): spots that something moves over
    # (S,): spots whose parts all changed nearly all over; of one piece a route, any part.
    wholly_changed: Mask
    is_relit: bool = False  # a lamp was switched: nearly everything looks different at once
    is_still: bool = True  # nothing moves, over the board or beside it
    is_anew: bool = False  # cells were settled as they look now, after a lamp or a push


class Settling:
    """Tracks since when each spot holds still; a hand over one spot does not affect others."""

    def __init__(self, count: int) -> None:
        self.state = WatchState.SEARCHING
        self.at_s = -np.inf
        self.still_since_s = np.full(count, np.inf)
        # When each was first seen changed, without a hand, since it was settled.
        self.changed_since_s = np.full(count, np.inf)
        # The total time for which it was seen so; hands that pass over it only pause that.
        self.unsure_s = np.zeros(count)
        # The time, while the board was in sight, without any still period of `STILL_S`.
        self.unseen_s = np.zeros(count)
        # Since when something seems to lie still over it.
        self.lies_since_s = np.full(count, np.inf)
        # Whether it looks different now, and nothing moves or lies over it.
        self.in_sight = np.zeros(count, np.bool_)
        # Whether it was open when a lamp was switched or the board moved, so that it must not be
        # settled as it looks afterwards.
        self.stays_open = np.zeros(count, np.bool_)
        # Spots that were open when nothing moved last: changed and undecided, or covered.
        self._was_open = np.zeros(count, np.bool_)
        self._moved_s = -np.inf

    @property
    def still_s(self) -> Float64s:
        """How long each spot has held still, (S,); 0 for one that does not."""
        return np.maximum(self.at_s - self.still_since_s, 0.0)

    def lost(self, at_s: float) -> None:
        """Process a frame in which the board was not found."""
        self.at_s = at_s
        self.still_since_s[:] = self.lies_since_s[:] = np.inf
        self.in_sight = np.zeros_like(self.in_sight)
        self.state = WatchState.SEARCHING

    def moved(self, at_s: float) -> None:
        """Restart all spots after the board moved in the frame."""
        self._moved_s = at_s
        self.still_since_s[:] = np.inf

    def decided(self, spots: Indices) -> None:
        """Reset the times of changed spots that are decided."""
        self.changed_since_s[spots] = np.inf
        self.unsure_s[spots] = 0.0

    def observe(self, sight: FrameChanges, decided: Mask, *, has_moved: bool = False) -> None:
        """Process a frame in which the board was found.

        `decided` are the spots that looked different in the last frame and are decided, (S,).
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
        self.unseen_s[self.still_s >= STILL_S - 1e-9] = 0.0
        # A spot at the threshold is covered in one frame and free in the next.
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
        """Remember open spots while a lamp or a push makes everything look different."""
        is_open = sight.changed | sight.disturbed
        if has_moved or sight.is_relit:
            self.stays_open |= self._was_open
        else:
            self.stays_open &= is_open
            if sight.is_anew:  # a hand may be laying pieces just now
                self.stays_open |= sight.disturbed
        if sight.is_still and not sight.is_relit:
            self._was_open = is_open & ~decided


def indices_of(mask: Mask) -> list[int]:
    """Return the indices at which a mask is true."""
    indices: list[int] = np.flatnonzero(mask).tolist()
    return indices
