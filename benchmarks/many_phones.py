"""How long does a change take to 200 phones? `python benchmarks/many_phones.py [--phones 200]`.

A live table and its page run in a process of their own, on the loopback interface. One phone
corrects a route every second; measured is from before its tap is sent until each phone has read
the change, so the log's write to the disk and the making of the state are in it. Beside it, once a
second, a round trip to a thread that only sends back what it gets, and a write of 4 kB with fsync.
One more phone opens a stream and never reads. In the end a quarter of the phones closes its
streams, and it is counted how long their places stay taken. The camera sees a plain grey picture
every ten seconds: looking for boards is not measured here.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import load_board
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import Player
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.photo_file import Files
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.photos import VirtualBoard
from railspotter.webui.access.limits import Limits, Rate, Settings
from railspotter.webui.served_pages import PlayPage, ServingOptions

API = "/api/v1"
ROUTES = ("helena--seattle", "duluth--helena", "denver--helena", "atlanta--nashville")
PLAYERS = tuple(Player(c, c, c.title()) for c in ("red", "blue", "green", "black", "yellow"))
PATIENCE_S = 120.0


def serve() -> None:
    """Run a table and its page until standard input ends."""
    board = load_board("usa")
    blank = VirtualCamera(board, view=CameraSetup((640, 400))).take(Scene())
    profile = make_profile(blank.picture, board, blank.corners_px, "drawn", "")
    grey = np.full((120, 160, 3), 128, np.uint8)
    limits = Limits(Settings(rates=dict.fromkeys(Settings().rates, Rate(1e9, 10**9))))
    with (
        tempfile.TemporaryDirectory() as folder,
        GameStore(Path(folder)).create(GameStarted("usa", PLAYERS), time.time()) as log,
        Grabber(VirtualBoard(lambda t_s: grey, 3600.0, 0.1)) as grabber,
        LiveTable(log, grabber, profile) as table,
    ):
        time.sleep(3.0)
        pageless_mb = memory_mb(os.getpid())
        with PlayPage(
            table, ServingOptions(say=lambda said: None, limits=limits), _no_photos
        ) as page:
            print(page.server.port, page.session.phone_access.codes.host, pageless_mb, flush=True)
            sys.stdin.read()


def _no_photos(photos: Files) -> ScoredPhoto:
    raise NotImplementedError


@dataclass
class Phones:
    """Streams of many phones, read by one thread, with the time at which each got each state."""

    port: int
    heard: dict[int, dict[int, float]] = field(default_factory=dict)
    open: dict[int, socket.socket] = field(default_factory=dict)
    _waiting: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    _is_over: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._read)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._is_over.set()
        self._thread.join()
        for line in self.open.values():
            line.close()

    def come(self, number: int) -> None:
        """Open the stream of one more phone."""
        line = stream(self.port)
        line.setblocking(False)
        self.open[number] = line
        self.heard[number] = {}
        self._waiting.register(line, selectors.EVENT_READ, number)

    def go(self, number: int) -> None:
        """Close a phone's stream."""
        line = self.open.pop(number)
        self._waiting.unregister(line)
        line.close()

    def _read(self) -> None:
        while not self._is_over.is_set():
            for key, _ in self._waiting.select(0.1) if self.open else ():
                assert isinstance(key.fileobj, socket.socket)
                try:
                    content = key.fileobj.recv(2**16)
                except OSError:
                    continue
                now_s = time.monotonic()
                for found in re.finditer(rb"event: \w+\nid: (\d+)\n", content):
                    self.heard[key.data].setdefault(int(found[1]), now_s)


