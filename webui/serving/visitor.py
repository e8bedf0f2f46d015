"""A connection of the server, and the requests that come on it."""

from __future__ import annotations

import contextlib
import socket
import ssl
from typing import Any

from cheroot.makefile import MakeFile
from cheroot.server import HTTPConnection, HTTPRequest

from ..access.limits import household
from .inbox import CHUNK, Inbox


class SizedRequest(HTTPRequest):
    """A request that says how long it is; what it did not need is read in small pieces."""

    def read_request_headers(self) -> bool:
        """Read the headers; refuse a body without a length, or with one that is no number."""
        if not super().read_request_headers():  # type: ignore[no-untyped-call]  # has no types
            return False
        if b"Transfer-Encoding" in self.inheaders:
            # Cheroot takes a whole piece into memory, however long its sender says that it is.
            return self._refuse("411 Length Required", "Say how long it is: Content-Length.")
        length = self.inheaders.get(b"Content-Length", b"0")
        if not (length.isdigit() and len(length) < 16):
            return self._refuse("400 Bad Request", "Malformed Content-Length Header.")
        return True

    def send_headers(self) -> None:
        """Send them, after what is left of the body, which cheroot would read at once."""
        body = self.rfile
        status: Any = self.status  # bytes by now
        is_refused = status.startswith(b"413")
        while not is_refused and body.remaining > 0 and body.read(CHUNK):
            pass
        if body.remaining > 0:
            self.close_connection = True
        super().send_headers()

    def _refuse(self, status: str, why: str) -> bool:
        self.close_connection = True
        self.simple_response(status, why)
        return False


class Visitor(HTTPConnection):
    """A connection that waits in a lobby before, and between, its requests.

    Attributes
    ----------
    household : str
        What it is counted by.
    is_uploading : bool
        Whether an upload is under way on it.
    is_closed : bool
        Whether it has ended.
    """

    RequestHandlerClass = SizedRequest

    def __init__(self, server: Any, sock: socket.socket, address: str) -> None:
        super().__init__(server, sock, _reader_or_writer)
        self.household = household(address)
        self.has_greeted = not isinstance(sock, ssl.SSLSocket)
        self.is_uploading = self.is_closed = False

    def gather(self) -> bool:
        """Greet, and take what has come; tell whether there is a request to answer."""
        if not self.has_greeted:
            self.socket.do_handshake()
            self.has_greeted = True
        return bool(self.rfile.gather())

    def close(self) -> None:
        """End it, for whatever reason."""
        with contextlib.suppress(OSError):
            super().close()
        self.is_closed = True


def _reader_or_writer(sock: socket.socket, mode: str, size: int) -> Any:
    return Inbox(sock) if "r" in mode else MakeFile(sock, mode, size)
