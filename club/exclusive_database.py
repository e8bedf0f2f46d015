"""A database that one program has for itself: whoever else opens it is told so."""

from __future__ import annotations

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

PATIENCE_S = 1.0  # seconds that opening waits for another program to let go


class ExclusiveDatabase(Closable):
    """A file that several threads of this program use, one after the other, and no other program.

    `tables` is what makes the tables that are not there yet, and `synchronous` SQLite's pragma:
    whether what is written survives a power cut at once. Raises `ClubError` when another program
    holds the file, or it cannot be used.
    """

    def __init__(self, path: Path, tables: str, synchronous: Literal["full", "normal"]) -> None:
        self._path, self._tables, self._synchronous = path, tables, synchronous
        self._one_at_a_time = threading.Lock()
        with self._reported():
            self._open()

    def close(self) -> None:
        """Close the file."""
        with self._one_at_a_time:
            self._database.close()

    def _open(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(self._path, check_same_thread=False, timeout=PATIENCE_S)
        try:
            database.execute("pragma locking_mode = exclusive")
            database.execute("pragma journal_mode = wal")
            database.execute(f"pragma synchronous = {self._synchronous}")
            with database:
                database.executescript(self._tables)
            # The lock is taken by the first transaction, and kept.
            database.execute("begin exclusive")
            database.commit()
        except BaseException:
            database.close()
            raise
        self._database = database

    @contextmanager
    def _used(self) -> Iterator[sqlite3.Connection]:
        """Hand out the database; all that the block writes is kept or, where it fails, nothing."""
        with self._one_at_a_time, self._reported(), self._database:
            yield self._database

    @contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error, msgspec.DecodeError) as error:
            raise self._refusal(str(error)) from error

    @abstractmethod
    def _refusal(self, why: str) -> ClubError:
        """Return what is raised: SQLite says "locked" where another program has the file."""
