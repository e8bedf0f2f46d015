"""Values about one spot of a watched board: what is seen, expected and believed of it, its state.

A spot that did not change keeps its belief, whatever one reading says. One that changed is read
until several readings agree; if it stays in doubt although nothing moves, it becomes a question.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

import numpy as np
from railspotter.scoring.spot import Spot

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

    >>> seen = SpotReading("red", (1.0,), parts=1, covered=1)
    >>> [round(summed_log_odds([seen] * count), 2) for count in (1, 3, 100)]
    [1.0, 1.5, 1.98]
    """
    count = len(seen)
    mean = sum(float(np.clip(max(one.odds), -MOST, MOST)) for one in seen) / count
    return (mean if seen[-1].answer is not None else -mean) * 2 * count / (count + 1)


class Phase(Enum):
    """The phase of a spot; questions about it are in `Questions`."""

    KNOWN = "known"  # it looks settled, or something lies over it
    DISPUTED = "disputed"  # it looks settled, but readings contradict the belief
    CHANGING = "changing"  # it looks different and is being read
    DECIDED = "decided"  # it looks different, and is decided
    SAID = "said"  # a person said what stands there, and it has not held still since


class Proof(Enum):
    """The evidence for the belief about a spot."""

    NONE = "none"  # no reading yet: it was seen to change, or is the initial belief
    READ = "read"  # confirmed by a reading
    TOUCHED = "touched"  # confirmed, but something moved over the spot since
    GIVEN = "given"  # said by a person, or a train taken for a station: readings cannot contradict


@dataclass(frozen=True, slots=True)
class SpotState:
    """The state of one spot; its times are in `Settling`, for all spots at once."""

    spot: Spot
    # How many pieces make it full: a route's spaces; 1 for a station, or one piece a route.
    parts: int = 1
    # The believed colour; None for free.
    believed: Colour | None = None
    phase: Phase = Phase.KNOWN
    proof: Proof = Proof.NONE
    # Readings with the times of their frames: while it is changing, all since it came to rest; else
    # the last ones that contradict the belief.
    readings: tuple[tuple[float, SpotReading], ...] = ()
    wants_look: bool = True  # whether another reading would help
    # Whether its change has an explanation: a claim beside it, a lamp, a push.
    is_explained: bool = False
    # The colour of a claimed route that ends at this place, if it changed with it; else None.
    came_with: Colour | None = None
    # Colours of trains there that were read as stations.
    taken_for_train: frozenset[Colour] = frozenset()
    # Parts that changed since the last claim while the spot was judged free: one of them may be the
    # first train of a route.
    changed_before: frozenset[int] = frozenset()
    was_laid_singly: bool = False  # whether all of its parts have changed so

    @property
    def is_idle(self) -> bool:
        """Whether frames in which it looks settled or hidden need not be processed.

        Except for the first hand over it since a reading confirmed the belief.
        """
        return self.phase is Phase.KNOWN and not self.is_explained and self.came_with is None

    @property
    def is_in_doubt(self) -> bool:
        """Whether the last reading has a doubt."""
        return bool(self.readings) and self.readings[-1][1].doubt is not None

    @property
    def seen(self) -> list[SpotReading]:
        """Its readings without times, in order."""
        return [seen for _, seen in self.readings]


@dataclass(frozen=True, slots=True)
class Seen:
    """What one frame shows of a spot, with its times and circumstances."""

    is_changed: bool  # it looks different from when it was settled
    is_disturbed: bool  # something moves or lies over it
    still_s: float = 0.0  # time for which it has held still
    unsure_s: float = 0.0  # total time for which it was in sight and looked changed
    changed_parts: frozenset[int] = frozenset()  # where a piece may have come or gone
    is_wholly_changed: bool = False  # all of its parts look different nearly all over
    is_relit: bool = False  # a lamp was switched or the board pushed just now
    is_asked: bool = False  # people are asked about it
    may_be_beside: bool = False  # a free lane beside it changed nearly all over, too
    # An undecided route that ends there changed with it: it may be a train and no station.
    may_be_train: bool = False
    is_last: bool = False  # the game is over: remaining doubts are asked

    @property
    def parts_changed(self) -> int:
        """How many parts changed enough for a piece to have come or gone."""
        return len(self.changed_parts)

    @property
    def doubted_s(self) -> float:
        """Time for which it has looked changed; hands that pass over it only pause that."""
        return max(self.still_s, self.unsure_s)

    @property
    def in_sight(self) -> bool:
        """Whether it looks different, and nothing moves or lies over it."""
        return self.is_changed and not self.is_disturbed
