"""TLS for the server: greetings on each connection's own thread, so that none holds up others."""

from __future__ import annotations

import ssl
from pathlib import Path
from socket import socket
from typing import Any

from cheroot.server import HTTPConnection
from cheroot.ssl import Adapter
from cheroot.ssl.builtin import BuiltinSSLAdapter

ENVIRON = {"wsgi.url_scheme": "https", "HTTPS": "on"}


class TlsAdapter(Adapter):
    """Cheroot's adapter for Python's TLS, but for when it greets.

    Cheroot's own waits for each greeting on the thread that takes connections: a phone that opens
    one and says nothing would hold up everybody for as long as a connection may be silent.
    """

    def __init__(self, certificate: Path) -> None:
        super().__init__(str(certificate), str(certificate))
        self.context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.context.load_cert_chain(certificate)

    def bind(self, sock: socket) -> socket:
        """Return the listening socket as it is."""
        return sock

    def wrap(self, sock: socket) -> tuple[ssl.SSLSocket, dict[str, str]]:
        """Return a connection that has not greeted yet."""
        wrapped = self.context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
        return wrapped, self.get_environ()

    def get_environ(self) -> dict[str, str]:
        """Return what requests on this connection are told."""
        return dict(ENVIRON)

    makefile = BuiltinSSLAdapter.makefile


class GreetingConnection(HTTPConnection):
    """A connection that greets first; who does not trust the certificate hangs up then."""

    has_greeted = False

    def communicate(self) -> Any:
        """Greet, then take a request; return whether the connection stays open."""
        if not self.has_greeted:
            try:
                self.socket.do_handshake()
            except OSError:  # TLS' errors are among these
                return False
            self.has_greeted = True
        return super().communicate()  # type: ignore[no-untyped-call]  # cheroot has no types
