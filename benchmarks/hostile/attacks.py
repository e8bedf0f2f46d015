"""Attacks on the page, each until it is told to stop."""

from __future__ import annotations

import contextlib
import http.client
import io
import itertools
import json
import os
import random
import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from PIL import Image
from railspotter.table.photo_file import to_jpeg

NICE = 10
PATIENCE_S = 10.0
JSON = "Content-Type: application/json"
JOIN = "POST /api/v1/join"
HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "
TWO = {"players": [{"colour": "red"}, {"colour": "blue"}]}
NOTHING, BUSY = "nothing", "busy"


@dataclass
class Victim:
    """The attacked page."""

    port: int
    number: int = 0  # of the attack: each comes from addresses of its own
    codes: tuple[str, ...] = ()  # those that a player and the host join by
    # Set when the attack is to end.
    is_over: threading.Event = field(default_factory=threading.Event)

    def connect(self, phone: int = 0) -> socket.socket:
        """Open a connection from a phone's own address."""
        return socket.create_connection(("127.0.0.1", self.port), 2.0, (self.address(phone), 0))

    def address(self, phone: int) -> str:
        """Return the address of a phone."""
        return f"127.0.{10 + self.number}.{1 + phone}"

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        content_type: str = "image/jpeg",
        phone: int = 0,
    ) -> int:
        """Make a request; return the answer's status, 0 without an answer."""
        line = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=60.0, source_address=(self.address(phone), 0)
        )
        try:
            line.request(method, path, body, {"Content-Type": content_type} if body else {})
            answer = line.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException):
            return 0
        else:
            return answer.status
        finally:
            line.close()


def _pour(victim: Victim, head: bytes, most: int = 800 * 2**20) -> None:
    """Send an endless request until the connection is closed."""
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


