"""One run of a source in a thread: its clock, its patience, and what the source sees of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from threading import Event, Thread
from typing import Protocol

from railspotter.scoring.sentence import Sentence

WaitingFor = Callable[["Run", Sentence], None]


class Clock(Protocol):
    """Tells seconds and waits. The tests have one that waits no time at all."""

    def now_s(self) -> float:
        """Return the seconds since some moment; they never go back."""
        ...

    def wait(self, event: Event, seconds: float) -> bool:
        """Wait so long, or until the event is set; return whether it is."""
        ...


class SystemClock:
    """The computer's clock that no change of date or daylight saving time moves."""

    def now_s(self) -> float:
        """Return the seconds since some moment."""
        return time.monotonic()

    def wait(self, event: Event, seconds: float) -> bool:
        """Wait so long, or until the event is set; return whether it is."""
        return event.wait(seconds)


@dataclass(frozen=True)
class Patience:
    """How long a source is waited for, and when it is tried again.

    Attributes
    ----------
    first_s, most_s : float
        The pauses before trying again: each is twice the one before, from the first to the longest.
    jitter : float
        The part of a pause by which it is longer or shorter by chance, so that two tables that lost
        one camera do not ask it in step for ever.
    stalled_s : float
        A source without a sign of life for so long is said to be silent.
    hung_s : float
        One without a sign of life for so long is given up and opened anew. It is longer than what
        drivers wait themselves: V4L2 gives up after 10 s.
    """

    first_s: float = 0.5
    most_s: float = 15.0
    jitter: float = 0.2
    stalled_s: float = 5.0
    hung_s: float = 30.0

    def pauses_s(self, chance: Random) -> Iterator[float]:
        """Yield the pauses before one try after the other.

        Examples
        --------
        >>> from itertools import islice
        >>> [*islice(Patience(jitter=0.0, most_s=3.0).pauses_s(Random(1)), 5)]
        [0.5, 1.0, 2.0, 3.0, 3.0]
        """
        pause_s = self.first_s
        while True:
            yield pause_s * chance.uniform(1 - self.jitter, 1 + self.jitter)
            pause_s = min(2 * pause_s, self.most_s)


class Run:
    """What a source sees of the grabber while it runs: a `source.Watch`.

    A grabber listens to one of these at a time. A device that hangs keeps the thread of its own;
    when it comes back to life there, the grabber has another one and hears nothing of it.

    Parameters
    ----------
    work : callable
        What the thread does, given this.
    waiting_for : callable
        Is told what the source waits for.
    clock : Clock

    Attributes
    ----------
    over : Event
        Set when nobody wants another shot.
    thread : Thread
        Dies with the program: a hung driver cannot be interrupted.
    sign_s : float
        When the source last showed that it is alive, or until when it rests.
    notes : tuple of Sentence
        What it said of this opening.
    """

    def __init__(self, work: Callable[[Run], None], waiting_for: WaitingFor, clock: Clock) -> None:
        self.over = Event()
        self.thread = Thread(target=work, args=(self,), name="frame source", daemon=True)
        self.sign_s = clock.now_s()
        self.notes: tuple[Sentence, ...] = ()
        self._waiting_for, self._clock = waiting_for, clock

    @property
    def is_over(self) -> bool:
        """Whether nobody wants another shot."""
        self.sign_s = self._clock.now_s()
        return self.over.is_set()

    def now_s(self) -> float:
        """Return the seconds since some moment; they never go back."""
        self.sign_s = self._clock.now_s()
        return self.sign_s

    def rest(self, seconds: float) -> None:
        """Wait so long; less when the watch is over."""
        self.sign_s = self._clock.now_s() + seconds
        self._clock.wait(self.over, seconds)

    def say(self, note: Sentence) -> None:
        """Tell people something that stays true while the source is open."""
        self.notes = (*self.notes, note)

    def wait_for(self, what: Sentence) -> None:
        """Say that there is no shot until something comes."""
        self._waiting_for(self, what)
