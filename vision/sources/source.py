"""What a source is, what it gives, what it raises, and what it may ask of whoever runs it.

SourceError                it gives no frames; the text says why
├── SourceLostError        just now: worth trying again by itself
└── SourceUnusableError    not as things are: somebody has to do something

A source that came to its end (a video was played) raises nothing: its shots end.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

from railspotter.calibration.arrays import Picture
from railspotter.calibration.pyramid import Pyramid, Shown, pyramid_of
from railspotter.scoring.sentence import Sentence

from ..errors import VisionError

REST_S = 1.0  # seconds after which no camera looks again whether anybody still wants it


class SourceError(VisionError):
    """A source gives no frames; the text is a sentence for the person who chose it."""


class SourceLostError(SourceError):
    """A source does not answer now: unplugged, out of reach, stalled. It may come back."""


class SourceUnusableError(SourceError):
    """A source cannot give frames until somebody does what the text says."""


class Shot(NamedTuple):
    """A picture as a source took it."""

    # For reading only: a source may give the same one again. (H, W, 3) uint8, BGR, if an array.
    shown: Shown
    taken_at_s: float  # by the watch's clock

    @property
    def picture(self) -> Picture:
        """The whole picture, (H, W, 3), BGR."""
        return pyramid_of(self.shown).whole


@dataclass(frozen=True, eq=False)
class Frame:
    """The newest picture of a source."""

    shown: Shown  # for reading only
    # By the grabber's clock, which no change of the wall clock disturbs. A video that goes as fast
    # as it is read counts its own seconds.
    taken_at_s: float
    number: int  # counts the pictures of one grabber from 1, those that nobody saw included

    @cached_property
    def pyramid(self) -> Pyramid:
        """The picture at any size: half of it is all that most frames are asked for."""
        return pyramid_of(self.shown)

    @property
    def picture(self) -> Picture:
        """The whole picture, (H, W, 3), BGR; of some cameras it is decoded only now."""
        return self.pyramid.whole


Shots = Generator[Shot, None, None]


class Watch(Protocol):
    """One run of a source, as the source sees it: time, rest, and a place to say what it does."""

    @property
    def is_over(self) -> bool:
        """Whether nobody wants another shot: a source that waits for something then returns."""
        ...

    def now_s(self) -> float:
        """Return the seconds since some moment; they never go back."""
        ...

    def rest(self, seconds: float) -> None:
        """Wait so long; less when the watch is over."""
        ...

    def say(self, note: Sentence) -> None:
        """Tell people something that stays true while this run lasts, such as what is locked."""
        ...

    def wait_for(self, what: Sentence) -> None:
        """Say that there is no shot until something comes: "a photo from a phone"."""
        ...


class Source(ABC):
    """Where frames come from: a value that says so, and opens it as often as it is asked."""

    @property
    def waits_for_reader(self) -> bool:
        """Whether the next shot waits until this one was looked at, which no camera's does."""
        return False

    @property
    @abstractmethod
    def name(self) -> str:
        """What people call it; it holds no password."""

    @abstractmethod
    def shots(self, watch: Watch) -> Shots:
        """Open the source and give its shots until it ends; closing them closes it.

        Raises
        ------
        SourceLostError
            When it cannot be opened, or stopped, and may come back.
        SourceUnusableError
            When trying again is no use.
        """


@dataclass(frozen=True)
class NoCamera(Source):
    """Gives no picture, and never ends: what lies on the board is said by people alone."""

    @property
    def name(self) -> str:
        """What people call it."""
        return Sentence("no camera")

    def shots(self, watch: Watch) -> Shots:
        """Give nothing, for as long as anybody wants it."""
        watch.wait_for(Sentence("taps on the map: there is no camera"))
        while not watch.is_over:
            watch.rest(REST_S)
        yield from ()


class Pace:
    """Lets through so many pictures a second, as evenly as they come.

    Examples
    --------
    A camera gives 30 pictures a second: in four seconds 20 are let through at 5 a second.

    >>> from types import SimpleNamespace
    >>> pace = Pace(SimpleNamespace(now_s=lambda: 0.0), per_s=5.0)
    >>> sum(pace.lets_through(n / 30) for n in range(120))
    20
    """

    def __init__(self, watch: Watch, per_s: float) -> None:
        self._due_s, self._step_s = watch.now_s(), 1 / per_s

    def lets_through(self, taken_at_s: float) -> bool:
        """Return whether a picture of that time is wanted."""
        if taken_at_s < self._due_s:
            return False
        # What came late is not made up for.
        self._due_s = max(self._due_s + self._step_s, taken_at_s)
        return True
