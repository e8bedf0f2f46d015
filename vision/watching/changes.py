"""The events of a watcher: changes of beliefs, and questions."""

from dataclasses import dataclass

from railspotter.scoring.spot import Spot

from ..readings import Colour, Doubt
from .settling import WatchState

# Left, top, right and bottom in the frame's pixels; the last two are just outside.
Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Change:
    """A change of one spot, base of all events."""

    spot: Spot
    at_s: float  # time of the frame
    still_s: float  # how long nothing had moved over the spot: since the hand was gone
    box_px: Box  # the spot in the frame, for a picture as proof


@dataclass(frozen=True)
class Appeared(Change):
    """Pieces of a colour stand there from now on."""

    colour: Colour
    sure: float  # probability, 0 to 1
    # Whether the spot was seen to change since it was settled, or a person said what stands there.
    seen_to_change: bool = True


@dataclass(frozen=True)
class Vanished(Change):
    """The pieces of a colour are gone."""

    colour: Colour
    sure: float
    seen_to_change: bool = True


@dataclass(frozen=True)
class QuestionAsked(Change):
    """People must say what stands there; until then the belief stays."""

    doubt: Doubt


@dataclass(frozen=True)
class QuestionWithdrawn(Change):
    """A question is answered by readings, or does not matter any more."""


@dataclass(frozen=True)
class FrameOutcome:
    """The result of one frame."""

    at_s: float
    state: WatchState
    changes: tuple[Change, ...] = ()
