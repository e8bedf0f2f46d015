"""From the table to the pages: states are made by a thread of their own, and told as changes."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

from railspotter.table.game_log.errors import LogFileError
from railspotter.table.game_log.game_state import GameState
from railspotter.table.game_log.public_log import PublicLog
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.live_table.table_view import TableView
from railspotter.table.worker import WokenWorker

from ..access.pairing import Pairing
from .public_state import Json, PublicGame, public_state
from .stream import Stream, merge_patch


@dataclass(frozen=True)
class FeedState:
    """The state of a game for everyone, at one moment."""

    # Rises whenever something that everyone may see has changed, and only then. It goes on rising
    # when the program is started again.
    number: int
    view: TableView  # what the table shows by itself: the camera's state, what joins, the questions
    game: PublicGame  # the game without secrets
    state: Json  # all of it as JSON, with the number in it


class Feed(WokenWorker):
    """Follows a table and its phones while its `with` block runs, and tells the stream."""

    def __init__(self, table: LiveTable, pairing: Pairing) -> None:
        super().__init__("page feed")
        self._table, self._pairing = table, pairing
        self._looked_up = 0
        self._pictured: set[int] = set()
        self._making = threading.Lock()
        self._devices = pairing.devices
        self._state = self._next_state(table.view, None, time.time_ns() // 1_000_000)
        self.stream = Stream(self._state.number, self._state.state)
        self.is_over = self._stop_event  # set when the pages are to be left

    def __enter__(self) -> Self:
        super().__enter__()
        self._table.subscribe(self.wake)
        return self

    def close(self) -> None:
        """End what pages are told, and the work."""
        self.is_over.set()
        self.stream.close()
        super().close()

    def now(self) -> FeedState:
        """Return what is shown now, brought up to date first: who said something sees it."""
        with self._making:
            return self._refresh()

    def send_paired(self) -> None:
        """Send everyone that somebody's part at the table changed."""
        with self._making:
            now = self._refresh()
            self.stream.send("paired", None, now.number, now.state)

    def _step(self) -> None:
        self.now()

    def _refresh(self) -> FeedState:
        last, view = self._state, self._table.view
        if view is last.view and self._pairing.devices is self._devices:
            return last
        made = self._next_state(view, last, last.number)
        patch = merge_patch(last.state, made.state)
        if patch:
            number = last.number + 1
            made = FeedState(number, made.view, made.game, {**made.state, "number": number})
            self.stream.send("change", {"number": number, **patch}, number, made.state)
        self._state = made
        return made

    def _next_state(self, view: TableView, last: FeedState | None, number: int) -> FeedState:
        if last is not None and view.game is last.view.game:
            game = last.game
        else:
            before = last.game.log if last is not None else None
            log = PublicLog.of(view.game) if before is None else before.after(view.game)
            game = PublicGame(self._table.log.id, log, self._pictured_events(view.game))
        self._devices = self._pairing.devices
        state = public_state(view, game, self._devices)
        return FeedState(number, view, game, {"number": number, **state})

    def _pictured_events(self, game: GameState) -> Collection[int]:
        """Return the numbers of the events that have pictures; each is looked up once."""
        with suppress(LogFileError):  # it is looked up when the file can be read again
            for event in game.events[self._looked_up :]:
                if self._table.log.crops(event.seq):
                    self._pictured.add(event.seq)
                self._looked_up = event.seq
        return frozenset(self._pictured)
