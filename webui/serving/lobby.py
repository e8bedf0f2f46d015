"""Where connections wait until they have asked something: without a thread, for a while, not all.

A thread of the server is for whoever has sent a whole request. Until then one thread watches all
connections: it accepts, greets (TLS), gathers what comes, and drops who takes too long. So a phone
that opens hundreds of connections and says nothing, or a byte now and then, holds up nobody.
"""

from __future__ import annotations

import contextlib
import errno
import selectors
import socket
import ssl
import time
from collections import Counter, deque
from typing import Any

from cheroot.makefile import MakeFile
from cheroot.server import HTTPConnection, HTTPRequest

from ..access.limits import household
from .inbox import CHUNK, TIMEOUT_S, Inbox


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


# Connections of one address. A browser opens six, and a household behind a router few dozens.
MOST_OF_ONE = 64
MOST_UPLOADS_OF_ONE = 4
ACCEPTED_AT_ONCE = 32  # then those who are here already are looked at again
REST_S = 0.5  # so long nobody is let in when the system has no more descriptors
TICK_S = 0.5
EXHAUSTED = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
MANY_PHOTOS = b"Too many photos are being sent at once: send yours again in a minute.\n"
# For whom no place among the uploads became free in `TIMEOUT_S`. Languages are not known here.
TOO_MANY = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 60\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
    % (len(MANY_PHOTOS), MANY_PHOTOS)
)


