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
from .request_buffer import CHUNK, TIMEOUT_S, RequestBuffer

# Connections of one address. A browser opens six, and a household behind a router few dozens.
MOST_OF_ONE = 64
MOST_UPLOADS_OF_ONE = 4
ACCEPTED_AT_ONCE = 32  # then those who are here already are looked at again
PAUSE_S = 0.5  # so long nobody is let in when the system has no more descriptors
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


class WaitingConnection(HTTPConnection):
    """A connection that waits before, and between, its requests; it is counted by its household."""

    RequestHandlerClass = SizedRequest

    def __init__(self, server: Any, sock: socket.socket, address: str) -> None:
        super().__init__(server, sock, _reader_or_writer)
        self.household = household(address)
        self.is_handshake_done = not isinstance(sock, ssl.SSLSocket)
        self.is_uploading = self.is_closed = False

    def receive_available(self) -> bool:
        """Greet, and take what has come; tell whether there is a request to answer."""
        if not self.is_handshake_done:
            self.socket.do_handshake()
            self.is_handshake_done = True
        return bool(self.rfile.receive_available())

    def close(self) -> None:
        """End it, for whatever reason."""
        with contextlib.suppress(OSError):
            super().close()
        self.is_closed = True


def _reader_or_writer(sock: socket.socket, mode: str, size: int) -> Any:
    return RequestBuffer(sock) if "r" in mode else MakeFile(sock, mode, size)


