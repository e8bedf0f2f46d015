"""What lives as long as its `with` block, and what works in a thread of its own meanwhile."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


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
