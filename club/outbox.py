"""What a table has still to tell, kept on the disk until the broker has it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from railspotter.scoring.sentence import Sentence

from .errors import OutboxError
from .exclusive_database import ExclusiveDatabase

KEPT_GAMES = 5  # so many games' events are kept after they were sent, for receivers that ask again

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


@dataclass(frozen=True)
class Waiting:
    """An event that the broker does not have yet, or that somebody asked for again."""

    game: str
    number: int
    payload: bytes


class Outbox(ExclusiveDatabase):
    """The events of a table that are told, in a file; several threads may use it at once.

    `start` is how many times it was opened, this time included. Raises `OutboxError` when another
    program holds it, or it cannot be used.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, _TABLES, "full")

    def _open(self) -> None:
        try:
            self._start()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            # Its file is damaged: what was sent is sent again, and receivers drop it.
            self._path.replace(self._path.with_suffix(".damaged"))
            self._start()

    def _start(self) -> None:
        super()._open()
        with self._database:
            self._database.execute("insert into starts select count(*) from starts")
        (self.start,) = self._database.execute("select count(*) from starts").fetchone()

    def numbers(self, game: str) -> dict[int, int]:
        """Return by the log's numbers under which numbers a game's events are told."""
        with self._used() as database:
            found = database.execute("select seq, number from events where game = ?", [game])
            return dict(found.fetchall())

    def add(self, game: str, events: Sequence[tuple[int, int, bytes]]) -> None:
        """Keep events to be sent: for each its number, the log's, and what is told."""
        with self._used() as database:
            database.executemany(
                "insert or ignore into events (game, number, seq, payload) values (?, ?, ?, ?)",
                [(game, *event) for event in events],
            )

    def unsent(self, most: int) -> list[Waiting]:
        """Return the oldest events that the broker does not have yet."""
        return self._waiting("where not is_sent order by rowid limit ?", most)

    def again(self, game: str, first: int, last: int, most: int) -> list[Waiting]:
        """Return events that somebody misses, sent or not."""
        return self._waiting(
            "where game = ? and number between ? and ? order by number limit ?",
            game,
            first,
            last,
            most,
        )

    def sent(self, events: Sequence[tuple[str, int]]) -> None:
        """Note that the broker has these, by game and number."""
        with self._used() as database:
            database.executemany(
                "update events set is_sent = 1 where game = ? and number = ?", events
            )

    def forget_old(self, game: str) -> None:
        """Drop what was sent of games long ago; that one stays."""
        with self._used() as database:
            database.execute(
                "delete from events where is_sent and game <> ? and game not in"
                " (select game from events group by game order by max(rowid) desc limit ?)",
                [game, KEPT_GAMES],
            )

    def _waiting(self, where: str, *values: object) -> list[Waiting]:
        with self._used() as database:
            found = database.execute(
                f"select game, number, payload from events {where}",  # noqa: S608  # ours alone
                values,
            )
            return [Waiting(*row) for row in found]

    def _refusal(self, why: str) -> OutboxError:
        if "locked" in why:
            return OutboxError(ANOTHER)
        return OutboxError(
            "what is to be sent cannot be kept in {path}: {why}", path=str(self._path), why=why
        )
