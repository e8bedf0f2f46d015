"""What speaks for a belief about one spot: readings, what is likely, and what can follow.

What stands on a spot that did not change is what stood there before, whatever one reading says.
Of one that changed, readings of several frames are asked until they agree; what stays in doubt
although nothing moves becomes one question.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..reading.several_photos import MOST
from ..readings import Colour, Doubt


@dataclass(frozen=True, slots=True)
class SpaceReading:
    """What one reading says of one space of a route."""

    colour: Colour | None  # of the train that is likeliest to stand there; None for none
    lead: float  # log-odds by which that leads the next answer


@dataclass(frozen=True)
class SpotReading:
    """What one reading says of one spot."""

    answer: Colour | None  # the likeliest colour; None for free
    odds: tuple[float, ...]  # log-odds of every colour
    # parts, covered: How many pieces make it full, and how many of the likeliest colour look to be
    # there.
    parts: int
    covered: int
    visible: float = 1.0  # how much of it can be seen, 0 to 1
    doubt: Doubt | None = None
    shape: float = 0.0  # log-odds that something stands there, by shape alone
    # The colour that what is on top there is nearest to, whatever the print is.
    nearest: Colour | None = None
    # How much likelier it is than the next one, as a logarithm: if something stands there.
    nearest_lead: float = 0.0
    # What stands on each space of a route, from its first place on, each looked at by itself. None
    # of stations, and of routes that one piece marks.
    spaces: tuple[SpaceReading, ...] = ()

    @property
    def is_partly_laid(self) -> bool:
        """Whether some of its pieces seem to be there and others not."""
        return self.doubt is not None and 0 < self.covered < self.parts

    @property
    def lead(self) -> float:
        """By how much the likeliest colour leads the next one."""
        if len(self.odds) == 1:
            return float("inf")
        second, best = sorted(self.odds)[-2:]
        return best - second


@dataclass(frozen=True)
class Expectation:
    """What the caller knows to be likely; it weighs in and decides nothing."""

    # The colours whose turn it may be; None when nobody knows.
    may_claim: Collection[Colour] | None = None
    # How many pieces of a colour are left to lay; a colour that is missing has enough.
    stock: Mapping[Colour, int] = field(default_factory=dict)

    def allows(self, colour: Colour, pieces: int) -> bool:
        """Tell whether a colour has so many pieces left."""
        return self.stock.get(colour, pieces) >= pieces

    def expects(self, colour: Colour) -> bool:
        """Tell whether it may be that colour's turn."""
        return self.may_claim is None or colour in self.may_claim


@dataclass(frozen=True)
class Undecided:
    """Nothing follows yet."""

    for_reading: bool = True  # whether another reading would help


@dataclass(frozen=True)
class Belief:
    """A colour stands there, or None; `sure` is how probable it is, 0 to 1."""

    colour: Colour | None
    sure: float


@dataclass(frozen=True)
class OpenQuestion:
    """People have to say; until then everything stays as it was."""

    doubt: Doubt


Decision = Undecided | Belief | OpenQuestion


def summed(seen: Sequence[SpotReading]) -> float:
    """Return what readings that say the same add up to, in log-odds.

    Frames of one still scene repeat part of their mistakes: any number of them counts for no more
    than two that are independent.

    Examples
    --------
    >>> seen = SpotReading("red", (1.0,), parts=1, covered=1)
    >>> [round(summed([seen] * count), 2) for count in (1, 3, 100)]
    [1.0, 1.5, 1.98]
    """
    count = len(seen)
    mean = sum(float(np.clip(max(one.odds), -MOST, MOST)) for one in seen) / count
    return (mean if seen[-1].answer is not None else -mean) * 2 * count / (count + 1)
