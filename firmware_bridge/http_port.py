"""A port that sends requests to a WLED controller in the network.

An address from a phone is restricted: only in the home network, not this computer, only WLED's
ports. Every failure gives the phone the same sentence after the same time; else it could scan the
hosts and ports of the network through this computer.
"""

import http.client
import logging
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

from railspotter.scoring.sentence import Sentence

from .errors import PortError
from .ports import WAIT_S, Port, SerialPort
from .wled import leds_in_info

LOG = logging.getLogger(__name__)

HTTP_S = 2.0  # for a whole request: a display must not delay the end of the program
UNKNOWN_S = 2.5  # the constant time of a failure: more than a request takes
MOST_ANSWER = 100_000
USUAL_PORTS = (None, 80, 443)
NO_WLED = Sentence("no WLED controller answers at {url}")

# Tells whether an IP address from a phone may be opened.
MayOpen = Callable[[str], bool]


def open_port(url: str, baud: int, may_open: MayOpen | None = None) -> Port:
    """Open a port."""
    if url.startswith(("http://", "https://")):
        return HttpPort(url, may_open)
    return SerialPort(url, baud)


class HttpPort:
    """A controller's address; each written line is posted to `/json/state`."""

    def __init__(self, url: str, may_open: MayOpen | None = None) -> None:
        self._url, self._may_open = url.rstrip("/"), may_open
        began_s = time.monotonic()
        try:
            self._answer = self._request("GET", "/json/info", None)
            if may_open is not None and not leds_in_info(self._answer):
                raise PortError("{url} does not answer as WLED does", url=self._url)
        except PortError as error:
            if may_open is None:
                raise
            LOG.info("%s", error)
            time.sleep(max(0.0, began_s + UNKNOWN_S - time.monotonic()))
            raise PortError(NO_WLED.filled(url=self._url)) from error

    def read(self) -> bytes:
        """Return the first answer once, then nothing, after a moment."""
        answer, self._answer = self._answer, b""
        if not answer:
            time.sleep(WAIT_S)
        return answer

    def write(self, data: bytes, baud: int) -> None:
        """Post each line."""
        for line in data.splitlines():
            self._request("POST", "/json/state", line)

    def close(self) -> None:
        """Do nothing: no connection is kept."""

    def _request(self, method: str, path: str, body: bytes | None) -> bytes:
        try:
            with self._connected() as line:
                line.request(method, path, body, {"Content-Type": "application/json"})
                answer = line.getresponse()
                content = answer.read(MOST_ANSWER)
        except (http.client.HTTPException, ValueError) as error:
            # The answer can be anything, so it is neither shown nor logged.
            raise PortError("{url} does not answer as WLED does", url=self._url) from error
        except OSError as error:
            raise PortError(
                "{url} does not answer: is it on, and in this network?", url=self._url
            ) from error
        if answer.status != http.HTTPStatus.OK:  # redirects too: their targets are unchecked
            raise PortError("{url} does not answer as WLED does", url=self._url)
        return content

    @contextmanager
    def _connected(self) -> Iterator[http.client.HTTPConnection]:
        """Connect to the checked address, and shut down at the timeout of a request."""
        parts = urlsplit(self._url)
        host, is_safe = parts.hostname or "", parts.scheme == "https"
        kind = http.client.HTTPSConnection if is_safe else http.client.HTTPConnection
        line = kind(host, parts.port)
        found = socket.getaddrinfo(host, line.port, type=socket.SOCK_STREAM)
        addresses = [str(address[0]) for *_, address in found]
        if self._may_open is not None:
            addresses = [address for address in addresses if self._may_open(address)]
        if not addresses:
            raise OSError("it is not in the home network")
        sock = socket.create_connection((addresses[0], line.port), HTTP_S)
        timeout = threading.Timer(HTTP_S, _shut_down, (sock,))
        timeout.daemon = True
        timeout.start()
        try:
            if is_safe:
                sock = ssl.create_default_context().wrap_socket(sock, server_hostname=host)
            line.sock = sock
            yield line
        finally:
            timeout.cancel()
            line.close()
            sock.close()


def _shut_down(sock: socket.socket) -> None:
    """Shut a socket down, which wakes a blocked reader."""
    with suppress(OSError):  # already closed
        sock.shutdown(socket.SHUT_RDWR)
