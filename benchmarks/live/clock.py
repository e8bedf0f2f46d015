"""What a live table is given when time is simulated: work that takes its time, frames on demand."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Any

from railspotter.vision.sources.source import Frame


class ClockedWork(Executor):
    """Does work at once, and lets nobody see what came of it before its time."""

    def __init__(self, takes_s: Callable[[Callable[..., Any]], float]) -> None:
        self.now_s = 0.0
        self.begun = 0  # how much work there was
        self._takes_s = takes_s
        self._free_s = 0.0
        self._due: list[tuple[float, Future[Any], Any]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Do it now; it is done later. One thing is done after the other, as by one thread."""
        future: Future[Any] = Future()
        self.begun += 1
        self._free_s = max(self._free_s, self.now_s) + self._takes_s(fn)
        self._due.append((self._free_s, future, fn(*args, **kwargs)))
        return future

    def tick(self, now_s: float) -> None:
        """Say what time it is."""
        self.now_s = now_s
        for one in [due for due in self._due if due[0] <= now_s + 1e-9]:
            self._due.remove(one)
            one[1].set_result(one[2])

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way."""
        return not self._due


@dataclass
class Said:
    """What a grabber says of itself."""

    said: str = "watching"
    is_over: bool = False


class Pictures:
    """A grabber whose frames come when they are asked for."""

    def __init__(self) -> None:
        self.status = Said()
        self.frame: Frame | None = None
        self.source = None  # nothing that could be lost

    def latest(self, after: int, timeout_s: float) -> Frame | None:
        """Return the frame, if it is a new one."""
        return self.frame if self.frame and self.frame.number > after else None
