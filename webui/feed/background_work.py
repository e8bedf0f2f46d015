"""Background jobs in daemon threads, whose results are awaited with a timeout."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from functools import partial
from typing import Generic, TypeVar

Result = TypeVar("Result")

MOST_JOBS = 16  # running jobs, and finished ones whose results were not fetched


class BackgroundWork(Generic[Result]):
    """Runs one job at a time, or a few, in daemon threads.

    After a timeout the job goes on, and its result can be asked for again.

    Examples
    --------
    >>> BackgroundWork("sums").result("1 + 1", lambda: 2, 9.0)
    2
    """

    def __init__(self, name: str, at_once: int = 1) -> None:
        self._name, self._semaphore = name, threading.Semaphore(at_once)
        self._lock = threading.Lock()
        self._jobs: dict[Hashable, Future[Result]] = {}

    def result(self, key: Hashable, work: Callable[[], Result], timeout_s: float) -> Result:
        """Return the result of the job with this key, starting it with `work` if needed.

        Raises `TimeoutError` after the timeout, or if there are too many jobs.
        """
        with self._lock:
            future = self._jobs.get(key)
            if future is None:
                if len(self._jobs) >= MOST_JOBS:  # drop results that were not fetched
                    self._jobs = {k: one for k, one in self._jobs.items() if not one.done()}
                if len(self._jobs) >= MOST_JOBS:
                    raise TimeoutError
                future = self._jobs[key] = Future()
                run = partial(self._run, future, work)
                threading.Thread(target=run, name=self._name, daemon=True).start()
        error = future.exception(timeout_s)
        with self._lock:
            if self._jobs.get(key) is future:
                del self._jobs[key]
        if error is not None:
            raise error
        return future.result()

    def _run(self, future: Future[Result], work: Callable[[], Result]) -> None:
        with self._semaphore:
            try:
                future.set_result(work())
            except BaseException as error:  # raised in `result`
                future.set_exception(error)
