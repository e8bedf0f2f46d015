"""RTSP (RFC 2326) between FFmpeg and a camera: all goes through, but nothing that leads elsewhere.

FFmpeg follows a camera's redirection to any host and port. So it does not speak to the camera, but
to this relay, which reads the camera's answers as FFmpeg does and ends at a redirection.
"""

from __future__ import annotations

import selectors
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

from railspotter.scoring.sentence import Sentence

from .errors import SourceLostError, SourceUnusableError
from .hosts import AllowedHosts, connected
from .relay import LOOPBACK, relayed
from .web_request import LEADS_AWAY, one_line, reason, shown

PORTS = {"rtsp": 554, "rtsps": 322}
MOST_HEADER, MOST_BODY = 2**14, 2**20
"""Bytes of an answer; cameras' have some hundred and some thousand."""
PACKET = b"$"
"""Begins a packet of video between the answers (RFC 2326, 10.12)."""
MIN_SIGN = ord("\t")
"""Tabs are the only control characters of a line, as far as FFmpeg goes on reading it."""
NO_RTSP = Sentence("it breaks off, or does not speak rtsp")


@dataclass(frozen=True)
class RtspAddress:
    """An rtsp or rtsps address, taken apart.

    Attributes
    ----------
    login : str
        User name and password as they are written, with the @; may be empty.
    rest : str
        Path and query.
    """

    is_secure: bool
    host: str
    port: int
    login: str
    rest: str

    @classmethod
    def parse(cls, text: str) -> RtspAddress:
        """Take an address apart.

        Raises
        ------
        SourceUnusableError
            When it is not one.

        Examples
        --------
        >>> address = RtspAddress.parse("rtsp://me:secret@192.0.2.7/live?x=1")
        >>> address.host, address.port, address.login, address.rest
        ('192.0.2.7', 554, 'me:secret@', '/live?x=1')
        """
        try:
            parts = urlsplit(text)
            scheme, host, port = parts.scheme, parts.hostname, parts.port
        except ValueError:
            scheme, host, port = "", None, None
        if scheme not in PORTS or not host or not text.isprintable():
            raise SourceUnusableError(
                "{address!r} is not an rtsp address: write signs like / in a password as %2F",
                address=shown(text),
            )
        login, at, _ = parts.netloc.rpartition("@")
        rest = parts._replace(scheme="", netloc="", fragment="").geturl()
        return cls(scheme == "rtsps", host, port or PORTS[scheme], login + at, rest)


@dataclass
class RtspRelay:
    """Stands between FFmpeg and a camera that is connected to.

    Attributes
    ----------
    timeout_s : float
        Longest wait until the camera takes what it is asked.
    url : str
        For FFmpeg.
    fault : SourceLostError or None
        Why it ended, where the camera said something that is not passed on.
    """

    camera: socket.socket
    timeout_s: float
    url: str = ""
    fault: SourceLostError | None = None

    def pass_on(self, reader: socket.socket) -> None:
        """Pass on what both say until one of them ends."""
        answers = RtspAnswers()
        with selectors.DefaultSelector() as ready:
            ready.register(reader, selectors.EVENT_READ)
            ready.register(self.camera, selectors.EVENT_READ)
            try:
                while True:
                    for key, _ in ready.select():
                        if key.fileobj is self.camera:
                            reader.sendall(answers.passed_on(self._heard()))
                        else:
                            asked = reader.recv(2**16)
                            if not asked:
                                return
                            self.camera.settimeout(self.timeout_s)
                            self.camera.sendall(asked)
            except SourceLostError as error:
                self.fault = error

    def _heard(self) -> bytes:
        """Return what came of the camera; nothing where that was TLS' own."""
        self.camera.settimeout(0)
        said = b""
        try:
            while part := self.camera.recv(2**16):
                said += part
                if not (isinstance(self.camera, ssl.SSLSocket) and self.camera.pending()):
                    return said
        except ssl.SSLWantReadError:
            return said
        raise ConnectionError("it has ended")


