"""The receive buffer of a connection.

A request's head and a small body are buffered without a thread. Only the body of an upload is read
from the socket by its handler, at no less than `LEAST_RATE`.
"""

import re
import socket
import time

MOST_HEAD_BYTES = 2**14  # the request line and all header lines
MOST_BUFFERED_BYTES = 2**16  # of a body; a longer one is an upload
TIMEOUT_S = 10.0  # connections without any progress for so long are closed
GRACE_S = 5.0  # how far an upload may fall behind `LEAST_RATE`
LEAST_RATE = 2**15  # bytes per second: a sixteenth of a phone's at the edge of a Wi-Fi
CHUNK = 2**16

_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"\r\ncontent-length[ \t]*:[ \t]*(\d{1,15})[ \t]*\r\n", re.IGNORECASE)
_EXPECTS = re.compile(rb"\r\nexpect[ \t]*:[ \t]*100-continue", re.IGNORECASE)


class RequestBuffer:
    """The reading side of a connection, as a file object for cheroot."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock
        self._buffer = bytearray()
        self._searched = 0
        self._waited_s, self._received = 0.0, 0
        self.missing_bytes = 0
        self.closed = False

    def receive_available(self) -> bool:
        """Buffer what has arrived, and return True once a request can be handled.

        It can when it is complete, except for an upload's body, or already too long.
        """
        while not self._is_ready():
            got = self._socket.recv(CHUNK)
            if not got:
                raise ConnectionResetError("gone")
            self._buffer += got
        return True

    def _is_ready(self) -> bool:
        end = self._buffer.find(_END, max(0, self._searched - len(_END)))
        if end < 0:
            self._searched = len(self._buffer)
            return len(self._buffer) > MOST_HEAD_BYTES
        self._searched = end
        head = bytes(self._buffer[: end + len(_END)])
        lengths = _LENGTH.findall(head[:-2])
        missing = (int(lengths[-1]) if lengths else 0) - (len(self._buffer) - len(head))
        if missing > 0 and int(lengths[-1]) <= MOST_BUFFERED_BYTES and not _EXPECTS.search(head):
            return False
        self.missing_bytes = max(0, missing)
        self._waited_s, self._received, self._searched = 0.0, 0, 0
        return True

    def has_data(self) -> bool:
        """Tell whether the buffer has data."""
        return bool(self._buffer)

    def readline(self, size: int = MOST_HEAD_BYTES) -> bytes:
        """Return the next line with its end, or its first `size` bytes."""
        end = self._buffer.find(b"\n", 0, size)
        return self._take(size if end < 0 else end + 1)

    def read(self, size: int) -> bytes:
        """Return `size` bytes, or fewer at the end of the request."""
        taken = bytearray(self._take(size))
        while len(taken) < size and self.missing_bytes:
            got = self._receive(min(size - len(taken), self.missing_bytes, CHUNK))
            taken += got
            self.missing_bytes -= len(got) if got else self.missing_bytes
        return bytes(taken)

    def _receive(self, size: int) -> bytes:
        left_s = GRACE_S + self._received / LEAST_RATE - self._waited_s
        if left_s <= 0:
            raise TimeoutError("timed out")
        began_s = time.monotonic()
        self._socket.settimeout(min(left_s, TIMEOUT_S))
        got = self._socket.recv(size)
        self._socket.settimeout(TIMEOUT_S)
        self._waited_s += time.monotonic() - began_s
        self._received += len(got)
        return got

    def close(self) -> None:
        """Clear the buffer."""
        self._buffer.clear()
        self.closed = True

    def _take(self, size: int) -> bytes:
        taken = bytes(self._buffer[:size])
        del self._buffer[:size]
        return taken
