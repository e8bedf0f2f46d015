"""What is computed of a board alone: kept with it, and gone when it is."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

Board = TypeVar("Board", bound=object)
More = ParamSpec("More")
Result = TypeVar("Result")


def cached_per_board(
    compute: Callable[Concatenate[Board, More], Result],
) -> Callable[Concatenate[Board, More], Result]:
    """Compute something of a board once, and keep it as long as the board lives.

    A photo of another copy makes a board of its own, with prints elsewhere. A cache beside the
    function would keep that, and all that is computed of it, until two others have come: 80 MB.
    """
    name = f"kept {compute.__module__}.{compute.__qualname__}"

    @wraps(compute)
    def kept(board: Board, /, *more: More.args, **named: More.kwargs) -> Result:
        results: dict[Hashable, Result] = board.__dict__.setdefault(name, {})
        key = (more, *sorted(named.items()))
        if key not in results:
            results[key] = compute(board, *more, **named)
        return results[key]

    return kept
