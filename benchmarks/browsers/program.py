"""`railspotter play` as somebody starts it, kills it and starts it again."""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.extend(
    str(Path(__file__).resolve().parents[2] / folder) for folder in ("tests", "tests/support")
)

from served_play import ServedPlay, free_port


class Program:
    """The program on one port of this computer, with a home of its own."""

    def __init__(self, home: Path) -> None:
        os.environ["RAILSPOTTER_HOME"] = str(home)
        self.port = free_port()
        self.start()

    def start(self) -> None:
        """Start it; it says its links a moment later."""
        self._running = ServedPlay(self.port)

    def host_link(self) -> str:
        """Wait for the host's link that it says."""
        return f"http://127.0.0.1:{self.port}/#host={self._running.link('host')}"

    def kill(self) -> None:
        """Kill it without a warning, as a computer does whose battery is empty."""
        self._running.process.kill()
        self._running.process.communicate()
