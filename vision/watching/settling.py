"""How long each spot has held still, and what state the board is in.

A pure state machine: frames come in as what was seen in them, with their time.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from railspotter.calibration.arrays import Float64s, Indices, Mask

LONGEST_S = 1.0  # what happened in a longer pause between two frames nobody saw


class WatchState(StrEnum):
    """What the watcher is doing, in the words that people see."""

    SEARCHING = "searching"
    MOVED = "moved"
    HAND = "hand"
    SETTLING = "settling"
    SETTLED = "settled"


@dataclass(frozen=True)
class SettlingSettings:
    """For how long things must hold still."""

    still_s: float = 0.7  # a claim needs a still picture for so long
    read_after_s: float = 0.1  # a reading is worth its cost from then on: it takes a while itself


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
    changed_since_s : (S,) float array
        When each spot was first seen free of hands and changed since it was settled.
    unsure_s : (S,) float array
        For how long altogether it was seen so; hands that pass over it only interrupt that.
    unseen_s : (S,) float array
        For how long, while the board was in sight, it has not once been free of hands and
        things for as long as a claim needs.
    """

    def __init__(self, count: int, settings: SettlingSettings | None = None) -> None:
        self.settings = settings or SettlingSettings()
        self.state = WatchState.SEARCHING
        self.at_s = -np.inf
        self.still_since_s = np.full(count, np.inf)
        self.changed_since_s = np.full(count, np.inf)
        self.unsure_s = np.zeros(count)
        self.unseen_s = np.zeros(count)
        self._moved_s = -np.inf

    def lost(self, at_s: float) -> None:
        """Take in a frame in which the board was not found: nobody knows what happens."""
        self.at_s = at_s
        self.still_since_s[:] = np.inf
        self.state = WatchState.SEARCHING

    def moved(self, at_s: float) -> None:
        """Take in that the board is seen elsewhere now; every spot begins anew."""
        self._moved_s = at_s
        self.still_since_s[:] = np.inf

    def decided(self, spots: Indices) -> None:
        """Take in that it is known of some spots why they changed."""
        self.changed_since_s[spots] = np.inf
        self.unsure_s[spots] = 0.0

    def observe(self, sight: FrameChanges) -> None:
        """Take in a frame in which the board was found."""
        seen_changed = sight.changed & ~sight.disturbed
        goes_on = seen_changed & np.isfinite(self.changed_since_s + self.still_since_s)
        passed_s = min(sight.at_s - self.at_s, LONGEST_S)
        self.unsure_s[goes_on] += passed_s
        self.unseen_s += passed_s
        self.changed_since_s[seen_changed & np.isinf(self.changed_since_s)] = sight.at_s
        self.decided(np.flatnonzero(~sight.changed & ~sight.disturbed))
        self.at_s = sight.at_s
        self.still_since_s[sight.disturbed] = np.inf
        begins = ~sight.disturbed & np.isinf(self.still_since_s)
        self.still_since_s[begins] = sight.at_s
        self.unseen_s[self.still_s >= self.settings.still_s - 1e-9] = 0.0
        if sight.at_s - self._moved_s < self.settings.still_s:
            self.state = WatchState.MOVED
        elif sight.is_hand:
            self.state = WatchState.HAND
        elif sight.changed.any():
            self.state = WatchState.SETTLING
        else:
            self.state = WatchState.SETTLED

    @property
    def still_s(self) -> Float64s:
        """For how long each spot has held still, (S,); 0 for one that does not."""
        return np.maximum(self.at_s - self.still_since_s, 0.0)

    @property
    def readable(self) -> Mask:
        """The spots that hold still for long enough to be worth a reading, (S,)."""
        return np.asarray(self.still_s >= self.settings.read_after_s - 1e-9, np.bool_)