class ConnectionManager:
    """All connections of a server; it takes the place of cheroot's manager of connections."""

    def __init__(self, server: Any, most: int, most_uploads: int) -> None:
        self._server, self._most, self._most_uploads = server, most, most_uploads
        self._selector = selectors.DefaultSelector()
        self._wake_sender, self._wake_receiver = socket.socketpair()
        self._listeners: list[socket.socket] = [server.socket]
        self._new_listeners: deque[socket.socket] = deque()
        self._answered: deque[WaitingConnection] = deque()
        # The first one waits the longest: who comes, or comes back, is put last.
        self._waiting: dict[WaitingConnection, float] = {}
        # Of these, whose upload nobody takes yet: nothing is read of them meanwhile.
        self._delayed_uploads: list[WaitingConnection] = []
        self._connections: list[WaitingConnection] = []
        self._paused_until_s = 0.0
        self._has_logged = self._is_serving = self._is_stopping = False
        for one in (server.socket, self._wake_sender, self._wake_receiver):
            one.setblocking(False)
        self._selector.register(server.socket, selectors.EVENT_READ)
        self._selector.register(self._wake_receiver, selectors.EVENT_READ)

    # Who waits costs no thread, and makes room when others come.
    can_add_keepalive_connection = True

    def run(self, expiration_interval: float) -> None:
        """Look after everyone until `stop`."""
        self._is_serving = True
        try:
            while not self._is_stopping:
                for key, _ in self._selector.select(min(expiration_interval, TICK_S)):
                    if key.fileobj in self._listeners:
                        self._accept(key.fileobj)
                    elif key.fileobj is self._wake_receiver:
                        with contextlib.suppress(OSError):
                            self._wake_receiver.recv(4096)
                    elif key.data in self._waiting:  # else it has just made room for others
                        self._receive_request(key.data)
                while self._new_listeners:
                    self._register_listener(self._new_listeners.popleft())
                while self._answered:
                    self._receive_or_wait(self._answered.popleft())
                self._resume_uploads()
                self._close_timed_out()
        finally:
            self._is_serving = False

    def stop(self) -> None:
        """End `run`, and wait until it has ended."""
        self._is_stopping = True
        self._wake()
        while self._is_serving:
            time.sleep(0.01)

    def close(self) -> None:
        """End the connections that wait; a server ends those it works for itself."""
        for connection in [*self._waiting, *self._answered]:
            connection.close()
        self._selector.close()
        # The server closes its own.
        for one in (
            self._wake_sender,
            self._wake_receiver,
            *self._listeners[1:],
            *self._new_listeners,
        ):
            one.close()

    def put(self, connection: WaitingConnection) -> None:
        """Take a connection back, from the thread that has answered its request."""
        self._answered.append(connection)
        self._wake()

    def open(self, listener: socket.socket) -> None:
        """Let people in at one more socket, which listens; from any thread."""
        self._new_listeners.append(listener)
        self._wake()

    def _register_listener(self, listener: socket.socket) -> None:
        listener.setblocking(False)
        self._listeners.append(listener)
        if not self._paused_until_s:  # else it is opened with the others
            self._selector.register(listener, selectors.EVENT_READ)

    def _wake(self) -> None:
        with contextlib.suppress(OSError):  # full: it has been heard, or will be
            self._wake_sender.send(b"\0")

    def _accept(self, listener: socket.socket) -> None:
        for _ in range(ACCEPTED_AT_ONCE):
            try:
                sock, address = listener.accept()
            except OSError as error:
                if error.errno in EXHAUSTED:
                    self._pause_accepting()
                return
            if not self._may_accept(household(address[0])):
                sock.close()
                continue
            sock.setblocking(False)
            environ: dict[str, str] = {}
            try:
                if self._server.ssl_adapter is not None:
                    sock, environ = self._server.ssl_adapter.wrap(sock)
                connection = WaitingConnection(self._server, sock, address[0])
            except OSError:  # gone already
                sock.close()
                continue
            connection.remote_addr, connection.remote_port = address[:2]
            connection.ssl_env = environ
            self._connections.append(connection)
            self._receive_or_wait(connection)

    def _may_accept(self, home: str) -> bool:
        """Tell whether one more may come from there; somebody may have made room."""
        self._connections = [
            connection for connection in self._connections if not connection.is_closed
        ]
        counts = Counter(connection.household for connection in self._connections)
        if home and counts[home] >= MOST_OF_ONE:
            return self._drop_longest_waiting(home)
        if counts.total() < self._most:
            return True
        return any(self._drop_longest_waiting(crowd) for crowd, _ in counts.most_common())

    def _drop_longest_waiting(self, home: str) -> bool:
        for connection in self._waiting:
            if connection.household == home:
                self._close_waiting(connection)
                return True
        return False

    def _pause_accepting(self) -> None:
        for listener in self._listeners:
            self._selector.unregister(listener)
        self._paused_until_s = time.monotonic() + PAUSE_S
        if not self._has_logged:
            self._has_logged = True
            self._server.error_log("too many files are open: new connections have to wait")

    def _receive_or_wait(self, connection: WaitingConnection) -> None:
        connection.is_uploading = False
        connection.socket.setblocking(False)
        self._waiting[connection] = time.monotonic()
        self._selector.register(connection.socket, selectors.EVENT_READ, connection)
        self._receive_request(connection)

    def _receive_request(self, connection: WaitingConnection) -> None:
        """Take what a connection has sent; hand it to a thread when it asks for something."""
        try:
            connection.receive_available()
        except ssl.SSLWantWriteError:
            self._selector.modify(connection.socket, selectors.EVENT_WRITE, connection)
            return
        except (BlockingIOError, ssl.SSLWantReadError):
            self._selector.modify(connection.socket, selectors.EVENT_READ, connection)
            return
        except OSError:  # gone, or no TLS; who does not trust the certificate hangs up then
            self._close_waiting(connection)
            return
        if connection.rfile.missing_bytes and not self._may_upload(connection):
            self._delayed_uploads.append(connection)
            self._selector.unregister(connection.socket)
            return
        self._start_answering(connection)

    def _resume_uploads(self) -> None:
        for connection in [*self._delayed_uploads]:
            if self._may_upload(connection):
                self._start_answering(connection)

    def _start_answering(self, connection: WaitingConnection) -> None:
        """Let a thread of the server answer, which reads an upload's body."""
        self._stop_waiting(connection)
        connection.is_uploading = bool(connection.rfile.missing_bytes)
        connection.socket.settimeout(TIMEOUT_S)
        self._server.process_conn(connection)

    def _may_upload(self, connection: WaitingConnection) -> bool:
        # What has come whole waits for its turn to be read, or is answered.
        others = [
            one.household
            for one in self._connections
            if one.is_uploading and one.rfile.missing_bytes and not one.is_closed
        ]
        of_one = others.count(connection.household) if connection.household else 0
        return len(others) < self._most_uploads and of_one < MOST_UPLOADS_OF_ONE

    def _close_timed_out(self) -> None:
        now_s = time.monotonic()
        for connection, since_s in [*self._waiting.items()]:
            if now_s - since_s < TIMEOUT_S:
                break
            words = TOO_SLOW if connection.rfile.has_data() else b""
            self._close_waiting(
                connection, TOO_MANY if connection in self._delayed_uploads else words
            )
        if self._paused_until_s and now_s >= self._paused_until_s:
            self._paused_until_s = 0.0
            for listener in self._listeners:
                self._selector.register(listener, selectors.EVENT_READ)

    def _stop_waiting(self, connection: WaitingConnection) -> None:
        del self._waiting[connection]
        if connection in self._delayed_uploads:
            self._delayed_uploads.remove(connection)
        else:
            self._selector.unregister(connection.socket)

    def _close_waiting(self, connection: WaitingConnection, last_words: bytes = b"") -> None:
        self._stop_waiting(connection)
        if last_words:
            with contextlib.suppress(OSError):
                connection.socket.send(last_words)
        connection.close()
