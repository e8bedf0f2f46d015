"""A cache of what is computed from a board, stored with the board."""

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

Board = TypeVar("Board", bound=object)
More = ParamSpec("More")
Result = TypeVar("Result")


def cached_per_board(
    compute: Callable[Concatenate[Board, More], Result],
) -> Callable[Concatenate[Board, More], Result]:
    """Cache a function's results in its first argument, a board, for as long as the board lives.

    A photo of another copy makes a board of its own, with prints elsewhere. An `lru_cache` of two
    would keep that board, and all that is computed from it, until two others come: 80 MB.
    """
    name = f"cached {compute.__module__}.{compute.__qualname__}"

    @wraps(compute)
    def cached(board: Board, /, *more: More.args, **named: More.kwargs) -> Result:
        results: dict[Hashable, Result] = board.__dict__.setdefault(name, {})
        key = (more, *sorted(named.items()))
        if key not in results:
            results[key] = compute(board, *more, **named)
        return results[key]

    return cached
