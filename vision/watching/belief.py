"""Values about one spot: what readings say, what is expected, and what is believed.

A spot that did not change keeps its belief, whatever one reading says. One that changed is read
until several readings agree; if it stays in doubt although nothing moves, it becomes a question.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..reading.several_photos import MOST
from ..readings import Colour, Doubt


@dataclass(frozen=True, slots=True)
class SpaceReading:
    """One reading of one space of a route."""

    colour: Colour | None  # the likeliest train's; None for free
    lead: float  # log-odds over the next likely answer


@dataclass(frozen=True)
class SpotReading:
    """One reading of one spot."""

    answer: Colour | None  # the likeliest colour; None for free
    odds: tuple[float, ...]  # log-odds of every colour
    parts: int  # how many pieces make it full
    covered: int  # how many pieces of the likeliest colour seem to be there
    visible: float = 1.0  # visibility, 0 to 1
    doubt: Doubt | None = None
    is_strange: bool = False  # trains that are no player's seem to be there: then it is no `answer`
    shape: float = 0.0  # log-odds that something stands there, by shape alone
    nearest: Colour | None = None  # the colour nearest to that of the tops, whatever the print is
    nearest_lead: float = 0.0  # its log-likelihood ratio over the next one
    # Readings of each space of a route by itself, from `a` on. Empty for stations and for single
    # pieces.
    spaces: tuple[SpaceReading, ...] = ()

    @property
    def is_partly_laid(self) -> bool:
        """Whether some of its pieces seem to be there, but not all."""
        return self.doubt is not None and 0 < self.covered < self.parts

    @property
    def lead(self) -> float:
        """Log-odds of the likeliest colour over the next one."""
        if len(self.odds) == 1:
            return float("inf")
        second, best = sorted(self.odds)[-2:]
        return best - second


@dataclass(frozen=True)
class Expectation:
    """What the caller expects next; it weighs in, but decides nothing."""

    # Colours whose turn it may be; None if unknown.
    may_claim: Collection[Colour] | None = None
    # Pieces left by colour; missing colours have enough.
    stock: Mapping[Colour, int] = field(default_factory=dict)

    def allows(self, colour: Colour, pieces: int) -> bool:
        """Tell whether a colour has so many pieces left."""
        return self.stock.get(colour, pieces) >= pieces

    def expects(self, colour: Colour) -> bool:
        """Tell whether it may be that colour's turn."""
        return self.may_claim is None or colour in self.may_claim


@dataclass(frozen=True)
class Undecided:
    """The decision to wait."""

    for_reading: bool = True  # whether for another reading


@dataclass(frozen=True)
class Belief:
    """The decision that a colour stands there, or None; `sure` is its probability."""

    colour: Colour | None
    sure: float


# A doubt is the decision to ask people; until they answer, the belief stays.
Decision = Undecided | Belief | Doubt


def summed_log_odds(seen: Sequence[SpotReading]) -> float:
    """Return the sum of the log-odds of readings with the same answer.

    Frames of one still scene share mistakes: any number of them counts as two independent ones at
    most.

    Examples
    --------
    >>> seen = SpotReading("red", (1.0,), parts=1, covered=1)
    >>> [round(summed_log_odds([seen] * count), 2) for count in (1, 3, 100)]
    [1.0, 1.5, 1.98]
    """
    count = len(seen)
    mean = sum(float(np.clip(max(one.odds), -MOST, MOST)) for one in seen) / count
    return (mean if seen[-1].answer is not None else -mean) * 2 * count / (count + 1)
