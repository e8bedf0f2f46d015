"""Publishes a table's events and reports over MQTT; the game never waits for the network."""

import logging
import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import msgspec
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.table.game_log.course_facts import GameStarted, Redone, Undone
from railspotter.table.game_log.errors import EventError, GameLogError
from railspotter.table.game_log.facts import Fact
from railspotter.table.game_log.public_log import public_events
from railspotter.table.live_table import commands as table_commands
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.worker import WokenWorker

from .broker import BrokerAddress, Connection
from .errors import OutboxError
from .home_assistant import discovery_of, discovery_topic
from .messages import MOST_BYTES, Command, Report, Status, TableEvent, parse_message, topic
from .outbox import ANOTHER, Outbox
from .report import report_of

LOG = logging.getLogger(__name__)

MOST_IN_FLIGHT = 100  # events sent and not acknowledged; further ones wait on the disk
REPORT_S = 0.2  # between two reports
# After connecting, how long another table with this id, started earlier, has to answer.
HOLD_S = 0.5
# The same if the broker retained a status of such a table, which may be gone or only slow.
LONG_HOLD_S = 2.0
# So many short connections in a row mean that another program uses this id.
MOST_SHORT = 2
REST_S = 0.5  # between two polls of a table without events
MOST_RESENT = 500  # events for one command
MOST_COMMANDS = 20  # queued ones; the oldest are dropped
GOODBYE_S = 1.0  # to publish the last status

# The commands that a table accepts over MQTT, if allowed, by name.
OFFERED: Mapping[str, table_commands.Command] = {
    "pause": table_commands.Action.PAUSE,
    "resume": table_commands.Resume(),
    "look_again": table_commands.Action.LOOK_AGAIN,
}


@dataclass
class _FollowedTable:
    """A table whose events are published, and how many of them are in the outbox."""

    table: LiveTable
    # The published number of each event by its number in the log.
    numbers: dict[int, int] = field(default_factory=dict)
    seen: int = 0  # how many events of the log were processed


