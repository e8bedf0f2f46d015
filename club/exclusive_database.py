"""An SQLite database that one process locks; opening it in another process fails."""

import sqlite3
import threading
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import msgspec
from railspotter.table.worker import Closable

from .errors import ClubError

LOCK_TIMEOUT_S = 1.0  # how long opening waits for another process's lock


class ExclusiveDatabase(Closable):
    """A thread-safe SQLite file, locked against other processes.

    `tables` is the SQL script that creates missing tables. `synchronous` is SQLite's pragma:
    "full" survives a power cut right after a commit. Raises `ClubError` when another process has
    locked the file, or it cannot be used.
    """

    def __init__(self, path: Path, tables: str, synchronous: Literal["full", "normal"]) -> None:
        self._path, self._tables, self._synchronous = path, tables, synchronous
        self._lock = threading.Lock()
        with self._reported():
            self._open()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._database.close()

    def _open(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(self._path, check_same_thread=False, timeout=LOCK_TIMEOUT_S)
        try:
            database.execute("pragma locking_mode = exclusive")
            database.execute("pragma journal_mode = wal")
            database.execute(f"pragma synchronous = {self._synchronous}")
            with database:
                database.executescript(self._tables)
            # In exclusive mode the first transaction takes the lock and keeps it.
            database.execute("begin exclusive")
            database.commit()
        except BaseException:
            database.close()
            raise
        self._database = database

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Lock the database for one transaction, rolled back if the block fails."""
        with self._lock, self._reported(), self._database:
            yield self._database

    @contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error, msgspec.DecodeError) as error:
            raise self._error_for(str(error)) from error

    @abstractmethod
    def _error_for(self, why: str) -> ClubError:
        """Return the exception to raise; SQLite says "locked" if another process has the file."""
