"""Serving the page: cheroot, inside this process, on http or https.

What it buffers and how long it waits is bounded here: connections wait in a
`ConnectionManager`, and requests have a size before anybody reads them.
"""

from __future__ import annotations

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
from railspotter.scoring.sentence import Sentence
from railspotter.table.system_process import most_files
from railspotter.table.worker import Closable

from ..errors import AddressError
from .request_buffer import MOST_HEAD_BYTES, TIMEOUT_S
from .system_network import allow_address_reuse, set_silence_timeout
from .waiting_connections import ConnectionManager

# Each page, picture or upload under way holds one, and so does each of the twenty photos that wait
# or are read.
THREADS = 32
# Threads for a running game: every page that follows it holds one for as long as it is open. A
# thread that waits costs some 40 kB.
TABLE_THREADS = 300
# Connections that the system holds until they are accepted; who comes to a full one tries again a
# second later.
BACKLOG = 128
MOST_UPLOADS = 8  # uploads under way at once, each with up to 32 MB
# How many may be open: so many, or so many for each thread where that is more. Who asks nothing
# needs no thread, but a file descriptor, and systems give a program 1,024.
CONNECTIONS = (128, 2)
# What may lie unread between us and one phone: who does not read is noticed the sooner.
SEND_BUFFER_BYTES = 2**18
# A phone that left the Wi-Fi says nothing; after so long without a sign its line is cut. Where the
# system cannot be asked for this, it takes its own time.
GONE_S = 40
# Addresses to listen on that no browser can open, and what it opens instead.
EVERYWHERE = {"": "localhost", "0.0.0.0": "localhost", "::": "localhost"}  # noqa: S104  # not bound to here
ENVIRON = {"wsgi.url_scheme": "https", "HTTPS": "on"}  # what requests over https are told


class Server(Closable):
    """A server that runs while its `with` block does.

    It listens on the address `host`, at port 0 for any free one, and answers so many requests at
    once as there are threads. With a file of a private key and its certificate the page is on
    https. Entering raises `AddressError` when the address or port cannot be used.
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
        # A stopping server still sends the answers under way, but waits for no slow upload.
        self._server = _Cheroot(
            (host, port),
            app,
            numthreads=threads,
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
        """Where a browser on this machine finds the page."""
        return self.url_at(EVERYWHERE.get(self._host, self._host))

    def url_at(self, host: str) -> str:
        """Return the page's address under one of this machine's names or addresses."""
        return f"{self.scheme}://{f'[{host}]' if ':' in host else host}:{self.port}/"

    def __enter__(self) -> Self:
        try:
            self._server.prepare()
        except OSError as error:
            raise AddressError(
                Sentence(
                    "cannot serve on port {port} of {host!r}: it is in use by another program, or"
                    " not allowed here; choose another port",
                    port=self._port,
                    host=self._host,
                )
            ) from error
        self._thread.start()
        return self

    def listen_at(self, addresses: Iterable[str]) -> tuple[str, ...]:
        """Listen at more of this machine's addresses, on the same port; return those it could.

        Raises `AddressError` when it is none of them.
        """
        heard = tuple(address for address in addresses if self._listen_at(address))
        if not heard:
            raise AddressError(
                "cannot serve on port {port} of this computer's other addresses", port=self.port
            )
        return heard

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
        """End all connections and the thread."""
        self._server.stop()
        self._thread.join()

    def wait(self) -> None:
        """Block until Ctrl-C, or until the server ends."""
        # Without a timeout, Ctrl-C would not get through on Windows.
        with contextlib.suppress(KeyboardInterrupt):
            while self._thread.is_alive():
                self._thread.join(timeout=0.5)


class _Cheroot(wsgi.Server):
    """Cheroot, which of itself gives a thread to every connection and reads all that is sent."""

    def prepare(self) -> None:
        """Bind and listen; connections wait without a thread."""
        super().prepare()
        least, of_each = CONNECTIONS
        # What is left of the files is for camera, log and photos.
        most = min(max(least, of_each * self.numthreads), most_files() * 5 // 8)
        self._connections = ConnectionManager(self, most, MOST_UPLOADS)

    def open(self, listener: socket.socket) -> None:
        """Let people in at one more socket, which listens."""
        self._connections.open(listener)

    @staticmethod
    def bind_socket(socket_: socket.socket, bind_addr: tuple[str, int]) -> socket.socket:
        # Accepted connections inherit both.
        socket_.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        set_silence_timeout(socket_, GONE_S)
        try:
            socket_.bind(bind_addr)
        except OSError:
            socket_.close()  # cheroot would leave it open
            raise
        return socket_


class TlsAdapter(Adapter):
    """Cheroot's adapter for Python's TLS, but for when it greets.

    Cheroot's own waits for each greeting on the thread that takes connections: a phone that opens
    one and says nothing would hold up everybody for as long as a connection may be silent.
    """

    def __init__(self, certificate: Path) -> None:
        super().__init__(str(certificate), str(certificate))
        self.context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.context.load_cert_chain(certificate)

    def bind(self, sock: socket.socket) -> socket.socket:
        """Return the listening socket as it is."""
        return sock

    def wrap(self, sock: socket.socket) -> tuple[ssl.SSLSocket, dict[str, str]]:
        """Return a connection that has not greeted yet."""
        wrapped = self.context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
        return wrapped, self.get_environ()

    def get_environ(self) -> dict[str, str]:
        """Return what requests on this connection are told."""
        return dict(ENVIRON)

    makefile = staticmethod(MakeFile)
