"""The whole program as a person starts it: `railspotter play` in a process of its own."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty, Queue

RUN = "import sys; from railspotter.cli.process import main; sys.exit(main())"
PATIENCE_S = 150.0  # for a busy machine: alone, each takes some seconds


class Play:
    """A running `railspotter play`, and what it says."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", RUN, "play", "--no-page", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.said: list[str] = []
        self._lines: Queue[str] = Queue()
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)

    def wait_for(self, words: str) -> None:
        """Wait until it says something."""
        until_s = time.monotonic() + PATIENCE_S
        while not any(words in line for line in self.said):
            assert time.monotonic() < until_s, f"{words!r} was not said, but {self.said}"
            try:
                self.said.append(self._lines.get(timeout=0.1))
            except Empty:
                assert self.process.poll() is None, f"it ended: {self.said}"

    def end(self, number: int) -> int:
        """Send a signal, and return the exit code."""
        self.process.send_signal(number)
        code = self.process.wait(PATIENCE_S)
        self._thread.join()
        while not self._lines.empty():
            self.said.append(self._lines.get())
        return code


@contextmanager
def playing(*arguments: str) -> Iterator[Play]:
    play = Play(*arguments)
    try:
        yield play
    finally:
        if play.process.poll() is None:
            play.end(signal.SIGKILL)
        for pipe in (play.process.stdin, play.process.stdout):
            if pipe is not None:
                pipe.close()
