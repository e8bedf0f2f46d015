"""The thread that receives all tables' messages, saves them, and requests missing events."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Self

import msgspec
from railspotter.scoring.sentence import Sentence
from railspotter.table.worker import WokenWorker

from ..broker import BrokerAddress, Connection
from ..errors import HallLogError
from ..messages import MOST_BYTES, Command, topic
from .hall import Hall, HallTable
from .hall_log import HallLog

LOG = logging.getLogger(__name__)

HEARD = ("status", "report", "events")
BATCH_S = 0.05  # messages that arrive within this time are saved and shown together
MOST_QUEUED = 1_000  # messages
REST_S = 1.0  # between two searches for missing events
STATUS_S = 5.0  # in which a broker sends what it knows of tables, or they send it anew
AGAIN_S = 3.0  # before missing events are requested again


class HallListener(WokenWorker):
    """Receives the messages of a broker's tables while its `with` block runs.

    Two halls of one broker need two `client_id`s. `on_news` is called in the listener's own thread
    at each change, with the changed tables and why there is no connection, empty while there is.
    """

    def __init__(
        self,
        broker: BrokerAddress,
        log: HallLog,
        on_news: Callable[[Iterable[HallTable], Sentence], None],
        *,
        client_id: str = "railspotter-hall",
    ) -> None:
        super().__init__("hall", stop_s=5.0)
        self._broker, self._log, self._on_news = broker, log, on_news
        self.hall = Hall(broker.prefix, log.tables())
        self._queue: deque[tuple[str, bytes]] = deque()
        self._asked_s: dict[tuple[str, str], float] = {}
        self._gaps_due_s = 0.0
        self._connected_at_s: float | None = None
        self._unheard: set[str] = set()  # tables whose status this connection has not brought
        self._shown: Sentence | None = None
        self._has_room = threading.Condition()
        self._connection = Connection(
            broker,
            client_id,
            subscribed=tuple(topic(broker.prefix, "+", kind) for kind in HEARD),
            on_connected=self.wake,
            on_message=self._on_message,
        )

    def __enter__(self) -> Self:
        self._tell(self.hall.tables)
        self._connection.__enter__()
        return super().__enter__()

    def close(self) -> None:
        """Disconnect and end the thread."""
        super().close()
        self._connection.close()

    def tell(self, table: str, command: Command) -> bool:
        """Send a command to a table; return whether the broker accepted it."""
        if not self._connection.is_connected:
            return False
        where = topic(self._broker.prefix, table, "commands")
        return self._connection.publish(where, msgspec.json.encode(command)) is not None

    def _on_message(self, heard: str, payload: bytes, kept: bool) -> None:
        with self._has_room:
            # A full queue blocks the connection, so that the broker has to wait.
            self._has_room.wait_for(lambda: len(self._queue) < MOST_QUEUED, REST_S)
            self._queue.append((heard, payload[: MOST_BYTES + 1]))
        self.wake()

    def _timeout_s(self) -> float:
        return REST_S

    def _step(self) -> None:
        try:
            self._process_messages()
        except HallLogError as error:
            LOG.warning("%s", error)
        self._stop_event.wait(BATCH_S)

    def _process_messages(self) -> None:
        changed, events, forgotten = set(), [], []
        with self._has_room:
            heard = [self._queue.popleft() for _ in range(len(self._queue))]
            self._has_room.notify_all()
        changed |= self._silent_tables({where for where, _ in heard})
        for one in heard:
            effect = self.hall.receive(*one)
            if effect.table:
                changed.add(effect.table)
            if effect.event is not None:
                events.append(effect.event)
            forgotten += [(effect.table, game) for game in effect.forgotten]
        if changed or self._connection.trouble != self._shown:
            self._tell(changed)
        if changed:
            self._log.write([self.hall.tables[id] for id in changed], events, forgotten)
        if self._connection.is_connected and time.monotonic() >= self._gaps_due_s:
            self._gaps_due_s = time.monotonic() + REST_S
            self._ask_for_missing()

    def _silent_tables(self, heard: set[str]) -> set[str]:
        """Take tables for offline that are not heard of on a new connection; return them.

        A broker that was started anew may have forgotten tables, and cannot say that they went.
        """
        connected_at_s = self._connection.connected_at_s
        if connected_at_s != self._connected_at_s:
            self._connected_at_s, self._unheard = connected_at_s, set(self.hall.tables)
        prefix = self._broker.prefix
        self._unheard = {id for id in self._unheard if topic(prefix, id, "status") not in heard}
        if connected_at_s is None or time.monotonic() < connected_at_s + STATUS_S:
            return set()
        silent, self._unheard = self._unheard, set()
        return self.hall.forget_status(silent)

    def _tell(self, changed: Iterable[str]) -> None:
        self._shown = self._connection.trouble
        self._on_news([self.hall.tables[id] for id in sorted(changed)], self._shown)

    def _ask_for_missing(self) -> None:
        """Request events missing for `AGAIN_S`; those that just went missing may still arrive."""
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