class Publisher(WokenWorker):
    """Publishes the events and reports of the tables that it follows, one at a time.

    Events are saved in the outbox until the broker acknowledges them, so none is lost when the
    broker is down for an hour or the process is killed. `table` is the id in all topics, `name` the
    display name. With `lets_command` others may pause and resume the table and have it look again.
    `discovery` is Home Assistant's discovery prefix; None turns discovery off. `say` is called with
    the state of the connection whenever it changes.
    """

    def __init__(
        self,
        broker: BrokerAddress,
        outbox: Outbox,
        *,
        table: str,
        name: str,
        lets_command: bool = False,
        discovery: str | None = None,
        say: Callable[[Sentence], None] = lambda sentence: None,
    ) -> None:
        super().__init__("mqtt", stop_s=GOODBYE_S + 1.0)
        self._broker, self._outbox, self._id, self._name = broker, outbox, table, name
        self._commands = tuple(OFFERED) if lets_command else ()
        self._discovery, self._discovered = discovery, b""
        self._coloured: dict[str, None] = {}  # the colours that have had a sensor
        self._say, self._last_said = say, NOTHING
        self._followed: _FollowedTable | None = None
        self._last_report: Report | None = None
        self._reported = 0
        self._report_due_s = 0.0
        self._in_flight: dict[int, tuple[str, int]] = {}
        self._acknowledged: deque[int] = deque()
        self._pending_commands: deque[Command] = deque(maxlen=MOST_COMMANDS)
        self._connected_s: float | None = None  # when the connection began that has the status
        self._is_contradicted = self._is_duplicate = False
        self._since_s, self._hold_s = time.time(), HOLD_S
        self.ignored = 0
        self._connection = Connection(
            broker,
            # A secret: with the client id somebody else could disconnect this table.
            f"railspotter-{table}-{secrets.token_hex(8)}",
            subscribed=(self._topic("commands"), self._topic("status")),
            will=(self._topic("status"), self._status("offline")),
            on_connected=self.wake,
            on_message=self._on_message,
            on_sent=self._on_published,
        )

    def __enter__(self) -> Self:
        self._connection.__enter__()
        return super().__enter__()

    def close(self) -> None:
        """Publish that the table is offline, and disconnect."""
        super().close()
        if self._connection.is_connected:
            self._connection.publish_last(self._topic("status"), self._status("offline"), GOODBYE_S)
        self._connection.close()

    def follow(self, table: LiveTable) -> None:
        """Publish this table from now on, instead of the previous one."""
        self._followed = _FollowedTable(table)
        table.enable_calls()
        table.subscribe(self.wake)

    def _topic(self, kind: str) -> str:
        return topic(self._broker.prefix, self._id, kind)

    def _status(self, status: Any) -> bytes:
        commands = self._commands if status == "online" else ()
        return msgspec.json.encode(
            Status(table=self._id, status=status, commands=commands, since_s=self._since_s)
        )

    # Callbacks of the connection's thread: they only queue.

    def _on_published(self, number: int) -> None:
        self._acknowledged.append(number)
        self.wake()

    def _on_message(self, heard: str, payload: bytes, kept: bool) -> None:
        """Queue a command, unless it is a retained one, which is old."""
        if heard == self._topic("status"):
            self._on_status(payload, kept)
            return
        try:
            if kept or len(payload) > MOST_BYTES:
                raise msgspec.ValidationError("kept, or too long")
            self._pending_commands.append(parse_message("commands", payload))
        except msgspec.DecodeError:
            self.ignored += 1
            return
        self.wake()

    def _on_status(self, payload: bytes, kept: bool) -> None:
        """Yield to a table with this id that started earlier; else publish the own status again.

        A retained status may be of a table that vanished. If the broker keeps ending
        connections, its sender is still connected.
        """
        try:
            said: Status = parse_message("status", payload)
        except msgspec.DecodeError:
            said = Status(table=self._id, status="offline", since_s=self._since_s)
        is_online = said.status == "online"
        is_there = self._connection.short_connections >= MOST_SHORT if kept else is_online
        is_earlier = said.since_s < self._since_s
        if is_there and is_earlier:
            self._is_duplicate = True
        elif kept and is_earlier and is_online:
            self._hold_s = LONG_HOLD_S
        elif not kept and payload != self._status("online"):
            self._is_contradicted = True
        self.wake()

    # The publisher's own thread.

    def _run(self) -> None:
        super()._run()
        self._try_step()  # save the last events

    def _on_step_failed(self) -> None:
        self._stop_event.wait(REST_S)

    def _timeout_s(self) -> float:
        wait_s = max(self._report_due_s - time.monotonic(), self._hold_left_s())
        return min(REST_S, wait_s) if wait_s > 0.0 else REST_S

    def _hold_left_s(self) -> float:
        """Return how long to wait still for an earlier table with this id; 0 or less when over."""
        begun_s = self._connection.connected_at_s
        return 0.0 if begun_s is None else begun_s + self._hold_s - time.monotonic()

    def _step(self) -> None:
        try:
            self._publish_all()
        except OutboxError as error:
            LOG.warning("%s", error)
            self._on_step_failed()

    def _publish_all(self) -> None:
        self._mark_sent()
        self._store_new_events()
        if self._is_duplicate:
            self._connection.close()
            self._say_once(ANOTHER)
            return
        self._report_trouble()
        if not self._connection.is_connected:
            return
        connected_at_s = self._connection.connected_at_s
        if connected_at_s != self._connected_s or self._is_contradicted:
            self._connected_s, self._is_contradicted = connected_at_s, False
            self._last_report, self._discovered = None, b""  # a restarted broker may have lost both
            self._connection.publish(self._topic("status"), self._status("online"), is_kept=True)
        if self._hold_left_s() > 0.0:
            return
        while self._pending_commands:
            self._run_command(self._pending_commands.popleft())
        self._send_report()
        self._send_events()

    def _report_trouble(self) -> None:
        if trouble := self._connection.trouble:
            self._say_once(trouble)
        elif self._connection.is_connected and self._hold_left_s() <= 0.0:
            self._say_once(Sentence("the broker {name} is told", name=self._broker.name))

    def _say_once(self, sentence: Sentence) -> None:
        if sentence != self._last_said:
            self._last_said = sentence
            self._say(sentence)

    def _mark_sent(self) -> None:
        acknowledged = [self._acknowledged.popleft() for _ in range(len(self._acknowledged))]
        if sent := [
            self._in_flight.pop(number) for number in acknowledged if number in self._in_flight
        ]:
            self._outbox.mark_sent(sent)

    def _store_new_events(self) -> None:
        """Save the events since the last step in the outbox, under the next numbers."""
        if (followed := self._followed) is None:
            return
        game = followed.table.view.game
        if not followed.seen:
            followed.numbers = self._outbox.numbers(followed.table.log.id)
            self._outbox.forget_old(followed.table.log.id)
        if followed.seen == len(game.events):
            return
        after = max(followed.seen, max(followed.numbers, default=0))
        fresh = []
        for event in public_events(game, after, with_taking=False):
            if (fact := publishable_fact(event.fact, followed.numbers)) is None:
                continue
            number = followed.numbers[event.seq] = len(followed.numbers) + 1
            told = TableEvent(
                table=self._id,
                game=followed.table.log.id,
                number=number,
                at_s=event.at_s,
                kind=event.fact.kind,
                fact=fact,
            )
            fresh.append((number, event.seq, msgspec.json.encode(told)))
        if fresh:
            self._outbox.add(followed.table.log.id, fresh)
        followed.seen = len(game.events)

    def _send_events(self) -> None:
        room = MOST_IN_FLIGHT - len(self._in_flight)
        if room <= 0:
            return
        in_flight = set(self._in_flight.values())
        for game, number, payload in self._outbox.unsent(MOST_IN_FLIGHT):
            if (game, number) not in in_flight and len(self._in_flight) < MOST_IN_FLIGHT:
                message = self._connection.publish(self._topic("events"), payload)
                if message is None:
                    return
                self._in_flight[message] = game, number

    def _send_report(self) -> None:
        followed, now_s = self._followed, time.monotonic()
        if followed is None or now_s < self._report_due_s:
            return
        report = report_of(
            followed.table.view,
            table=self._id,
            name=self._name,
            game=followed.table.log.id,
            events=len(followed.numbers),
        )
        if report == self._last_report:
            return
        self._last_report = report
        self._reported += 1
        number = self._outbox.start * 1_000_000_000 + self._reported
        told = msgspec.structs.replace(report, number=number, at_s=time.time())
        self._connection.publish(self._topic("report"), msgspec.json.encode(told), is_kept=True)
        self._report_due_s = now_s + REPORT_S
        if self._discovery is not None:
            self._send_discovery(self._discovery, told)

    def _send_discovery(self, discovery: str, report: Report) -> None:
        """Publish the table and its players to Home Assistant, if they changed."""
        told = discovery_of(report, self._broker.prefix, self._commands, self._coloured)
        self._coloured.update(dict.fromkeys(player.colour for player in report.players))
        made = msgspec.json.encode(told)
        if made != self._discovered:
            where = discovery_topic(self._id, discovery)
            self._connection.publish(where, made, is_kept=True)
            self._discovered = made

    def _run_command(self, command: Command) -> None:
        followed = self._followed
        if command.command == "resend":
            game = command.game or (followed.table.log.id if followed else "")
            first, last = command.first or 1, command.last or 2**53
            for _, _, payload in self._outbox.find(game, first, last, MOST_RESENT):
                self._connection.publish(self._topic("events"), payload)
        elif followed is None or command.command not in self._commands:
            self.ignored += 1
        else:
            try:
                followed.table.execute(OFFERED[command.command])
            except (EventError, GameLogError):
                self.ignored += 1  # already paused, or over


def publishable_fact(fact: Fact, numbers: Mapping[int, int]) -> dict[str, Any] | None:
    """Serialise a public fact; None if it refers to an event that was not published."""
    if isinstance(fact, Undone | Redone):
        if fact.event not in numbers:
            return None
        fact = msgspec.structs.replace(fact, event=numbers[fact.event])
    told: dict[str, Any] = msgspec.to_builtins(fact)
    if isinstance(fact, GameStarted):
        told.pop("board", None)  # a custom board is large, and no subscriber draws it
    return told