def _at_once(count: int, do: Callable[[], None]) -> None:
    threads = [threading.Thread(target=do) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _unread(victim: Victim) -> None:
    """Send large bodies with requests that have none."""
    length = 32 * 2**20 - 1
    head = _request("GET /nowhere", f"Content-Length: {length}")
    _at_once(30, lambda: _pour(victim, head, length - 2**20))


def _many(
    victim: Victim, count: int, first: bytes, drop: bytes = b"", of_one: int | None = None
) -> None:
    """Hold many connections open, `of_one` per address; reopen closed ones."""
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
    """Request a page on four connections, as fast as possible."""

    def ask() -> None:
        while not victim.is_over.is_set():
            victim.ask("GET", path)

    _at_once(4, ask)


def _call(
    victim: Victim, phone: int, method: str, path: str, body: object, cookie: str = ""
) -> tuple[int, str]:
    """Make a call from a phone with its own address; return the status and the cookie."""
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
    """Make calls without pause, from 200 addresses in turn."""
    numbers = itertools.count()

    def ask() -> None:
        while not victim.is_over.is_set():
            with contextlib.suppress(OSError, http.client.HTTPException):
                _call(victim, next(numbers) % 200, method, path, body(), cookie)

    _at_once(4, ask)


def _rename(victim: Victim) -> None:
    """Rename a player continuously."""
    _, cookie = _call(victim, 0, "POST", "/join", {"token": victim.codes[0]})
    _call(victim, 0, "POST", "/seat", {"seat": "red"}, cookie)
    names = itertools.count()
    _calls(victim, "PATCH", "/players/red", lambda: {"name": str(next(names))}, cookie)


def _host_may(victim: Victim, path: str, body: object) -> bool:
    _, cookie = _call(victim, 201, "POST", "/join", {"token": victim.codes[1]})
    return _call(victim, 201, "POST", path, body, cookie)[0] == 200


def _busy(victim: Victim) -> None:
    """Use processor time without attacking anybody."""

    def burn() -> None:
        while not victim.is_over.is_set():
            random.random()

    _at_once(4, burn)


def _post(victim: Victim, path: str, content: bytes, kind: str) -> None:
    """Post a body repeatedly, from four addresses."""
    phones = itertools.count()

    def send_again() -> None:
        phone = next(phones)
        while not victim.is_over.is_set():
            if victim.ask("POST", path, content, kind, phone) != 200:
                victim.is_over.wait(0.1)

    _at_once(4, send_again)


def _photos(victim: Victim, *photos: bytes) -> None:
    """Post a form with photos repeatedly."""
    named = b'Content-Disposition: form-data; name="photo"; filename="photo.jpg"\r\n'
    parts = [b"--x\r\n" + named + b"\r\n" + photo + b"\r\n" for photo in photos]
    form = b"".join(parts) + b"--x--\r\n"
    _post(victim, "/api/v1/photos", form, "multipart/form-data; boundary=x")


def _noise(size_wh: tuple[int, int]) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Return a picture of noise, without a board."""
    small = np.random.default_rng(1).integers(0, 255, (size_wh[1] // 8, size_wh[0] // 8, 3))
    return np.asarray(np.kron(small, np.ones((8, 8, 1))), dtype=np.uint8)


def _packed(size_wh: tuple[int, int], kind: str, **said: object) -> bytes:
    """Return a plain picture as a file that is small, whatever the picture's size."""
    file = io.BytesIO()
    Image.new("RGB", size_wh, (90, 120, 60)).save(file, kind, **said)
    return file.getvalue()


def _broken() -> bytes:
    """Return a damaged picture file, which decodes only at first."""
    content = bytearray(to_jpeg(_noise((2000, 1500))))
    rng = random.Random(1)
    for at in rng.sample(range(1000, len(content)), 400):
        content[at] = rng.randrange(256)
    return bytes(content)


@dataclass(frozen=True)
class Attack:
    """An attack and its target."""

    name: str
    page: str
    means: str
    do: Callable[[Victim], None]
    path: str = ""  # what the polite phone asks for meanwhile
    # Tells whether what has to go on working does so afterwards; else that is told as unanswered.
    then: Callable[[Victim], bool] = lambda victim: True


EVENTS = _request("GET /api/v1/events")
BODY = _request(JOIN, JSON, "Content-Length: 5000")
NEGATIVE = _request(JOIN, JSON, "Content-Length: -1")
CHUNKED = _request(JOIN, JSON, "Transfer-Encoding: chunked")
UPLOAD = _request("POST /api/v1/photos", "Content-Type: image/jpeg", "Content-Length: 9000000")


ATTACKS = (
    Attack(NOTHING, "play", "undisturbed", lambda v: _many(v, 0, b"")),
    Attack(BUSY, "play", "as many threads that attack nobody", _busy),
    Attack("chunk", "play", "one chunk of 800 MB", lambda v: _pour(v, CHUNKED + b"32000000\r\n")),
    Attack("chunk-line", "play", "a chunk's size without end", lambda v: _pour(v, CHUNKED + b"1")),
    Attack("header-line", "play", "a header line without end", lambda v: _pour(v, HEAD)),
    Attack("negative", "play", "a body of -1 bytes", lambda v: _pour(v, NEGATIVE)),
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
    Attack(
        "photos",
        "play",
        "photos of 12 megapixels without a board, from four phones",
        lambda v: _photos(v, to_jpeg(_noise((4000, 3000)))),
    ),
    Attack(
        "large-photos",
        "play",
        "PNGs of 18 megapixels in 50 kB",
        lambda v: _photos(v, _packed((4800, 3700), "PNG")),
    ),
    Attack(
        "giant-photos",
        "play",
        "PNGs of 400 megapixels",
        lambda v: _photos(v, _packed((20000, 20000), "PNG")),
    ),
    Attack("forms", "play", "twelve photos in a form", lambda v: _photos(v, *[_broken()] * 12)),
    Attack("broken-photos", "play", "JPEGs with damage", lambda v: _photos(v, _broken())),
    Attack(
        "frames",
        "play",
        "pictures of a camera that nobody asked for",
        lambda v: _post(v, "/api/v1/camera/frames", _broken(), "image/jpeg"),
    ),
    Attack(
        "bundles",
        "play",
        "games to be taken in, of 8 MB, by guests",
        lambda v: _post(v, "/api/v1/games", b'{"railspotter":' * 500_000, "application/x-ndjson"),
    ),
)


def go_on(does: Callable[[Victim], None], victim: Victim) -> None:
    """Run an attack until standard input ends."""
    os.nice(NICE)

    def attack() -> None:
        while not victim.is_over.is_set():
            # Being cut off is what an attack is to come to: then it begins again.
            with contextlib.suppress(OSError):
                does(victim)
            victim.is_over.wait(0.2)

    threading.Thread(target=attack, daemon=True).start()
    sys.stdin.read()
    victim.is_over.set()
    time.sleep(0.5)
    os._exit(0)
