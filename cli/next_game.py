"""The next game of the same people, begun when somebody at the table asks for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from railspotter.table.errors import TableError
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import GameLog


class NextGame:
    """Begins the game that follows on another one.

    Attributes
    ----------
    game : str or None
        Its id, once it was begun: whoever watches the other one leaves that for it.
    """

    def __init__(self, store: GameStore, log: GameLog) -> None:
        self._store, self._log = store, log
        self.game: str | None = None

    def has_begun(self) -> bool:
        """Tell whether the next game was begun."""
        return self.game is not None

    def begin(self, prepare: Callable[[Path], None] = lambda path: None) -> None:
        """Begin a game with the people who are still there, their colours and rules.

        Parameters
        ----------
        prepare : callable
            Is handed the new game's file before anybody goes over to it.

        Raises
        ------
        TableError
            When this game goes on, or the next one was begun already or cannot be written.
        """
        table = self._log.state.table
        if not table.ended:
            raise TableError("this game is still going: end it first")
        if self.game is not None:
            raise TableError("the next game has begun already")
        there = tuple(p for p in table.players if p.seat not in table.left) or table.players
        started = msgspec.structs.replace(table.started, players=there, name=table.name)
        with self._store.create(started, time.time()) as log:
            prepare(log.path)
            self.game = log.id
