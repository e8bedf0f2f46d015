"""`railspotter hall` in its own process, and a page that reads what it tells."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.extend(
    str(Path(__file__).resolve().parents[2] / folder) for folder in ("tests", "tests/support")
)

from mosquitto import Mosquitto
from served_play import RUN

from .running_game import memory_mb


class Screen(threading.Thread):
    """Reads the hall's changes as a page does, and has the tables as the page has them."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self._port = port
        self.tables: dict[str, Any] = {}

    def run(self) -> None:
        """Read until the hall is gone."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        connection.request("GET", "/api/v1/hall/events")
        for line in connection.getresponse():
            if line.startswith(b"data: {"):
                for id, table in (json.loads(line[6:]).get("tables") or {}).items():
                    self.tables.setdefault(id, {}).update(table)


class RunningHall:
    """A real `railspotter hall`."""

    def __init__(self, url: str, home: Path) -> None:
        self._url, self._home, self.port = url, home, 0
        self.start()

    def start(self) -> None:
        """Start it, on the port that it had before, and wait until its page is there."""
        self._process = subprocess.Popen(
            [sys.executable, "-c", RUN, "hall", "--mqtt", self._url, "--port", str(self.port)],
            env={**os.environ, "RAILSPOTTER_HOME": str(self._home), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if found := re.search(r"http://[^:/]+:(\d+)", line):
                self.port = int(found[1])
                break
        threading.Thread(target=self._process.stdout.read, daemon=True).start()

    def kill(self) -> None:
        """Kill it, as a power cut does."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    @property
    def mb(self) -> float:
        """Its memory."""
        return memory_mb(self._process.pid)


@contextmanager
def run_hall(broker: Mosquitto, folder: Path) -> Iterator[RunningHall]:
    """Run a hall."""
    running = RunningHall(broker.url, folder)
    try:
        yield running
    finally:
        running.kill()
