"""The manager of idle and incomplete connections, which take no server thread.

One thread watches all of them: it accepts, does TLS handshakes, buffers requests, and closes
connections that take too long. A worker thread is used only for a complete request, so clients with
hundreds of idle or slow connections block nobody.
"""

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

# Connections of one address. A browser opens six, a household behind a router a few dozen.
MOST_OF_ONE = 64
MOST_UPLOADS_OF_ONE = 4
ACCEPTED_AT_ONCE = 32  # before existing connections are handled again
PAUSE_S = 0.5  # how long no connection is accepted when file descriptors are exhausted
TICK_S = 0.5
EXHAUSTED = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
MANY_PHOTOS = b"Too many photos are being sent at once: send yours again in a minute.\n"
# For uploads that could not start within `TIMEOUT_S`. The client's language is not known here.
TOO_MANY = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 60\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
    % (len(MANY_PHOTOS), MANY_PHOTOS)
)


class SizedRequest(HTTPRequest):
    """A request that must have a length; an unread rest of its body is drained in small pieces."""

    def read_request_headers(self) -> bool:
        """Read the headers; refuse a body without a valid length."""
        if not super().read_request_headers():  # type: ignore[no-untyped-call]  # has no types
            return False
        if b"Transfer-Encoding" in self.inheaders:
            # Cheroot reads a whole chunk into memory, of any length that the sender claims.
            return self._refuse("411 Length Required", "Say how long it is: Content-Length.")
        length = self.inheaders.get(b"Content-Length", b"0")
        if not (length.isdigit() and len(length) < 16):
            return self._refuse("400 Bad Request", "Malformed Content-Length Header.")
        return True

    def send_headers(self) -> None:
        """Send the headers, after draining the body, which cheroot would read at once."""
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
    """A connection that waits without a thread before and between its requests."""

    RequestHandlerClass = SizedRequest

    def __init__(self, server: Any, sock: socket.socket, address: str) -> None:
        super().__init__(server, sock, _reader_or_writer)
        self.household = household(address)
        self.is_handshake_done = not isinstance(sock, ssl.SSLSocket)
        self.is_uploading = self.is_closed = False

    def receive_available(self) -> bool:
        """Do the TLS handshake, and buffer what has arrived; return True for a complete request."""
        if not self.is_handshake_done:
            self.socket.do_handshake()
            self.is_handshake_done = True
        return bool(self.rfile.receive_available())

    def close(self) -> None:
        """Close the connection, ignoring errors."""
        with contextlib.suppress(OSError):
            super().close()
        self.is_closed = True


def _reader_or_writer(sock: socket.socket, mode: str, size: int) -> Any:
    return RequestBuffer(sock) if "r" in mode else MakeFile(sock, mode, size)


class ConnectionManager:
    """Manages all connections of a server; replaces cheroot's own manager."""

    def __init__(self, server: Any, most: int, most_uploads: int) -> None:
        self._server, self._most, self._most_uploads = server, most, most_uploads
        self._selector = selectors.DefaultSelector()
        self._wake_sender, self._wake_receiver = socket.socketpair()
        self._listeners: list[socket.socket] = [server.socket]
        self._new_listeners: deque[socket.socket] = deque()
        self._answered: deque[WaitingConnection] = deque()
        # With the time since which they wait, the longest first.
        self._waiting: dict[WaitingConnection, float] = {}
        # Those of them whose upload must wait for others; nothing is read from them meanwhile.
        self._delayed_uploads: list[WaitingConnection] = []
        self._connections: list[WaitingConnection] = []
        self._paused_until_s = 0.0
        self._has_logged = self._is_serving = self._is_stopping = False
        for one in (server.socket, self._wake_sender, self._wake_receiver):
            one.setblocking(False)
        self._selector.register(server.socket, selectors.EVENT_READ)
        self._selector.register(self._wake_receiver, selectors.EVENT_READ)

    # Idle connections cost no thread, and yield to new ones.
    can_add_keepalive_connection = True

    def run(self, expiration_interval: float) -> None:
        """Run the event loop until `stop`."""
        self._is_serving = True
        try:
            while not self._is_stopping:
                for key, _ in self._selector.select(min(expiration_interval, TICK_S)):
                    if key.fileobj in self._listeners:
                        self._accept(key.fileobj)
                    elif key.fileobj is self._wake_receiver:
                        with contextlib.suppress(OSError):
                            self._wake_receiver.recv(4096)
                    elif key.data in self._waiting:  # else it was closed just now
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
        """End `run`, and wait for its end."""
        self._is_stopping = True
        self._wake()
        while self._is_serving:
            time.sleep(0.01)

    def close(self) -> None:
        """Close the waiting connections; the server closes those being handled."""
        for connection in [*self._waiting, *self._answered]:
            connection.close()
        self._selector.close()
        listeners = [*self._listeners[1:], *self._new_listeners]  # the server closes its own
        for one in (self._wake_sender, self._wake_receiver, *listeners):
            one.close()

    def put(self, connection: WaitingConnection) -> None:
        """Return a connection after its request was handled. Thread-safe."""
        self._answered.append(connection)
        self._wake()

    def open(self, listener: socket.socket) -> None:
        """Accept connections from a further listening socket. Thread-safe."""
        self._new_listeners.append(listener)
        self._wake()

    def _register_listener(self, listener: socket.socket) -> None:
        listener.setblocking(False)
        self._listeners.append(listener)
        if not self._paused_until_s:  # else it is registered with the others later
            self._selector.register(listener, selectors.EVENT_READ)

    def _wake(self) -> None:
        with contextlib.suppress(OSError):  # the pipe is full: a wake-up is pending
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
            except OSError:  # closed already
                sock.close()
                continue
            connection.remote_addr, connection.remote_port = address[:2]
            connection.ssl_env = environ
            self._connections.append(connection)
            self._receive_or_wait(connection)

    def _may_accept(self, home: str) -> bool:
        """Tell whether to accept a connection of a household, evicting another one if needed."""
        self._connections = [one for one in self._connections if not one.is_closed]
        counts = Counter(connection.household for connection in self._connections)
        if home and counts[home] >= MOST_OF_ONE:
            return self._evict_longest_waiting(home)
        if counts.total() < self._most:
            return True
        return any(self._evict_longest_waiting(crowd) for crowd, _ in counts.most_common())

    def _evict_longest_waiting(self, home: str) -> bool:
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
        """Receive from a connection; hand it to a worker thread once its request is complete."""
        try:
            connection.receive_available()
        except ssl.SSLWantWriteError:
            self._selector.modify(connection.socket, selectors.EVENT_WRITE, connection)
            return
        except (BlockingIOError, ssl.SSLWantReadError):
            self._selector.modify(connection.socket, selectors.EVENT_READ, connection)
            return
        except OSError:  # closed, no TLS, or a client that does not trust the certificate
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
        """Hand a connection to a worker thread, which also reads an upload's body."""
        self._stop_waiting(connection)
        connection.is_uploading = bool(connection.rfile.missing_bytes)
        connection.socket.settimeout(TIMEOUT_S)
        self._server.process_conn(connection)

    def _may_upload(self, connection: WaitingConnection) -> bool:
        # Uploads that were received completely do not count.
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
            response = TOO_SLOW if connection.rfile.has_data() else b""
            is_delayed = connection in self._delayed_uploads
            self._close_waiting(connection, TOO_MANY if is_delayed else response)
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

    def _close_waiting(self, connection: WaitingConnection, response: bytes = b"") -> None:
        self._stop_waiting(connection)
        if response:
            with contextlib.suppress(OSError):
                connection.socket.send(response)
        connection.close()