class Lobby:
    """All connections of a server; it takes the place of cheroot's manager of connections."""

    def __init__(self, server: Any, most: int, most_uploads: int) -> None:
        self._server, self._most, self._most_uploads = server, most, most_uploads
        self._selector = selectors.DefaultSelector()
        self._bell, self._ear = socket.socketpair()
        self._entrances: list[socket.socket] = [server.socket]
        self._more: deque[socket.socket] = deque()
        self._returned: deque[Visitor] = deque()
        # The first one waits the longest: who comes, or comes back, is put last.
        self._waiting: dict[Visitor, float] = {}
        # Of these, whose upload nobody takes yet: nothing is read of them meanwhile.
        self._held_up: list[Visitor] = []
        self._open: list[Visitor] = []
        self._rests_until_s = 0.0
        self._has_told = self._is_serving = self._is_stopping = False
        for one in (server.socket, self._bell, self._ear):
            one.setblocking(False)
        self._selector.register(server.socket, selectors.EVENT_READ)
        self._selector.register(self._ear, selectors.EVENT_READ)

    # Who waits costs no thread, and makes room when others come.
    can_add_keepalive_connection = True

    def run(self, expiration_interval: float) -> None:
        """Look after everyone until `stop`."""
        self._is_serving = True
        try:
            while not self._is_stopping:
                for key, _ in self._selector.select(min(expiration_interval, TICK_S)):
                    if key.fileobj in self._entrances:
                        self._let_in(key.fileobj)
                    elif key.fileobj is self._ear:
                        with contextlib.suppress(OSError):
                            self._ear.recv(4096)
                    elif key.data in self._waiting:  # else it has just made room for others
                        self._attend(key.data)
                while self._more:
                    self._open_entrance(self._more.popleft())
                while self._returned:
                    self._welcome(self._returned.popleft())
                self._go_on_with_uploads()
                self._send_away_who_is_late()
        finally:
            self._is_serving = False

    def stop(self) -> None:
        """End `run`, and wait until it has ended."""
        self._is_stopping = True
        self._ring()
        while self._is_serving:
            time.sleep(0.01)

    def close(self) -> None:
        """End the connections that wait; a server ends those it works for itself."""
        for visitor in [*self._waiting, *self._returned]:
            visitor.close()
        self._selector.close()
        # The server closes its own.
        for one in (self._bell, self._ear, *self._entrances[1:], *self._more):
            one.close()

    def put(self, visitor: Visitor) -> None:
        """Take a connection back, from the thread that has answered its request."""
        self._returned.append(visitor)
        self._ring()

    def open(self, entrance: socket.socket) -> None:
        """Let people in at one more socket, which listens; from any thread."""
        self._more.append(entrance)
        self._ring()

    def _open_entrance(self, entrance: socket.socket) -> None:
        entrance.setblocking(False)
        self._entrances.append(entrance)
        if not self._rests_until_s:  # else it is opened with the others
            self._selector.register(entrance, selectors.EVENT_READ)

    def _ring(self) -> None:
        with contextlib.suppress(OSError):  # full: it has been heard, or will be
            self._bell.send(b"\0")

    def _let_in(self, entrance: socket.socket) -> None:
        for _ in range(ACCEPTED_AT_ONCE):
            try:
                sock, address = entrance.accept()
            except OSError as error:
                if error.errno in EXHAUSTED:
                    self._rest()
                return
            if not self._has_room(household(address[0])):
                sock.close()
                continue
            sock.setblocking(False)
            environ: dict[str, str] = {}
            try:
                if self._server.ssl_adapter is not None:
                    sock, environ = self._server.ssl_adapter.wrap(sock)
                visitor = Visitor(self._server, sock, address[0])
            except OSError:  # gone already
                sock.close()
                continue
            visitor.remote_addr, visitor.remote_port = address[:2]
            visitor.ssl_env = environ
            self._open.append(visitor)
            self._welcome(visitor)

    def _has_room(self, home: str) -> bool:
        """Tell whether one more may come from there; somebody may have made room."""
        self._open = [visitor for visitor in self._open if not visitor.is_closed]
        counts = Counter(visitor.household for visitor in self._open)
        if home and counts[home] >= MOST_OF_ONE:
            return self._make_room(home)
        if counts.total() < self._most:
            return True
        return any(self._make_room(crowd) for crowd, _ in counts.most_common())

    def _make_room(self, home: str) -> bool:
        for visitor in self._waiting:
            if visitor.household == home:
                self._dismiss(visitor)
                return True
        return False

    def _rest(self) -> None:
        for entrance in self._entrances:
            self._selector.unregister(entrance)
        self._rests_until_s = time.monotonic() + REST_S
        if not self._has_told:
            self._has_told = True
            self._server.error_log("too many files are open: new connections have to wait")

    def _welcome(self, visitor: Visitor) -> None:
        visitor.is_uploading = False
        visitor.socket.setblocking(False)
        self._waiting[visitor] = time.monotonic()
        self._selector.register(visitor.socket, selectors.EVENT_READ, visitor)
        self._attend(visitor)

    def _attend(self, visitor: Visitor) -> None:
        """Take what a connection has sent; hand it to a thread when it asks for something."""
        try:
            visitor.gather()
        except ssl.SSLWantWriteError:
            self._selector.modify(visitor.socket, selectors.EVENT_WRITE, visitor)
            return
        except (BlockingIOError, ssl.SSLWantReadError):
            self._selector.modify(visitor.socket, selectors.EVENT_READ, visitor)
            return
        except OSError:  # gone, or no TLS; who does not trust the certificate hangs up then
            self._dismiss(visitor)
            return
        if visitor.rfile.owed and not self._may_upload(visitor):
            self._held_up.append(visitor)
            self._selector.unregister(visitor.socket)
            return
        self._hand_over(visitor)

    def _go_on_with_uploads(self) -> None:
        for visitor in [*self._held_up]:
            if self._may_upload(visitor):
                self._hand_over(visitor)

    def _hand_over(self, visitor: Visitor) -> None:
        """Let a thread of the server answer, which reads an upload's body."""
        self._leave(visitor)
        visitor.is_uploading = bool(visitor.rfile.owed)
        visitor.socket.settimeout(TIMEOUT_S)
        self._server.process_conn(visitor)

    def _may_upload(self, visitor: Visitor) -> bool:
        # What has come whole waits for its turn to be read, or is answered.
        others = [
            one.household
            for one in self._open
            if one.is_uploading and one.rfile.owed and not one.is_closed
        ]
        of_one = others.count(visitor.household) if visitor.household else 0
        return len(others) < self._most_uploads and of_one < MOST_UPLOADS_OF_ONE

    def _send_away_who_is_late(self) -> None:
        now_s = time.monotonic()
        for visitor, since_s in [*self._waiting.items()]:
            if now_s - since_s < TIMEOUT_S:
                break
            words = TOO_SLOW if visitor.rfile.has_data() else b""
            self._dismiss(visitor, TOO_MANY if visitor in self._held_up else words)
        if self._rests_until_s and now_s >= self._rests_until_s:
            self._rests_until_s = 0.0
            for entrance in self._entrances:
                self._selector.register(entrance, selectors.EVENT_READ)

    def _leave(self, visitor: Visitor) -> None:
        del self._waiting[visitor]
        if visitor in self._held_up:
            self._held_up.remove(visitor)
        else:
            self._selector.unregister(visitor.socket)

    def _dismiss(self, visitor: Visitor, last_words: bytes = b"") -> None:
        self._leave(visitor)
        if last_words:
            with contextlib.suppress(OSError):
                visitor.socket.send(last_words)
        visitor.close()
