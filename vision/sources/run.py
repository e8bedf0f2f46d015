"""One run of a source in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread

from .clock import Clock

WaitingFor = Callable[["Run", str], None]


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
    notes : tuple of str
        What it said of this opening.
    """

    def __init__(self, work: Callable[[Run], None], waiting_for: WaitingFor, clock: Clock) -> None:
        self.over = Event()
        self.thread = Thread(target=work, args=(self,), name="frame source", daemon=True)
        self.sign_s = clock.now_s()
        self.notes: tuple[str, ...] = ()
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

    def say(self, note: str) -> None:
        """Tell people something that stays true while the source is open."""
        self.notes = (*self.notes, note)

    def wait_for(self, what: str) -> None:
        """Say that there is no shot until something comes."""
        self._waiting_for(self, what)
