"""What a source is, what it gives, and what it may ask of whoever runs it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

from railspotter.calibration.arrays import Picture
from railspotter.calibration.pyramid import Pyramid, Shown, pyramid_of
from railspotter.scoring.sentence import Sentence


class Shot(NamedTuple):
    """A picture as a source took it.

    Attributes
    ----------
    shown : Pyramid, or (H, W, 3) uint8 array, BGR
        Nobody writes into it: a source may give the same one again.
    taken_at_s : float
        When it was taken, by the watch's clock.
    """

    shown: Shown
    taken_at_s: float

    @property
    def picture(self) -> Picture:
        """The whole picture, (H, W, 3), BGR."""
        return pyramid_of(self.shown).whole


@dataclass(frozen=True, eq=False)
class Frame:
    """The newest picture of a source.

    Attributes
    ----------
    shown : Pyramid, or (H, W, 3) uint8 array, BGR
        For reading only.
    taken_at_s : float
        When it was taken, on the clock of the grabber: seconds since some moment, which no change
        of the wall clock disturbs. A video that goes as fast as it is read counts its own seconds.
    number : int
        Counts the pictures of one grabber from 1, those that nobody saw included.
    """

    shown: Shown
    taken_at_s: float
    number: int

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
    """Where frames come from: a value that says so, and opens it as often as it is asked.

    Attributes
    ----------
    waits_for_reader : bool
        Whether the next shot may wait until this one was looked at, as one of a video that is
        played as fast as it goes; a camera never waits.
    """

    @property
    def waits_for_reader(self) -> bool:
        """Whether the next shot waits until this one was looked at."""
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
