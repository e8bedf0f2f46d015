"""A database that one program has for itself: whoever else opens it is told so."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Literal

PATIENCE_S = 1.0
"""Seconds that opening waits for another program to let go."""


def open_alone(
    path: Path, tables: str, synchronous: Literal["full", "normal"]
) -> sqlite3.Connection:
    """Open a database for writing, for several threads of this program and for no other one.

    Parameters
    ----------
    tables : str
        What makes the tables that are not there yet.
    synchronous : str
        SQLite's pragma: whether what is written survives a power cut at once.

    Raises
    ------
    sqlite3.Error, OSError
        "database is locked" where another program has it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(path, check_same_thread=False, timeout=PATIENCE_S)
    try:
        database.execute("pragma locking_mode = exclusive")
        database.execute("pragma journal_mode = wal")
        database.execute(f"pragma synchronous = {synchronous}")
        with database:
            database.executescript(tables)
        # The lock is taken by the first transaction, and kept.
        database.execute("begin exclusive")
        database.commit()
    except BaseException:
        database.close()
        raise
    return database
