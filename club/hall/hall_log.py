"""What the hall has heard, kept on the disk: it knows all of it again after a restart."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any

import msgspec
from railspotter.table.game_log import MOST_EVENTS
from railspotter.table.worker import Closable

from ..errors import HallLogError
from ..lone_database import open_alone
from ..messages import Status, TableEvent, parse_message
from .hall import HallTable, Heard

_TABLES = """
create table if not exists events (
    tbl text not null, game text not null, number integer not null, payload blob not null,
    primary key (tbl, game, number)
) without rowid;
create table if not exists tables (tbl text primary key, report blob, status blob) without rowid;
create table if not exists tournament_facts (
    tournament integer not null, number integer not null, at_s real not null, fact text not null,
    game text, primary key (tournament, number)
) without rowid;
"""


class HallLog(Closable):
    """The hall's file; several threads may use it at once.

    Parameters
    ----------
    path : Path
        Held for writing as long as this is open.

    Raises
    ------
    HallLogError
        When another program holds it, or it cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._one_at_a_time = threading.Lock()
        with self._reported():
            # Tables send again what a power cut takes.
            self._database = open_alone(path, _TABLES, "normal")

    def close(self) -> None:
        """Close the file."""
        with self._one_at_a_time:
            self._database.close()

    def write(
        self,
        tables: Iterable[HallTable],
        events: Iterable[TableEvent],
        forgotten: Iterable[tuple[str, str]] = (),
    ) -> None:
        """Keep what is known of tables, and events; all of it or nothing.

        Parameters
        ----------
        forgotten : iterable of tuple
            Tables and their games whose events are kept no longer.
        """
        encode = msgspec.json.encode
        with self._one_at_a_time, self._reported(), self._database:
            self._database.executemany(
                "insert or replace into tables (tbl, report, status) values (?, ?, ?)",
                [
                    (one.id, one.report and encode(one.report), one.status and encode(one.status))
                    for one in tables
                ],
            )
            self._database.executemany(
                "insert or ignore into events (tbl, game, number, payload) values (?, ?, ?, ?)",
                [(one.table, one.game, one.number, encode(one)) for one in events],
            )
            self._database.executemany("delete from events where tbl = ? and game = ?", forgotten)

    def tables(self) -> list[HallTable]:
        """Return what was known of the tables; none of them is thought to be there now."""
        with self._one_at_a_time, self._reported():
            rows = self._database.execute("select tbl, report from tables").fetchall()
            with self._database:  # an older program believed any number
                self._database.execute("delete from events where number > ?", [MOST_EVENTS])
            numbers = self._database.execute(
                "select tbl, game, count(*), max(number), sum(length(payload)) from events"
                " group by tbl, game"
            ).fetchall()
        heard: dict[str, dict[str, Heard]] = {}
        for table, game, count, newest, size in numbers:
            whole = count == newest
            bits = (1 << newest + 1) - 1 if whole else self._numbers(table, game)
            heard.setdefault(table, {})[game] = Heard(bits, size)
        with self._reported():
            return [
                HallTable(
                    table,
                    _believed("report", report) if report else None,
                    Status(table=table, status="offline"),
                    heard.get(table, {}),
                )
                for table, report in rows
            ]

    @contextmanager
    def lasting(self) -> Iterator[sqlite3.Connection]:
        """Open a transaction for what nobody could tell again: once it ends, it is on the disk.

        All of it is kept, or, where the block fails, nothing.
        """
        with self._one_at_a_time, self._reported():
            self._database.execute("pragma synchronous = full")
            try:
                with self._database:
                    yield self._database
            finally:
                self._database.execute("pragma synchronous = normal")

    def events(self, table: str, game: str, most: int | None = None) -> list[TableEvent]:
        """Return the events of a game, by their numbers; the newest where `most` says how many."""
        with self._one_at_a_time, self._reported():
            rows = self._database.execute(
                "select payload from events where tbl = ? and game = ?"
                " order by number desc limit ?",
                [table, game, -1 if most is None else most],
            ).fetchall()
            events = (_believed("events", payload) for (payload,) in reversed(rows))
            return [event for event in events if event is not None]

    def _numbers(self, table: str, game: str) -> int:
        with self._one_at_a_time, self._reported():
            rows = self._database.execute(
                "select number from events where tbl = ? and game = ?", [table, game]
            ).fetchall()
        return reduce(or_, (1 << number for (number,) in rows), 1)

    @contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error, msgspec.DecodeError) as error:
            if "locked" in str(error):
                raise HallLogError("another hall uses {path}", path=str(self._path)) from error
            raise HallLogError(
                "the hall's log {path} cannot be used: {why}",
                path=str(self._path),
                why=str(error),
            ) from error


def _believed(kind: str, payload: bytes) -> Any:
    """Return a message that was kept; None for one that an older program believed."""
    try:
        return parse_message(kind, payload)
    except msgspec.ValidationError:
        return None
