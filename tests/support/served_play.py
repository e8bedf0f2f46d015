"""The whole program as a person starts it, `railspotter play`: set up, filmed, joined by phones."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import drawn
from phones import Phone
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.table.photo_file import to_jpeg
from waiting import PATIENCE_S, until

RUN = "import sys; from railspotter.cli.process import main; sys.exit(main())"
JPEG = {"Content_Type": "image/jpeg"}


@cache
def board() -> bytes:
    """What a phone posts of the drawn board."""
    return to_jpeg(drawn.empty(CameraSetup((1000, 750), tilt_deg=10)).picture)


def put(host: Phone, what: str, body: Any) -> Any:
    answer = host.ask("PUT", f"/set-up/{what}", body)
    assert answer.status == 200, answer.content
    return answer.json


class ServedPlay:
    """A running `railspotter play`, what it says, and the page on its port if it has one."""

    def __init__(self, port: int | None, *arguments: str) -> None:
        self.port = port or 0
        page = ["--no-page"] if port is None else ["--port", str(port)]
        self.process = subprocess.Popen(
            [sys.executable, "-c", RUN, "play", *page, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.said = ""

    def line(self, words: str) -> str:
        """Wait for the next line that has these words; return it."""
        assert self.process.stdout is not None
        while True:
            line = self.process.stdout.readline()
            assert line, f"it ended: {self.said}"
            self.said += line
            if words in line:
                return line

    def link(self, opens: str) -> str:
        """Wait for the next link of a kind, and for what it leads to; return its token."""
        start = f"http://127.0.0.1:{self.port}/#{opens}="
        token = self.line(start).partition(start)[2].split()[0]
        until(lambda: Phone(self.port).get("/table").json["phase"] != "beginning")
        return token

    def host(self) -> Phone:
        return Phone(self.port).join(self.link("host"))

    def ended(self, *, by: int | None = None) -> int:
        """End it by a signal or by a word; return the exit code."""
        if by is not None:
            self.process.send_signal(by)
        said, _ = self.process.communicate("" if by is not None else "quit\n", PATIENCE_S)
        self.said += said
        assert "Traceback" not in self.said, self.said
        return self.process.returncode


@contextmanager
def serving_play(port: int | None, *arguments: str) -> Iterator[ServedPlay]:
    play = ServedPlay(port, *arguments)
    try:
        yield play
    finally:
        if play.process.poll() is None:
            play.process.kill()
            play.process.communicate()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def asked(phone: Phone, path: str) -> Any:
    """What a call gives; None while the page is another one just now."""
    try:
        answer = phone.get(path)
    except (ConnectionError, TimeoutError):
        return None
    return answer.json if answer.status == 200 else None


def posted(camera: Phone) -> bool:
    """Post a picture, as a phone goes on doing whatever happens."""
    try:
        return camera.post("/frames", board(), **JPEG).status == 200
    except (ConnectionError, TimeoutError):
        return False


def filming(host: Phone) -> Phone:
    """A phone that is the camera."""
    link = put(host, "source", {"source": "phone"})["camera_link"]
    return Phone(host.port).join(link.partition("=")[2])


def found(host: Phone, camera: Phone) -> bool:
    posted(camera)
    return bool(host.get("/set-up").json["may_begin"])
