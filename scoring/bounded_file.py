"""Reads files up to a size limit, since they may be anything: /dev/zero has no end."""

import errno
from pathlib import Path
from typing import BinaryIO

# Limit of texts: games, boards, decks. A board with a thousand routes has 1 MB; chosen.
MOST_BYTES = 4_000_000


def read_bounded(source: Path | BinaryIO, most_bytes: int = MOST_BYTES) -> bytes:
    """Return the content of a file.

    Raises `OSError` when it cannot be read, or is larger.
    """
    if isinstance(source, Path):
        with source.open("rb") as file:
            return read_bounded(file, most_bytes)
    content = source.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise OSError(errno.EFBIG, f"it is larger than {most_bytes // 1_000_000} MB")
    return content
