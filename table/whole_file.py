"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def write_whole(path: Path, content: bytes, *, is_private: bool = False) -> None:
    """Write a file beside its place and move it there.

    Whoever looks finds the old content or the new one, also after a power cut.

    Parameters
    ----------
    is_private : bool
        Whether nobody but its owner may read it.

    Raises
    ------
    OSError
        When it cannot be written; what was there before is then still there.
    """
    new = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    try:
        # Not a temporary file of the library's: those nobody but their owner may read.
        mode = 0o600 if is_private else 0o666
        with open(new, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
