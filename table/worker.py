"""What lives as long as its `with` block, and what works in a thread of its own meanwhile."""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self

LOG = logging.getLogger(__name__)


class Closable(ABC):
    """Something that is closed at the end of its `with` block, however that ends."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None:
        """Give up what it holds."""


class Worker(Closable):
    """Works in a thread of its own while its `with` block runs.

    Its work is `_run`, which returns soon after `_ended` is set. `name` is the thread's name, for
    logs and debuggers. `stop_s` is how long closing waits for the thread; then the thread is left
    behind, and ends with the program. Without it, closing waits until the work is done.
    """

    def __init__(self, name: str, stop_s: float | None = None) -> None:
        self._ended = threading.Event()
        self._stop_s = stop_s
        self._thread = threading.Thread(target=self._run, name=name, daemon=stop_s is not None)

    def __enter__(self) -> Self:
        try:
            self._thread.start()
        except BaseException:
            self._ended.set()  # Ctrl-C while it starts: nobody will close it
            raise
        return self

    def close(self) -> None:
        """End the work, and wait for the thread."""
        self._ended.set()
        self._thread.join(self._stop_s)

    @abstractmethod
    def _run(self) -> None:
        """Do the work."""


class WokenWorker(Worker):
    """A worker that takes a turn whenever somebody has woken it, and waits for that meanwhile.

    A turn that stumbles is logged: nobody joins the thread, so it would die in silence.
    """

    def __init__(self, name: str, stop_s: float | None = None) -> None:
        super().__init__(name, stop_s)
        self._news = threading.Event()

    def wake(self, *_: object) -> None:
        """Have it take a turn; whoever calls this, from any thread, waits for nothing."""
        self._news.set()

    def close(self) -> None:
        """End the work, and wait for the thread."""
        self._ended.set()
        self.wake()
        super().close()

    def _run(self) -> None:
        while not self._ended.is_set():
            self._news.wait(self._rest_s())
            self._news.clear()
            if not self._ended.is_set():
                self._take_turn()

    def _take_turn(self) -> None:
        try:
            self._turn()
        except Exception:
            LOG.exception("a turn of %r", self._thread.name)
            self._stumbled()

    def _rest_s(self) -> float | None:
        """Return after how long it takes a turn where nobody wakes it; None for never."""
        return None

    @abstractmethod
    def _turn(self) -> None:
        """Do what there is to do."""

    def _stumbled(self) -> None:
        """Take in that a turn was not done; the next news is another try."""