def stream(port: int, buffer_bytes: int = 0) -> socket.socket:
    """Ask for the stream."""
    line = socket.socket()
    if buffer_bytes:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer_bytes)
    line.settimeout(PATIENCE_S)
    line.connect(("127.0.0.1", port))
    line.sendall(f"GET {API}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return line


class Host:
    """The phone that corrects."""

    def __init__(self, port: int, token: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        self._cookie = ""
        self._cookie = self._post("/join", {"token": token})[1].partition(";")[0]
        self._standing: dict[str, str | None] = dict.fromkeys(ROUTES)

    def correct(self, turn: int) -> int:
        """Correct a route; return the number of the state that has it."""
        route = ROUTES[turn % len(ROUTES)]
        was, now = self._standing[route], PLAYERS[turn % len(PLAYERS)].colour
        if was == now:
            now = PLAYERS[(turn + 1) % len(PLAYERS)].colour
        body = {"kind": "route", "about": route, "was": was, "now": now}
        answer, _ = self._post("/corrections", body)
        self._standing[route] = now
        return int(json.loads(answer)["number"])

    def _post(self, path: str, body: object) -> tuple[bytes, str]:
        headers = {"Content-Type": "application/json", "Cookie": self._cookie}
        self._connection.request("POST", API + path, json.dumps(body), headers)
        answer = self._connection.getresponse()
        content = answer.read()
        assert answer.status == 200, content
        return content, answer.headers.get("Set-Cookie", "")


class Echo:
    """A thread that sends back what it gets: what a round trip costs here and now."""

    def __init__(self) -> None:
        self._ours, self._theirs = socket.socketpair()
        threading.Thread(target=self._answer, daemon=True).start()

    def ms(self) -> float:
        """Return how long one round trip takes."""
        begun_s = time.monotonic()
        self._ours.sendall(b"?")
        self._ours.recv(1)
        return 1000 * (time.monotonic() - begun_s)

    def _answer(self) -> None:
        while content := self._theirs.recv(1):
            self._theirs.sendall(content)


def write_ms() -> float:
    """Return how long a write takes that returns when it is on the disk."""
    begun_s = time.monotonic()
    with tempfile.TemporaryFile() as file:
        file.write(bytes(4096))
        file.flush()
        os.fsync(file.fileno())
    return 1000 * (time.monotonic() - begun_s)


def cpu_s(pid: int) -> float:
    """Return the processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mb(pid: int) -> float:
    """Return a process's proportional share of memory."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    found = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
    assert found
    return int(found[1]) / 1000


def files(pid: int) -> int:
    """Return how many files and connections a process has open."""
    return len([*Path(f"/proc/{pid}/fd").iterdir()])


def quantile(values: list[float], share: float) -> float:
    """Return the value below which that share of them lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main() -> None:
    """Run the benchmark and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phones", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        serve()
        return
    server = subprocess.Popen(
        [sys.executable, __file__, "--serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    port, token, pageless_mb = server.stdout.readline().split()
    try:
        print(f"memory without a page: {float(pageless_mb):.0f} MB")
        measure(server.pid, int(port), token, args.phones, args.seconds)
    finally:
        server.communicate()


def measure(pid: int, port: int, token: str, count: int, seconds: int) -> None:
    """Print what happens with so many phones in so many seconds."""
    host, echo = Host(port, token), Echo()
    time.sleep(3.0)
    idle_mb, idle_files = memory_mb(pid), files(pid)
    with Phones(port) as phones:
        for number in range(count):
            phones.come(number)
        wait(lambda: sum(bool(heard) for heard in phones.heard.values()) == count)
        stalled = stream(port, buffer_bytes=2048)
        open_mb = memory_mb(pid)
        begun_s, used_s = time.monotonic(), cpu_s(pid)
        tapped: dict[int, float] = {}
        trips, writes, replies = [], [], []
        for turn in range(seconds):
            time.sleep(max(0.0, begun_s + turn - time.monotonic()))
            trips.append(echo.ms())
            writes.append(write_ms())
            tap_s = time.monotonic()
            tapped[host.correct(turn)] = tap_s
            replies.append(1000 * (time.monotonic() - tap_s))
        newest = max(tapped)
        wait(lambda: all(newest in heard for heard in phones.heard.values()))
        lasted_s = time.monotonic() - begun_s
        cpu = (cpu_s(pid) - used_s) / lasted_s
        last, each = [], []
        for number, tap_s in tapped.items():
            late = [1000 * (heard[number] - tap_s) for heard in phones.heard.values()]
            last.append(max(late))
            each += late
        after = [max(0.0, one - reply) for one, reply in zip(last, replies, strict=True)]
        busy_mb = memory_mb(pid)
        leaving = count // 4
        open_files = files(pid)
        for number in range(leaving):
            phones.go(number)
        gone_s, turn = time.monotonic(), seconds
        while files(pid) > open_files - leaving and time.monotonic() < gone_s + PATIENCE_S:
            host.correct(turn)
            turn += 1
            time.sleep(0.2)
        freed_s = time.monotonic() - gone_s
        stalled.close()
    trip = statistics.median(trips)
    print(f"{count} phones, {len(tapped)} changes, {len(each)} times read: none was missed")
    print(
        f"tap to last phone: p50 {quantile(last, 0.5):.0f}, p99 {quantile(last, 0.99):.0f},"
        f" max {max(last):.0f} ms; to each phone: p50 {quantile(each, 0.5):.0f},"
        f" p99 {quantile(each, 0.99):.0f} ms"
    )
    print(
        f"tap to its own answer: p50 {quantile(replies, 0.5):.0f},"
        f" p99 {quantile(replies, 0.99):.0f} ms; from there to the last phone:"
        f" p50 {quantile(after, 0.5):.0f}, p99 {quantile(after, 0.99):.0f} ms"
    )
    print(
        f"a write with fsync: p50 {quantile(writes, 0.5):.0f}, p99 {quantile(writes, 0.99):.0f} ms"
    )
    print(
        f"a bare round trip: p50 {trip:.2f}, p99 {quantile(trips, 0.99):.2f} ms;"
        f" the last phone's p50 is {quantile(last, 0.5) / trip:.0f} times that"
    )
    print(f"processor: {100 * cpu:.1f} % of one core; load {os.getloadavg()[0]:.1f}")
    print(
        f"memory with the page: {idle_mb:.0f} MB without phones, {open_mb:.0f} with all of them,"
        f" {busy_mb:.0f} in the end; connections {idle_files} to {open_files}"
    )
    print(f"{leaving} that left: their places were free after {freed_s:.1f} s")


def wait(holds: object) -> None:
    """Wait until something holds."""
    assert callable(holds)
    until_s = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < until_s, "it never came"
        time.sleep(0.02)


if __name__ == "__main__":
    main()
