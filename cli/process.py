"""Runs the command as a process that shuts down cleanly on signals.

Ctrl-C and SIGTERM interrupt the command, which then ends normally. Further signals are ignored
meanwhile; after `KILL_AFTER_S` they kill the process.
"""

import gc
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from types import FrameType

from .command import parse_arguments, run

# OpenCV's libjpeg writes a line to standard error for every damaged picture, and cannot be told not
# to. The program itself reports a faulty camera. These warnings begin so (jerror.h, JWRN_...).
LIBJPEG_WARNING = re.compile(
    rb"Corrupt JPEG data: |Premature end of JPEG file|Invalid SOS parameters for sequential JPEG"
    rb"|Warning: unknown JFIF revision number|Inconsistent progression sequence for component"
    rb"|Unknown Adobe color transform code"
)
# What OpenCV and FFmpeg say of a camera that is not there, beside the program's own sentence.
QUIET = {"OPENCV_LOG_LEVEL": "ERROR", "OPENCV_FFMPEG_LOGLEVEL": "8"}  # only what is fatal
# Signals that end a process besides Ctrl-C; on Windows a closed window sends SIGBREAK.
ENDING_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGBREAK") if hasattr(signal, name)
)
KILL_AFTER_S = 3.0  # seconds after the first signal from which the next one kills; chosen


@contextmanager
def without_libjpeg_lines() -> Iterator[None]:
    """Filter libjpeg's warnings out of what native libraries write to standard error.

    Python's own output bypasses the filter, so that tracebacks are complete.
    """
    before, terminal = sys.stderr, os.dup(2)
    reading, writing = os.pipe()
    os.dup2(writing, 2)
    os.close(writing)
    passing = threading.Thread(
        target=_filter_lines, args=(reading, terminal), name="stderr", daemon=True
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
        passing.join(1.0)  # a child process may keep the pipe open


def _filter_lines(reading: int, terminal: int) -> None:
    with open(reading, "rb") as lines:
        for line in lines:
            if not LIBJPEG_WARNING.match(line):
                os.write(terminal, line)


def main() -> int:
    """Run the command of the process's arguments; return the exit code.

    After a signal it ends the process itself, with the exit code that shells use: 143 for SIGTERM.
    """
    for name, level in QUIET.items():
        os.environ.setdefault(name, level)
    is_foreground = signal.getsignal(signal.SIGINT) is not signal.SIG_IGN  # not in the background
    if is_foreground:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # This takes up to a second; Ctrl-C then just ends the process. What is imported stays: searched
    # for garbage it would take a tenth longer, and each full search later on 50 ms longer.
    gc.disable()
    args = parse_arguments(sys.argv[1:])
    gc.freeze()
    gc.enable()
    handler = _SignalHandler()
    if is_foreground:
        signal.signal(signal.SIGINT, handler.handle)
    for number in ENDING_SIGNALS:
        signal.signal(number, handler.handle)
    try:
        with without_libjpeg_lines() if sys.stderr is not None else nullcontext():
            code = run(args)
    except KeyboardInterrupt:
        code = 128 + signal.SIGINT
    if handler.signal is None:
        return code
    if handler.signal in ENDING_SIGNALS:
        code = 128 + handler.signal
        name = signal.Signals(handler.signal).name
        print(f"railspotter: ended, as this computer asked ({name})", file=sys.stderr)
    with suppress(OSError):  # nobody may read it any more
        sys.stdout.flush()
    sys.stderr.flush()
    # Does not wait for threads, as one that was just starting may never be told to end.
    os._exit(code)


class _SignalHandler:
    """Handles the signals that end the process."""

    def __init__(self) -> None:
        self.signal: int | None = None  # the first one received
        self._at_s = 0.0

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Interrupt the command at the first signal; one after `KILL_AFTER_S` kills the process."""
        if self.signal is None:
            self.signal, self._at_s = number, time.monotonic()
            raise KeyboardInterrupt
        if time.monotonic() - self._at_s > KILL_AFTER_S:
            os.write(sys.stderr.fileno(), b"railspotter: stopped before it had ended\n")
            os._exit(128 + number)
