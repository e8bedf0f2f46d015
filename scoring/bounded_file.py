"""Files that may be anything: read to a bound and no further, for /dev/zero has no end."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import BinaryIO

# The largest text: a game, a board, a deck. A board with a thousand routes takes one; chosen.
MOST_BYTES = 4_000_000


def read_bounded(source: Path | BinaryIO, most_bytes: int = MOST_BYTES) -> bytes:
    """Return all of a file.

    Raises `OSError` when it cannot be read, or is larger.
    """
    if isinstance(source, Path):
        with source.open("rb") as file:
            return read_bounded(file, most_bytes)
    content = source.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise OSError(errno.EFBIG, f"it is larger than {most_bytes // 1_000_000} MB")
    return content
