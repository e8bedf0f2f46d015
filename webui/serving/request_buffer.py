"""What a phone has sent and nobody has read yet; a request has a size before anybody reads it.

A request's head, and a body as small as nearly all are, are gathered as they come, by nobody who
waits. Only an upload is read from the line by whoever takes it, and not slower than `PACE`.
"""

from __future__ import annotations

import re
import socket
import time

MOST_HEAD_BYTES = 2**14  # the request line and all header lines
# The longest body that is gathered; a longer one is an upload. Only uploads take more.
MOST_GATHERED_BYTES = 2**16
TIMEOUT_S = 10.0  # who neither sends nor takes anything for so long is dropped
GRACE_S = 5.0  # so long an upload may falter in all; beyond that it comes at `PACE` or is cut
PACE = 2**15  # bytes a second: a sixteenth of what a phone at the edge of a Wi-Fi sends
CHUNK = 2**16

_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"\r\ncontent-length[ \t]*:[ \t]*(\d{1,15})[ \t]*\r\n", re.IGNORECASE)
_ASKS_FIRST = re.compile(rb"\r\nexpect[ \t]*:[ \t]*100-continue", re.IGNORECASE)


class RequestBuffer:
    """The reading side of a connection, as cheroot's requests read it."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock
        self._held = bytearray()
        self._searched = 0
        self._waited_s, self._received = 0.0, 0
        self.missing_bytes = 0
        self.closed = False

    def receive_available(self) -> bool:
        """Take what has come; tell whether a request can be answered.

        It can when it is whole, but for an upload's body, or already too long.
        """
        while not self._is_ready():
            got = self._socket.recv(CHUNK)
            if not got:
                raise ConnectionResetError("gone")
            self._held += got
        return True

    def _is_ready(self) -> bool:
        end = self._held.find(_END, max(0, self._searched - len(_END)))
        if end < 0:
            self._searched = len(self._held)
            return len(self._held) > MOST_HEAD_BYTES
        self._searched = end
        head = bytes(self._held[: end + len(_END)])
        lengths = _LENGTH.findall(head[:-2])
        missing = (int(lengths[-1]) if lengths else 0) - (len(self._held) - len(head))
        if missing > 0 and int(lengths[-1]) <= MOST_GATHERED_BYTES and not _ASKS_FIRST.search(head):
            return False
        self.missing_bytes = max(0, missing)
        self._waited_s, self._received, self._searched = 0.0, 0, 0
        return True

    def has_data(self) -> bool:
        """Tell whether something was sent that nobody has read."""
        return bool(self._held)

    def readline(self, size: int = MOST_HEAD_BYTES) -> bytes:
        """Return the next line with its end, or so much of it."""
        end = self._held.find(b"\n", 0, size)
        return self._take(size if end < 0 else end + 1)

    def read(self, size: int) -> bytes:
        """Return so many bytes, or fewer where no more belong to the request."""
        taken = bytearray(self._take(size))
        while len(taken) < size and self.missing_bytes:
            got = self._receive(min(size - len(taken), self.missing_bytes, CHUNK))
            taken += got
            self.missing_bytes -= len(got) if got else self.missing_bytes
        return bytes(taken)

    def _receive(self, size: int) -> bytes:
        left_s = GRACE_S + self._received / PACE - self._waited_s
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
        """Forget what is held."""
        self._held.clear()
        self.closed = True

    def _take(self, size: int) -> bytes:
        taken = bytes(self._held[:size])
        del self._held[:size]
        return taken
