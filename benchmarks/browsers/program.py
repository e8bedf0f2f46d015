"""`railspotter play` as a process that is started, killed and started again."""

import os
import sys
from pathlib import Path

sys.path.extend(
    str(Path(__file__).resolve().parents[2] / folder) for folder in ("tests", "tests/support")
)

from served_play import ServedPlay, free_port


class Program:
    """The program on one port, with its own data directory."""

    def __init__(self, home: Path) -> None:
        os.environ["RAILSPOTTER_HOME"] = str(home)
        self.port = free_port()
        self.start()

    @property
    def address(self) -> str:
        """Where its page is."""
        return f"http://127.0.0.1:{self.port}"

    def start(self, *arguments: str) -> None:
        """Start it; its links are printed a moment later."""
        self._running = ServedPlay(self.port, *arguments)

    def host_link(self) -> str:
        """Wait for the host's link that it prints."""
        return f"{self.address}/#host={self._running.link('host')}"

    def kill(self) -> None:
        """Kill it without warning, as a power failure does."""
        self._running.process.kill()
        self._running.process.communicate()
