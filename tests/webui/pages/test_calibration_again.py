"""`railspotter play` as it is: what was moved in one game holds in the next."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import drawn
from phones import PATIENCE_S, Phone
from railspotter.table.home import ProfileStore

RUN = "import sys; from railspotter.cli.command import main; sys.exit(main())"
PLAY = ["play", "--board", "usa", "--source", "phone", "--players", "Ann:red", "Bo:blue"]
ROUTE = "helena--seattle"


@contextmanager
def playing() -> Iterator[Phone]:
    """Start the program before a phone that never comes; yield the host's phone."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = int(probe.getsockname()[1])
    program = subprocess.Popen(
        [sys.executable, "-c", RUN, *PLAY, "--port", str(port)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    try:
        found = None
        while found is None:
            line = program.stdout.readline()
            assert line, "it ended"
            found = re.search(rf"http://127\.0\.0\.1:{port}/#host=(\S+)", line)
        yield Phone(port).join(found[1])
    finally:
        program.communicate("quit\n", timeout=PATIENCE_S)
    assert program.returncode == 0


def nudges(host: Phone) -> object:
    return host.get("/calibration").json["nudged"]


def test_the_next_game_is_watched_with_what_was_moved_in_this_one(home: Path) -> None:
    ProfileStore(home).save(replace(drawn.profile(), name="mine"))
    with playing() as host:
        assert nudges(host) == 0
        moved = host.ask("PUT", "/calibration/nudges", {"key": ROUTE, "dxy_mm": [1.5, 0.0]})
        assert moved.json["nudged"] == 1
        first = host.state()["game"]["id"]
        assert host.post("/end").status == 200
        assert host.post("/again").status == 200
        give_up = time.monotonic() + PATIENCE_S
        second = first
        while second == first:
            assert time.monotonic() < give_up
            try:
                second = host.state()["game"]["id"]
            except (ConnectionError, TimeoutError):
                time.sleep(0.1)
        assert nudges(host) == 1
    with playing() as host:
        assert nudges(host) == 1
    assert ProfileStore(home).load("mine").nudges_mm == {ROUTE: (1.5, 0.0)}
