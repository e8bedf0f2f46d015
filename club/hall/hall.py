"""The state of all tables, updated by each message after validation.

Anybody with the broker's password can send anything. A message that violates the schema, is too
long, is in another table's topic or is old is ignored; it is counted, and the host sees the count.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

import msgspec
from railspotter.table.game_log.budgets import MOST_EVENTS

from ..messages import MOST_BYTES, Command, Report, Status, TableEvent, parse_message, table_of

MOST_TABLES = 5_000  # more than any convention has: bounds what a forger can add
# Per table, whose events and results are kept.
MOST_GAMES = 6
# The events of one table: two games of the longest log, with 300 bytes an event.
MOST_TABLE_BYTES = 8 * 2**20
MOST_HALL_BYTES = 512 * 2**20  # the events of all: six long games at 1,500 tables


class Ignored(Enum):
    """Why a message was ignored."""

    TOPIC = "a topic that is no table's"
    LENGTH = "too long"
    SCHEMA = "not as the schema has it"
    OTHER = "another table's topic"
    OLD = "an old number"
    TABLES = "more tables than a hall has"
    ROOM = "more events than a hall keeps"


@dataclass(frozen=True)
class ReceivedEvents:
    """Which of a game's events were received, and their size."""

    # A bit set by event number; bit 0, of no event, is always set.
    numbers: int = 1
    size: int = 0  # bytes of their payloads

    def __contains__(self, number: int) -> bool:
        return bool(self.numbers >> number & 1)

    @property
    def upto(self) -> int:
        """The last number before the first gap.

        >>> ReceivedEvents().with_number(1).with_number(3).upto
        1
        """
        return (~self.numbers & (self.numbers + 1)).bit_length() - 2

    @property
    def newest(self) -> int:
        """The highest received number; 0 if none."""
        return self.numbers.bit_length() - 1

    def with_number(self, number: int, size: int = 0) -> "ReceivedEvents":
        """Return a copy with one more event."""
        return ReceivedEvents(self.numbers | 1 << number, self.size + size)


@dataclass(frozen=True)
class HallTable:
    """The state of a table."""

    id: str
    report: Report | None = None  # the newest; None if only a status was received
    status: Status | None = None
    # The received events by game, the least recently updated game first.
    heard: Mapping[str, ReceivedEvents] = field(default_factory=dict)
    # Whether the table has reconnected since the last report: the next report is accepted with any
    # number, because a table with a new disk numbers from the start.
    is_anew: bool = False

    @property
    def is_online(self) -> bool:
        """Whether the table's last status was online."""
        return self.status is not None and self.status.status == "online"

    @property
    def size(self) -> int:
        """The size of its events in bytes."""
        return sum(heard.size for heard in self.heard.values())

    @property
    def missing(self) -> Command | None:
        """The command that requests the first gap in the current game's events, if there is one."""
        report = self.report
        if report is None:
            return None
        heard = self.heard.get(report.game, ReceivedEvents())
        newest = max(report.events, heard.newest)
        first = heard.upto + 1
        if first > newest:
            return None
        beyond = heard.numbers >> first
        gap = (beyond & -beyond).bit_length() - 1 if beyond else newest - heard.upto
        return Command(command="resend", game=report.game, first=first, last=heard.upto + gap)


@dataclass(frozen=True)
class MessageEffect:
    """What a message changed."""

    table: str = ""  # the changed table; empty if none
    event: TableEvent | None = None  # a new event
    forgotten: tuple[str, ...] = ()  # the table's games whose events were dropped for it


class Hall:
    """All tables of a broker."""

    def __init__(self, prefix: str, tables: Iterable[HallTable] = ()) -> None:
        self._prefix = prefix
        self.tables = {table.id: table for table in tables}
        self._size = sum(table.size for table in self.tables.values())
        # The numbers of ignored messages by reason, and by the known table that they name.
        self.ignored: Counter[Ignored] = Counter()
        self.ignored_of: Counter[str] = Counter()

    def receive(self, topic: str, payload: bytes) -> MessageEffect:
        """Validate a message and update its table; an invalid one is counted and ignored."""
        found = table_of(self._prefix, topic)
        if found is None:
            return self._ignore(Ignored.TOPIC)
        id, kind = found
        if kind == "commands":
            return MessageEffect()
        if len(payload) > MOST_BYTES:
            return self._ignore(Ignored.LENGTH, id)
        try:
            message = parse_message(kind, payload)
        except msgspec.DecodeError:
            return self._ignore(Ignored.SCHEMA, id)
        if message.table != id:
            return self._ignore(Ignored.OTHER, id)
        if id not in self.tables and len(self.tables) >= MOST_TABLES:
            return self._ignore(Ignored.TABLES)
        table = self.tables.get(id, HallTable(id))
        match message:
            case Status():
                return self._put(replace(table, status=message, is_anew=True))
            case Report():
                return self._report(table, message)
            case TableEvent():
                return self._event(table, message, len(payload))
        return MessageEffect()

    def forget_status(self, ids: Iterable[str]) -> set[str]:
        """Forget what tables said of being online; return those that were."""
        gone = {id for id in ids if self.tables[id].is_online}
        for id in gone:
            self._put(replace(self.tables[id], status=None))
        return gone

    def _report(self, table: HallTable, report: Report) -> MessageEffect:
        last = table.report
        if last is not None and report.number <= last.number and not table.is_anew:
            # A reconnected broker sends its retained messages again.
            return MessageEffect() if report == last else self._ignore(Ignored.OLD, table.id)
        return self._put(replace(table, report=report, is_anew=False))

    def _event(self, table: HallTable, event: TableEvent, size: int) -> MessageEffect:
        heard = dict(table.heard)
        own = heard.pop(event.game, ReceivedEvents())
        if event.number in own:
            return MessageEffect()
        if event.number > MOST_EVENTS:
            return self._ignore(Ignored.ROOM, table.id)
        forgotten: list[str] = []
        played = table.report.game if table.report is not None else event.game
        room = min(MOST_TABLE_BYTES, MOST_HALL_BYTES - self._size + table.size)
        taken = table.size + size
        while len(heard) >= MOST_GAMES or taken > room:
            oldest = next((game for game in heard if game != played), None)
            if oldest is None:
                return self._ignore(Ignored.ROOM, table.id)
            taken -= heard.pop(oldest).size
            forgotten.append(oldest)
        heard[event.game] = own.with_number(event.number, size)
        self._put(replace(table, heard=heard))
        return MessageEffect(table.id, event, forgotten=tuple(forgotten))

    def _put(self, table: HallTable) -> MessageEffect:
        before = self.tables.get(table.id)
        self._size += table.size - (before.size if before is not None else 0)
        self.tables[table.id] = table
        return MessageEffect(table.id)

    def _ignore(self, why: Ignored, id: str = "") -> MessageEffect:
        self.ignored[why] += 1
        if id in self.tables:
            self.ignored_of[id] += 1
        return MessageEffect()
