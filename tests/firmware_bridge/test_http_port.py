"""Addresses of the network as ports: what a phone may learn of them, and how long they take."""

import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from railspotter.firmware_bridge import http_port
from railspotter.firmware_bridge.bridge import Bridge
from railspotter.firmware_bridge.errors import PortError
from railspotter.firmware_bridge.http_port import HttpPort
from railspotter.firmware_bridge.scoreboard import PlayerScore, Scoreboard
from waiting import until

NOT_WLED = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


@contextmanager
def answering(*parts: bytes, pause_s: float = 0.0) -> Iterator[str]:
    """A host that says the same to everybody, in parts with a pause after each."""

    def serve() -> None:
        with suppress(OSError):
            while True:
                with server.accept()[0] as caller, suppress(OSError):
                    caller.recv(9000)
                    for part in parts:
                        caller.sendall(part)
                        time.sleep(pause_s)

    with socket.create_server(("127.0.0.1", 0)) as server:
        serving = threading.Thread(target=serve)
        serving.start()
        try:
            yield f"http://127.0.0.1:{server.getsockname()[1]}"
        finally:
            server.shutdown(socket.SHUT_RDWR)
            serving.join()


def what_a_phone_hears(url: str) -> tuple[str, float]:
    began_s = time.monotonic()
    with pytest.raises(PortError) as told:
        HttpPort(url, lambda address: True)
    return str(told.value).replace(url, "URL"), round(time.monotonic() - began_s, 1)


def test_a_phone_hears_the_same_of_an_open_port_and_of_a_closed_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(http_port, "UNKNOWN_S", 0.5)
    with answering(b"220 mail.local ESMTP\r\n") as mail, answering(NOT_WLED) as page:
        heard = {what_a_phone_hears(mail), what_a_phone_hears(page)}
    heard.add(what_a_phone_hears(page))  # nobody is there any more
    assert heard == {("no WLED controller answers at URL", 0.5)}


def test_a_redirection_is_not_followed() -> None:
    with answering(b'HTTP/1.1 200 OK\r\nContent-Length: 22\r\n\r\n{"leds":{"count": 30 }}') as wled:
        assert HttpPort(wled).read().startswith(b"{")
        away = f"HTTP/1.1 302 Found\r\nLocation: {wled}/json/info\r\nContent-Length: 0\r\n\r\n"
        with answering(away.encode()) as host, pytest.raises(PortError, match="as WLED does"):
            HttpPort(host)


def test_a_host_that_answers_letter_by_letter_has_so_long_in_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(http_port, "HTTP_S", 0.3)
    slowly = [bytes([letter]) for letter in NOT_WLED]
    with answering(*slowly, pause_s=0.1) as host:
        began_s = time.monotonic()
        with pytest.raises(PortError, match="does not answer"):
            HttpPort(host)
        assert time.monotonic() - began_s < 0.1 * len(slowly)


@pytest.mark.parametrize(
    "answer",
    [
        bytes(range(128, 256)) * 20,
        b"\x1b]0;hello\x07\xff\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{",
        b"HTTP/1.1 200 \x1b[2J\r\n" + b"x: y\r\n" * 200 + b"\r\n",
        b"HTTP/1.1 500 \x1b[2J\x85\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 302 no\r\nLocation: http://[\x07\r\n\r\n",
        b"",
    ],
    ids=["bytes", "a terminal's title", "too short", "headers without end", "a reason", "chunks",
         "elsewhere", "nothing"],
)  # fmt: skip
def test_a_host_that_sends_anything_else_is_told_in_a_line(
    answer: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    with answering(answer) as host, caplog.at_level(logging.INFO), Bridge(host) as bridge:
        bridge.show(Scoreboard((PlayerScore("red", 30),)))
        until(lambda: any(map(bridge.state.text.__contains__, ("does not", "no WLED"))))
        text = bridge.state.text
    assert text.isprintable()
    assert not [record for record in caplog.records if record.exc_info]
