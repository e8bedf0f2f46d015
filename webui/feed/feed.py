"""The feed from a table to its pages: a thread computes public states, and streams the changes."""

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

from ..access.phone_access import PhoneAccess
from .public_state import Json, PublicGame, public_state
from .stream import Stream, merge_patch


@dataclass(frozen=True)
class FeedState:
    """A snapshot of a game's public state."""

    view: TableView
    game: PublicGame  # the game without secrets
    state: Json  # the whole state as JSON, including its number

    @property
    def number(self) -> int:
        """The state's number: it rises with every public change, also over restarts."""
        return int(self.state["number"])


class Feed(WokenWorker):
    """A thread that follows a table and its phones, and sends changes to the stream."""

    def __init__(self, table: LiveTable, access: PhoneAccess) -> None:
        super().__init__("page feed")
        self._table, self._access = table, access
        self._last_checked = 0  # the last event that was checked for pictures
        self._pictured: set[int] = set()
        self._lock = threading.Lock()
        self._devices = access.devices
        self._state = self._next_state(table.view, None, time.time_ns() // 1_000_000)
        self.stream = Stream(self._state.state)
        self.is_over = self._stop_event  # set when the pages' streams must end

    def __enter__(self) -> Self:
        super().__enter__()
        self._table.subscribe(self.wake)
        return self

    def close(self) -> None:
        """End the stream and the thread."""
        self.is_over.set()
        self.stream.close()
        super().close()

    def now(self) -> FeedState:
        """Update and return the state, so that a call's own changes are in it."""
        with self._lock:
            return self._refresh()

    def send_paired(self) -> None:
        """Notify all pages that a phone's role or seat changed."""
        with self._lock:
            self.stream.send("paired", None, self._refresh().state)

    def _step(self) -> None:
        self.now()

    def _refresh(self) -> FeedState:
        last, view = self._state, self._table.view
        if view is last.view and self._access.devices is self._devices:
            return last
        made = self._next_state(view, last, last.number)
        patch = merge_patch(last.state, made.state)
        if patch:
            number = last.number + 1
            made = FeedState(made.view, made.game, {**made.state, "number": number})
            self.stream.send("change", {"number": number, **patch}, made.state)
        self._state = made
        return made

    def _next_state(self, view: TableView, last: FeedState | None, number: int) -> FeedState:
        if last is not None and view.game is last.view.game:
            game = last.game
        else:
            before = last.game.log if last is not None else None
            log = PublicLog.of(view.game) if before is None else before.after(view.game)
            game = PublicGame(self._table.log.id, log, self._pictured_events(view.game))
        self._devices = self._access.devices
        state = public_state(view, game, self._devices)
        return FeedState(view, game, {"number": number, **state})

    def _pictured_events(self, game: GameState) -> Collection[int]:
        """Return the numbers of the events with pictures; each event is checked once."""
        with suppress(LogFileError):  # retried when the file can be read again
            for event in game.events[self._last_checked :]:
                if self._table.log.crops(event.seq):
                    self._pictured.add(event.seq)
                self._last_checked = event.seq
        return frozenset(self._pictured)
