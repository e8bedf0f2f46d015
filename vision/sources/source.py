"""What a source is, and what it may ask of whoever runs it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator
from typing import Protocol

from .frame import Shot

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

    def say(self, note: str) -> None:
        """Tell people something that stays true while this run lasts, such as what is locked."""
        ...

    def wait_for(self, what: str) -> None:
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
