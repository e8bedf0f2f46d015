"""Work in threads of its own, for which no call waits longer than it likes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from functools import partial
from typing import Generic, TypeVar

Result = TypeVar("Result")

MOST_WAITING = 16  # works that are under way, or done and not fetched; more are not begun


class BackgroundWork(Generic[Result]):
    """Does one work at a time, or a few, in threads that the end of the program does not wait for.

    Whoever asks for it waits for a moment, and asks again.

    Examples
    --------
    >>> BackgroundWork("sums").result("1 + 1", lambda: 2, 9.0)
    2
    """

    def __init__(self, name: str, at_once: int = 1) -> None:
        self._name, self._turns = name, threading.Semaphore(at_once)
        self._lock = threading.Lock()
        self._works: dict[Hashable, Future[Result]] = {}

    def result(self, key: Hashable, work: Callable[[], Result], patience_s: float) -> Result:
        """Return what a work gives; whoever asks for the same meanwhile waits for the same.

        Raises `TimeoutError` where it takes longer, or too much waits.
        """
        with self._lock:
            future = self._works.get(key)
            if future is None:
                if len(self._works) >= MOST_WAITING:  # forget what nobody fetched
                    self._works = {k: one for k, one in self._works.items() if not one.done()}
                if len(self._works) >= MOST_WAITING:
                    raise TimeoutError
                future = self._works[key] = Future()
                do = partial(self._do, future, work)
                threading.Thread(target=do, name=self._name, daemon=True).start()
        error = future.exception(patience_s)
        with self._lock:
            if self._works.get(key) is future:
                del self._works[key]
        if error is not None:
            raise error
        return future.result()

    def _do(self, future: Future[Result], work: Callable[[], Result]) -> None:
        with self._turns:
            try:
                future.set_result(work())
            except BaseException as error:  # whoever waits for it is told
                future.set_exception(error)
