"""How long does a change take to 200 phones? `python benchmarks/many_phones.py [--phones 200]`.

A live table and its page run in a process of their own, on the loopback interface. One phone
corrects a route every second; measured is from before its tap is sent until each phone has read
the change, so the log's write to the disk and the making of the state are in it. Beside it, once a
second, a write of 4 kB with fsync. One more phone opens a stream and never reads. In the end a
quarter of the phones closes its streams, and it is counted how long their places stay taken. The
camera sees a plain grey picture: looking for boards is not measured here.
"""

import argparse
import os
import re
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

sys.path.extend(
    str(Path(__file__).resolve().parents[1] / folder) for folder in ("tests", "tests/support")
)

from phones import API, Phone, table

from hostile.running_game import memory_mb, processor_s

ROUTES = ("helena--seattle", "duluth--helena", "denver--helena", "atlanta--nashville")
COLOURS = ("red", "blue", "green")
TIMEOUT_S = 120.0


@dataclass
class Streams:
    """The streams of many phones, read by one thread, with the time of each state on each."""

    port: int
    times_by_number: dict[int, dict[int, float]] = field(default_factory=dict)
    sockets: dict[int, socket.socket] = field(default_factory=dict)
    _selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    _is_over: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._read)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()
        for connection in self.sockets.values():
            connection.close()

    def connect(self, number: int) -> None:
        """Open the stream of another phone."""
        connection = open_stream(self.port)
        connection.setblocking(False)
        self.sockets[number], self.times_by_number[number] = connection, {}
        self._selector.register(connection, selectors.EVENT_READ, number)

    def disconnect(self, number: int) -> None:
        """Close a phone's stream."""
        connection = self.sockets.pop(number)
        self._selector.unregister(connection)
        connection.close()

    def _read(self) -> None:
        while not self._is_over.is_set():
            for key, _ in self._selector.select(0.1) if self.sockets else ():
                assert isinstance(key.fileobj, socket.socket)
                try:
                    content = key.fileobj.recv(2**16)
                except OSError:
                    continue
                now_s = time.monotonic()
                for found in re.finditer(rb"event: \w+\nid: (\d+)\n", content):
                    self.times_by_number[key.data].setdefault(int(found[1]), now_s)


def open_stream(port: int, buffer_bytes: int = 0) -> socket.socket:
    """Request the stream."""
    connection = socket.socket()
    if buffer_bytes:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer_bytes)
    connection.settimeout(TIMEOUT_S)
    connection.connect(("127.0.0.1", port))
    connection.sendall(f"GET {API}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return connection


def correct_route(host: Phone, turn: int, standing: dict[str, str]) -> int:
    """Correct a route; return the sequence number of the state with the correction."""
    route = ROUTES[turn % len(ROUTES)]
    was = standing.get(route)
    standing[route] = next(c for c in (*COLOURS[turn % 3 :], *COLOURS) if c != was)
    body = {"kind": "route", "about": route, "was": was, "now": standing[route]}
    answer = host.post("/corrections", body)
    assert answer.status == 200, answer.content
    return int(answer.json["number"])


def measure_write_ms() -> float:
    """Return the time of a write that is flushed to the disk."""
    begun_s = time.monotonic()
    with tempfile.TemporaryFile() as file:
        file.write(bytes(4096))
        file.flush()
        os.fsync(file.fileno())
    return 1000 * (time.monotonic() - begun_s)


def count_files(pid: int) -> int:
    """Return the number of a process' open files and connections."""
    return len([*Path(f"/proc/{pid}/fd").iterdir()])


def quantiles(values: list[float]) -> str:
    """Return the median and the 99th percentile."""
    in_order = sorted(values)
    middle, most = (in_order[min(len(values) - 1, int(s * len(values)))] for s in (0.5, 0.99))
    return f"p50 {middle:.0f}, p99 {most:.0f} ms"


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    until_s = time.monotonic() + TIMEOUT_S
    while not condition():
        assert time.monotonic() < until_s, "it never came"
        time.sleep(0.02)


def measure(pid: int, port: int, token: str, count: int, seconds: int) -> None:
    """Print the results with so many phones in so many seconds."""
    host, standing = Phone(port).join(token), dict[str, str]()
    idle_mb = memory_mb(pid)
    with Streams(port) as phones:
        for number in range(count):
            phones.connect(number)
        wait_until(lambda: sum(bool(heard) for heard in phones.times_by_number.values()) == count)
        stalled = open_stream(port, buffer_bytes=2048)
        begun_s, used_s = time.monotonic(), processor_s(pid)
        tapped: dict[int, float] = {}
        writes, replies = [], []
        for turn in range(seconds):
            time.sleep(max(0.0, begun_s + turn - time.monotonic()))
            writes.append(measure_write_ms())
            tap_s = time.monotonic()
            tapped[correct_route(host, turn, standing)] = tap_s
            replies.append(1000 * (time.monotonic() - tap_s))
        newest = max(tapped)
        wait_until(lambda: all(newest in heard for heard in phones.times_by_number.values()))
        share = (processor_s(pid) - used_s) / (time.monotonic() - begun_s)
        each = [
            [1000 * (heard[number] - tap_s) for heard in phones.times_by_number.values()]
            for number, tap_s in tapped.items()
        ]
        busy_mb, open_files, leaving = memory_mb(pid), count_files(pid), count // 4
        for number in range(leaving):
            phones.disconnect(number)
        gone_s, turn = time.monotonic(), seconds
        while count_files(pid) > open_files - leaving and time.monotonic() < gone_s + TIMEOUT_S:
            correct_route(host, turn, standing)
            turn += 1
            time.sleep(0.2)
        freed_s = time.monotonic() - gone_s
        stalled.close()
    print(f"{count} phones, {len(tapped)} changes, {sum(map(len, each))} times read: none missed")
    print(f"tap to last phone: {quantiles([max(one) for one in each])}", end="; ")
    print(f"to each phone: {quantiles([late for one in each for late in one])}")
    print(f"tap to its own answer: {quantiles(replies)}; a write with fsync: {quantiles(writes)}")
    print(f"processor: {100 * share:.1f} % of one core; load {os.getloadavg()[0]:.1f}")
    print(f"memory: {idle_mb:.0f} MB without phones, {busy_mb:.0f} in the end")
    print(f"{leaving} that left: their places were free after {freed_s:.1f} s")


def serve() -> None:
    """Serve a table and its page until standard input ends."""
    with tempfile.TemporaryDirectory() as folder, table(Path(folder)) as running:
        codes = running.page.services.phone_access.codes
        print(running.page.server.port, codes.host, flush=True)
        sys.stdin.read()


def main() -> None:
    """Run the benchmark and print its results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phones", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        serve()
        return
    with subprocess.Popen(
        [sys.executable, __file__, "--serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        port, token = server.stdout.readline().split()
        try:
            measure(server.pid, int(port), token, args.phones, args.seconds)
        finally:
            server.communicate()


if __name__ == "__main__":
    main()
