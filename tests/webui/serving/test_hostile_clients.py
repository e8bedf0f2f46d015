"""Clients that mean it no good: what they send is bounded, and what they hold is no thread."""

import http.client
import resource
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import pytest
from flask import Flask, Response, request
from railspotter.webui.access.limits import household
from railspotter.webui.serving import request_buffer, waiting_connections
from railspotter.webui.serving.server import Server
from railspotter.webui.serving.waiting_connections import ConnectionManager
from waiting import until

HEAD = b"POST /read HTTP/1.1\r\nHost: localhost\r\n"


def app() -> Flask:
    """What reads a body and what does not, and a path that says who asks."""
    made = Flask(__name__)

    @made.post("/read")
    def read() -> Response:
        return Response(str(len(request.stream.read())))

    @made.post("/unread")
    def unread() -> Response:
        return Response("unread")

    @made.get("/")
    def hello() -> Response:
        return Response("hello")

    return made


@contextmanager
def served(threads: int = 2) -> Iterator[Server]:
    with Server(app(), "127.0.0.1", 0, threads=threads) as server:
        yield server


def connect(server: Server, sent: bytes = b"") -> socket.socket:
    line = socket.create_connection(("127.0.0.1", server.port), timeout=20.0)
    line.sendall(sent)
    return line


def answer(line: socket.socket) -> bytes:
    """All that comes until the line is closed, or nothing more comes."""
    got = b""
    try:
        while more := line.recv(2**16):
            got += more
    except OSError:
        pass
    return got


def greeted(server: Server) -> bool:
    """Tell whether a polite phone is answered."""
    with connect(server, b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n") as line:
        return answer(line).endswith(b"hello")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (b"Transfer-Encoding: chunked\r\n\r\n32000000\r\n", b"411"),
        (b"Transfer-Encoding: chunked\r\n\r\n1", b"411"),
        (b"Content-Length: -1\r\n\r\n", b"400"),
        (b"Content-Length: +5\r\n\r\n12345", b"400"),
        (b"X: " + b"a" * 2**17, b"413"),
    ],
    ids=["chunk", "chunk line", "negative length", "signed length", "header line"],
)
def test_a_request_has_a_size_before_anybody_reads_it(headers: bytes, status: bytes) -> None:
    with served() as server, connect(server, HEAD + headers) as line:
        assert answer(line)[9:12] == status
        assert greeted(server)


def test_a_body_that_nobody_reads_is_not_kept() -> None:
    size = 30 * 2**20
    with served() as server:
        line = http.client.HTTPConnection("127.0.0.1", server.port)
        peaks_before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        line.request("POST", "/unread", body=memoryview(bytes(size)))
        assert line.getresponse().read() == b"unread"
        sent_kb = size / 1024  # what this test itself holds
        more_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peaks_before
        assert more_kb < sent_kb + 8 * 1024
        line.request("GET", "/")
        assert line.getresponse().read() == b"hello", "the line can be used again"
        line.close()


def test_bodies_come_whole_small_or_large_and_after_one_another() -> None:
    with served() as server:
        line = http.client.HTTPConnection("127.0.0.1", server.port)
        for size in (0, 1, 2**16, 2**16 + 1, 2**20):
            line.request("POST", "/read", body=bytes(size))
            assert line.getresponse().read() == str(size).encode()
        line.close()
        both = HEAD + b"Content-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\nHost: localhost\r\n"
        with connect(server, both + b"Connection: close\r\n\r\n") as twice:
            said = answer(twice)
        assert b"\r\n\r\n3HTTP/1.1 200" in said
        assert said.endswith(b"hello")


def test_who_says_nothing_or_little_holds_up_nobody() -> None:
    beginnings = [b"", b"GET / HT", HEAD + b"X: ", HEAD + b"Content-Length: 50\r\n\r\nabc"]
    with served(threads=2) as server, ExitStack() as stack:
        for i in range(40):
            stack.enter_context(connect(server, beginnings[i % len(beginnings)]))
        began_s = time.monotonic()
        assert greeted(server)
        assert time.monotonic() - began_s < request_buffer.TIMEOUT_S / 2


