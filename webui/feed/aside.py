"""Work that is waited for only so long: it holds up no call, and not the end of the program.

A server that stops waits for the calls under way. So what may take long, because somebody made it
up to, is done by a thread of its own; who asks for it waits for a moment, and asks again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Generic, TypeVar

Result = TypeVar("Result")

MOST_WAITING = 16  # works that are under way, or done and not fetched; more are not begun


class Aside(Generic[Result]):
    """Does one work at a time, or a few, in the background.

    Examples
    --------
    >>> Aside("sums").result("1 + 1", lambda: 2, 9.0)
    2
    """

    def __init__(self, name: str, at_once: int = 1) -> None:
        self._name = name
        self._turns = threading.Semaphore(at_once)
        self._lock = threading.Lock()
        self._works: dict[Hashable, Future[Result]] = {}

    def result(self, key: Hashable, work: Callable[[], Result], patience_s: float) -> Result:
        """Return what a work gives; whoever asks for the same meanwhile waits for the same."""
        with self._lock:
            future = self._works.get(key)
            if future is None:
                self._make_room()
                future = self._works[key] = Future()
                doing = threading.Thread(
                    target=self._do, args=(future, work), name=self._name, daemon=True
                )
                doing.start()
        found = future.exception(patience_s)
        with self._lock:
            if self._works.get(key) is future:
                del self._works[key]
        if found is not None:
            raise found
        return future.result()

    def _do(self, future: Future[Result], work: Callable[[], Result]) -> None:
        with self._turns:
            try:
                future.set_result(work())
            except BaseException as error:  # whoever waits for it is told
                future.set_exception(error)

    def _make_room(self) -> None:
        """Forget what nobody fetched."""
        if len(self._works) >= MOST_WAITING:
            self._works = {key: one for key, one in self._works.items() if not one.done()}
        if len(self._works) >= MOST_WAITING:
            raise TimeoutError
