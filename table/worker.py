"""Base classes for context managers, and for background threads that live for a `with` block."""

import logging
import threading
from abc import ABC, abstractmethod
from typing import Self

LOG = logging.getLogger(__name__)


class Closable(ABC):
    """A context manager that calls `close` at the end of its `with` block."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None:
        """Release its resources."""


class Worker(Closable):
    """A background thread that runs during its `with` block.

    Subclasses implement `_run`, which must return soon after `_stop_event` is set. `name` is the
    thread's name. `stop_s` is the timeout for joining the thread on close, after which it is left
    behind as a daemon; None waits forever.
    """

    def __init__(self, name: str, stop_s: float | None = None) -> None:
        self._stop_event = threading.Event()
        self._stop_s = stop_s
        self._thread = threading.Thread(target=self._run, name=name, daemon=stop_s is not None)

    def __enter__(self) -> Self:
        try:
            self._thread.start()
        except BaseException:
            self._stop_event.set()  # Ctrl-C while it starts: nobody will close it
            raise
        return self

    def close(self) -> None:
        """Stop and join the thread."""
        self._stop_event.set()
        self._thread.join(self._stop_s)

    @abstractmethod
    def _run(self) -> None:
        """Do the work: the thread's main function."""


class WokenWorker(Worker):
    """A worker that sleeps, and calls `_step` whenever it was woken.

    Exceptions of a step are logged, and the thread goes on.
    """

    def __init__(self, name: str, stop_s: float | None = None) -> None:
        super().__init__(name, stop_s)
        self._wake_event = threading.Event()

    def wake(self, *_: object) -> None:
        """Request a step; does not block. Thread-safe."""
        self._wake_event.set()

    def close(self) -> None:
        """Stop and join the thread."""
        self._stop_event.set()
        self.wake()
        super().close()

    def _run(self) -> None:
        while not self._stop_event.is_set():
            self._wake_event.wait(self._timeout_s())
            self._wake_event.clear()
            if not self._stop_event.is_set():
                self._try_step()

    def _try_step(self) -> None:
        try:
            self._step()
        except Exception:
            LOG.exception("a step of %r", self._thread.name)
            self._on_step_failed()

    def _timeout_s(self) -> float | None:
        """Return after how long a step runs without a wake-up; None for never."""
        return None

    @abstractmethod
    def _step(self) -> None:
        """Do the pending work."""

    def _on_step_failed(self) -> None:
        """React to an exception in `_step`; the next wake-up tries again."""
