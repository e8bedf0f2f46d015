"""The interface of sources: their shots, errors, and the watch that runs them.

SourceError                a source gives no frames; the text says why
├── SourceLostError        temporarily: retried by the program
└── SourceUnusableError    until somebody does something

A source that came to its end (a video was played) raises nothing: its shots end.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import cached_property
from threading import Event

from railspotter.calibration.arrays import Picture
from railspotter.calibration.pyramid import Pyramid, Shown, pyramid_of
from railspotter.scoring.sentence import Sentence

from ..errors import VisionError

REST_S = 1.0  # poll interval of `NoCamera` for the end of the watch


class SourceError(VisionError):
    """A source gives no frames; the text is a sentence for the person who chose it."""


class SourceLostError(SourceError):
    """A source does not answer now (unplugged, out of reach, stalled), but may come back."""


class SourceUnusableError(SourceError):
    """A source cannot give frames until somebody does what the text says."""


@dataclass(frozen=True, eq=False)
class Frame:
    """A picture as a source took it."""

    # Read-only: a source may give it again. If an array, (H, W, 3) uint8, BGR.
    shown: Shown
    # By the watch's monotonic clock; by its own time for a video that plays as fast as it is read.
    taken_at_s: float
    number: int = 0  # counts all pictures of one grabber from 1, skipped ones included
    # When a camera first sent this very picture; None where a source repeats some on purpose.
    first_at_s: float | None = None

    @property
    def same_for_s(self) -> float:
        """For how many seconds a camera has sent this very picture."""
        return 0.0 if self.first_at_s is None else self.taken_at_s - self.first_at_s

    @cached_property
    def pyramid(self) -> Pyramid:
        """The picture at any scale; most frames are only needed at half size."""
        return pyramid_of(self.shown)

    @property
    def picture(self) -> Picture:
        """The picture at full size, (H, W, 3), BGR; some are decoded only now."""
        return self.pyramid.whole


Shots = Generator[Frame, None, None]


class Clock:
    """A monotonic clock, and waiting by it; tests replace it."""

    def now_s(self) -> float:
        """Return monotonic seconds."""
        return time.monotonic()

    def wait(self, event: Event, seconds: float) -> bool:
        """Wait until the event is set, with a timeout; return whether it is set."""
        return event.wait(seconds)


class Watch:
    """One run of a source: its clock, its end, its notes, and when it last showed a sign of life.

    The source's thread calls its methods; whoever started the source sets `over` to stop it.
    """

    def __init__(self, on_waiting: "Callable[[Watch, Sentence], None]", clock: Clock) -> None:
        self.over = Event()  # set to stop the source
        self.sign_s = clock.now_s()  # last sign of life of the source, or the end of its rest
        self.notes: tuple[Sentence, ...] = ()  # the source's notes since it was opened
        self._on_waiting, self._clock = on_waiting, clock

    @property
    def is_over(self) -> bool:
        """Whether the source must stop; one that waits for something then returns."""
        self.sign_s = self._clock.now_s()
        return self.over.is_set()

    def now_s(self) -> float:
        """Return monotonic seconds."""
        self.sign_s = self._clock.now_s()
        return self.sign_s

    def rest(self, seconds: float) -> None:
        """Sleep; return early when the watch is over."""
        self.sign_s = self._clock.now_s() + seconds
        self._clock.wait(self.over, seconds)

    def add_note(self, note: Sentence) -> None:
        """Add a note for people that holds while the source is open, such as the picture's size."""
        self.notes = (*self.notes, note)

    def report_waiting_for(self, what: Sentence) -> None:
        """Report that there is no shot until something comes: "a photo from a phone"."""
        self._on_waiting(self, what)


class Source(ABC):
    """A source of frames: a value with a name that can be opened any number of times."""

    @property
    def waits_for_reader(self) -> bool:
        """Whether the next shot waits until this one was read; false for cameras."""
        return False

    @property
    def is_filming(self) -> bool:
        """Whether a sensor takes its pictures, whose noise makes no two of them the same."""
        return False

    @property
    @abstractmethod
    def name(self) -> str:
        """Its name for people, without passwords."""

    @abstractmethod
    def shots(self, watch: Watch) -> Shots:
        """Open the source and yield its shots until it ends; closing the generator closes it.

        Raises
        ------
        SourceLostError
            When it cannot be opened, or stopped, and may come back.
        SourceUnusableError
            When a retry is no use.
        """


@dataclass(frozen=True)
class NoCamera(Source):
    """A source without pictures that never ends: people say what lies on the board."""

    name = Sentence("no camera")

    def shots(self, watch: Watch) -> Shots:
        """Yield nothing until the watch is over."""
        watch.report_waiting_for(Sentence("taps on the map: there is no camera"))
        while not watch.is_over:
            watch.rest(REST_S)
        yield from ()


class Pace:
    """A rate limiter: lets `per_s` pictures a second through, evenly.

    A camera gives 30 pictures a second: in four seconds 20 are let through at 5 a second.

    >>> from types import SimpleNamespace
    >>> pace = Pace(SimpleNamespace(now_s=lambda: 0.0), per_s=5.0)
    >>> sum(pace.lets_through(n / 30) for n in range(120))
    20
    """

    def __init__(self, watch: Watch, per_s: float) -> None:
        self._due_s, self._step_s = watch.now_s(), 1 / per_s

    def lets_through(self, taken_at_s: float) -> bool:
        """Return whether the picture of this time is let through."""
        if taken_at_s < self._due_s:
            return False
        # Delays are not made up for.
        self._due_s = max(self._due_s + self._step_s, taken_at_s)
        return True
