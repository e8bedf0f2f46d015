"""A spot of a watched board: what is known of it, a state with a name, and what a frame shows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from railspotter.scoring.spot import Spot

from ..readings import Colour
from .belief import SpotReading


class Phase(Enum):
    """What is going on at a spot; whether people are asked about it, `Questions` says."""

    KNOWN = "known"  # it looks as it did when it was settled, or something lies over it
    DISPUTED = "disputed"  # readings contradict what is believed, though nobody saw it change
    CHANGING = "changing"  # it looks different, and readings are to say what stands there
    DECIDED = "decided"  # it looks different, and it is known what stands there
    # A person said what stands there, and it has not held still since: what it shows when it does
    # is what the person spoke of.
    SAID = "said"


class Proof(Enum):
    """What speaks for what is believed of a spot."""

    NONE = "none"  # it was seen to change, or watching began so
    READ = "read"  # readings have borne it out
    TOUCHED = "touched"  # they had, until something moved over the spot
    # No reading contradicts it: a person said it, or what looks like a station is a train.
    GIVEN = "given"


@dataclass(frozen=True, slots=True)
class SpotState:
    """All that is known of one spot.

    For how long it has held still and looked changed, `Settling` counts, for all spots at once.
    """

    spot: Spot
    parts: int = 1  # how many pieces make it full: a route's spaces, 1 for a station
    # The colour whose pieces stand there, as far as is known; None for free.
    believed: Colour | None = None
    phase: Phase = Phase.KNOWN
    proof: Proof = Proof.NONE
    # What was read of it, each with when its frame was taken: while it is changing, since it came
    # to rest; otherwise the last ones, as far as all of them contradict what is believed.
    readings: tuple[tuple[float, SpotReading], ...] = ()
    wants_look: bool = True  # whether another reading would help to decide it
    # Whether what changed there has a reason already: a claim beside it, a lamp, a push.
    is_explained: bool = False
    # The colour of the trains that end at this place, if it changed with them; None for others.
    came_with: Colour | None = None
    # The colours of which a station seemed to stand there, and it was the last train of a route.
    taken_for_train: frozenset[Colour] = frozenset()
    # The parts that changed since the last claim, though the spot was taken for free each time: one
    # of them may be the first train of a route.
    changed_before: frozenset[int] = frozenset()
    was_laid_singly: bool = False  # whether each of its parts has changed so, one after the other

    @property
    def is_idle(self) -> bool:
        """Whether a frame in which it looks settled, or is hidden, tells nothing new of it.

        But for a first hand over it since readings bore out what is believed.
        """
        return self.phase is Phase.KNOWN and not self.is_explained and self.came_with is None

    @property
    def is_in_doubt(self) -> bool:
        """Whether the last reading was."""
        return bool(self.readings) and self.readings[-1][1].doubt is not None

    @property
    def seen(self) -> list[SpotReading]:
        """What its readings said, in order."""
        return [seen for _, seen in self.readings]


@dataclass(frozen=True, slots=True)
class Seen:
    """What one frame shows of a spot, and what is known beside it by then."""

    is_changed: bool  # it looks different from when it was settled
    is_disturbed: bool  # something moves or lies over it
    still_s: float = 0.0  # for how long it has held still
    unsure_s: float = 0.0  # for how long it was in sight and looked changed, pauses left out
    changed_parts: frozenset[int] = frozenset()  # where a piece may have come or gone
    is_one_piece: bool = False  # one piece makes it full, however many spaces it has
    is_wholly_changed: bool = False  # each of its parts looks different nearly all over
    is_relit: bool = False  # a lamp was switched or the board pushed just now
    is_asked: bool = False  # people are asked about it
    may_be_beside: bool = False  # a free lane beside it looks different nearly all over, too
    # Trains that are not decided came with it and end there: it may be one of them, and no station.
    may_be_train: bool = False
    is_last: bool = False  # the game is over: what stays in doubt is asked about

    @property
    def parts_changed(self) -> int:
        """How many parts changed so much that a piece may have come or gone."""
        return min(len(self.changed_parts), 1) if self.is_one_piece else len(self.changed_parts)

    @property
    def doubted_s(self) -> float:
        """For how long it has looked changed: hands that pass over it only interrupt that."""
        return max(self.still_s, self.unsure_s)

    @property
    def in_sight(self) -> bool:
        """Whether it looks different, and nothing moves or lies over it."""
        return self.is_changed and not self.is_disturbed
