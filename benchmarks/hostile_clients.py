"""What do clients do to the page that mean it no good? `python benchmarks/hostile_clients.py`.

Each attack goes against a page in a process of its own, on the loopback interface: a table before a
camera (`play`; `late` with 9,800 events in its log), the page for photos (`serve`), or the page
that tells how to trust (`trust`), with 1,024 file descriptors. Meanwhile a polite phone opens a
connection of its own four times a second and asks for a page. Told are its longest wait and how
often it got no answer in 10 s, the process' peak of memory, the camera's pictures a second, and the
lines that the program wrote to stderr. An attack ends when the process holds more than 600 MB.
`--list` tells all attacks.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import itertools
import json
import os
import re
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring import load_board
from railspotter.simulation.virtual_board import CameraSetup, Scene, VirtualCamera
from railspotter.table.game_log import GameRenamed, GameStarted, GameStore, Player
from railspotter.table.live_table import LiveTable
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.vision.sources import Grabber, VirtualBoard
from railspotter.webui import Https, PlayPage, Server, create_app

MOST_MB = 600
DESCRIPTORS = 1024
PATIENCE_S = 10.0
POLITE = {"play": "/api/v1/state", "late": "/api/v1/state", "serve": "/", "trust": "/trust"}
"""What the polite phone asks each page for."""


def serve(page: str) -> None:
    """Run a page until standard input ends; say its port, then the pictures of the camera."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        pictures = [0]
        if page in ("play", "late"):
            table = stack.enter_context(_table(Path(folder), pictures, page == "late"))
            port, codes = table.server.port, table.room.door.codes
            print(port, codes.join, codes.host, flush=True)
        else:
            server = (
                Server(create_app(_no_photos), "127.0.0.1", 0)
                if page == "serve"
                else Https(Path(folder), 0).trust_server("127.0.0.1", 443)
            )
            print(stack.enter_context(server).port, flush=True)
        for _ in sys.stdin:
            print(pictures[0], flush=True)


@contextlib.contextmanager
def _table(folder: Path, pictures: list[int], is_late: bool) -> Iterator[PlayPage]:
    board = load_board("usa")
    blank = VirtualCamera(board, view=CameraSetup((640, 400))).take(Scene())
    profile = make_profile(blank.picture, board, blank.corners_px, "drawn", "")
    grey = np.full((120, 160, 3), 128, np.uint8)

    def take(t_s: float) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
        pictures[0] += 1
        # As a camera does that was lost and is opened again.
        with Path(os.devnull).open("rb"):
            return grey

    players = tuple(Player(c, c, c.title()) for c in ("red", "blue"))
    with GameStore(folder).create(GameStarted("usa", players), time.time()) as log:
        if is_late:
            log.append([GameRenamed("Friday")] * 9800, time.time())
        with (
            Grabber(VirtualBoard(take, 3600.0, 10.0)) as grabber,
            LiveTable(log, grabber, profile) as table,
            PlayPage(table, "127.0.0.1", 0, _no_photos, say=lambda said: None) as page,
        ):
            yield page


def _no_photos(content: bytes, name: str) -> ScoredPhoto:
    raise NotImplementedError


