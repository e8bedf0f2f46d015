"""Which game is being read for the list: a mark on the disk that outlives the program.

A file that ends the program, or is never done, would do so again after each start. So what is read
is written down first; a file over which the program ended twice is read no more until it changes.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import msgspec

from .summaries import Stamp

MOST_TRIES = 2  # once may be chance: somebody ended the program, or it was killed


class _Try(msgspec.Struct, frozen=True):
    stamp: Stamp
    count: int


class ReadingMark:
    """The mark beside the games; where it cannot be written there is none.

    Parameters
    ----------
    path : Path
        Its file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._tries = msgspec.json.decode(path.read_bytes(), type=dict[str, _Try])
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            self._tries = {}

    def tries(self, game: str, stamp: Stamp) -> int:
        """Return how often the program ended over this file."""
        known = self._tries.get(game)
        return known.count if known is not None and known.stamp == stamp else 0

    def set(self, game: str, stamp: Stamp) -> None:
        """Write down that this file is about to be read."""
        self._tries[game] = _Try(stamp, 1 + self.tries(game, stamp))
        self._write()

    def clear(self, game: str) -> None:
        """Take the mark away: the file is read."""
        if self._tries.pop(game, None) is not None:
            self._write()

    def _write(self) -> None:
        # Not to the disk at once: the end of the program is what it outlives, and no power cut.
        with contextlib.suppress(OSError):
            if not self._tries:
                self._path.unlink(missing_ok=True)
                return
            with open(self._path, "wb", opener=_private) as file:
                file.write(msgspec.json.encode(self._tries))


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)
