"""The virtual board as a source: pictures drawn for every moment of an enacted game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from railspotter.calibration.arrays import Picture
from railspotter.scoring.sentence import Sentence

from .source import Shot, Shots, Source, Watch

ROUNDING_S = 1e-6


@dataclass(frozen=True)
class VirtualBoard(Source):
    """Scenes from an enactment, or anything else that has a picture for every moment.

    Attributes
    ----------
    picture_at : callable
        Returns the picture of a moment, in seconds from the beginning.
    duration_s : float or None
        When it ends; None for never.
    per_s : float
        Pictures for each of its seconds.
    as_fast_as_read : bool
        Whether its seconds pass as fast as the pictures are looked at, and none is missed.
    name : str
    may_begin : callable
        Tells whether its time may pass; until then its first moment is shown.
    longest_step_s : float
        Most of its time that passes from one picture to the next: where drawing takes longer,
        what is drawn goes slower.
    """

    picture_at: Callable[[float], Picture]
    duration_s: float | None = None
    per_s: float = 5.0
    as_fast_as_read: bool = False
    name: str = Sentence("the virtual board")
    may_begin: Callable[[], bool] = lambda: True
    longest_step_s: float = inf

    @property
    def waits_for_reader(self) -> bool:
        """Whether the next picture waits until this one was looked at."""
        return self.as_fast_as_read

    def shots(self, watch: Watch) -> Shots:
        """Draw one picture after the other."""
        step_s, t_s, due_s = 1 / self.per_s, 0.0, watch.now_s()
        while True:
            taken_at_s = due_s
            if not self.as_fast_as_read:
                watch.rest(max(0.0, due_s - watch.now_s()))
                taken_at_s = max(due_s, watch.now_s())
            if is_begun := self.may_begin():
                # Where drawing takes longer than a picture's time, moments are left out.
                t_s += min(taken_at_s - due_s, max(self.longest_step_s - step_s, 0.0))
            if self.duration_s is not None and t_s > self.duration_s + ROUNDING_S:
                return
            yield Shot(self.picture_at(t_s), taken_at_s)
            t_s, due_s = t_s + step_s * is_begun, taken_at_s + step_s
