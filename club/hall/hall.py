"""What is known of all tables: a value that grows with every message, and doubts each of them.

Whoever has a broker's password can send anything. What is not as the schema has it, is too long,
comes under another table's topic or is old changes nothing; it is counted, and shown to the host.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

import msgspec
from railspotter.table.game_log.budgets import MOST_EVENTS

from ..messages import MOST_BYTES, Command, Report, Status, TableEvent, parse_message, table_of

MOST_TABLES = 5_000  # more than any convention has; whoever may write everywhere makes no more up
# Of one table: those that it can be asked for again, and those whose results are kept.
MOST_GAMES = 6
# Of one table's events: two games as long as a log may be, with 300 bytes an event.
MOST_TABLE_BYTES = 8 * 2**20
MOST_HALL_BYTES = 512 * 2**20  # of all tables' events: those of six long games at 1,500 tables


class Ignored(Enum):
    """Why a message changes nothing."""

    TOPIC = "a topic that is no table's"
    LENGTH = "too long"
    SCHEMA = "not as the schema has it"
    OTHER = "another table's topic"
    OLD = "an old number"
    TABLES = "more tables than a hall has"
    ROOM = "more events than a hall keeps"


@dataclass(frozen=True)
class ReceivedEvents:
    """Which of a game's events were heard, and how much they take."""

    # A bit for each event, from the lowest, which is always set and stands for no event.
    numbers: int = 1
    size: int = 0  # bytes of what was told

    def __contains__(self, number: int) -> bool:
        return bool(self.numbers >> number & 1)

    @property
    def upto(self) -> int:
        """All events from 1 to this one were heard.

        Examples
        --------
        >>> ReceivedEvents().with_number(1).with_number(3).upto
        1
        """
        return (~self.numbers & (self.numbers + 1)).bit_length() - 2

    @property
    def newest(self) -> int:
        """The highest number that was heard; 0 where none was."""
        return self.numbers.bit_length() - 1

    def with_number(self, number: int, size: int = 0) -> ReceivedEvents:
        """Return what was heard with that event."""
        return ReceivedEvents(self.numbers | 1 << number, self.size + size)


@dataclass(frozen=True)
class HallTable:
    """What is known of a table."""

    id: str
    report: Report | None = None  # the newest; None of a table that has only said that it is there
    status: Status | None = None
    # By game, which events were heard; the game that was silent longest is the first.
    heard: Mapping[str, ReceivedEvents] = field(default_factory=dict)
    # What came under its topic and changed nothing.
    ignored: Mapping[Ignored, int] = field(default_factory=dict)
    # Whether the table has connected since the last report: the next one counts, whatever its
    # number. A table with a new disk begins to count again.
    is_anew: bool = False

    @property
    def is_online(self) -> bool:
        """Whether the table is there, as far as the broker knows."""
        return self.status is not None and self.status.status == "online"

    @property
    def size(self) -> int:
        """Bytes of its events."""
        return sum(heard.size for heard in self.heard.values())

    @property
    def missing(self) -> Command | None:
        """What asks for the first gap in the events of the game that is played, if there is one."""
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
    """What a message did."""

    table: str = ""  # the table that is known otherwise now; empty where none is
    event: TableEvent | None = None  # an event that nobody here had heard
    # Why it changed nothing; None for one that did, or that is only known already.
    ignored: Ignored | None = None
    forgotten: tuple[str, ...] = ()  # the table's games whose events made room for it


class Hall:
    """All tables of a broker."""

    def __init__(self, prefix: str, tables: Iterable[HallTable] = ()) -> None:
        self._prefix = prefix
        self.tables = {table.id: table for table in tables}  # what is known of each, by its id
        self._size = sum(table.size for table in self.tables.values())
        self.ignored: Counter[Ignored] = Counter()  # what changed nothing, of any table or none

    def hear(self, topic: str, payload: bytes) -> MessageEffect:
        """Take a message in; one that is not to be believed changes nothing."""
        found = table_of(self._prefix, topic)
        if found is None:
            return self._ignore(Ignored.TOPIC)
        id, kind = found
        if kind == "commands":
            return MessageEffect()  # others', or one's own
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

    def _report(self, table: HallTable, report: Report) -> MessageEffect:
        last = table.report
        if last is not None and report.number <= last.number and not table.is_anew:
            # A broker that comes back tells again what it has kept.
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
        if (table := self.tables.get(id)) is not None:
            counts = Counter(table.ignored)
            counts[why] += 1
            self.tables[id] = replace(table, ignored=counts)
            return MessageEffect(id, ignored=why)
        return MessageEffect(ignored=why)
