"""How long a lost or silent source is waited for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True)
class Patience:
    """How long a source is waited for, and when it is tried again.

    Attributes
    ----------
    first_s, most_s : float
        The pauses before trying again: each is twice the one before, from the first to the longest.
    jitter : float
        The part of a pause by which it is longer or shorter by chance, so that two tables that lost
        one camera do not ask it in step for ever.
    stalled_s : float
        A source without a sign of life for so long is said to be silent.
    hung_s : float
        One without a sign of life for so long is given up and opened anew. It is longer than what
        drivers wait themselves: V4L2 gives up after 10 s.
    """

    first_s: float = 0.5
    most_s: float = 15.0
    jitter: float = 0.2
    stalled_s: float = 5.0
    hung_s: float = 30.0

    def pauses_s(self, chance: Random) -> Iterator[float]:
        """Yield the pauses before one try after the other.

        Examples
        --------
        >>> from itertools import islice
        >>> [*islice(Patience(jitter=0.0, most_s=3.0).pauses_s(Random(1)), 5)]
        [0.5, 1.0, 2.0, 3.0, 3.0]
        """
        pause_s = self.first_s
        while True:
            yield pause_s * chance.uniform(1 - self.jitter, 1 + self.jitter)
            pause_s = min(2 * pause_s, self.most_s)
