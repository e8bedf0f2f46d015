"""A game that runs before a camera, as those see it who look on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from railspotter.scoring import Standing

from .scored_photo import ScoredPhoto


@dataclass(frozen=True, eq=False)
class LiveState:
    """What is known of a running game at one moment.

    Attributes
    ----------
    number : int
        Rises whenever `photo` or `final` change.
    game : int
        Which game it is.
    t_s, duration_s : float
        How long it has been going on, and how long it takes.
    photo : ScoredPhoto or None
        The newest picture that was read; None before the first.
    final : Standing or None
        The final score, tickets and bonuses counted, once the game is over and its last position
        read.
    """

    number: int
    game: int
    t_s: float
    duration_s: float
    photo: ScoredPhoto | None = None
    final: Standing | None = None

    @property
    def is_over(self) -> bool:
        """Whether the last turn was taken."""
        return self.t_s >= self.duration_s


class Live(Protocol):
    """A running game. Several threads may ask at once, and none waits for a reading."""

    def picture(self) -> bytes:
        """Return what the camera sees, as the content of a JPEG file."""
        ...

    def state(self) -> LiveState:
        """Return what is known now."""
        ...
