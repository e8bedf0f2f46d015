"""The grabber: a thread that keeps the newest frame of a source and reopens the source."""

import logging
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random
from threading import Condition, Thread
from typing import Self

import numpy as np
from railspotter.calibration.pyramid import Pyramid
from railspotter.scoring.sentence import Sentence, together

from .source import Clock, Frame, Source, SourceLostError, SourceUnusableError, Watch

# Timeout of stopping. A thread that hangs longer in a device is abandoned.
STOP_S = 1.0
LOOK_S = 0.2  # poll interval while a source waits for its reader
# Seconds of one and the same picture after which a camera hangs. Chosen: slow cameras have a new
# one every few seconds.
FROZEN_S = 30.0
SAMPLE_STEP_PX = (
    37  # between two pixels that are compared first; no side's usual length divides by it
)
# A picture whose levels span no more is a lens cap's or a lamp's, and may have no noise: at its
# limits a sensor says the same. What it shows, too little light, is told where the board is sought.
EVEN_LEVELS = 16


class GrabberState(StrEnum):
    """State of a grabber."""

    OPENING = "opening"
    WATCHING = "watching"
    WAITING = "waiting"
    ENDED = "ended"
    FAILED = "failed"
    STOPPED = "stopped"


# States after which no frame comes any more.
OVER = frozenset({GrabberState.ENDED, GrabberState.FAILED, GrabberState.STOPPED})


@dataclass(frozen=True)
class Status:
    """State and counters of a grabber."""

    doing: GrabberState
    said: Sentence  # the state in words, for the people at the table
    grabbed: int = 0  # pictures from the source
    passed_over: int = 0  # those of them that were replaced before anybody read them
    # How often the source was opened and gave a picture.
    openings: int = 0

    @property
    def is_over(self) -> bool:
        """Whether no frame comes any more."""
        return self.doing in OVER


@dataclass(frozen=True)
class RetryPolicy:
    """Timeouts of a source, and pauses before it is reopened."""

    # First and longest pause of an exponential backoff, which doubles each time.
    first_s: float = 0.5
    most_s: float = 15.0
    # Random share by which a pause is longer or shorter, so that two tables that lost one camera do
    # not keep asking it in step.
    jitter: float = 0.2
    stalled_s: float = 5.0  # seconds without a sign of life after which a source counts as silent
    # Seconds after which it is abandoned and reopened. Drivers time out earlier: V4L2 after 10 s.
    hung_s: float = 30.0

    def pauses_s(self, chance: Random) -> Iterator[float]:
        """Yield the pauses before each retry.

        >>> from itertools import islice
        >>> [*islice(RetryPolicy(jitter=0.0, most_s=3.0).pauses_s(Random(1)), 5)]
        [0.5, 1.0, 2.0, 3.0, 3.0]
        """
        pause_s = self.first_s
        while True:
            yield pause_s * chance.uniform(1 - self.jitter, 1 + self.jitter)
            pause_s = min(2 * pause_s, self.most_s)


class Repetition:
    """Tells since when a source has given one and the same picture, to the bit.

    Of a camera's two pictures the first pixels that are compared differ, which costs microseconds.
    """

    def __init__(self) -> None:
        self._last: Frame | None = None
        self._since_s = 0.0

    def first_at_s(self, shot: Frame) -> float:
        """Return when this very picture first came: by now, if it is a new one."""
        last, self._last = self._last, shot
        if last is None or not _shows_the_same(shot, last):
            self._since_s = shot.taken_at_s
        return self._since_s


def _shows_the_same(shot: Frame, last: Frame) -> bool:
    """Tell whether two pictures that are not even are the same; of JPEGs their halves decide."""
    one, other = (
        shown.at(1) if isinstance(shown, Pyramid) else shown for shown in (shot.shown, last.shown)
    )
    if one.shape != other.shape:
        return False
    sample, before = (picture.reshape(-1, 3)[::SAMPLE_STEP_PX] for picture in (one, other))
    if not np.array_equal(sample, before) or np.ptp(sample) <= EVEN_LEVELS:
        return False
    return one is other or np.array_equal(one, other)


