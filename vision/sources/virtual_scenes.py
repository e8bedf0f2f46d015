"""The virtual board as a source: pictures drawn for every moment of an enacted game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from ..decoding import Picture
from .frame import Shot
from .source import Shots, Source, Watch


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
    """

    picture_at: Callable[[float], Picture]
    duration_s: float | None = None
    per_s: float = 5.0
    as_fast_as_read: bool = False
    name: str = "the virtual board"

    @property
    def waits_for_reader(self) -> bool:
        """Whether the next picture waits until this one was looked at."""
        return self.as_fast_as_read

    def shots(self, watch: Watch) -> Shots:
        """Draw one picture after the other."""
        begun_s = watch.now_s()
        for number in count():
            t_s = number / self.per_s
            if not self.as_fast_as_read:
                watch.rest(max(0.0, begun_s + t_s - watch.now_s()))
                # Where drawing takes longer than a picture's time, moments are left out.
                t_s = max(t_s, watch.now_s() - begun_s)
            if self.duration_s is not None and t_s > self.duration_s:
                return
            yield Shot(self.picture_at(t_s), begun_s + t_s)
