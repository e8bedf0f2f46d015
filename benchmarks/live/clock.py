"""Simulated time for a live table: an executor with delays, and frames on demand."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from typing import Any

from railspotter.vision.sources.grabber import Repetition
from railspotter.vision.sources.source import Frame


class SimExecutor(Executor):
    """An executor that runs work at once, and completes it after its usual time."""

    def __init__(self, duration_of: Callable[[Callable[..., Any]], float]) -> None:
        self.now_s = 0.0
        self._duration_of = duration_of
        self._free_s = 0.0
        self._due: list[tuple[float, Future[Any], Any]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run work now, and complete it later, one after the other as in one thread."""
        future: Future[Any] = Future()
        self._free_s = max(self._free_s, self.now_s) + self._duration_of(fn)
        self._due.append((self._free_s, future, fn(*args, **kwargs)))
        return future

    def set_time(self, now_s: float) -> None:
        """Set the time."""
        self.now_s = now_s
        for one in [due for due in self._due if due[0] <= now_s + 1e-9]:
            self._due.remove(one)
            one[1].set_result(one[2])

    @property
    def is_idle(self) -> bool:
        """Whether no work is waiting."""
        return not self._due


@dataclass
class GrabberStatus:
    """A grabber's status."""

    said: str = "watching"
    is_over: bool = False


class SimGrabber:
    """A camera's grabber whose frames are made on demand."""

    def __init__(self) -> None:
        self.status = GrabberStatus()
        self.frame: Frame | None = None
        self.source = None  # nothing that could be lost
        self._repetition = Repetition()

    def latest(self, after: int, timeout_s: float) -> Frame | None:
        """Return the frame, if it is new."""
        if self.frame is None or self.frame.number <= after:
            return None
        self.frame = replace(self.frame, first_at_s=self._repetition.first_at_s(self.frame))
        return self.frame
