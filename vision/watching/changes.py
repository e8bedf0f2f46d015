"""What a watcher says: changes of what is believed, and questions, as values."""

from __future__ import annotations

from dataclasses import dataclass

from railspotter.scoring.spot import Spot

from ..readings import Colour, Doubt
from .settling import WatchState

Box = tuple[int, int, int, int]
"""Left, top, right and bottom in the frame's pixels; the last two are just outside."""


@dataclass(frozen=True)
class Change:
    """Something that is believed from now on.

    Attributes
    ----------
    spot : Spot
    at_s : float
        When it was said.
    still_s : float
        For how long nothing had moved over the spot by then: the time since the hand was gone.
    box_px : tuple of int
        Where the spot is in the frame, for a picture that proves it.
    """

    spot: Spot
    at_s: float
    still_s: float
    box_px: Box


@dataclass(frozen=True)
class Appeared(Change):
    """Pieces of a colour stand there.

    Attributes
    ----------
    sure : float
        How probable it is, 0 to 1.
    seen_to_change : bool
        The spot was seen to change since it was last settled, or a person said what stands there.
    """

    colour: Colour
    sure: float
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
class Observation:
    """What one frame came to.

    Attributes
    ----------
    state : WatchState
    changes : tuple of Change
    """

    at_s: float
    state: WatchState
    changes: tuple[Change, ...] = ()
