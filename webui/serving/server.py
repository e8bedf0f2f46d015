"""The web server: cheroot, inside this process, on http or https.

Its buffers and timeouts are bounded: idle connections wait in a `ConnectionManager`, and requests
must have a length.
"""

import contextlib
import socket
import ssl
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Self

from cheroot import wsgi
from cheroot.makefile import MakeFile
from cheroot.ssl import Adapter
from flask import Flask
from railspotter.scoring.sentence import Sentence, raised_as
from railspotter.table.system_process import most_files
from railspotter.table.worker import Closable

from ..errors import AddressError
from .request_buffer import MOST_HEAD_BYTES, TIMEOUT_S
from .system_network import allow_address_reuse, set_unacknowledged_timeout
from .waiting_connections import ConnectionManager, WaitingConnection

NO_ADDRESS = Sentence("there is no address {host!r} on this computer")
PORT_IN_USE = Sentence(
    "cannot serve on port {port} of {host!r}: it is in use by another program, or not allowed here;"
    " choose another port"
)

# Each request in progress takes one, and so does each of the twenty photos in the queue.
THREADS = 32
# With a running game every open page takes one for its stream. A thread that once answered keeps
# some 60 kB, so there are as many as were needed at one moment.
TABLE_THREADS = 300
IDLE_THREADS = 8  # where fewer have nothing to do, there will be more; chosen
BACKLOG = 128  # the system's queue of connections to accept; beyond it clients retry a second later
MOST_UPLOADS = 8  # simultaneous uploads, each of up to 64 MiB
# The most open connections: a fixed number, or a number per thread, whichever is more. Idle ones
# need no thread but a file descriptor, of which systems give a program 1,024.
CONNECTIONS = (128, 2)
SEND_BUFFER_BYTES = 2**18  # of each connection: small, to detect clients that do not read
# Unacknowledged connections are closed after so long: a phone that left the Wi-Fi sends nothing.
# On systems without this option it takes longer.
UNACKNOWLEDGED_S = 40
# Wildcard addresses, and what a browser opens instead.
EVERYWHERE = {"": "localhost", "0.0.0.0": "localhost", "::": "localhost"}  # noqa: S104  # not bound to here
ENVIRON = {"wsgi.url_scheme": "https", "HTTPS": "on"}  # for requests over https


class Server(Closable):
    """A web server that runs while its `with` block does.

    It listens on `host` and `port` (0 for any free one), and handles up to `threads` requests at
    once. `certificate` is a PEM file with a private key and its certificate, for https.
    Entering raises `AddressError` when the address or port cannot be used.
    """

    def __init__(
        self,
        app: Flask,
        host: str,
        port: int,
        *,
        threads: int = THREADS,
        certificate: Path | None = None,
    ) -> None:
        self._host, self._port = host, port
        self.scheme = "http" if certificate is None else "https"
        # On stopping, responses in progress are sent, but slow uploads are not awaited.
        self._server = _Cheroot(
            (host, port),
            app,
            numthreads=min(threads, THREADS),
            max=threads,
            request_queue_size=BACKLOG,
            timeout=round(TIMEOUT_S),
            shutdown_timeout=0,
        )
        self._server.max_request_header_size = MOST_HEAD_BYTES
        if certificate is not None:
            self._server.ssl_adapter = TlsAdapter(certificate)
        self._thread = threading.Thread(target=self._server.serve, name="web server")

    @property
    def port(self) -> int:
        """The port it listens on."""
        bound: tuple[str, int] = self._server.bind_addr
        return bound[1]

    @property
    def url(self) -> str:
        """The page's URL on this machine."""
        return self.url_at(EVERYWHERE.get(self._host, self._host))

    def url_at(self, host: str) -> str:
        """Return the page's URL with one of this machine's names or addresses."""
        return f"{self.scheme}://{f'[{host}]' if ':' in host else host}:{self.port}/"

    def __enter__(self) -> Self:
        with raised_as(AddressError, OSError, NO_ADDRESS, host=self._host):
            socket.getaddrinfo(self._host or None, self._port)
        with raised_as(AddressError, OSError, PORT_IN_USE, port=self._port, host=self._host):
            self._server.prepare()
        self._thread.start()
        return self

    def listen_at(self, addresses: Iterable[str]) -> tuple[str, ...]:
        """Listen on further addresses, on the same port; return those that worked.

        Raises `AddressError` when none did.
        """
        opened = tuple(address for address in addresses if self._listen_at(address))
        if not opened:
            raise AddressError(
                "cannot serve on port {port} of this computer's other addresses", port=self.port
            )
        return opened

    def _listen_at(self, address: str) -> bool:
        listener = socket.socket()
        allow_address_reuse(listener)
        try:
            self._server.bind_socket(listener, (address, self.port))
            listener.listen(BACKLOG)
        except OSError:
            listener.close()
            return False
        self._server.open(listener)
        return True

    def close(self) -> None:
        """Close all connections, and join the thread."""
        self._server.stop()
        self._thread.join()

    def wait(self) -> None:
        """Block until Ctrl-C, or until the server ends."""
        # On Windows Ctrl-C does not interrupt a join without a timeout.
        with contextlib.suppress(KeyboardInterrupt):
            while self._thread.is_alive():
                self._thread.join(timeout=0.5)


class _Cheroot(wsgi.Server):
    """Cheroot with our `ConnectionManager`: its own gives a thread to every connection."""

    def prepare(self) -> None:
        """Bind and listen, with our `ConnectionManager`."""
        super().prepare()
        least, of_each = CONNECTIONS
        # The remaining file descriptors are for camera, log and photos.
        most = min(max(least, of_each * self.requests.max), most_files() * 5 // 8)
        self._connections = ConnectionManager(self, most, MOST_UPLOADS)

    def process_conn(self, conn: WaitingConnection) -> None:
        """Let a thread answer a connection's request."""
        if self.requests.idle < self.requests.qsize + IDLE_THREADS:
            self.requests.grow(THREADS)  # up to the most
        super().process_conn(conn)

    def open(self, listener: socket.socket) -> None:
        """Accept connections from a further listening socket."""
        self._connections.open(listener)

    @staticmethod
    def bind_socket(socket_: socket.socket, bind_addr: tuple[str, int]) -> socket.socket:
        # Accepted connections inherit both.
        socket_.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        set_unacknowledged_timeout(socket_, UNACKNOWLEDGED_S)
        try:
            socket_.bind(bind_addr)
        except OSError:
            socket_.close()  # cheroot would leave it open
            raise
        return socket_


class TlsAdapter(Adapter):
    """A TLS adapter that defers the handshake.

    Cheroot's own does the handshake on the thread that accepts connections, which a client that
    sends nothing would block.
    """

    def __init__(self, certificate: Path) -> None:
        super().__init__(str(certificate), str(certificate))
        self.context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.context.load_cert_chain(certificate)

    def bind(self, sock: socket.socket) -> socket.socket:
        """Return the listening socket unchanged."""
        return sock

    def wrap(self, sock: socket.socket) -> tuple[ssl.SSLSocket, dict[str, str]]:
        """Wrap a connection, without a handshake yet."""
        wrapped = self.context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
        return wrapped, self.get_environ()

    def get_environ(self) -> dict[str, str]:
        """Return the WSGI variables for https."""
        return dict(ENVIRON)

    makefile = staticmethod(MakeFile)
