"""A game's file: an SQLite database with a row for each event, its seal, and crops of pictures.

In WAL mode with `synchronous=FULL` a commit returns when its pages are on the disk, and one that
was torn by a pulled plug is as if it had never begun. Facts are JSON text. Triggers keep every
program, this one too, from editing what was written.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import msgspec
from railspotter.scoring.sentence import Sentence

from ..whole_file import sync_folder
from ..worker import Closable
from .errors import DamagedFileError, GameInUseError, LogFileError
from .events import (
    DIGEST_BYTES,
    FORMAT,
    NO_SEAL,
    EventSeal,
    RawEvent,
    crop_digests,
    digest_of,
    event_digest,
    read_event,
    require_known,
)
from .facts import Event

APPLICATION = 0x5261696C  # 'Rail': marks the file as one of ours for `file` and for us

# A log has secret tickets: nobody but its owner may read it, nor SQLite's files beside it.
PRIVATE = 0o600

WAIT_S = 5.0  # seconds that a reader and a writer wait for each other; they never need to for long

# In pages of their own: where those of the events are damaged, they tell how many there were.
SEALS = """
CREATE TABLE seal (
    seq INTEGER PRIMARY KEY CHECK (seq > 0),
    crops BLOB NOT NULL,
    digest BLOB NOT NULL
) STRICT;
CREATE TRIGGER seal_is_kept BEFORE DELETE ON seal BEGIN SELECT RAISE(ABORT, 'kept'); END;
CREATE TRIGGER seal_is_true BEFORE UPDATE ON seal BEGIN SELECT RAISE(ABORT, 'never edited'); END;
"""

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
{SEALS}
CREATE TRIGGER event_is_kept BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'kept'); END;
CREATE TRIGGER event_is_fact BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'never edited'); END;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {FORMAT};
"""

# From which seat an event was said, where a player's phone said it: for budgets, and nobody else's
# business. Older programs take no notice of it, and their files get it when they are gone on with.
SAID_BY = """
CREATE TABLE IF NOT EXISTS said_by (seq INTEGER PRIMARY KEY REFERENCES event, seat TEXT) STRICT;
"""

BESIDE = ("-wal", "-shm")  # what SQLite adds to a database's name for the files beside it

JPEG = b"\xff\xd8\xff"  # how the content of a JPEG file begins

# What is added to a game's name, with a number, for the copy of a file that was damaged.
ASIDE = ".damaged-"

SEALED_FORMAT = 2  # the first format whose events have seals
ABSURD_FORMAT = 100  # no program ever has so many formats: a number like this is damage

Crops = tuple[bytes, ...]  # pictures of what an event is about, as the contents of JPEG files
DAMAGED = Sentence("{path} is damaged or is not the file of a game: take a copy that you exported")
CLAIM_SUFFIX = ".writer"


def connect(path: Path, *, is_writer: bool) -> sqlite3.Connection:
    """Open a game's file."""
    with translated_sqlite_errors(path):
        # Several threads write to a running game; `GameLog` lets one at a time.
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=rw",
            timeout=WAIT_S,
            isolation_level=None,
            check_same_thread=False,
            uri=True,
        )
        try:
            format = format_of(connection, path)
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
                    _seal_old_events(connection, format)
        except BaseException:
            connection.close()
            raise
        return connection


def format_of(connection: sqlite3.Connection, path: Path) -> int:
    """Return the format of the newest program that wrote to a game's file."""
    connection.execute("PRAGMA trusted_schema = OFF")
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION:
        raise DamagedFileError("{path} is not the file of a game", path=path)
    format: int
    (format,) = connection.execute("PRAGMA user_version").fetchone()
    if not 0 < format < ABSURD_FORMAT:
        raise DamagedFileError("{path} is not the file of a game", path=path)
    require_known(format, str(path))
    return format


def _seal_old_events(connection: sqlite3.Connection, format: int) -> None:
    """Seal the events of a program before format 2 as they are: damage to them is noticed then.

    With the format, for a program that is too old for the events to come must not read them.
    """
    with transaction(connection):
        if not _has_seals(connection):
            # One by one: `executescript` would end the transaction.
            for order in SEALS.replace(";\nCREATE", ";\n\nCREATE").strip().split("\n\n"):
                connection.execute(order)
        before = NO_SEAL
        for seq, event in raw_events_in(connection) if format < SEALED_FORMAT else ():
            before = _insert_seal(connection, before, seq, event, all_crops_in(connection, seq))
        connection.execute(f"PRAGMA user_version = {FORMAT}")


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Write all of what is written in the `with` block, or none of it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


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
    """Write events with their crops, all of them or none; returns when they are on the disk."""
    with transaction(connection):
        last = connection.execute("SELECT digest FROM seal ORDER BY seq DESC LIMIT 1").fetchone()
        before = NO_SEAL if last is None else last[0]
        for event, crops in events:
            raw = raw_event(event)
            row = (event.seq, raw.at_s, event.fact.kind, raw.format, raw.fact.decode())
            connection.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?)", row)
            for number, jpeg in enumerate(crops):
                connection.execute("INSERT INTO crop VALUES (?, ?, ?)", (event.seq, number, jpeg))
            if seat:
                connection.execute("INSERT INTO said_by VALUES (?, ?)", (event.seq, seat))
            before = _insert_seal(connection, before, event.seq, raw, crops)


def raw_event(event: Event) -> RawEvent:
    """Return an event as it is stored."""
    return RawEvent(event.at_s, FORMAT, msgspec.json.encode(event.fact))


