"""An executor without threads: a game's clock stands still while work is done."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any


class AtOnce(Executor):
    """Does what it is handed there and then, and what a test has happen meanwhile."""

    def __init__(self, meanwhile: Callable[[], object] = lambda: None) -> None:
        self._meanwhile = meanwhile

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self._meanwhile()
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future