@contextmanager
def rtsp_relayed(
    address: RtspAddress, timeout_s: float, allowed: AllowedHosts | None
) -> Iterator[RtspRelay]:
    """Connect to a camera, and let FFmpeg speak with it by a port of this computer.

    Raises
    ------
    SourceLostError
        When there is no connection.
    HostNotAllowedError
        When the terminal has to allow it first.
    """
    try:
        camera = connected(address.host, address.port, timeout_s, allowed)
        if address.is_secure:
            camera = _secured(camera, address.host)
    except (OSError, ValueError) as error:
        raise SourceLostError(reason(error)) from error
    relay = RtspRelay(camera, timeout_s)
    with camera, relayed(relay.pass_on, timeout_s) as port:
        relay.url = f"rtsp://{address.login}{LOOPBACK}:{port}{address.rest}"
        yield relay


class RtspAnswers:
    r"""What a camera says, cut into packets and answers as FFmpeg would cut it.

    Examples
    --------
    >>> answers = RtspAnswers()
    >>> answers.passed_on(b"RTSP/1.0 200 OK\r\nCSeq: 1\r\n\r\n$\0\0\2ab$")
    b'RTSP/1.0 200 OK\r\nCSeq: 1\r\n\r\n$\x00\x00\x02ab'
    >>> answers.passed_on(b"\0\0\0RTSP/1.0 200 OK\nCSeq: 2\n$\n\n")
    Traceback (most recent call last):
    ...
    railspotter.vision.sources.errors.SourceLostError: it breaks off, or does not speak rtsp
    """

    def __init__(self) -> None:
        self._unread = bytearray()

    def passed_on(self, said: bytes) -> bytes:
        """Take what came; return what of it is whole and may be passed on.

        Raises
        ------
        SourceLostError
            When it leads elsewhere, or FFmpeg might read it otherwise than it is read here.
        """
        self._unread += said
        whole = bytearray()
        while (one := self._next()) is not None:
            whole += one
        return bytes(whole)

    def _next(self) -> bytes | None:
        """Return the next packet or answer, once it is there."""
        unread = self._unread
        if unread.startswith(PACKET):
            end = 4 + int.from_bytes(unread[2:4]) if len(unread) >= 4 else 4
            return self._taken(end)
        lines: list[bytes] = []
        start = 0
        while (end := unread.find(b"\n", start)) >= 0:
            # FFmpeg passes over a \r wherever it stands.
            line = bytes(unread[start:end]).replace(b"\r", b"")
            start = end + 1
            if not line:
                return self._answer(lines, start)
            lines.append(line)
        if len(unread) > MOST_HEADER:
            raise SourceLostError(NO_RTSP)
        return None

    def _answer(self, lines: list[bytes], end: int) -> bytes | None:
        """Return an answer whose header is there, with its body."""
        lengths = [line[15:].strip() for line in lines if _is_called(line, b"content-length:")]
        words = lines[0].split() if lines else []
        status = words[1] if len(words) > 1 and words[0].startswith(b"RTSP/") else b"200"
        is_clear = (
            len(lengths) <= 1
            and all(text.isdigit() for text in (*lengths, status))
            and len(status) == 3
            # For FFmpeg a packet may begin at any line, and a \0 ends one.
            and not any(line.startswith(PACKET) or min(line) < MIN_SIGN for line in lines)
        )
        length = int(lengths[0]) if is_clear and lengths else 0
        if not is_clear or end > MOST_HEADER or length > MOST_BODY:
            raise SourceLostError(NO_RTSP)
        places = [line[9:].strip() for line in lines if _is_called(line, b"location:")]
        if status.startswith(b"3"):
            to = shown(places[0].decode("ascii", "replace")) if places else "..."
            raise SourceLostError(LEADS_AWAY.filled(address=one_line(to)))
        body = bytes(self._unread[end : end + length])
        if len(body) < length:
            return None
        self._taken(end + length)
        kept = (line for line in lines if not _is_called(line, b"location:"))
        return b"".join(line + b"\r\n" for line in kept) + b"\r\n" + body

    def _taken(self, end: int) -> bytes | None:
        if len(self._unread) < end:
            return None
        taken = bytes(self._unread[:end])
        del self._unread[:end]
        return taken


def _is_called(line: bytes, name: bytes) -> bool:
    return line.lower().startswith(name)


def _secured(camera: socket.socket, host: str) -> ssl.SSLSocket:
    """Return the connection with TLS; cameras sign their certificates themselves."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context.wrap_socket(camera, server_hostname=host)
