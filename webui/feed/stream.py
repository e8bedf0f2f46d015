"""One stream of server-sent events for the pages of a language: encoded once, never queued.

Every listener has a place in one short history that all share. Who reads too slowly to find the
next message still there gets the whole state instead; who does not read at all is dropped by the
server, whose sockets time out. So no listener costs memory, and none makes another one wait.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial

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
    """Server-sent events as text, and the number of the state after them."""

    number: int
    text: bytes


@dataclass(frozen=True)
class _Whole:
    """A state, which is encoded once somebody needs it, and its number."""

    number: int
    encode: Callable[[], bytes]

    @cached_property
    def text(self) -> bytes:
        """The server-sent event that has all of it."""
        return message("state", self.number, self.encode())


class Stream:
    """What is told to all pages of a language. Several threads may use it at once.

    Parameters
    ----------
    number : int
        The number of the first state.
    state : callable
        Returns that state as JSON.
    heartbeat_s : float
        Seconds between comments while nothing happens.
    """

    def __init__(
        self, number: int, state: Callable[[], bytes], heartbeat_s: float = HEARTBEAT_S
    ) -> None:
        self._news = threading.Condition()
        self._heartbeat_s = heartbeat_s
        self._messages: deque[_Message] = deque()
        self._dropped = 0
        self._floor = number
        self._whole = _Whole(number, state)
        self._is_closed = False

    def send(self, text: bytes, number: int, state: Callable[[], bytes]) -> None:
        """Tell everyone.

        Parameters
        ----------
        text : bytes
            A server-sent event, or several.
        number : int
            The number of the state that there is now.
        state : callable
            Returns that state as JSON, for who comes new.
        """
        with self._news:
            self._messages.append(_Message(number, text))
            self._whole = _Whole(number, state)
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
        self, after: int | None = None, is_over: threading.Event | None = None
    ) -> Iterator[bytes]:
        """Yield what one page is told, until the stream is closed.

        Parameters
        ----------
        after : int, optional
            The number of the state that it has already.
        is_over : threading.Event, optional
            Ends this page's part of it; `wake` it after setting that.
        """

        def has_ended() -> bool:
            return self._is_closed or (is_over is not None and is_over.is_set())

        def has_news() -> bool:
            return has_ended() or self._end != place

        with self._news:
            place, text = self._begin(after)
        yield RETRY + text
        while True:
            with self._news:
                self._news.wait_for(has_news, self._heartbeat_s)
                if has_ended():
                    return
                text, place = self._since(place), self._end
            yield text or HEARTBEAT

    @property
    def _end(self) -> int:
        return self._dropped + len(self._messages)

    def _begin(self, after: int | None) -> tuple[int, bytes]:
        """Return a listener's place, and what it is told at first."""
        if after is None or not self._floor <= after <= self._whole.number:
            return self._end, self._whole.text
        # Of one number there may be several; to hear one twice does no harm.
        missed = [kept.text for kept in self._messages if kept.number >= after]
        known = [kept.number for kept in self._messages if kept.number == after]
        if known or after == self._floor:
            return self._end, self._shortest(missed[len(known) :] if known else missed)
        return self._end, self._whole.text

    def _since(self, place: int) -> bytes:
        if place < self._dropped:
            return self._whole.text
        missed = [self._messages[i - self._dropped].text for i in range(place, self._end)]
        return self._shortest(missed)

    def _shortest(self, missed: list[bytes]) -> bytes:
        text = b"".join(missed)
        # A single change is told as it is: for it alone nobody encodes the state.
        is_short = len(missed) <= 1 or len(text) <= len(self._whole.text)
        return text if is_short else self._whole.text


class Streams:
    """The streams of one state, one in each language that a page has asked for.

    Several threads may use them at once.

    Parameters
    ----------
    number : int
        The number of the first state.
    state : dict
        That state, for JSON; what is told of it is never changed.
    """

    def __init__(self, number: int, state: Json) -> None:
        self._lock = threading.Lock()
        self._number, self._state = number, state
        self._streams: dict[str, Stream] = {}
        self._is_closed = False

    def of(self, language: str) -> Stream:
        """Return the stream of a language; it begins with the state that there is now."""
        with self._lock:
            if language not in self._streams:
                encode = partial(json_bytes, self._state, translator_to(language))
                stream = self._streams[language] = Stream(self._number, encode)
                if self._is_closed:
                    stream.close()
            return self._streams[language]

    def send(self, event: str, told: Json | None, number: int, state: Json) -> None:
        """Tell everyone, each in their language, and what the state is now."""
        with self._lock:
            self._number, self._state = number, state
            for language, stream in self._streams.items():
                say = translator_to(language)
                text = message(event, number, b"" if told is None else json_bytes(told, say))
                stream.send(text, number, partial(json_bytes, state, say))

    def close(self) -> None:
        """End everyone's stream."""
        with self._lock:
            self._is_closed = True
            for stream in self._streams.values():
                stream.close()
