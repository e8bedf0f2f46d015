"""A game's file: an SQLite database with a row for each event, its seal, and crops of pictures.

In WAL mode with `synchronous=FULL` a commit returns when its pages are on the disk, and one that a
power cut interrupts is rolled back. Facts are JSON text. Triggers make the tables append-only, for
every program.
"""

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
    require_known,
)
from .facts import Event

APPLICATION = 0x5261696C  # 'Rail': SQLite's application id of our files

# File mode: a log has secret tickets, so only its owner may read it and SQLite's side files.
PRIVATE = 0o600

WAIT_S = 5.0  # SQLite's busy timeout; readers and writers hold their locks much shorter

# In pages of their own: where pages of events are damaged, they tell how many events there were.
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

# The seat whose phone wrote an event, for budgets only. Older programs ignore it; their files get
# it when they are opened for writing.
SAID_BY = """
CREATE TABLE IF NOT EXISTS said_by (seq INTEGER PRIMARY KEY REFERENCES event, seat TEXT) STRICT;
"""

SIDE_FILE_SUFFIXES = ("-wal", "-shm")  # of SQLite's files beside a database

JPEG = b"\xff\xd8\xff"  # how the content of a JPEG file begins

# Before a number: the suffix of the copy of a damaged file.
DAMAGED_SUFFIX = ".damaged-"

SEALED_FORMAT = 2  # the first format whose events have seals
ABSURD_FORMAT = 100  # no program ever has so many formats: a number like this is damage

Crops = tuple[bytes, ...]  # an event's picture crops, each the content of a JPEG file
DAMAGED = Sentence("{path} is damaged or is not the file of a game: take a copy that you exported")
CLAIM_SUFFIX = ".writer"


def connect(path: Path, *, is_writer: bool) -> sqlite3.Connection:
    """Open a game's file, migrating an older one if for writing."""
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
            # A reader too may recover the journal of a killed program; it changes no event.
            connection.execute(f"PRAGMA query_only = {'OFF' if is_writer else 'ON'}")
            if is_writer:
                with suppress(OSError):  # another user's file, or a file system without modes
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
    """Migrate a file from before format 2: seal its events, so that later damage is noticed.

    The format is raised too: older programs must not read the events to come.
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
    """Run the `with` block in a transaction: committed at its end, rolled back on an error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def write_new(path: Path, events: Iterable[tuple[Event, Crops]]) -> None:
    """Create a game's file with events, synced and closed.

    It is written without a journal: a half-written file must be deleted after a power cut.
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
    """Append events with their crops and seals in one transaction; returns when they are synced."""
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
    """Encode an event as it is stored."""
    return RawEvent(event.at_s, FORMAT, msgspec.json.encode(event.fact))


def _insert_seal(
    connection: sqlite3.Connection, before: bytes, seq: int, event: RawEvent, crops: Crops
) -> bytes:
    digests = crop_digests(crops)
    digest = event_digest(before, seq, event, digests)
    connection.execute("INSERT INTO seal VALUES (?, ?, ?)", (seq, digests, digest))
    return digest


def raw_events_in(connection: sqlite3.Connection) -> Iterator[tuple[int, RawEvent]]:
    """Yield all events with their numbers, undecoded; rows of wrong types are skipped."""
    # As bytes: the text of a damaged row need not be UTF-8.
    for row in connection.execute(
        "SELECT seq, at_s, format, CAST(fact AS BLOB) FROM event ORDER BY seq"
    ):
        match row:
            case (int() as seq, float() as at_s, int() as format, bytes() as fact):
                if seq > 0 and 0 < format < 2**32:
                    yield seq, RawEvent(at_s, format, fact)


def seals_in(connection: sqlite3.Connection) -> Iterator[tuple[int, EventSeal]]:
    """Yield the seals with their events' numbers; none for a file before format 2."""
    if _has_seals(connection):
        for seq, crops, digest in connection.execute("SELECT seq, crops, digest FROM seal"):
            if isinstance(crops, bytes) and isinstance(digest, bytes):
                yield seq, EventSeal(crops, digest)


def _has_seals(connection: sqlite3.Connection) -> bool:
    found = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'seal'").fetchone()
    return found is not None


def phone_events_in(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Yield the seat and the kind of every event that a player's phone wrote."""
    yield from connection.execute("SELECT seat, kind FROM said_by JOIN event USING (seq)")


def crops_in(connection: sqlite3.Connection, seq: int) -> Crops:
    """Return the undamaged crops of an event."""
    digests: bytes | None = None
    if _has_seals(connection):
        seal = connection.execute("SELECT crops FROM seal WHERE seq = ?", (seq,)).fetchone()
        digests = seal and seal[0]
    return verified_crops(all_crops_in(connection, seq), digests)


def all_crops_in(connection: sqlite3.Connection, seq: int) -> Crops:
    """Return all crops of an event, unverified."""
    rows = connection.execute("SELECT jpeg FROM crop WHERE seq = ? ORDER BY number", (seq,))
    return tuple(jpeg for (jpeg,) in rows if isinstance(jpeg, bytes))


def verified_crops(crops: Crops, digests: bytes | None) -> Crops:
    """Return the crops whose digest a seal has; without a seal, those that look like a JPEG."""
    if digests is None:
        return tuple(jpeg for jpeg in crops if jpeg.startswith(JPEG))
    known = {digests[i : i + DIGEST_BYTES] for i in range(0, len(digests), DIGEST_BYTES)}
    return tuple(jpeg for jpeg in crops if digest_of(jpeg) in known)


def is_intact(path: Path) -> bool:
    """Tell whether a file passes SQLite's quick check."""
    with path.open("rb") as file:
        # The file format's read and write versions: SQLite opens others read-only.
        if any(version not in (1, 2) for version in file.read(20)[18:]):
            return False
    try:
        with translated_sqlite_errors(path), closing(connect(path, is_writer=False)) as database:
            return bool(database.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
    except DamagedFileError:
        return False


def copy_damaged_file(path: Path) -> Path:
    """Copy a damaged file and its journal to a new name; return the copy's path."""
    number = 1
    while (copy := path.with_name(f"{path.name}{DAMAGED_SUFFIX}{number}")).exists():
        number += 1
    for suffix in ("", SIDE_FILE_SUFFIXES[0]):
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
    """Replace a game's file by another; call it with the game's `WriterClaim` only."""
    remove_sqlite_side_files(path)  # the old file's
    new.replace(path)
    sync_folder(path.parent)


def remove_sqlite_side_files(path: Path) -> None:
    """Delete SQLite's journal files of a database."""
    for suffix in SIDE_FILE_SUFFIXES:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


@contextmanager
def translated_sqlite_errors(path: Path) -> Iterator[None]:
    """Raise SQLite's errors as `LogFileError`s with advice."""
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
    except UnicodeDecodeError as error:  # SQLite's message about a damaged file may be garbled too
        raise DamagedFileError(DAMAGED.filled(path=path)) from error


class WriterClaim(Closable):
    """The exclusive lock to write to a game's file, released by `close` or the program's end.

    It is SQLite's own lock on an empty database beside the game, which works the same on every
    system. Raises `GameInUseError` when another program has it.
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
        """Release the lock."""
        self._lock.close()
