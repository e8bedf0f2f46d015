"""A bell at the table: players call somebody of the house, where the house listens."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import TableError


class Bell:
    """A bell that is there once somebody would hear it."""

    def __init__(self, show: Callable[[bool], None]) -> None:
        self._show = show
        self._is_hung = False

    def hang(self) -> None:
        """Have it there from now on: somebody hears it."""
        self._is_hung = True
        self._show(False)

    def ring(self, *, is_ringing: bool = True) -> None:
        """Call somebody, or say that nobody is needed any more."""
        if not self._is_hung:
            raise TableError("nobody hears a call from this table")
        self._show(is_ringing)
