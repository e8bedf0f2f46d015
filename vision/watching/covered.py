"""What seems to lie over spots of a board, and does not after all.

What lies over a spot is told from what the spot looked like when it was settled. That may be
wrong: torn pictures were taken for the board in a new light, or what lay there was. Then bare
board seems covered, and what is covered is frozen, for good. So what seems covered and holds
still is read all the same, ever more rarely, and what reads plainly as is believed is taken as
it looks.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from railspotter.calibration.arrays import Mask

from ..reading.doubts import VISIBLE
from .judging import AGREEING
from .looks import LookRead
from .motion import HAND_S
from .settling import Settling, where
from .spot_state import SpotState

# How long after the last reading the next one is worth it, by their number: what really lies there
# may lie there for the whole evening.
AGAIN_S = 0.0, 1.0, 5.0, 10.0, 20.0, 60.0


class CoveredSpots:
    """Holds what readings say of the spots that seem to be covered."""

    def __init__(self, settling: Settling) -> None:
        self._settling = settling
        # How many readings in a row agreed with what is believed of each; -1 before the first.
        self._agreeing = np.full(len(settling.still_s), -1)
        self._reads, self._read_s = 0, -np.inf

    def observe(self) -> None:
        """Take in a frame that has settled."""
        self._agreeing[np.isinf(self._settling.lies_since_s)] = -1

    def is_due(self, at_s: float) -> bool:
        """Tell whether they are worth a reading."""
        agreeing = self._agreeing[self._lying(at_s)]
        is_again = len(agreeing) > 0 and at_s > self._read_s + AGAIN_S[self._reads]
        return is_again or bool((agreeing < 0).any())

    def take_in(self, read: LookRead, states: Sequence[SpotState]) -> None:
        """Take in what a look says of them."""
        lying = self._lying(read.at_s)
        self._reads = 1 if (self._agreeing[lying] < 0).any() else self._reads + 1
        self._reads = min(self._reads, len(AGAIN_S) - 1)
        self._read_s = read.at_s
        for s in where(lying):
            seen = read.seen.get(states[s].spot)
            is_plain = (
                seen is not None
                and seen.doubt is None
                and seen.answer == states[s].believed
                and seen.visible >= VISIBLE
            )
            self._agreeing[s] = max(self._agreeing[s], 0) + 1 if is_plain else 0

    def take_free(self) -> list[int]:
        """Return the spots over which nothing lies after all; they are looked after no more."""
        free = self._agreeing >= AGREEING
        self._settling.lies_since_s[free] = np.inf
        self._agreeing[free] = -1
        return where(free)

    def _lying(self, at_s: float) -> Mask:
        """Return the spots over which something seems to lie quite still, (S,)."""
        return np.asarray(at_s - self._settling.lies_since_s >= HAND_S - 1e-9, np.bool_)
