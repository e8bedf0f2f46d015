"""Attacks on the page, each until it is told to stop."""

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

NICENESS = 10
TIMEOUT_S = 10.0
JSON_HEADER = "Content-Type: application/json"
JOIN_CALL = "POST /api/v1/join"
OPEN_HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "
TWO_PLAYERS = {"players": [{"colour": "red"}, {"colour": "blue"}]}
NO_ATTACK, BUSY = "nothing", "busy"


@dataclass
class Target:
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

    def request(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        content_type: str = "image/jpeg",
        phone: int = 0,
    ) -> int:
        """Make a request; return the answer's status, 0 without an answer."""
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=60.0, source_address=(self.address(phone), 0)
        )
        try:
            connection.request(method, path, body, {"Content-Type": content_type} if body else {})
            answer = connection.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException):
            return 0
        else:
            return answer.status
        finally:
            connection.close()


def _send(target: Target, head: bytes, most_bytes: int = 800 * 2**20) -> None:
    """Send an endless request until the connection is closed."""
    with contextlib.suppress(OSError), target.connect() as connection:
        connection.settimeout(0.5)
        connection.sendall(head)
        for _ in range(most_bytes // 2**20):
            with contextlib.suppress(TimeoutError):
                connection.sendall(b"a" * 2**20)
            if target.is_over.is_set():
                return


def _request(call: str, *headers: str) -> bytes:
    lines = [f"{call} HTTP/1.1", "Host: localhost", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


def _run_threads(count: int, do: Callable[[], None]) -> None:
    threads = [threading.Thread(target=do) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _send_unread(target: Target) -> None:
    """Send large bodies with requests that have none."""
    length = 32 * 2**20 - 1
    head = _request("GET /nowhere", f"Content-Length: {length}")
    _run_threads(30, lambda: _send(target, head, length - 2**20))


def _hold(
    target: Target, count: int, head: bytes, trickle: bytes = b"", per_address: int | None = None
) -> None:
    """Hold many connections open, `per_address` from each; reopen closed ones."""
    connections: list[socket.socket] = []
    opened = 0
    began_s = time.monotonic()
    while not target.is_over.is_set():
        while len(connections) < count and not target.is_over.is_set():
            try:
                sock = target.connect(1 + opened % (count // per_address) if per_address else 0)
                opened += 1
                sock.sendall(head)
            except OSError:
                break
            sock.setblocking(False)
            connections.append(sock)
        for sock in [*connections]:
            try:
                if trickle:
                    sock.send(trickle)
                elif not sock.recv(2**16):
                    raise ConnectionResetError
            except BlockingIOError:
                pass
            except OSError:
                sock.close()
                connections.remove(sock)
        target.is_over.wait(0.5 if time.monotonic() - began_s < 5 else 1.0)
    for sock in connections:
        sock.close()


def _request_page(target: Target, path: str) -> None:
    """Request a page on four connections, as fast as possible."""

    def request_again() -> None:
        while not target.is_over.is_set():
            target.request("GET", path)

    _run_threads(4, request_again)


def _make_call(
    target: Target, phone: int, method: str, path: str, body: object, cookie: str = ""
) -> tuple[int, str]:
    """Make a call from a phone with its own address; return the status and the cookie."""
    here = (f"127.0.{2 + phone // 250}.{1 + phone % 250}", 0)
    connection = http.client.HTTPConnection("127.0.0.1", target.port, TIMEOUT_S, here)
    headers = {
        "Content-Type": "application/json",
        "Origin": f"http://127.0.0.1:{target.port}",
        "X-Forwarded-For": here[0],  # else it would be somebody at this computer
        "Cookie": cookie,
    }
    try:
        connection.request(method, f"/api/v1{path}", json.dumps(body), headers)
        answer = connection.getresponse()
        answer.read()
    finally:
        connection.close()
    return answer.status, (answer.headers["Set-Cookie"] or cookie).partition(";")[0]


def _repeat_call(
    target: Target, method: str, path: str, body: Callable[[], object], cookie: str = ""
) -> None:
    """Make calls without pause, from 200 addresses in turn."""
    numbers = itertools.count()

    def call_again() -> None:
        while not target.is_over.is_set():
            with contextlib.suppress(OSError, http.client.HTTPException):
                _make_call(target, next(numbers) % 200, method, path, body(), cookie)

    _run_threads(4, call_again)


def _rename_player(target: Target) -> None:
    """Rename a player continuously."""
    _, cookie = _make_call(target, 0, "POST", "/join", {"token": target.codes[0]})
    _make_call(target, 0, "POST", "/seat", {"seat": "red"}, cookie)
    names = itertools.count()
    _repeat_call(target, "PATCH", "/players/red", lambda: {"name": str(next(names))}, cookie)


def _host_succeeds(target: Target, path: str, body: object) -> bool:
    _, cookie = _make_call(target, 201, "POST", "/join", {"token": target.codes[1]})
    return _make_call(target, 201, "POST", path, body, cookie)[0] == 200


def _use_processor(target: Target) -> None:
    """Use processor time without attacking anybody."""

    def burn() -> None:
        while not target.is_over.is_set():
            random.random()

    _run_threads(4, burn)


def _post(target: Target, path: str, content: bytes, kind: str) -> None:
    """Post a body repeatedly, from four addresses."""
    phones = itertools.count()

    def send_again() -> None:
        phone = next(phones)
        while not target.is_over.is_set():
            if target.request("POST", path, content, kind, phone) != 200:
                target.is_over.wait(0.1)

    _run_threads(4, send_again)


def _upload(target: Target, *photos: bytes) -> None:
    """Post a form with photos repeatedly."""
    named = b'Content-Disposition: form-data; name="photo"; filename="photo.jpg"\r\n'
    parts = [b"--x\r\n" + named + b"\r\n" + photo + b"\r\n" for photo in photos]
    form = b"".join(parts) + b"--x--\r\n"
    _post(target, "/api/v1/photos", form, "multipart/form-data; boundary=x")


def _noise_picture(size_wh: tuple[int, int]) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Return a picture of noise, without a board."""
    small = np.random.default_rng(1).integers(0, 255, (size_wh[1] // 8, size_wh[0] // 8, 3))
    return np.asarray(np.kron(small, np.ones((8, 8, 1))), dtype=np.uint8)


def _plain_png(size_wh: tuple[int, int]) -> bytes:
    """Return a plain picture as a file that is small, whatever the picture's size."""
    file = io.BytesIO()
    Image.new("RGB", size_wh, (90, 120, 60)).save(file, "PNG")
    return file.getvalue()


def _bad_jpeg() -> bytes:
    """Return a damaged picture file, which decodes only at first."""
    content = bytearray(to_jpeg(_noise_picture((2000, 1500))))
    rng = random.Random(1)
    for at in rng.sample(range(1000, len(content)), 400):
        content[at] = rng.randrange(256)
    return bytes(content)


@dataclass(frozen=True)
class Attack:
    """An attack and its target."""

    name: str
    page: str
    description: str
    run: Callable[[Target], None]
    path: str = ""  # what the polite phone asks for meanwhile
    # Tells whether what has to go on working does so afterwards; else that is told as unanswered.
    still_works: Callable[[Target], bool] = lambda target: True


EVENTS = _request("GET /api/v1/events")
BODY = _request(JOIN_CALL, JSON_HEADER, "Content-Length: 5000")
NEGATIVE = _request(JOIN_CALL, JSON_HEADER, "Content-Length: -1")
CHUNKED = _request(JOIN_CALL, JSON_HEADER, "Transfer-Encoding: chunked")
UPLOAD = _request("POST /api/v1/photos", "Content-Type: image/jpeg", "Content-Length: 9000000")


ATTACKS = (
    Attack(NO_ATTACK, "play", "undisturbed", lambda v: _hold(v, 0, b"")),
    Attack(BUSY, "play", "as many threads that attack nobody", _use_processor),
    Attack("chunk", "play", "one chunk of 800 MB", lambda v: _send(v, CHUNKED + b"32000000\r\n")),
    Attack("chunk-line", "play", "a chunk's size without end", lambda v: _send(v, CHUNKED + b"1")),
    Attack("header-line", "play", "a header line without end", lambda v: _send(v, OPEN_HEAD)),
    Attack("negative", "play", "a body of -1 bytes", lambda v: _send(v, NEGATIVE)),
    Attack("unread", "play", "30 bodies of 32 MB that nobody reads", _send_unread),
    Attack("idle", "play", "320 silent connections", lambda v: _hold(v, 320, b"")),
    Attack("idle-serve", "serve", "17 silent connections", lambda v: _hold(v, 17, b"")),
    Attack("idle-trust", "trust", "17 silent connections", lambda v: _hold(v, 17, b"")),
    Attack("heads", "play", "300 heads, a byte a second", lambda v: _hold(v, 300, OPEN_HEAD, b"a")),
    Attack("bodies", "play", "300 bodies, a byte a second", lambda v: _hold(v, 300, BODY, b"a")),
    Attack(
        "uploads", "play", "300 uploads, a byte a second", lambda v: _hold(v, 300, UPLOAD, b"a")
    ),
    Attack("descriptors", "play", "1,100 connections", lambda v: _hold(v, 1100, b"")),
    Attack(
        "streams",
        "play",
        "260 event streams of 13 addresses; the polite phone opens one",
        lambda v: _hold(v, 260, EVENTS, per_address=20),
        "/api/v1/events",
    ),
    Attack("pages", "play", "pages without pause", lambda v: _request_page(v, "/help")),
    Attack(
        "renames",
        "late",
        "a player's renames; the host ends the game",
        _rename_player,
        still_works=lambda v: _host_succeeds(v, "/end", {}),
    ),
    Attack(
        "card-games",
        "play",
        "guests begin Card Games; the host begins one",
        lambda v: _repeat_call(v, "POST", "/card-games", lambda: TWO_PLAYERS),
        still_works=lambda v: _host_succeeds(v, "/card-games", TWO_PLAYERS),
    ),
    Attack(
        "photos",
        "play",
        "photos of 12 megapixels without a board, from four phones",
        lambda v: _upload(v, to_jpeg(_noise_picture((4000, 3000)))),
    ),
    Attack(
        "large-photos",
        "play",
        "PNGs of 18 megapixels in 50 kB",
        lambda v: _upload(v, _plain_png((4800, 3700))),
    ),
    Attack(
        "giant-photos",
        "play",
        "PNGs of 400 megapixels",
        lambda v: _upload(v, _plain_png((20000, 20000))),
    ),
    Attack("forms", "play", "twelve photos in a form", lambda v: _upload(v, *[_bad_jpeg()] * 12)),
    Attack("broken-photos", "play", "JPEGs with damage", lambda v: _upload(v, _bad_jpeg())),
    Attack(
        "frames",
        "play",
        "pictures of a camera that nobody asked for",
        lambda v: _post(v, "/api/v1/camera/frames", _bad_jpeg(), "image/jpeg"),
    ),
    Attack(
        "bundles",
        "play",
        "games to be taken in, of 8 MB, by guests",
        lambda v: _post(v, "/api/v1/games", b'{"railspotter":' * 500_000, "application/x-ndjson"),
    ),
)


def run_attack(run: Callable[[Target], None], target: Target) -> None:
    """Run an attack until standard input ends."""
    os.nice(NICENESS)

    def repeat() -> None:
        while not target.is_over.is_set():
            # Being cut off is what an attack is to come to: then it begins again.
            with contextlib.suppress(OSError):
                run(target)
            target.is_over.wait(0.2)

    threading.Thread(target=repeat, daemon=True).start()
    sys.stdin.read()
    target.is_over.set()
    time.sleep(0.5)
    os._exit(0)
