"""The feed from a table to its pages: a thread computes public states, and streams the changes.

The stream of server-sent events is encoded once in each language. All listeners share one short
history of messages, instead of a queue for each. A listener that is too slow gets the whole state
instead; one that does not read is dropped by the server's socket timeout. So listeners cost no
memory, and do not wait for each other.
"""

import threading
import time
from collections import deque
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Self

from railspotter.table.game_log.errors import LogFileError
from railspotter.table.game_log.game_state import GameState
from railspotter.table.game_log.public_log import PublicLog
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.live_table.table_view import TableView
from railspotter.table.worker import WokenWorker

from ..access.phone_access import PhoneAccess
from ..words.translation import json_bytes, translator_to
from .public_state import Json, PublicGame, public_state

HEARTBEAT_S = 15.0  # a comment keeps routers from closing the connection, and detects closed ones
RETRY_MS = 2000  # the browsers' delay before they reconnect
MOST_KEPT = 256  # messages: some minutes of a busy game, for phones that slept

HEARTBEAT = b":\n\n"
RETRY = f"retry: {RETRY_MS}\n\n".encode()


def message(event: str, number: int, data: bytes = b"") -> bytes:
    r"""Encode a server-sent event.

    >>> message("change", 7, b'{"number":7}')
    b'event: change\nid: 7\ndata: {"number":7}\n\n'
    """
    return b"event: %s\nid: %d\ndata: %s\n\n" % (event.encode(), number, data)


@dataclass(frozen=True)
class _Message:
    """A server-sent event, encoded lazily in each language."""

    event: str
    number: int  # of the state after it
    data: Json | None  # never changed
    _texts: dict[str, bytes] = field(default_factory=dict)

    def text(self, language: str) -> bytes:
        if language not in self._texts:
            text = b"" if self.data is None else json_bytes(self.data, translator_to(language))
            self._texts[language] = message(self.event, self.number, text)
        return self._texts[language]


class Stream:
    """The stream of messages to all pages. Thread-safe.

    `state` is the initial state, with its `number`; JSON values must not be changed later.
    `heartbeat_s` is the time between comments while nothing happens.
    """

    def __init__(self, state: Json, heartbeat_s: float = HEARTBEAT_S) -> None:
        self._condition = threading.Condition()
        self._heartbeat_s = heartbeat_s
        self._messages: deque[_Message] = deque()
        self._dropped = 0  # how many messages have left the history
        self._whole = _Message("state", state["number"], state)  # the current state
        self._floor = self._whole.number  # the newest that the history does not reach back to
        self._is_closed = False

    def send(self, event: str, data: Json | None, state: Json) -> None:
        """Send a message to all listeners; `state` is the new whole state, for new listeners."""
        with self._condition:
            self._messages.append(_Message(event, state["number"], data))
            self._whole = _Message("state", state["number"], state)
            while len(self._messages) > MOST_KEPT:
                self._floor = self._messages.popleft().number
                self._dropped += 1
            self._condition.notify_all()

    def close(self) -> None:
        """End all listeners."""
        with self._condition:
            self._is_closed = True
            self._condition.notify_all()

    def wake(self) -> None:
        """Wake all listeners to check their `is_over`."""
        with self._condition:
            self._condition.notify_all()

    def listen(
        self, language: str, after: int | None = None, is_over: threading.Event | None = None
    ) -> Iterator[bytes]:
        """Yield the messages for one page, until the stream is closed.

        `after` is the number of the state that the page has. `is_over` ends this listener; call
        `wake` after setting it.
        """

        def has_ended() -> bool:
            return self._is_closed or (is_over is not None and is_over.is_set())

        def has_news() -> bool:
            return has_ended() or self._end != position

        with self._condition:
            position, text = self._end, self._first(language, after)
        yield b"" if has_ended() else RETRY + text
        while True:
            with self._condition:
                self._condition.wait_for(has_news, self._heartbeat_s)
                if has_ended():
                    return
                text, position = self._since(language, position), self._end
            yield text or HEARTBEAT

    @property
    def _end(self) -> int:
        return self._dropped + len(self._messages)

    def _first(self, language: str, after: int | None) -> bytes:
        """Return the first messages for a listener: those it missed, or the whole state."""
        if after is None or not self._floor <= after <= self._whole.number:
            return self._whole.text(language)
        # Several messages may have the same number; repeating one does no harm.
        missed = [kept for kept in self._messages if kept.number >= after]
        known = [kept for kept in missed if kept.number == after]
        if known or after == self._floor:
            return self._shortest(language, missed[len(known) :])
        return self._whole.text(language)

    def _since(self, language: str, position: int) -> bytes:
        if position < self._dropped:
            return self._whole.text(language)
        return self._shortest(
            language, [self._messages[i - self._dropped] for i in range(position, self._end)]
        )

    def _shortest(self, language: str, missed: list[_Message]) -> bytes:
        text = b"".join(one.text(language) for one in missed)
        if len(missed) <= 1:  # without encoding the whole state for comparison
            return text
        whole = self._whole.text(language)
        return text if len(text) <= len(whole) else whole


def merge_patch(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON merge patch (RFC 7386) from one object to another.

    Null in a patch removes a key, so in a state null and a missing key must mean the same.

    >>> merge_patch({"a": 1, "b": {"c": 2, "d": 3}, "e": 4}, {"a": 1, "b": {"c": 5, "d": 3}})
    {'e': None, 'b': {'c': 5}}
    """
    patch: dict[str, Any] = {name: None for name in before if name not in after}
    for name, value in after.items():
        if name not in before:
            patch[name] = value
        elif value != before[name]:
            old = before[name]
            is_object = isinstance(value, Mapping) and isinstance(old, Mapping)
            patch[name] = merge_patch(old, value) if is_object else value
    return patch


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
    """A thread that follows a table and its phones, and sends changes to the stream.

    It also sends the winner when the points have been counted: nothing else changes then.
    """

    def __init__(self, table: LiveTable, access: PhoneAccess, *, is_kept: bool = True) -> None:
        super().__init__("page feed")
        self._table, self._access, self._is_kept = table, access, is_kept
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

    def _timeout_s(self) -> float | None:
        """Return how long the counting still takes; None where nobody counts."""
        state = self._state.state
        if state["phase"] != "counting":
            return None
        return max(0.0, float(state["counting"]["ends_at_s"]) - time.time())

    def _step(self) -> None:
        self.now()

    def _refresh(self) -> FeedState:
        last, view = self._state, self._table.view
        is_counted = self._timeout_s() == 0
        if view is last.view and self._access.devices is self._devices and not is_counted:
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
            pictured = self._pictured_events(view.game)
            game = PublicGame(self._table.log.id, log, pictured, self._is_kept)
        self._devices = self._access.devices
        state = public_state(view, game, self._devices, time.time())
        return FeedState(view, game, {"number": number, **state})

    def _pictured_events(self, game: GameState) -> Collection[int]:
        """Return the numbers of the events with pictures; each event is checked once."""
        with suppress(LogFileError):  # retried when the file can be read again
            for event in game.events[self._last_checked :]:
                if self._table.log.crops(event.seq):
                    self._pictured.add(event.seq)
                self._last_checked = event.seq
        return frozenset(self._pictured)