def duration_of(seconds: float) -> Sentence:
    """Return how long something has lasted, in steps that do not change with each second.

    >>> duration_of(47.3), duration_of(130.0)
    ('40 s', '2 min')
    """
    if seconds < 60:
        return Sentence("{seconds} s", seconds=int(seconds) // 10 * 10)
    return Sentence("{minutes} min", minutes=int(seconds) // 60)


def hanging(name: str, same_for_s: float) -> Sentence:
    """Return that a source has sent one picture for so many seconds."""
    return Sentence(
        "{name} hangs: it has sent the very same picture for {time}; restart it",
        name=name,
        time=duration_of(same_for_s),
    )


class Grabber:
    """Keeps the newest frame of a source while its `with` block runs.

    A thread takes every picture as soon as it is there, so that none waits in a queue: a plain loop
    that read a stream at 15 pictures a second and worked 200 ms on each was 8 s behind after 12 s.
    A lost source is reopened, with growing pauses.

    A reader asks for a frame newer than its last one.

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
        # Guards all below; notified of every change.
        self._changed = Condition()
        # A device that hangs keeps its thread and its watch; the grabber goes on with new ones.
        self._thread: Thread | None = None
        self._watch: Watch | None = None
        self._frame: Frame | None = None
        self._repetition = Repetition()
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
        """The present state."""
        with self._changed:
            watch, status = self._watch, self._status
            if watch is None or status.doing is not GrabberState.WATCHING:
                return status
            silent_s = self._clock.now_s() - watch.sign_s
            if silent_s >= self._patience.stalled_s:
                said = Sentence(
                    "no picture from {name} for {seconds} s",
                    name=self.source.name,
                    seconds=f"{silent_s:.0f}",
                )
                return replace(status, doing=GrabberState.WAITING, said=said)
            if self._frame is not None and self._frame.same_for_s >= FROZEN_S:
                said = hanging(self.source.name, self._frame.same_for_s)
                return replace(status, doing=GrabberState.WAITING, said=said)
            return replace(status, said=together((status.said, *watch.notes)))

    def latest(self, newer_than: int = 0, timeout_s: float = 0.0) -> Frame | None:
        """Return the newest frame if its number is above `newer_than`, waiting up to a timeout.

        None at once when the source is over: ask for the status before, so as not to miss the last
        frame. Each call also reopens a device that hangs.
        """
        self._give_up_if_hung()
        with self._changed:
            self._changed.wait_for(
                lambda: self._is_newer(newer_than) or self._status.is_over, timeout_s
            )
            if not self._is_newer(newer_than):
                return None
            self._was_seen = True
            self._changed.notify_all()
            return self._frame

    def start(self) -> None:
        """Start the thread, unless it is running; a source that has ended is opened again."""
        with self._changed:
            if self._watch is None or self._status.is_over:
                said = Sentence("opening {name}", name=self.source.name)
                self._set_state(GrabberState.OPENING, said)
                self._start_thread()

    def stop(self) -> None:
        """Stop the thread; this takes a second at most, whatever the device does."""
        with self._changed:
            watch, thread = self._watch, self._thread
            if watch is None or thread is None:
                return
            self._watch = None
            watch.over.set()
            if not self._status.is_over:
                said = Sentence("{name} was stopped", name=self.source.name)
                self._set_state(GrabberState.STOPPED, said)
        thread.join(STOP_S)

    def _is_newer(self, number: int) -> bool:
        return self._frame is not None and self._frame.number > number

    def _start_thread(self) -> None:
        watch = Watch(self._wait_for, self._clock)
        # A daemon: a hung driver cannot be interrupted.
        thread = Thread(target=self._run, args=(watch,), name="frame source", daemon=True)
        self._watch, self._thread = watch, thread
        thread.start()

    def _give_up_if_hung(self) -> None:
        with self._changed:
            watch = self._watch
            if watch is None or self._status.is_over:
                return
            if self._clock.now_s() - watch.sign_s < self._hung_s:
                return
            watch.over.set()
            # Each abandoned thread stays until the driver returns.
            self._hung_s *= 2
            said = Sentence("{name} does not answer; opening it again", name=self.source.name)
            self._set_state(GrabberState.WAITING, said)
            self._start_thread()

    def _run(self, watch: Watch) -> None:
        """Open the source repeatedly, until it ends or must stop: the thread's function."""
        pauses_s = self._patience.pauses_s(self._chance)
        while not watch.is_over:
            grabbed = self._status.grabbed
            watch.notes = ()
            doing, said = self._read_until_over(watch)
            self._set_state_of(watch, doing, said)
            if doing is not GrabberState.WAITING:
                return
            if self._status.grabbed > grabbed:
                pauses_s = self._patience.pauses_s(self._chance)
            watch.rest(next(pauses_s))

    def _read_until_over(self, watch: Watch) -> tuple[GrabberState, Sentence]:
        """Read the source until it ends or fails; return the state after that."""
        name = self.source.name
        try:
            self._take_shots(watch)
            return GrabberState.ENDED, Sentence("{name} has ended", name=name)
        except SourceLostError as error:
            said = Sentence("waiting for {what}: {error}", what=name, error=error)
            return GrabberState.WAITING, said
        except SourceUnusableError as error:
            fault: str = error.sentence
        except Exception as error:
            # Nobody joins this thread: an exception would be silent, and the table wait for ever.
            logging.getLogger(__name__).exception("watching %s", name)
            fault = repr(error)
        return GrabberState.FAILED, Sentence(
            "{name} cannot be watched: {error}", name=name, error=fault
        )

    def _take_shots(self, watch: Watch) -> None:
        is_first = True
        with closing(self.source.shots(watch)) as shots:
            for shot in shots:
                self._take(watch, shot, is_first)
                is_first = False
                if watch.is_over:
                    return

    def _take(self, watch: Watch, shot: Frame, is_first: bool) -> None:
        first_at_s = self._repetition.first_at_s(shot)
        with self._changed:
            if watch is not self._watch:
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
            self._frame = replace(
                shot,
                number=self._status.grabbed,
                first_at_s=first_at_s if self.source.is_filming else None,
            )
            self._was_seen = False
            self._changed.notify_all()
            if self.source.waits_for_reader:
                while not self._was_seen and not watch.is_over:
                    self._changed.wait(LOOK_S)

    def _wait_for(self, watch: Watch, what: Sentence) -> None:
        self._set_state_of(watch, GrabberState.WAITING, Sentence("waiting for {what}", what=what))

    def _set_state_of(self, watch: Watch, doing: GrabberState, said: Sentence) -> None:
        with self._changed:
            if watch is self._watch:
                self._set_state(doing, said)

    def _set_state(self, doing: GrabberState, said: Sentence) -> None:
        self._status = replace(self._status, doing=doing, said=said)
        self._changed.notify_all()