class Victim:
    """A page in a process of its own."""

    def __init__(self, page: str) -> None:
        self.page = page
        self.stderr = tempfile.TemporaryFile()  # noqa: SIM115  # ended by `end`
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--page", page],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.stderr,
            text=True,
        )
        self.is_over = threading.Event()
        port, *self.codes = self._read().split()
        self.port = int(port)

    def _read(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def pictures(self) -> int:
        """Return how many pictures the camera has given."""
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return int(self._read())

    def memory_mb(self, what: str = "VmRSS") -> float:
        """Return the memory that the process holds, or with `VmHWM` the most that it held."""
        text = Path(f"/proc/{self.process.pid}/status").read_text("utf-8")
        return int(re.findall(rf"{what}:\s+(\d+) kB", text)[0]) / 1024

    def connect(self, phone: int = 0) -> socket.socket:
        """Open a connection; each phone but the first has an address of its own."""
        here = (f"127.0.0.{1 + phone}", 0) if phone else None
        return socket.create_connection(("127.0.0.1", self.port), 2.0, here)

    def end(self) -> int:
        """End the process; return how many lines it wrote to stderr."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(20.0)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.stderr.seek(0)
        return len(self.stderr.read().splitlines())


def _pour(victim: Victim, head: bytes, most: int = 800 * 2**20) -> None:
    """Send a request that does not end, until the line is cut."""
    with contextlib.suppress(OSError), victim.connect() as line:
        line.settimeout(0.5)
        line.sendall(head)
        for _ in range(most // 2**20):
            with contextlib.suppress(TimeoutError):
                line.sendall(b"a" * 2**20)
            if victim.is_over.is_set():
                return


def _request(call: str, *headers: str) -> bytes:
    lines = [f"{call} HTTP/1.1", "Host: localhost", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


JSON = "Content-Type: application/json"
JOIN = "POST /api/v1/join"


def _chunk(victim: Victim) -> None:
    _pour(victim, _request(JOIN, JSON, "Transfer-Encoding: chunked") + b"32000000\r\n")


def _chunk_line(victim: Victim) -> None:
    _pour(victim, _request(JOIN, JSON, "Transfer-Encoding: chunked") + b"1")


def _header_line(victim: Victim) -> None:
    _pour(victim, b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")


def _negative(victim: Victim) -> None:
    _pour(victim, _request(JOIN, JSON, "Content-Length: -1"))


def _at_once(count: int, do: Callable[[], None]) -> None:
    threads = [threading.Thread(target=do) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _unread(victim: Victim) -> None:
    """Send bodies where nobody reads one."""
    length = 32 * 2**20 - 1
    head = _request("GET /nowhere", f"Content-Length: {length}")
    _at_once(30, lambda: _pour(victim, head, length - 2**20))


def _many(
    victim: Victim, count: int, first: bytes, drop: bytes = b"", of_one: int | None = None
) -> None:
    """Hold so many connections open, `of_one` address; open those anew that were ended."""
    lines: list[socket.socket] = []
    opened = 0
    began_s = time.monotonic()
    while not victim.is_over.is_set():
        while len(lines) < count and not victim.is_over.is_set():
            try:
                line = victim.connect(1 + opened % (count // of_one) if of_one else 0)
                opened += 1
                line.sendall(first)
            except OSError:
                break
            line.setblocking(False)
            lines.append(line)
        for line in [*lines]:
            try:
                if drop:
                    line.send(drop)
                elif not line.recv(2**16):
                    raise ConnectionResetError
            except BlockingIOError:
                pass
            except OSError:
                line.close()
                lines.remove(line)
        victim.is_over.wait(0.5 if time.monotonic() - began_s < 5 else 1.0)
    for line in lines:
        line.close()


def _flood(victim: Victim, path: str) -> None:
    """Ask for a page on four connections, as fast as they go."""

    def ask() -> None:
        line = http.client.HTTPConnection("127.0.0.1", victim.port, timeout=PATIENCE_S)
        while not victim.is_over.is_set():
            try:
                line.request("GET", path)
                line.getresponse().read()
            except (OSError, http.client.HTTPException):
                line.close()

    _at_once(4, ask)


def _call(
    victim: Victim, phone: int, method: str, path: str, body: object, cookie: str = ""
) -> tuple[int, str]:
    """Make a call from a phone with an address of its own; return its status, and its cookie."""
    here = (f"127.0.{2 + phone // 250}.{1 + phone % 250}", 0)
    line = http.client.HTTPConnection("127.0.0.1", victim.port, PATIENCE_S, here)
    headers = {
        "Content-Type": "application/json",
        "Origin": f"http://127.0.0.1:{victim.port}",
        "X-Forwarded-For": here[0],  # else it would be somebody at this computer
        "Cookie": cookie,
    }
    try:
        line.request(method, f"/api/v1{path}", json.dumps(body), headers)
        answer = line.getresponse()
        answer.read()
    finally:
        line.close()
    return answer.status, (answer.headers["Set-Cookie"] or cookie).partition(";")[0]


def _calls(
    victim: Victim, method: str, path: str, body: Callable[[], object], cookie: str = ""
) -> None:
    """Make a call without pause, each time from another of 200 addresses."""
    numbers = itertools.count()

    def ask() -> None:
        while not victim.is_over.is_set():
            with contextlib.suppress(OSError, http.client.HTTPException):
                _call(victim, next(numbers) % 200, method, path, body(), cookie)

    _at_once(4, ask)


def _rename(victim: Victim) -> None:
    """Let a player have another name all the time."""
    _, cookie = _call(victim, 0, "POST", "/join", {"token": victim.codes[0]})
    _call(victim, 0, "POST", "/seat", {"seat": "red"}, cookie)
    names = itertools.count()
    _calls(victim, "PATCH", "/players/red", lambda: {"name": str(next(names))}, cookie)


def _host_may(victim: Victim, path: str, body: object) -> bool:
    _, cookie = _call(victim, 201, "POST", "/join", {"token": victim.codes[1]})
    return _call(victim, 201, "POST", path, body, cookie)[0] == 200


@dataclass(frozen=True)
class Attack:
    """What is done to which page.

    Attributes
    ----------
    path : str
        What the polite phone asks for meanwhile.
    then : callable
        Tells whether what has to go on working does so afterwards; else that is told as unanswered.
    """

    name: str
    page: str
    means: str
    do: Callable[[Victim], None]
    path: str = ""
    then: Callable[[Victim], bool] = lambda victim: True


EVENTS = _request("GET /api/v1/events")
HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "
BODY = _request(JOIN, JSON, "Content-Length: 5000")
TWO = {"players": [{"colour": "red"}, {"colour": "blue"}]}
UPLOAD = _request("POST /api/v1/photos", "Content-Type: image/jpeg", "Content-Length: 9000000")

ATTACKS = (
    Attack("chunk", "play", "one chunk of 800 MB", _chunk),
    Attack("chunk-line", "play", "a chunk's size without end", _chunk_line),
    Attack("header-line", "play", "a header line without end", _header_line),
    Attack("negative", "play", "a body of -1 bytes", _negative),
    Attack("unread", "play", "30 bodies of 32 MB that nobody reads", _unread),
    Attack("idle", "play", "320 silent connections", lambda v: _many(v, 320, b"")),
    Attack("idle-serve", "serve", "17 silent connections", lambda v: _many(v, 17, b"")),
    Attack("idle-trust", "trust", "17 silent connections", lambda v: _many(v, 17, b"")),
    Attack("heads", "play", "300 heads, a byte a second", lambda v: _many(v, 300, HEAD, b"a")),
    Attack("bodies", "play", "300 bodies, a byte a second", lambda v: _many(v, 300, BODY, b"a")),
    Attack(
        "uploads", "play", "300 uploads, a byte a second", lambda v: _many(v, 300, UPLOAD, b"a")
    ),
    Attack("descriptors", "play", "1,100 connections", lambda v: _many(v, 1100, b"")),
    Attack(
        "streams",
        "play",
        "260 event streams of 13 addresses; the polite phone opens one",
        lambda v: _many(v, 260, EVENTS, of_one=20),
        "/api/v1/events",
    ),
    Attack("pages", "play", "pages without pause", lambda v: _flood(v, "/help")),
    Attack(
        "renames",
        "late",
        "a player's renames; the host ends the game",
        _rename,
        then=lambda v: _host_may(v, "/end", {}),
    ),
    Attack(
        "card-games",
        "play",
        "guests begin Card Games; the host begins one",
        lambda v: _calls(v, "POST", "/card-games", lambda: TWO),
        then=lambda v: _host_may(v, "/card-games", TWO),
    ),
)


def measure(attack: Attack, seconds: float) -> None:
    """Attack a page, and print a row of the table."""
    victim = Victim(attack.page)
    waits_s: list[float] = []
    asked = failed = 0
    thread = threading.Thread(target=_attacked, args=(attack, victim))
    before, since_s = victim.pictures(), time.monotonic()
    thread.start()
    while time.monotonic() - since_s < seconds and victim.memory_mb() < MOST_MB:
        asked_s = time.monotonic()
        asked += 1
        if _is_answered(victim, attack.path or POLITE[attack.page], asked):
            waits_s.append(time.monotonic() - asked_s)
        else:
            failed += 1
        time.sleep(0.25)
    rate = (victim.pictures() - before) / (time.monotonic() - since_s)
    victim.is_over.set()
    thread.join()
    failed += not attack.then(victim)
    peak_mb = victim.memory_mb("VmHWM")
    lines = victim.end()
    cells = [
        attack.name,
        attack.means,
        f"{max(waits_s, default=PATIENCE_S):.2f}",
        str(failed),
        f"{peak_mb:.0f}",
        f"{rate:.1f}" if attack.page in ("play", "late") else "",
        str(lines),
    ]
    print("| " + " | ".join(cells) + " |", flush=True)


def _attacked(attack: Attack, victim: Victim) -> None:
    # Being cut off is what an attack is to come to.
    with contextlib.suppress(OSError):
        attack.do(victim)


def _is_answered(victim: Victim, path: str, asked: int) -> bool:
    # A stream is known to have ended when something is next said on it: each comes from elsewhere.
    here = (f"127.0.1.{1 + asked % 250}", 0)
    line = http.client.HTTPConnection(
        "127.0.0.1", victim.port, timeout=PATIENCE_S, source_address=here
    )
    try:
        line.request("GET", path)
        answer = line.getresponse()
        answer.read(20)
    except (OSError, http.client.HTTPException):
        return False
    else:
        return answer.status == 200
    finally:
        line.close()


def main() -> None:
    """Make all attacks, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help="without any: all of them")
    parser.add_argument("--seconds", type=float, default=12.0, help="how long each goes on")
    parser.add_argument("--list", action="store_true", help="tell what each attack does")
    parser.add_argument("--page", choices=list(POLITE), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.page:
        serve(asked.page)
        return
    if asked.list:
        for attack in ATTACKS:
            print(f"{attack.name:12} {attack.page:6} {attack.means}")
        return
    if unknown := sorted(set(asked.attacks) - {attack.name for attack in ATTACKS}):
        parser.error(f"there is no attack {unknown[0]!r}: --list tells all")
    print("| attack | what | longest wait, s | unanswered | peak MB | pictures a s | lines said |")
    print("|---|---|---|---|---|---|---|")
    for attack in ATTACKS:
        if not asked.attacks or attack.name in asked.attacks:
            measure(attack, asked.seconds)


if __name__ == "__main__":
    main()
