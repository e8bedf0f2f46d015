"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its place and move it there.

    Whoever looks finds the old content or the new one, also after a power cut.

    Raises
    ------
    OSError
        When it cannot be written; what was there before is then still there.
    """
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".new", delete=False) as file:
        new = Path(file.name)
        try:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            new.unlink(missing_ok=True)
            raise
    try:
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
