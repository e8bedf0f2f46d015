"""Time for sources: the seconds since some moment, and waiting for some of them."""

from __future__ import annotations

import time
from threading import Event
from typing import Protocol


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
