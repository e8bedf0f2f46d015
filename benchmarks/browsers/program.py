"""`railspotter play` as somebody starts it, kills it and starts it again."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, Self

RUN = "import sys; from railspotter.cli.command import main; sys.exit(main())"
PATIENCE_S = 90.0


class Program:
    """The program on one port of this computer, with a home of its own."""

    def __init__(self, home: Path) -> None:
        self.port = _free_port()
        self._home = home
        self._said = home / "said.txt"
        self._process: subprocess.Popen[bytes] | None = None
        self._told: IO[bytes] | None = None

    def __enter__(self) -> Self:
        """Give it as it is: nothing runs yet."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let nothing go on running."""
        self.kill()

    def start(self) -> None:
        """Start it; it says its links a moment later."""
        self._told = self._said.open("wb")
        self._process = subprocess.Popen(
            [sys.executable, "-c", RUN, "play", "--port", str(self.port)],
            env={**os.environ, "RAILSPOTTER_HOME": str(self._home)},
            stdin=subprocess.PIPE,
            stdout=self._told,
            stderr=subprocess.STDOUT,
        )

    def host_link(self) -> str:
        """Wait for the host's link that it says."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            if found := re.search(r"http://127\S+/#host=\S+", self._said.read_text("utf-8")):
                return found[0]
            time.sleep(0.05)
        raise TimeoutError(self._said.read_text("utf-8"))

    def kill(self) -> None:
        """Kill it without a warning, as a computer does whose battery is empty."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
        if self._told is not None:
            self._told.close()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])
