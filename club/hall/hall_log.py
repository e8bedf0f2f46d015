"""The hall's tables and events on the disk, loaded again after a restart."""

from collections.abc import Iterable
from functools import reduce
from operator import or_
from pathlib import Path

import msgspec

from ..errors import HallLogError
from ..exclusive_database import ExclusiveDatabase
from ..messages import Report, Status, TableEvent, parse_message
from .hall import MOST_GAMES, HallTable, ReceivedEvents

_TABLES = """
create table if not exists events (
    tbl text not null, game text not null, number integer not null, payload blob not null,
    primary key (tbl, game, number)
) without rowid;
create table if not exists tables (tbl text primary key, report blob, status blob) without rowid;
create table if not exists results (
    tbl text not null, game text not null, report blob not null, primary key (tbl, game)
);
"""


class HallLog(ExclusiveDatabase):
    """The hall's database file; thread-safe.

    Raises `HallLogError` when another process has locked it, or it cannot be used.
    """

    def __init__(self, path: Path) -> None:
        # Not "full": the tables resend events that a power cut loses.
        super().__init__(path, _TABLES, "normal")

    def write(
        self,
        tables: Iterable[HallTable],
        events: Iterable[TableEvent],
        forgotten: Iterable[tuple[str, str]] = (),
    ) -> None:
        """Save the state of tables, and events, in one transaction.

        The events of `forgotten`, pairs of table and game, are deleted.
        """
        encode = msgspec.json.encode
        known = [(one.id, one.report, one.status) for one in tables]
        reports = [report for _, report, _ in known if report is not None]
        counted = [report for report in reports if report.phase == "counted"]
        with self._transaction() as database:
            database.executemany(
                "insert or replace into tables (tbl, report, status) values (?, ?, ?)",
                [
                    (id, report and encode(report), status and encode(status))
                    for id, report, status in known
                ],
            )
            # Undoing the end of a game deletes its result.
            database.executemany(
                "delete from results where tbl = ? and game = ?",
                [(one.table, one.game) for one in reports],
            )
            database.executemany(
                "insert into results (tbl, game, report) values (?, ?, ?)",
                [(one.table, one.game, encode(one)) for one in counted],
            )
            database.executemany(
                "delete from results where tbl = ?1 and rowid not in"
                " (select rowid from results where tbl = ?1 order by rowid desc limit ?2)",
                [(one.table, MOST_GAMES) for one in counted],
            )
            database.executemany(
                "insert or ignore into events (tbl, game, number, payload) values (?, ?, ?, ?)",
                [(one.table, one.game, one.number, encode(one)) for one in events],
            )
            database.executemany("delete from events where tbl = ? and game = ?", forgotten)

    def tables(self) -> list[HallTable]:
        """Return the saved tables, all of them as offline."""
        with self._transaction() as database:
            rows = database.execute("select tbl, report from tables").fetchall()
            counts = database.execute(
                "select tbl, game, count(*), max(number), sum(length(payload)) from events"
                " group by tbl, game"
            ).fetchall()
            heard: dict[str, dict[str, ReceivedEvents]] = {}
            for table, game, count, newest, size in counts:
                bits = (1 << newest + 1) - 1
                if count < newest:
                    numbers = database.execute(
                        "select number from events where tbl = ? and game = ?", [table, game]
                    )
                    bits = reduce(or_, (1 << number for (number,) in numbers), 1)
                heard.setdefault(table, {})[game] = ReceivedEvents(bits, size)
            return [
                HallTable(
                    table,
                    parse_message("report", report) if report else None,
                    Status(table=table, status="offline"),
                    heard.get(table, {}),
                )
                for table, report in rows
            ]

    def events(self, table: str, game: str, most: int | None = None) -> list[TableEvent]:
        """Return the events of a game by number; only the newest `most` if given."""
        with self._transaction() as database:
            rows = database.execute(
                "select payload from events where tbl = ? and game = ?"
                " order by number desc limit ?",
                [table, game, -1 if most is None else most],
            ).fetchall()
            return [parse_message("events", payload) for (payload,) in reversed(rows)]

    def results(self) -> list[Report]:
        """Return the last reports of counted games, by table."""
        with self._transaction() as database:
            rows = database.execute("select report from results order by tbl, rowid")
            return [parse_message("report", report) for (report,) in rows]

    def _error_for(self, why: str) -> HallLogError:
        path = str(self._path)
        if "locked" in why:
            return HallLogError("another hall uses {path}", path=path)
        return HallLogError("the hall's log {path} cannot be used: {why}", path=path, why=why)
