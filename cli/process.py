"""The command as a process: it shuts down cleanly on signals, even repeated ones.

Ctrl-C and SIGTERM let a command end as it does by itself. Until it has, being told again changes
nothing, for a traceback out of the middle of the end helps nobody; if it takes too long, it does.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from .command import parsed, run

# OpenCV's libjpeg writes a line to the process's standard error for every picture that came
# damaged, and has no switch for it: with a bad cable that is some lines a second between those of
# a game. The program says by itself what is wrong with a camera.

# How its warnings begin (jerror.h, JWRN_...).
OF_LIBJPEG = re.compile(
    rb"Corrupt JPEG data: |Premature end of JPEG file|Invalid SOS parameters for sequential JPEG"
    rb"|Warning: unknown JFIF revision number|Inconsistent progression sequence for component"
    rb"|Unknown Adobe color transform code"
)
# What tells a process to end beside Ctrl-C: SIGBREAK comes on Windows alone, where it is what a
# window that is closed sends.
ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGBREAK") if hasattr(signal, name))
# Seconds after which being told once more stops the process there and then; chosen.
PATIENCE_S = 3.0


@contextmanager
def without_libjpeg_lines() -> Iterator[None]:
    """Filter libjpeg's warnings out of what native libraries write to standard error.

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


def main() -> int:
    """Run the command of the process's arguments; return the exit code.

    A process that SIGTERM ended says so, and has the exit code 143 that shells give to it.
    """
    is_told = signal.getsignal(signal.SIGINT) is not signal.SIG_IGN  # not in the background
    if is_told:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # It takes up to a second. Nothing has begun before, so Ctrl-C just ends the process.
    args = parsed(sys.argv[1:])
    end = _End()
    if is_told:
        signal.signal(signal.SIGINT, end.hear)
    for number in ENDING:
        signal.signal(number, end.hear)
    try:
        with without_libjpeg_lines():
            code = run(args)
    except KeyboardInterrupt:
        code = 128 + signal.SIGINT
    if end.signal is None:
        return code
    if end.signal in ENDING:
        code = 128 + end.signal
        name = signal.Signals(end.signal).name
        print(f"railspotter: ended, as this computer asked ({name})", file=sys.stderr)
    with suppress(OSError):  # nobody may read it any more
        sys.stdout.flush()
    sys.stderr.flush()
    # A thread that was just being started has nobody who tells it to end: it is not waited for.
    os._exit(code)


class _End:
    """Handles the signals that end the process."""

    def __init__(self) -> None:
        self.signal: int | None = None  # the first one that came
        self._at_s = 0.0

    def hear(self, number: int, frame: FrameType | None) -> None:
        """Interrupt the command at the first signal; one after `PATIENCE_S` kills the process."""
        if self.signal is None:
            self.signal, self._at_s = number, time.monotonic()
            raise KeyboardInterrupt
        if time.monotonic() - self._at_s > PATIENCE_S:
            os.write(sys.stderr.fileno(), b"railspotter: stopped before it had ended\n")
            os._exit(128 + number)
