"""A table's queue of unsent events, on the disk until the broker acknowledges them."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from railspotter.scoring.sentence import Sentence

from .errors import OutboxError
from .exclusive_database import ExclusiveDatabase

KEPT_GAMES = 5  # whose sent events are kept, for resending

ANOTHER = Sentence(
    "another railspotter tells of this table already: call this one otherwise, with '--table NAME'"
)
_TABLES = """
create table if not exists events (
    game text not null, number integer not null, seq integer not null, payload blob not null,
    is_sent integer not null default 0, primary key (game, number), unique (game, seq)
);
create index if not exists unsent on events (is_sent) where not is_sent;
create table if not exists starts (n integer not null);
"""


Stored = tuple[str, int, bytes]  # an event: its game, number and payload


class Outbox(ExclusiveDatabase):
    """A database file with the published events of a table; thread-safe.

    `start` counts the openings, this one included. Raises `OutboxError` when another process has
    locked it, or it cannot be used.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, _TABLES, "full")

    def _open(self) -> None:
        try:
            self._start()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            # The file is damaged: all events are sent again, and receivers drop duplicates.
            self._path.replace(self._path.with_suffix(".damaged"))
            self._start()

    def _start(self) -> None:
        super()._open()
        with self._database:
            self._database.execute("insert into starts select count(*) from starts")
        (self.start,) = self._database.execute("select count(*) from starts").fetchone()

    def numbers(self, game: str) -> dict[int, int]:
        """Return the published numbers of a game's events by their numbers in the log."""
        with self._transaction() as database:
            found = database.execute("select seq, number from events where game = ?", [game])
            return dict(found.fetchall())

    def add(self, game: str, events: Sequence[tuple[int, int, bytes]]) -> None:
        """Add unsent events: each with its number, its number in the log, and its payload."""
        with self._transaction() as database:
            database.executemany(
                "insert or ignore into events (game, number, seq, payload) values (?, ?, ?, ?)",
                [(game, *event) for event in events],
            )

    def unsent(self, most: int) -> list[Stored]:
        """Return the oldest unacknowledged events."""
        return self._select("where not is_sent order by rowid limit ?", most)

    def find(self, game: str, first: int, last: int, most: int) -> list[Stored]:
        """Return a range of a game's events, sent or not."""
        return self._select(
            "where game = ? and number between ? and ? order by number limit ?",
            game,
            first,
            last,
            most,
        )

    def mark_sent(self, events: Sequence[tuple[str, int]]) -> None:
        """Mark events, by game and number, as acknowledged."""
        with self._transaction() as database:
            database.executemany(
                "update events set is_sent = 1 where game = ? and number = ?", events
            )

    def forget_old(self, game: str) -> None:
        """Delete the sent events of old games other than this one."""
        with self._transaction() as database:
            database.execute(
                "delete from events where is_sent and game <> ? and game not in"
                " (select game from events group by game order by max(rowid) desc limit ?)",
                [game, KEPT_GAMES],
            )

    def _select(self, where: str, *values: object) -> list[Stored]:
        with self._transaction() as database:
            found = database.execute(
                f"select game, number, payload from events {where}",  # noqa: S608  # ours alone
                values,
            )
            return found.fetchall()

    def _error_for(self, why: str) -> OutboxError:
        if "locked" in why:
            return OutboxError(ANOTHER)
        return OutboxError(
            "what is to be sent cannot be kept in {path}: {why}", path=str(self._path), why=why
        )
