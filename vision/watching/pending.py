"""A spot that changed and is not decided: what was seen of it since it came to rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from .belief import SpotReading


@dataclass
class Pending:
    """What was seen of a spot that changed.

    Attributes
    ----------
    seen : list of SpotReading
        What readings said since it came to rest, in order.
    last_look_s : float
        When the last of them was taken.
    wants_look : bool
        Whether another one would help.
    is_decided : bool
    """

    seen: list[SpotReading] = field(default_factory=list)
    last_look_s: float = -np.inf
    wants_look: bool = True
    is_decided: bool = False

    def is_due(self, at_s: float, again_s: Sequence[float]) -> bool:
        """Tell whether it is worth another reading.

        Parameters
        ----------
        again_s : sequence of float
            How long after the last reading the next one is worth it, by their number.
        """
        if self.is_decided or not self.wants_look:
            return False
        return at_s > self.last_look_s + again_s[min(len(self.seen), len(again_s) - 1)]

    def take_in(self, seen: SpotReading, at_s: float) -> None:
        """Take in what a reading says."""
        self.seen.append(seen)
        self.last_look_s = at_s
