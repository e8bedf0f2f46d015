"""A game's file: an SQLite database with a row for each event, and the crops of pictures.

In WAL mode with `synchronous=FULL` a commit returns when its pages are on the disk, and one that
was torn by a pulled plug is as if it had never begun. Facts are JSON text. Triggers keep every
program, this one too, from editing what was written.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
from railspotter.scoring.sentence import Sentence

from .errors import GameInUseError, LogFileError
from .events import FORMAT, Event, read_event, require_known
from .fact_text import fact_object

APPLICATION = 0x5261696C
"""'Rail': marks the file as one of ours for `file` and for us."""

PRIVATE = 0o600
"""A log has secret tickets: nobody but its owner may read it, nor SQLite's files beside it."""

WAIT_S = 5.0
"""Seconds that a reader and a writer wait for each other; they never need to for long."""

SCHEMA = f"""
CREATE TABLE event (
    seq INTEGER PRIMARY KEY CHECK (seq > 0),
    at_s REAL NOT NULL,
    kind TEXT NOT NULL,
    format INTEGER NOT NULL,
    fact TEXT NOT NULL
) STRICT;
CREATE TABLE crop (
    seq INTEGER NOT NULL REFERENCES event,
    number INTEGER NOT NULL,
    jpeg BLOB NOT NULL,
    PRIMARY KEY (seq, number)
) STRICT;
CREATE TRIGGER event_is_kept BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'kept'); END;
CREATE TRIGGER event_is_fact BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'never edited'); END;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {FORMAT};
"""

SAID_BY = """
CREATE TABLE IF NOT EXISTS said_by (seq INTEGER PRIMARY KEY REFERENCES event, seat TEXT) STRICT;
"""
"""From which seat an event was said, where a player's phone said it: for budgets, and nobody else's
business. Older programs take no notice of it, and their files get it when they are gone on with."""

Crops = tuple[bytes, ...]
"""Pictures of what an event is about, as the contents of JPEG files."""


def connect(path: Path, *, is_writer: bool) -> sqlite3.Connection:
    """Open a game's file.

    Raises
    ------
    LogFileError
        When it is missing, damaged, or no game's file.
    NewerFormatError
        When a newer program wrote it.
    """
    with reported(path):
        # Several threads write to a running game; `GameLog` lets one at a time.
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=rw",
            timeout=WAIT_S,
            isolation_level=None,
            check_same_thread=False,
            uri=True,
        )
        try:
            format = _format_of(connection, path)
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA fullfsync = ON")  # without, macOS does not wait for the disk
            # A reader too may tidy up after a program that was killed; it changes no event.
            connection.execute(f"PRAGMA query_only = {'OFF' if is_writer else 'ON'}")
            if is_writer:
                with suppress(OSError):  # of a file from an older program, or on a foreign disk
                    path.chmod(PRIVATE)
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA foreign_keys = ON")
                connection.execute(SAID_BY)
                if format < FORMAT:
                    # A program that is too old for the events to come must not read them.
                    connection.execute(f"PRAGMA user_version = {FORMAT}")
        except BaseException:
            connection.close()
            raise
        return connection


def _format_of(connection: sqlite3.Connection, path: Path) -> int:
    """Return the format of the newest program that wrote to a game's file."""
    connection.execute("PRAGMA trusted_schema = OFF")
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION:
        raise LogFileError(f"{path} is not the file of a game")
    format: int
    (format,) = connection.execute("PRAGMA user_version").fetchone()
    require_known(format, str(path))
    return format


def write_new(path: Path, events: Iterable[tuple[Event, Crops]]) -> None:
    """Write a file that is not there yet and leave it closed, all of it on the disk.

    It has no journal: whoever finds half of it after a power cut throws it away.
    """
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = MEMORY")
        connection.execute("PRAGMA synchronous = OFF")
        connection.executescript(SCHEMA)
        insert(connection, events)
    finally:
        connection.close()
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def insert(
    connection: sqlite3.Connection, events: Iterable[tuple[Event, Crops]], seat: str = ""
) -> None:
    """Write events with their crops, all of them or none; returns when they are on the disk.

    Parameters
    ----------
    seat : str
        From which seat a player says it; empty where it is none.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        for event, crops in events:
            fact = msgspec.json.encode(fact_object(event.fact)).decode()
            row = (event.seq, event.at_s, event.fact.kind, FORMAT, fact)
            connection.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?)", row)
            for number, jpeg in enumerate(crops):
                connection.execute("INSERT INTO crop VALUES (?, ?, ?)", (event.seq, number, jpeg))
            if seat:
                connection.execute("INSERT INTO said_by VALUES (?, ?)", (event.seq, seat))
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def events_in(connection: sqlite3.Connection) -> Iterator[Event]:
    """Yield all events of a game, in their order."""
    for row in connection.execute("SELECT seq, at_s, fact, format FROM event ORDER BY seq"):
        yield read_event(*row)


def said_in(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Yield the seat and the kind of every event that a player's phone said."""
    yield from connection.execute("SELECT seat, kind FROM said_by JOIN event USING (seq)")


def crops_in(connection: sqlite3.Connection, seq: int) -> Crops:
    """Return the crops of an event."""
    rows = connection.execute("SELECT jpeg FROM crop WHERE seq = ? ORDER BY number", (seq,))
    return tuple(jpeg for (jpeg,) in rows)


@contextmanager
def reported(path: Path) -> Iterator[None]:
    """Tell SQLite's errors as ours, with what to do."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")
        if name == "SQLITE_FULL":
            what = Sentence(
                "there is no room left on the disk for {path}; nothing was written: make room",
                path=path,
            )
        elif name.startswith("SQLITE_BUSY"):
            raise GameInUseError("{path} is in use by another program", path=path) from error
        elif name.startswith("SQLITE_CANTOPEN"):
            what = Sentence(
                "{path} cannot be opened; is it there, and may you read and write its folder?",
                path=path,
            )
        elif name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
            what = Sentence(
                "{path} is damaged or is not the file of a game: take a copy that you exported",
                path=path,
            )
        else:
            what = Sentence("{path} cannot be used: {error}", path=path, error=error)
        raise LogFileError(what) from error


CLAIM_SUFFIX = ".writer"


class WriterClaim:
    """The right to write to a game's file, held until it is given up or the program ends.

    It is SQLite's own lock on an empty database beside the game: the same on every system, and gone
    with the program, however that ends.

    Raises
    ------
    GameInUseError
        When somebody else has it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.with_suffix(CLAIM_SUFFIX)
        with reported(self.path):
            self._lock = sqlite3.connect(
                self.path, timeout=0, isolation_level=None, check_same_thread=False
            )
            try:
                self._lock.execute("PRAGMA journal_mode = MEMORY")  # no file of its own
                self._lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.Error as error:
                self._lock.close()
                if error.sqlite_errorname != "SQLITE_BUSY":
                    raise
                raise GameInUseError(
                    "the game {name} is open for writing in another program: end it there first"
                    " (reading is possible meanwhile)",
                    name=path.stem,
                ) from error

    def give_up(self) -> None:
        """Let somebody else write."""
        self._lock.close()