def _insert_seal(
    connection: sqlite3.Connection, before: bytes, seq: int, event: RawEvent, crops: Crops
) -> bytes:
    digests = crop_digests(crops)
    digest = event_digest(before, seq, event, digests)
    connection.execute("INSERT INTO seal VALUES (?, ?, ?)", (seq, digests, digest))
    return digest


def events_in(connection: sqlite3.Connection) -> Iterator[Event]:
    """Yield all events of a game, in their order."""
    for seq, event in raw_events_in(connection):
        yield read_event(seq, event.at_s, event.fact.decode(), event.format)


def raw_events_in(connection: sqlite3.Connection) -> Iterator[tuple[int, RawEvent]]:
    """Yield all events with their numbers, as they are stored; rows that cannot be any are not."""
    # As bytes: the text of a damaged row need not be UTF-8.
    for row in connection.execute(
        "SELECT seq, at_s, format, CAST(fact AS BLOB) FROM event ORDER BY seq"
    ):
        match row:
            case (int() as seq, float() as at_s, int() as format, bytes() as fact):
                if seq > 0 and 0 < format < 2**32:
                    yield seq, RawEvent(at_s, format, fact)


def seals_in(connection: sqlite3.Connection) -> Iterator[tuple[int, EventSeal]]:
    """Yield the seals with their events' numbers; none of a file that is older than they are."""
    if _has_seals(connection):
        for seq, crops, digest in connection.execute("SELECT seq, crops, digest FROM seal"):
            if isinstance(crops, bytes) and isinstance(digest, bytes):
                yield seq, EventSeal(crops, digest)


def _has_seals(connection: sqlite3.Connection) -> bool:
    found = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'seal'").fetchone()
    return found is not None


def phone_events_in(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Yield the seat and the kind of every event that a player's phone said."""
    yield from connection.execute("SELECT seat, kind FROM said_by JOIN event USING (seq)")


def crops_in(connection: sqlite3.Connection, seq: int) -> Crops:
    """Return the crops of an event, without those that are damaged."""
    digests: bytes | None = None
    if _has_seals(connection):
        seal = connection.execute("SELECT crops FROM seal WHERE seq = ?", (seq,)).fetchone()
        digests = seal and seal[0]
    return whole_crops(all_crops_in(connection, seq), digests)


def all_crops_in(connection: sqlite3.Connection, seq: int) -> Crops:
    """Return the crops of an event, as they are."""
    rows = connection.execute("SELECT jpeg FROM crop WHERE seq = ? ORDER BY number", (seq,))
    return tuple(jpeg for (jpeg,) in rows if isinstance(jpeg, bytes))


def whole_crops(crops: Crops, digests: bytes | None) -> Crops:
    """Return the crops that a seal vouches for; where there is none, those that look like one."""
    if digests is None:
        return tuple(jpeg for jpeg in crops if jpeg.startswith(JPEG))
    known = {digests[i : i + DIGEST_BYTES] for i in range(0, len(digests), DIGEST_BYTES)}
    return tuple(jpeg for jpeg in crops if digest_of(jpeg) in known)


def is_intact(path: Path) -> bool:
    """Tell whether SQLite finds every page of a file where it should be."""
    with path.open("rb") as file:
        # The versions of the file format: with another one SQLite would only read.
        if any(version not in (1, 2) for version in file.read(20)[18:]):
            return False
    try:
        with translated_sqlite_errors(path), closing(connect(path, is_writer=False)) as database:
            return bool(database.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
    except DamagedFileError:
        return False


def set_aside(path: Path) -> Path:
    """Copy a damaged file, with what lies in its journal, and return where the copy is."""
    number = 1
    while (copy := path.with_name(f"{path.name}{ASIDE}{number}")).exists():
        number += 1
    for suffix in ("", BESIDE[0]):
        source = path.with_name(path.name + suffix)
        if source.exists() and (not suffix or source.stat().st_size):
            target = copy.with_name(copy.name + suffix)
            os.close(os.open(target, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, PRIVATE))
            with source.open("rb") as old, target.open("r+b") as new:
                shutil.copyfileobj(old, new)
                new.flush()
                os.fsync(new.fileno())
    return copy


def replace_game_file(new: Path, path: Path) -> None:
    """Put a file in the place of a game's, for whose writer this is."""
    remove_sqlite_side_files(path)  # of what was there before: not this one's
    new.replace(path)
    sync_folder(path.parent)


def remove_sqlite_side_files(path: Path) -> None:
    """Remove what SQLite keeps beside a file."""
    for suffix in BESIDE:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


@contextmanager
def translated_sqlite_errors(path: Path) -> Iterator[None]:
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
            raise DamagedFileError(DAMAGED.filled(path=path)) from error
        elif name.startswith(("SQLITE_READONLY", "SQLITE_PERM")):
            what = Sentence("{path} cannot be used: {error}", path=path, error=error)
        else:
            raise DamagedFileError(
                "{path} cannot be used: {error}", path=path, error=error
            ) from error
        raise LogFileError(what) from error
    except UnicodeDecodeError as error:  # what SQLite says of a damaged file can be no text either
        raise DamagedFileError(DAMAGED.filled(path=path)) from error


class WriterClaim(Closable):
    """The right to write to a game's file, held until it is given up or the program ends.

    It is SQLite's own lock on an empty database beside the game: the same on every system, and gone
    with the program, however that ends. Raises `GameInUseError` when somebody else has it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.with_suffix(CLAIM_SUFFIX)
        with translated_sqlite_errors(self.path):
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

    def close(self) -> None:
        """Let somebody else write."""
        self._lock.close()
