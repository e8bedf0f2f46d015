"""The grabber: keeps the newest frame of a source, and the source alive."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random
from threading import Condition, Event, Thread
from typing import Self

from railspotter.scoring.sentence import Sentence, together

from .source import Frame, Shot, Source, SourceLostError, SourceUnusableError

# The longest that stopping takes. A thread that a device holds for longer is left to itself.
STOP_S = 1.0
LOOK_S = 0.2  # seconds after which a source that waits for its reader shows again that it is alive


class GrabberState(StrEnum):
    """What a grabber can be doing."""

    OPENING = "opening"
    WATCHING = "watching"
    WAITING = "waiting"
    ENDED = "ended"
    FAILED = "failed"
    STOPPED = "stopped"


# After these no frame comes any more.
OVER = frozenset({GrabberState.ENDED, GrabberState.FAILED, GrabberState.STOPPED})


@dataclass(frozen=True)
class Status:
    """What a grabber is doing."""

    doing: GrabberState
    said: Sentence  # for the people at the table
    grabbed: int = 0  # pictures that the source gave
    passed_over: int = 0  # those of them that nobody looked at before a newer one came
    # How often the source gave its first picture: one more than it was lost and came back.
    openings: int = 0

    @property
    def is_over(self) -> bool:
        """Whether no frame comes any more."""
        return self.doing in OVER


class Clock:
    """Tells seconds and waits; no change of date or daylight saving time moves it."""

    def now_s(self) -> float:
        """Return the seconds since some moment; they never go back."""
        return time.monotonic()

    def wait(self, event: Event, seconds: float) -> bool:
        """Wait so long, or until the event is set; return whether it is."""
        return event.wait(seconds)


@dataclass(frozen=True)
class RetryPolicy:
    """How long a source is waited for, and when it is tried again."""

    # The pauses before trying again: each is twice the one before, from the first to the longest.
    first_s: float = 0.5
    most_s: float = 15.0
    # The part of a pause by which it is longer or shorter by chance, so that two tables that lost
    # one camera do not ask it in step for ever.
    jitter: float = 0.2
    stalled_s: float = 5.0  # without a sign of life for so long, a source is said to be silent
    # After so long it is given up and opened anew. Drivers wait less themselves: V4L2 10 s.
    hung_s: float = 30.0

    def pauses_s(self, chance: Random) -> Iterator[float]:
        """Yield the pauses before one try after the other.

        Examples
        --------
        >>> from itertools import islice
        >>> [*islice(RetryPolicy(jitter=0.0, most_s=3.0).pauses_s(Random(1)), 5)]
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
    """

    def __init__(
        self,
        work: Callable[[Run], None],  # what the thread does
        waiting_for: Callable[[Run, Sentence], None],  # is told what the source waits for
        clock: Clock,
    ) -> None:
        self.over = Event()  # set when nobody wants another shot
        # It dies with the program: a hung driver cannot be interrupted.
        self.thread = Thread(target=work, args=(self,), name="frame source", daemon=True)
        self.sign_s = clock.now_s()  # when the source last seemed alive, or until when it rests
        self.notes: tuple[Sentence, ...] = ()  # what it said of this opening
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


class Grabber:
    """Keeps the newest frame of a source while its `with` block runs.

    A thread takes every picture as soon as it is there, so that none grows old in a queue: a plain
    loop that read a stream at 15 pictures a second and worked 200 ms on each was 8 s behind after
    12 s. What is lost is opened again by itself, with growing pauses.

    Examples
    --------
    A reader asks for what is newer than the last frame it saw.

    >>> import numpy as np
    >>> from railspotter.vision.sources.grabber import Grabber
    >>> from railspotter.vision.sources.photos import VirtualBoard
    >>> board = VirtualBoard(lambda t_s: np.zeros((300, 400, 3), np.uint8), duration_s=1.0)
    >>> with Grabber(board) as grabber:
    ...     first = grabber.latest(timeout_s=5.0)
    ...     later = grabber.latest(first.number, timeout_s=5.0)
    ...     print(later.number > first.number, later.taken_at_s > first.taken_at_s)
    ...     print(grabber.status.said)
    True True
    watching the virtual board
    >>> grabber.status.said
    'the virtual board was stopped'
    """

    def __init__(
        self, source: Source, *, patience: RetryPolicy | None = None, clock: Clock | None = None
    ) -> None:
        self.source = source
        self._patience = patience or RetryPolicy()
        self._clock = clock or Clock()
        self._chance = Random()  # noqa: S311  # only spreads the pauses
        self._hung_s = self._patience.hung_s
        # Guards all below; told of every change.
        self._news = Condition()
        self._run: Run | None = None
        self._frame: Frame | None = None
        self._was_seen = True
        self._status = Status(
            GrabberState.STOPPED, Sentence("{name} is not watched yet", name=source.name)
        )

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def status(self) -> Status:
        """What is being done now."""
        with self._news:
            run, status = self._run, self._status
            if run is None or status.doing is not GrabberState.WATCHING:
                return status
            silent_s = self._clock.now_s() - run.sign_s
            if silent_s >= self._patience.stalled_s:
                said = Sentence(
                    "no picture from {name} for {seconds} s",
                    name=self.source.name,
                    seconds=f"{silent_s:.0f}",
                )
                return replace(status, doing=GrabberState.WAITING, said=said)
            return replace(status, said=together((status.said, *run.notes)))

    def latest(self, newer_than: int = 0, timeout_s: float = 0.0) -> Frame | None:
        """Return the newest frame if its number is greater, waiting a while for one.

        None comes at once when the source is over: ask for the status before, so as not to miss
        the last frame. Whoever asks again and again also has a hung device opened anew.
        """
        self._give_up_if_hung()
        with self._news:
            self._news.wait_for(
                lambda: self._is_newer(newer_than) or self._status.is_over, timeout_s
            )
            if not self._is_newer(newer_than):
                return None
            self._was_seen = True
            self._news.notify_all()
            return self._frame

    def start(self) -> None:
        """Begin to watch, unless that is being done; what has ended is watched once more."""
        with self._news:
            if self._run is None or self._status.is_over:
                said = Sentence("opening {name}", name=self.source.name)
                self._change(GrabberState.OPENING, said)
                self._begin()

    def stop(self) -> None:
        """Stop watching; it takes no longer than a second, whatever the device does."""
        with self._news:
            run, self._run = self._run, None
            if run is None:
                return
            run.over.set()
            if not self._status.is_over:
                said = Sentence("{name} was stopped", name=self.source.name)
                self._change(GrabberState.STOPPED, said)
        run.thread.join(STOP_S)

    def _is_newer(self, number: int) -> bool:
        return self._frame is not None and self._frame.number > number

    def _begin(self) -> None:
        self._run = Run(self._watch, self._wait_for, self._clock)
        self._run.thread.start()

    def _give_up_if_hung(self) -> None:
        with self._news:
            run = self._run
            if run is None or self._status.is_over:
                return
            if self._clock.now_s() - run.sign_s < self._hung_s:
                return
            run.over.set()
            # Each time a thread stays behind that only the driver can end.
            self._hung_s *= 2
            said = Sentence("{name} does not answer; opening it again", name=self.source.name)
            self._change(GrabberState.WAITING, said)
            self._begin()

    def _watch(self, run: Run) -> None:
        """Open the source again and again, until it ends or nobody wants more."""
        pauses_s = self._patience.pauses_s(self._chance)
        while not run.is_over:
            grabbed = self._status.grabbed
            run.notes = ()
            doing, said = self._outcome(run)
            self._tell(run, doing, said)
            if doing is not GrabberState.WAITING:
                return
            if self._status.grabbed > grabbed:
                pauses_s = self._patience.pauses_s(self._chance)
            run.rest(next(pauses_s))

    def _outcome(self, run: Run) -> tuple[GrabberState, Sentence]:
        """Take all that the source gives; return what is to be done when it gives no more."""
        name = self.source.name
        try:
            self._take_all(run)
            return GrabberState.ENDED, Sentence("{name} has ended", name=name)
        except SourceLostError as error:
            said = Sentence("waiting for {what}: {error}", what=name, error=error)
            return GrabberState.WAITING, said
        except SourceUnusableError as error:
            fault: str = error.sentence
        except Exception as error:
            # Nobody joins this thread: it would die in silence, and the table wait for ever.
            logging.getLogger(__name__).exception("watching %s", name)
            fault = repr(error)
        return GrabberState.FAILED, Sentence(
            "{name} cannot be watched: {error}", name=name, error=fault
        )

    def _take_all(self, run: Run) -> None:
        is_first = True
        with closing(self.source.shots(run)) as shots:
            for shot in shots:
                self._take(run, shot, is_first)
                is_first = False
                if run.is_over:
                    return

    def _take(self, run: Run, shot: Shot, is_first: bool) -> None:
        with self._news:
            if run is not self._run:
                return
            status = self._status
            self._status = Status(
                GrabberState.WATCHING,
                Sentence("watching {name}", name=self.source.name),
                status.grabbed + 1,
                status.passed_over + (not self._was_seen),
                status.openings + is_first,
            )
            self._hung_s = self._patience.hung_s
            self._frame = Frame(shot.shown, shot.taken_at_s, self._status.grabbed)
            self._was_seen = False
            self._news.notify_all()
            if self.source.waits_for_reader:
                while not self._was_seen and not run.is_over:
                    self._news.wait(LOOK_S)

    def _wait_for(self, run: Run, what: Sentence) -> None:
        self._tell(run, GrabberState.WAITING, Sentence("waiting for {what}", what=what))

    def _tell(self, run: Run, doing: GrabberState, said: Sentence) -> None:
        with self._news:
            if run is self._run:
                self._change(doing, said)

    def _change(self, doing: GrabberState, said: Sentence) -> None:
        self._status = replace(self._status, doing=doing, said=said)
        self._news.notify_all()
