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

from ..messages import KINDS, MOST_BYTES, Report, Status, TableEvent, table_of

MOST_TABLES = 5_000
"""More than any convention has; whoever may write everywhere makes no more up."""


class Ignored(Enum):
    """Why a message changes nothing."""

    TOPIC = "a topic that is no table's"
    LENGTH = "too long"
    SCHEMA = "not as the schema has it"
    OTHER = "another table's topic"
    OLD = "an old number"
    TABLES = "more tables than a hall has"


@dataclass(frozen=True)
class Heard:
    """Which of a game's events were heard: all up to a number, and some beyond.

    Attributes
    ----------
    upto : int
        All events from 1 to this one were heard.
    beyond : frozenset of int
        Those that came before an earlier one.
    """

    upto: int = 0
    beyond: frozenset[int] = frozenset()

    def __contains__(self, number: int) -> bool:
        return number <= self.upto or number in self.beyond

    def with_number(self, number: int) -> Heard:
        """Return what was heard with that event.

        Examples
        --------
        >>> Heard(3).with_number(5).with_number(4)
        Heard(upto=5, beyond=frozenset())
        """
        if number in self:
            return self
        upto, beyond = self.upto, self.beyond | {number}
        while upto + 1 in beyond:
            upto += 1
        return Heard(upto, frozenset(one for one in beyond if one > upto))


@dataclass(frozen=True)
class Missing:
    """Events that a table has told and that nobody here has heard."""

    table: str
    game: str
    first: int
    last: int


@dataclass(frozen=True)
class HallTable:
    """What is known of a table.

    Attributes
    ----------
    report : Report or None
        The newest; None of a table that has only said that it is there.
    heard : mapping of str to Heard
        By game, which events were heard.
    ignored : mapping of Ignored to int
        What came under its topic and changed nothing.
    is_anew : bool
        Whether the table has connected since the last report: the next one counts, whatever its
        number. A table with a new disk begins to count again.
    """

    id: str
    report: Report | None = None
    status: Status | None = None
    heard: Mapping[str, Heard] = field(default_factory=dict)
    ignored: Mapping[Ignored, int] = field(default_factory=dict)
    is_anew: bool = False

    @property
    def is_online(self) -> bool:
        """Whether the table is there, as far as the broker knows."""
        return self.status is not None and self.status.status == "online"

    @property
    def missing(self) -> Missing | None:
        """The first gap in the events of the game that is played; None where there is none."""
        report = self.report
        if report is None:
            return None
        heard = self.heard.get(report.game, Heard())
        newest = max((report.events, *heard.beyond))
        if heard.upto >= newest:
            return None
        after = min((one for one in heard.beyond if one > heard.upto), default=newest + 1)
        return Missing(self.id, report.game, heard.upto + 1, after - 1)


@dataclass(frozen=True)
class Taken:
    """What a message did.

    Attributes
    ----------
    table : str
        The table that is known otherwise now; empty where none is.
    event : TableEvent or None
        An event that nobody here had heard.
    ignored : Ignored or None
        Why it changed nothing; None for one that did, or that is only known already.
    """

    table: str = ""
    event: TableEvent | None = None
    ignored: Ignored | None = None


class Hall:
    """All tables of a broker.

    Parameters
    ----------
    prefix : str
        What the topics begin with.
    tables : iterable of HallTable
        What was known before.

    Attributes
    ----------
    ignored : Counter of Ignored
        What changed nothing, of all tables and of none.
    """

    def __init__(self, prefix: str, tables: Iterable[HallTable] = ()) -> None:
        self._prefix = prefix
        self._tables = {table.id: table for table in tables}
        self.ignored: Counter[Ignored] = Counter()

    @property
    def tables(self) -> Mapping[str, HallTable]:
        """What is known of each table, by its id."""
        return self._tables

    def hear(self, topic: str, payload: bytes) -> Taken:
        """Take a message in; one that is not to be believed changes nothing."""
        found = table_of(self._prefix, topic)
        if found is None:
            return self._ignore(Ignored.TOPIC)
        id, kind = found
        if kind == "commands":
            return Taken()  # others', or one's own
        if len(payload) > MOST_BYTES:
            return self._ignore(Ignored.LENGTH, id)
        try:
            message: Status | Report | TableEvent = msgspec.json.decode(payload, type=KINDS[kind])
        except (msgspec.DecodeError, RecursionError):
            return self._ignore(Ignored.SCHEMA, id)
        if message.table != id:
            return self._ignore(Ignored.OTHER, id)
        if id not in self._tables and len(self._tables) >= MOST_TABLES:
            return self._ignore(Ignored.TABLES)
        table = self._tables.get(id, HallTable(id))
        match message:
            case Status():
                return self._put(replace(table, status=message, is_anew=True))
            case Report():
                return self._report(table, message)
            case TableEvent():
                return self._event(table, message)
        return Taken()

    def _report(self, table: HallTable, report: Report) -> Taken:
        last = table.report
        if last is not None and report.number <= last.number and not table.is_anew:
            # A broker that comes back tells again what it has kept.
            return Taken() if report == last else self._ignore(Ignored.OLD, table.id)
        return self._put(replace(table, report=report, is_anew=False))

    def _event(self, table: HallTable, event: TableEvent) -> Taken:
        heard = table.heard.get(event.game, Heard())
        if event.number in heard:
            return Taken()
        after = heard.with_number(event.number)
        self._put(replace(table, heard={**table.heard, event.game: after}))
        return Taken(table.id, event)

    def _put(self, table: HallTable) -> Taken:
        self._tables[table.id] = table
        return Taken(table.id)

    def _ignore(self, why: Ignored, id: str = "") -> Taken:
        self.ignored[why] += 1
        if (table := self._tables.get(id)) is not None:
            counts = Counter(table.ignored)
            counts[why] += 1
            self._tables[id] = replace(table, ignored=counts)
            return Taken(id, ignored=why)
        return Taken(ignored=why)