def test_who_takes_too_long_is_sent_away_however_often_it_says_something(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(waiting_connections, "TIMEOUT_S", 0.4)
    with served() as server, connect(server, HEAD) as line:
        began_s = time.monotonic()
        with suppress(OSError):
            while time.monotonic() - began_s < 10:
                line.sendall(b"a")
                time.sleep(0.05)
        assert time.monotonic() - began_s < 8
        with connect(server, HEAD) as quiet:
            assert answer(quiet)[9:12] == b"408"


def test_an_upload_that_falters_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    patience_s = request_buffer.GRACE_S
    monkeypatch.setattr(request_buffer, "GRACE_S", 0.3)
    with served() as server, connect(server, HEAD + b"Content-Length: 100000\r\n\r\n") as line:
        began_s = time.monotonic()
        assert b"200 OK" not in answer(line)
        assert time.monotonic() - began_s < patience_s


UPLOAD = HEAD + b"Content-Length: 100000\r\n\r\n"


def test_uploads_are_few_and_the_page_goes_on_beside_them(monkeypatch: pytest.MonkeyPatch) -> None:
    with served(threads=10) as server, ExitStack() as stack:
        lines = [stack.enter_context(connect(server, UPLOAD)) for _ in range(8)]
        assert greeted(server)
        monkeypatch.setattr(waiting_connections, "TIMEOUT_S", 0.4)
        lines.append(stack.enter_context(connect(server, UPLOAD)))
        said = answer(lines[-1])
        assert said[9:12] == b"503"
        assert said.endswith(b"\r\n\r\n" + waiting_connections.MANY_PHOTOS)
        assert greeted(server)


def test_an_upload_waits_until_another_has_come_whole() -> None:
    with served(threads=10) as server, ExitStack() as stack:
        lines = [stack.enter_context(connect(server, UPLOAD)) for _ in range(20)]
        for line in lines:
            line.sendall(bytes(100_000))
        for line in lines:
            assert line.recv(2**16)[9:12] == b"200"


def test_who_waits_for_its_turn_holds_up_no_upload() -> None:
    """A photo that has come whole may wait for a minute until it is read."""
    go_on, made = threading.Event(), app()

    @made.post("/wait")
    def wait() -> Response:
        request.stream.read()
        go_on.wait(10.0)
        return Response("read")

    with Server(made, "127.0.0.1", 0, threads=20) as server, ExitStack() as stack:
        whole = UPLOAD.replace(b"/read", b"/wait") + bytes(100_000)
        waiting = [stack.enter_context(connect(server, whole)) for _ in range(10)]
        try:
            line = stack.enter_context(connect(server, UPLOAD + bytes(100_000)))
            assert line.recv(2**16)[9:12] == b"200"
        finally:
            go_on.set()
        assert all(one.recv(2**16)[9:12] == b"200" for one in waiting)


class Quiet:
    """What waiting connections ask of a server that answers nobody."""

    ssl_adapter = None
    peercreds_enabled = peercreds_resolve_enabled = False

    def __init__(self, sock: Any) -> None:
        self.socket, self.said = sock, list[str]()

    def error_log(self, text: str) -> None:
        self.said.append(text)

    def process_conn(self, connection: Any) -> None:
        connection.close()


@contextmanager
def waiting_in(most: int, sock: Any) -> Iterator[tuple[ConnectionManager, Quiet]]:
    quiet = Quiet(sock)
    session = ConnectionManager(quiet, most, 1)
    thread = threading.Thread(target=session.run, args=(0.05,))
    thread.start()
    try:
        yield session, quiet
    finally:
        session.stop()
        thread.join()
        session.close()


def test_who_waits_longest_makes_room_when_it_is_full() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as listening,
        waiting_in(2, listening),
        ExitStack() as stack,
    ):
        lines = []
        for _ in range(3):
            line = socket.create_connection(listening.getsockname(), timeout=5.0)
            lines.append(stack.enter_context(line))
            time.sleep(0.05)  # who comes first is to be clear
        assert answer(lines[0]) == b""
        lines[2].settimeout(0.1)
        with pytest.raises(TimeoutError):
            lines[2].recv(1)


def test_one_household_has_only_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting_connections, "MOST_OF_ONE", 1)
    monkeypatch.setattr(waiting_connections, "household", lambda address: "192.0.2.7")
    with (
        socket.create_server(("127.0.0.1", 0)) as listening,
        waiting_in(9, listening),
        socket.create_connection(listening.getsockname(), timeout=5.0) as first,
    ):
        time.sleep(0.05)
        with socket.create_connection(listening.getsockname(), timeout=5.0):
            assert answer(first) == b""


class Exhausted:
    """A listening socket of a program that has no descriptors left, for a while."""

    def __init__(self, sock: socket.socket, times: int) -> None:
        self._socket, self.tries, self._times = sock, 0, times

    def setblocking(self, flag: bool) -> None:
        self._socket.setblocking(flag)

    def fileno(self) -> int:
        return self._socket.fileno()

    def accept(self) -> Any:
        self.tries += 1
        if self.tries <= self._times:
            raise OSError(24, "Too many open files")
        return self._socket.accept()


def test_without_descriptors_it_rests_and_says_so_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting_connections, "PAUSE_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        door = Exhausted(listening, times=2)
        with (
            waiting_in(9, door) as (_, quiet),
            socket.create_connection(listening.getsockname(), timeout=5.0) as line,
        ):
            time.sleep(0.1)
            assert door.tries == 1, "it does not try again and again"
            line.sendall(b"GET / HTTP/1.1\r\n\r\n")
            assert answer(line) == b"", "it was let in, and answered, in the end"
        assert len(quiet.said) == 1


class Slow(Exhausted):
    """A listening socket that takes its time to let somebody in."""

    def accept(self) -> Any:
        self.tries += 1
        time.sleep(0.3)
        self.tries -= 1
        return self._socket.accept()


def test_the_end_waits_for_what_is_just_being_done() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        door = Slow(listening, times=0)
        with (
            waiting_in(9, door) as (session, _),
            socket.create_connection(listening.getsockname(), timeout=5.0),
        ):
            until(lambda: door.tries)
            session.stop()
            assert door.tries == 0


def test_one_phone_can_use_all_addresses_of_its_ipv6_network() -> None:
    assert household("fd00::1:0:0:1") == household("fd00::1:0:0:2") != household("fd00:0:0:9::1")
    assert household("::ffff:192.0.2.7") == "192.0.2.7"
