"""`railspotter play` as it is: codes in the terminal, a whole game's course, and the next game."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from phones import PATIENCE_S, Phone

RUN = "import sys; from railspotter.cli.command import main; sys.exit(main())"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def game_on(phone: Phone) -> str:
    """The id of the game that the page shows, once there is one."""
    give_up = time.monotonic() + PATIENCE_S
    while True:
        try:
            return str(phone.state()["game"]["id"])
        except (ConnectionError, TimeoutError):
            assert time.monotonic() < give_up
            time.sleep(0.1)


def test_the_next_game_has_the_same_phones(home: Path) -> None:
    port = free_port()
    program = subprocess.Popen(
        [sys.executable, "-c", RUN, "play", "--source", "demo", "--port", str(port)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    tokens: dict[str, str] = {}
    try:
        while "host" not in tokens:
            line = program.stdout.readline()
            assert line, "it ended"
            if found := re.search(rf"http://127\.0\.0\.1:{port}/#(join|host)=(\S+)", line):
                tokens[found[1]] = found[2]
        host = Phone(port).join(tokens["host"])
        player = Phone(port).join(tokens["join"])
        seat = player.state()["players"][0]["seat"]
        assert player.post("/seat", {"seat": seat}).status == 200
        first = game_on(host)
        early = host.post("/again")
        assert (early.status, early.code) == (409, "not over")
        assert host.post("/end").status == 200
        with player.stream() as stream:
            stream.next("state")
            assert host.post("/again").status == 200
            with pytest.raises((AssertionError, ConnectionError)):
                stream.next("nothing")
        time.sleep(0.5)
        second = game_on(player)
        give_up = time.monotonic() + PATIENCE_S
        while second == first and time.monotonic() < give_up:
            time.sleep(0.1)
            second = game_on(player)
        assert second != first
        assert player.get("/you").json["seat"] == seat
        assert host.get("/you").json["is_host"]
        state = player.state()
        assert not state["game"]["ended"]
        assert [entry["kind"] for entry in state["log"]] == ["game_started"]
        stored = sorted(path.stem for path in (home / "games").glob("*.sqlite3"))
        assert stored == sorted([first, second])
    finally:
        said, _ = program.communicate("quit\n", timeout=PATIENCE_S)
    assert program.returncode == 0
    assert f"--resume {second[:8]}" in said
