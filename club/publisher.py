"""A table tells a broker what happens at it; the game never waits for the network."""

from __future__ import annotations

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
from .outbox import ANOTHER, Outbox, Waiting
from .report import report_of

LOG = logging.getLogger(__name__)

MOST_FLYING = 100  # events that were sent and not answered; the next waits on the disk
REPORT_S = 0.2  # seconds between two reports, of which the newest alone is of interest
# Seconds after a connecting in which an earlier table of this id can make itself heard.
HOLD_S = 0.5
# So many, where the broker has kept a word of such a table; it may be gone, or only slow.
LONG_HOLD_S = 2.0
# Connections that another program of the same user ends in a row: that is no accident.
MOST_SHORT = 2
REST_S = 0.5  # seconds until a table is looked at again where nothing wakes it
MOST_AGAIN = 500  # events that are sent again for one command
MOST_COMMANDS = 20  # commands that wait; more than that nobody gives
GOODBYE_S = 1.0  # seconds that the last words have, where a broker listens

# What others may have a table do, where it lets them, by its name for brokers.
OFFERED: Mapping[str, table_commands.Command] = {
    "pause": table_commands.Pause(),
    "resume": table_commands.Resume(),
    "look_again": table_commands.LookAgain(),
}


@dataclass
class _Followed:
    """A table whose events are told, and what of them is kept by now."""

    table: LiveTable
    # By the log's number the one under which an event is told.
    numbers: dict[int, int] = field(default_factory=dict)
    seen: int = 0  # the newest of the log that was looked at


