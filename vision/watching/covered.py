"""Rereads spots that seem covered, since they may be bare after all.

A spot seems covered if it looks unlike its settled picture. That picture may be wrong: torn frames,
or things that lay there, were taken for the board in a new light. Then bare board would seem
covered, and keep its belief, for good. So spots that seem covered and hold still are read all the
same, more and more rarely, and if readings surely agree with the belief, they are settled as they
look.
"""

from collections.abc import Sequence

import numpy as np
from railspotter.calibration.arrays import Mask

from ..reading.doubts import VISIBLE
from .judging import AGREEING
from .looks import LookRead
from .motion import HAND_S
from .settling import Settling, indices_of
from .spot_state import SpotState

# Seconds from the last reading to the next, by the number of readings: a thing may lie there for
# the whole evening.
AGAIN_S = 0.0, 1.0, 5.0, 10.0, 20.0, 60.0


class CoveredSpots:
    """Counts the agreeing readings of spots that seem to be covered."""

    def __init__(self, settling: Settling) -> None:
        self._settling = settling
        # Readings in a row that agreed with each spot's belief; -1 before the first.
        self._agreeing = np.full(len(settling.still_s), -1)
        self._reads, self._read_s = 0, -np.inf

    def observe(self) -> None:
        """Reset spots that do not seem covered any more, after a frame."""
        self._agreeing[np.isinf(self._settling.lies_since_s)] = -1

    def is_due(self, at_s: float) -> bool:
        """Tell whether another reading is due."""
        agreeing = self._agreeing[self._lying(at_s)]
        is_again = len(agreeing) > 0 and at_s > self._read_s + AGAIN_S[self._reads]
        return is_again or bool((agreeing < 0).any())

    def add_look(self, read: LookRead, states: Sequence[SpotState]) -> None:
        """Count a reading of the spots that seem covered."""
        lying = self._lying(read.at_s)
        self._reads = 1 if (self._agreeing[lying] < 0).any() else self._reads + 1
        self._reads = min(self._reads, len(AGAIN_S) - 1)
        self._read_s = read.at_s
        for s in indices_of(lying):
            seen = read.seen.get(states[s].spot)
            is_plain = (
                seen is not None
                and seen.doubt is None
                and seen.answer == states[s].believed
                and seen.visible >= VISIBLE
            )
            self._agreeing[s] = max(self._agreeing[s], 0) + 1 if is_plain else 0

    def pop_bare(self) -> list[int]:
        """Return the spots that are bare after all, and stop counting them."""
        free = self._agreeing >= AGREEING
        self._settling.lies_since_s[free] = np.inf
        self._agreeing[free] = -1
        return indices_of(free)

    def _lying(self, at_s: float) -> Mask:
        """Return the spots over which something seems to lie still, (S,)."""
        return np.asarray(at_s - self._settling.lies_since_s >= HAND_S - 1e-9, np.bool_)
