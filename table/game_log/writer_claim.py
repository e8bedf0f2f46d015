"""One writer a game: whoever has the claim on a game's file may write to it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from .database import reported
from .errors import GameInUseError

SUFFIX = ".writer"


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
        self.path = path.with_suffix(SUFFIX)
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
                    f"the game {path.stem} is open for writing in another program: end it there"
                    " first (reading is possible meanwhile)"
                ) from error

    def give_up(self) -> None:
        """Let somebody else write."""
        self._lock.close()
