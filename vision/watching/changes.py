"""What a watcher says: changes of what is believed, and questions, as values."""

from __future__ import annotations

from dataclasses import dataclass

from railspotter.scoring.spot import Spot

from ..readings import Colour, Doubt
from .settling import WatchState

# Left, top, right and bottom in the frame's pixels; the last two are just outside.
Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Change:
    """Something that is believed from now on."""

    spot: Spot
    at_s: float  # when it was said
    # For how long nothing had moved over the spot by then: the time since the hand was gone.
    still_s: float
    box_px: Box  # where the spot is in the frame, for a picture that proves it


@dataclass(frozen=True)
class Appeared(Change):
    """Pieces of a colour stand there."""

    colour: Colour
    sure: float  # how probable it is, 0 to 1
    # The spot was seen to change since it was last settled, or a person said what stands there.
    seen_to_change: bool = True


@dataclass(frozen=True)
class Vanished(Change):
    """What stood there stands there no more."""

    colour: Colour
    sure: float
    seen_to_change: bool = True


@dataclass(frozen=True)
class QuestionAsked(Change):
    """People have to say what stands there; until then what was believed counts."""

    doubt: Doubt


@dataclass(frozen=True)
class QuestionWithdrawn(Change):
    """What was asked has become clear, or does not matter any more."""


@dataclass(frozen=True)
class FrameOutcome:
    """What one frame came to."""

    at_s: float
    state: WatchState
    changes: tuple[Change, ...] = ()