class Publisher(WokenWorker):
    """Tells a broker of the tables that it follows, one game after the other.

    What is to be told is kept in the outbox first, and is there until the broker has it: a broker
    that was away for an hour, or a table that was killed, costs no event. `table` is its id, in all
    its topics, and `name` what people call it. Where `lets_command`, others may pause it, go on,
    and have it look again. `discovery` is where Home Assistant looks for devices; without it, it is
    told nothing. `say` is told in a sentence when the broker is gone, refuses, or is there.
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
        self._say, self._said = say, NOTHING
        self._followed: _Followed | None = None
        self._told: Report | None = None
        self._reported = 0
        self._report_due_s = 0.0
        self._flying: dict[int, tuple[str, int]] = {}
        self._flown: deque[int] = deque()
        self._asked: deque[Command] = deque(maxlen=MOST_COMMANDS)
        self._connected_s: float | None = None  # since when the connection told of last is there
        self._is_contradicted = self._is_second = False
        self._since_s, self._hold_s = time.time(), HOLD_S
        self.ignored = 0
        self._connection = Connection(
            broker,
            # Nobody else can know it, and take this table's place at the broker by it.
            f"railspotter-{table}-{secrets.token_hex(8)}",
            subscribed=(self._topic("commands"), self._topic("status")),
            will=(self._topic("status"), self._status("offline")),
            on_connected=self.wake,
            on_message=self._heard,
            on_sent=self._on_published,
        )

    def __enter__(self) -> Self:
        self._connection.__enter__()
        return super().__enter__()

    def close(self) -> None:
        """Say that the table is gone, and end the connection."""
        super().close()
        if self._connection.is_connected:
            self._connection.publish_last(self._topic("status"), self._status("offline"), GOODBYE_S)
        self._connection.close()

    def follow(self, table: LiveTable) -> None:
        """Tell of this table from now on, in place of the one before."""
        self._followed = _Followed(table)
        table.enable_calls()
        table.subscribe(self.wake)

    @property
    def has_sent_all(self) -> bool:
        """Whether the broker has all that has happened by now."""
        followed = self._followed
        is_kept = followed is None or followed.seen == len(followed.table.log.state.events)
        return is_kept and not self._flying and not self._outbox.unsent(1)

    def _topic(self, kind: str) -> str:
        return topic(self._broker.prefix, self._id, kind)

    def _status(self, status: Any) -> bytes:
        commands = self._commands if status == "online" else ()
        return msgspec.json.encode(
            Status(table=self._id, status=status, commands=commands, since_s=self._since_s)
        )

    # What others call, in their own threads: nothing but notes.

    def _on_published(self, number: int) -> None:
        self._flown.append(number)
        self.wake()

    def _heard(self, heard: str, payload: bytes, kept: bool) -> None:
        """Note a command; one that the broker kept was given to somebody else, long ago."""
        if heard == self._topic("status"):
            self._heard_status(payload, kept)
            return
        try:
            if kept or len(payload) > MOST_BYTES:
                raise msgspec.ValidationError("kept, or too long")
            self._asked.append(parse_message("commands", payload))
        except msgspec.DecodeError:
            self.ignored += 1
            return
        self.wake()

    def _heard_status(self, payload: bytes, kept: bool) -> None:
        """Stand back for a table of this id that was here earlier; contradict everybody else.

        What the broker has kept may be of a table that is gone without a word. Where it ends one
        connection after the other, whoever told it then is there.
        """
        try:
            said: Status = parse_message("status", payload)
        except msgspec.DecodeError:
            said = Status(table=self._id, status="offline", since_s=self._since_s)
        is_there = self._connection.short >= MOST_SHORT if kept else said.status == "online"
        is_earlier = said.since_s < self._since_s
        if is_there and is_earlier:
            self._is_second = True
        elif kept and is_earlier and said.status == "online":
            self._hold_s = LONG_HOLD_S
        elif not kept and payload != self._status("online"):
            self._is_contradicted = True
        self.wake()

    # The thread that tells.

    def _run(self) -> None:
        super()._run()
        self._try_step()  # what happened last

    def _on_step_failed(self) -> None:
        self._stop_event.wait(REST_S)

    def _timeout_s(self) -> float:
        wait_s = max(self._report_due_s - time.monotonic(), self._holds_s())
        return min(REST_S, wait_s) if wait_s > 0.0 else REST_S

    def _holds_s(self) -> float:
        """Return how long an earlier table of this id is still waited for; 0 or less when over."""
        since_s = self._connection.since_s
        return 0.0 if since_s is None else since_s + self._hold_s - time.monotonic()

    def _step(self) -> None:
        try:
            self._tell_all()
        except OutboxError as error:
            LOG.warning("%s", error)
            self._on_step_failed()

    def _tell_all(self) -> None:
        self._mark_sent()
        self._store_new_events()
        if self._is_second:
            self._connection.close()
            self._tell(ANOTHER)
            return
        self._report_trouble()
        if not self._connection.is_connected:
            return
        since_s = self._connection.since_s
        if since_s != self._connected_s or self._is_contradicted:
            self._connected_s, self._is_contradicted = since_s, False
            self._told, self._discovered = None, b""  # a broker that was away may have forgotten
            self._connection.publish(self._topic("status"), self._status("online"), is_kept=True)
        if self._holds_s() > 0.0:
            return
        while self._asked:
            self._run_command(self._asked.popleft())
        self._send_report()
        self._send_events()

    def _report_trouble(self) -> None:
        if trouble := self._connection.trouble:
            self._tell(trouble)
        elif self._connection.is_connected and self._holds_s() <= 0.0:
            self._tell(Sentence("the broker {name} is told", name=self._broker.name))

    def _tell(self, sentence: Sentence) -> None:
        if sentence != self._said:
            self._said = sentence
            self._say(sentence)

    def _mark_sent(self) -> None:
        flown = [self._flown.popleft() for _ in range(len(self._flown))]
        if sent := [self._flying.pop(number) for number in flown if number in self._flying]:
            self._outbox.sent(sent)

    def _store_new_events(self) -> None:
        """Keep what has happened since the last time, under the next numbers."""
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
        room = MOST_FLYING - len(self._flying)
        if room <= 0:
            return
        flying = set(self._flying.values())
        for one in self._outbox.unsent(MOST_FLYING):
            if (one.game, one.number) not in flying and len(self._flying) < MOST_FLYING:
                number = self._send(one)
                if number is None:
                    return
                self._flying[number] = (one.game, one.number)

    def _send(self, one: Waiting) -> int | None:
        return self._connection.publish(self._topic("events"), one.payload)

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
        if report == self._told:
            return
        self._told = report
        self._reported += 1
        number = self._outbox.start * 1_000_000_000 + self._reported
        told = msgspec.structs.replace(report, number=number, at_s=time.time())
        self._connection.publish(self._topic("report"), msgspec.json.encode(told), is_kept=True)
        self._report_due_s = now_s + REPORT_S
        if self._discovery is not None:
            self._send_discovery(self._discovery, told)

    def _send_discovery(self, discovery: str, report: Report) -> None:
        """Have Home Assistant know the table, and who plays at it."""
        made = msgspec.json.encode(discovery_of(report, self._broker.prefix, self._commands))
        if made != self._discovered:
            where = discovery_topic(self._id, discovery)
            self._connection.publish(where, made, is_kept=True)
            self._discovered = made

    def _run_command(self, command: Command) -> None:
        followed = self._followed
        if command.command == "resend":
            game = command.game or (followed.table.log.id if followed else "")
            first, last = command.first or 1, command.last or 2**53
            for one in self._outbox.again(game, first, last, MOST_AGAIN):
                self._send(one)
        elif followed is None or command.command not in self._commands:
            self.ignored += 1
        else:
            try:
                followed.table.do(OFFERED[command.command])
            except (EventError, GameLogError):
                self.ignored += 1  # it is paused already, or has ended


def publishable_fact(fact: Fact, numbers: Mapping[int, int]) -> dict[str, Any] | None:
    """Return a public fact as it is told; None for one that names what was never told."""
    if isinstance(fact, Undone | Redone):
        if fact.event not in numbers:
            return None
        fact = msgspec.structs.replace(fact, event=numbers[fact.event])
    told: dict[str, Any] = msgspec.to_builtins(fact)
    if isinstance(fact, GameStarted):
        told.pop("board", None)  # a board of one's own is large, and nobody here draws it
    return told
