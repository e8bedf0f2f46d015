"""One stream of server-sent events for all pages: encoded once in each language, never queued.

Every listener has a place in one short history that all share. Who reads too slowly to find the
next message still there gets the whole state instead; who does not read at all is dropped by the
server, whose sockets time out. So no listener costs memory, and none makes another one wait.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..words.languages import translator_to
from ..words.translation import json_bytes
from .public_state import Json

# A comment so often keeps routers from closing the line, and finds out who has gone.
HEARTBEAT_S = 15.0
RETRY_MS = 2000  # how long a browser waits before it comes back
MOST_KEPT = 256  # messages: some minutes of a busy game, for phones that were asleep

HEARTBEAT = b":\n\n"
RETRY = f"retry: {RETRY_MS}\n\n".encode()


def message(event: str, number: int, data: bytes = b"") -> bytes:
    r"""Return a server-sent event.

    Examples
    --------
    >>> message("change", 7, b'{"number":7}')
    b'event: change\nid: 7\ndata: {"number":7}\n\n'
    """
    return b"event: %s\nid: %d\ndata: %s\n\n" % (event.encode(), number, data)


@dataclass(frozen=True)
class _Message:
    """A server-sent event, which is encoded once in each language that somebody hears it in."""

    event: str
    number: int  # of the state after it
    told: Json | None  # never changed
    _texts: dict[str, bytes] = field(default_factory=dict)

    def text(self, language: str) -> bytes:
        if language not in self._texts:
            data = b"" if self.told is None else json_bytes(self.told, translator_to(language))
            self._texts[language] = message(self.event, self.number, data)
        return self._texts[language]


class Stream:
    """What is told to all pages, each in its language. Several threads may use it at once.

    `state` is the first one, for JSON, and `number` its number; what is told is never changed.
    `heartbeat_s` are the seconds between comments while nothing happens.
    """

    def __init__(self, number: int, state: Json, heartbeat_s: float = HEARTBEAT_S) -> None:
        self._news = threading.Condition()
        self._heartbeat_s = heartbeat_s
        self._messages: deque[_Message] = deque()
        self._dropped = 0
        self._floor = number
        self._whole = _Message("state", number, state)
        self._is_closed = False

    def send(self, event: str, told: Json | None, number: int, state: Json) -> None:
        """Tell everyone, and what the state is now, for who comes new."""
        with self._news:
            self._messages.append(_Message(event, number, told))
            self._whole = _Message("state", number, state)
            while len(self._messages) > MOST_KEPT:
                self._floor = self._messages.popleft().number
                self._dropped += 1
            self._news.notify_all()

    def close(self) -> None:
        """End everyone's stream."""
        with self._news:
            self._is_closed = True
            self._news.notify_all()

    def wake(self) -> None:
        """Have all who listen look whether it is over for them."""
        with self._news:
            self._news.notify_all()

    def listen(
        self, language: str, after: int | None = None, is_over: threading.Event | None = None
    ) -> Iterator[bytes]:
        """Yield what one page is told, until the stream is closed.

        `after` is the number of the state that it has already. `is_over` ends this page's part of
        it; `wake` it after setting that.
        """

        def has_ended() -> bool:
            return self._is_closed or (is_over is not None and is_over.is_set())

        def has_news() -> bool:
            return has_ended() or self._end != place

        with self._news:
            place, text = self._end, self._first(language, after)
        yield RETRY + text
        while True:
            with self._news:
                self._news.wait_for(has_news, self._heartbeat_s)
                if has_ended():
                    return
                text, place = self._since(language, place), self._end
            yield text or HEARTBEAT

    @property
    def _end(self) -> int:
        return self._dropped + len(self._messages)

    def _first(self, language: str, after: int | None) -> bytes:
        """Return what a listener is told at first."""
        if after is None or not self._floor <= after <= self._whole.number:
            return self._whole.text(language)
        # Of one number there may be several; to hear one twice does no harm.
        missed = [kept for kept in self._messages if kept.number >= after]
        known = [kept for kept in missed if kept.number == after]
        if known or after == self._floor:
            return self._shortest(language, missed[len(known) :])
        return self._whole.text(language)

    def _since(self, language: str, place: int) -> bytes:
        if place < self._dropped:
            return self._whole.text(language)
        return self._shortest(
            language, [self._messages[i - self._dropped] for i in range(place, self._end)]
        )

    def _shortest(self, language: str, missed: list[_Message]) -> bytes:
        text = b"".join(one.text(language) for one in missed)
        if len(missed) <= 1:  # told as it is: for it alone nobody encodes the state
            return text
        whole = self._whole.text(language)
        return text if len(text) <= len(whole) else whole


def merge_patch(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return what turns one JSON object into another.

    In such a patch null takes a name away. So whoever applies one cannot tell a name whose value
    is null from one that is missing: a state must mean the same by both.

    Examples
    --------
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
