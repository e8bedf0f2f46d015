"""The thread that hears all tables, keeps what they say, and asks for what it has missed."""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Self

import msgspec
from railspotter.scoring.sentence import Sentence
from railspotter.table.worker import WokenWorker

from ..broker import BrokerAddress, Connection
from ..errors import HallLogError
from ..messages import MOST_BYTES, Command, topic
from .hall import Hall, HallTable, Ignored
from .hall_log import HallLog

LOG = logging.getLogger(__name__)

HEARD = ("status", "report", "events")
TOGETHER_S = 0.05  # seconds in which messages are gathered, to be written down and shown together
MOST_WAITING = 1_000  # messages that have come and are not taken in yet
REST_S = 1.0  # seconds until it is looked for gaps where nothing is heard
AGAIN_S = 3.0  # seconds after which a table is asked anew for events that are missing


@dataclass(frozen=True)
class HallNews:
    """What is known otherwise since the last news."""

    tables: tuple[HallTable, ...]  # those that are known otherwise
    trouble: Sentence  # why the broker is not heard; empty where it is
    ignored: Mapping[Ignored, int]  # all that was not to be believed, until now


class HallListener(WokenWorker):
    """Hears a broker's tables while its `with` block runs.

    Two halls of one broker need two `client_id`s. `on_news` is told, in the listener's own thread,
    whenever something is known otherwise.
    """

    def __init__(
        self,
        broker: BrokerAddress,
        log: HallLog,
        on_news: Callable[[HallNews], None],
        *,
        client_id: str = "railspotter-hall",
    ) -> None:
        super().__init__("hall", stop_s=5.0)
        self._broker, self._log, self._on_news = broker, log, on_news
        # What is known; for the listener's own thread.
        self.hall = Hall(broker.prefix, log.tables())
        self._heard: deque[tuple[str, bytes]] = deque()
        self._asked_s: dict[tuple[str, str], float] = {}
        self._gaps_due_s = 0.0
        self._shown: Sentence | None = None
        self._room = threading.Condition()
        self._connection = Connection(
            broker,
            client_id,
            subscribed=tuple(topic(broker.prefix, "+", kind) for kind in HEARD),
            on_connected=self.wake,
            on_message=self._on_message,
        )

    def __enter__(self) -> Self:
        self._on_news(self._news_of(set(self.hall.tables)))
        self._connection.__enter__()
        return super().__enter__()

    def close(self) -> None:
        """Hear no more."""
        super().close()
        self._connection.close()

    def tell(self, table: str, command: Command) -> bool:
        """Send a table a command; return whether the broker hears now."""
        if not self._connection.is_connected:
            return False
        where = topic(self._broker.prefix, table, "commands")
        return self._connection.publish(where, msgspec.json.encode(command)) is not None

    def _on_message(self, heard: str, payload: bytes, kept: bool) -> None:
        with self._room:
            # While nobody reads here, the broker has to wait.
            self._room.wait_for(lambda: len(self._heard) < MOST_WAITING, REST_S)
            self._heard.append((heard, payload[: MOST_BYTES + 1]))
        self.wake()

    def _timeout_s(self) -> float:
        return REST_S

    def _step(self) -> None:
        try:
            self._take_in()
        except HallLogError as error:
            LOG.warning("%s", error)
        self._stop_event.wait(TOGETHER_S)

    def _take_in(self) -> None:
        changed, events, forgotten, is_ignored = set(), [], [], False
        with self._room:
            heard = [self._heard.popleft() for _ in range(len(self._heard))]
            self._room.notify_all()
        for one in heard:
            taken = self.hall.hear(*one)
            if taken.table:
                changed.add(taken.table)
            if taken.event is not None:
                events.append(taken.event)
            forgotten += [(taken.table, game) for game in taken.forgotten]
            is_ignored = is_ignored or taken.ignored is not None
        if changed or is_ignored or self._connection.trouble != self._shown:
            self._on_news(self._news_of(changed))
        if changed:
            self._log.write([self.hall.tables[id] for id in changed], events, forgotten)
        if self._connection.is_connected and time.monotonic() >= self._gaps_due_s:
            self._gaps_due_s = time.monotonic() + REST_S
            self._ask_for_missing()

    def _news_of(self, changed: set[str]) -> HallNews:
        self._shown = self._connection.trouble
        return HallNews(
            tuple(self.hall.tables[id] for id in sorted(changed)),
            self._shown,
            Counter(self.hall.ignored),
        )

    def _ask_for_missing(self) -> None:
        """Ask for what is missed for a while: what is missed for the first time may be coming."""
        now_s, asked_s = time.monotonic(), self._asked_s
        self._asked_s = {}
        for table in self.hall.tables.values():
            missing = table.missing if table.is_online else None
            if missing is None:
                continue
            key = table.id, missing.game or ""
            self._asked_s[key] = last_s = asked_s.get(key, now_s)
            if now_s - last_s >= AGAIN_S:
                self._asked_s[key] = now_s
                self.tell(table.id, missing)
