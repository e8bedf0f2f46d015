"""A real `railspotter hall` in a process of its own, and a page that reads what it tells."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mosquitto import Mosquitto

COMMAND = (sys.executable, "-c", "from railspotter.cli.process import main; main()")
PAGE_SIZE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")


class Screen(threading.Thread):
    """Reads the hall's changes as a page does, and notes how late each report is there.

    Attributes
    ----------
    late_s : list of float
        Of every report, seconds from its being told to its being here.
    tables : dict
        The tables as the page has them.
    """

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self._port = port
        self.late_s: list[float] = []
        self.tables: dict[str, Any] = {}

    def run(self) -> None:
        """Read until the hall is gone."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        connection.request("GET", "/api/v1/hall/events")
        answer = connection.getresponse()
        for line in answer:
            if not line.startswith(b"data: {"):
                continue
            now_s, told = time.time(), json.loads(line[6:])
            for id, table in (told.get("tables") or {}).items():
                if "at_s" in table and id in self.tables:
                    self.late_s.append(now_s - table["at_s"])
                self.tables.setdefault(id, {}).update(table)


@dataclass
class HallProcess:
    """A real `railspotter hall`."""

    url: str
    home: Path
    process: subprocess.Popen[str] | None = None
    port: int = 0
    _said: list[str] = field(default_factory=list)

    def start(self) -> None:
        """Start it, on the port that it had before, and wait until its page is there."""
        self.process = subprocess.Popen(
            [*COMMAND, "hall", "--mqtt", self.url, "--port", str(self.port)],
            env={**os.environ, "RAILSPOTTER_HOME": str(self.home), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := re.search(r"http://[^:/]+:(\d+)", line):
                self.port = int(found[1])
                break
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def kill(self) -> None:
        """Kill it, as a power cut does."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    @property
    def cpu_s(self) -> float:
        """Seconds of processor time until now."""
        return cpu_s(self.process)

    @property
    def mb(self) -> float:
        """Memory that it holds, in MB."""
        assert self.process is not None
        pages = Path(f"/proc/{self.process.pid}/statm").read_text("ascii").split()[1]
        return int(pages) * PAGE_SIZE / 2**20


def cpu_s(process: subprocess.Popen[Any] | None) -> float:
    """Return the processor time that a process has had."""
    assert process is not None
    fields = Path(f"/proc/{process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


@contextmanager
def hall(broker: Mosquitto, folder: Path) -> Iterator[HallProcess]:
    """Run a hall."""
    running = HallProcess(broker.url, folder)
    running.start()
    try:
        yield running
    finally:
        running.kill()
