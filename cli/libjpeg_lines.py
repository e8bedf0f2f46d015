"""What libjpeg says of a camera's torn pictures, kept out of the terminal.

OpenCV's libjpeg writes a line to the process's standard error for every picture that came damaged,
and has no switch for it: with a bad cable that is some lines a second between those of a game. The
program says by itself what is wrong with a camera.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

# How its warnings begin (jerror.h, JWRN_...).
OF_LIBJPEG = re.compile(
    rb"Corrupt JPEG data: |Premature end of JPEG file|Invalid SOS parameters for sequential JPEG"
    rb"|Warning: unknown JFIF revision number|Inconsistent progression sequence for component"
    rb"|Unknown Adobe color transform code"
)


@contextmanager
def without_libjpeg_lines() -> Iterator[None]:
    """Pass on what libraries write to standard error, libjpeg's warnings left out.

    What Python itself writes goes straight there, so that nothing of a traceback waits for a
    thread.
    """
    before, terminal = sys.stderr, os.dup(2)
    reading, writing = os.pipe()
    os.dup2(writing, 2)
    os.close(writing)
    passing = threading.Thread(
        target=_pass_on, args=(reading, terminal), name="stderr", daemon=True
    )
    passing.start()
    sys.stderr = open(  # noqa: SIM115
        terminal, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False
    )
    try:
        yield
    finally:
        sys.stderr = before
        os.dup2(terminal, 2)  # which ends the pipe
        passing.join(1.0)  # a process of ours may hold it open


def _pass_on(reading: int, terminal: int) -> None:
    with open(reading, "rb") as lines:
        for line in lines:
            if not OF_LIBJPEG.match(line):
                os.write(terminal, line)
