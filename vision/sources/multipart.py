"""Moving JPEG over http: one picture after the other in a body that does not end.

The form is that of MIME's multipart (RFC 2046, 5.1.1) with ``Content-Type: multipart/x-mixed-
replace``, as cameras have sent it since Netscape. Many of them say how long each part is; where
they do not, it ends at the next boundary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

from .errors import SourceLostError

MOST_HEADER_BYTES = 16 * 2**10
"""Before a picture; cameras send about 100."""
MOST_SEAM = 128
"""Bytes of a boundary or the end of a header, which may come in two pieces; RFC 2046 has 72."""
HEADER_END = re.compile(rb"\r?\n\r?\n")
LENGTH = re.compile(rb"^content-length:\s*(\d{1,12})\s*$", re.IGNORECASE | re.MULTILINE)


class ByteReader(Protocol):
    """An answer's body, read as it comes in."""

    def read1(self, n: int, /) -> bytes:
        """Return some bytes as soon as there are any; none at the end."""
        ...


def boundary_of(content_type: str) -> bytes:
    """Return the line that parts the pictures, of an answer's Content-Type.

    Some cameras write the two hyphens into the name already, and some quote it.

    >>> boundary_of("multipart/x-mixed-replace; boundary=frame")
    b'--frame'
    >>> boundary_of('multipart/x-mixed-replace;boundary="--a b"; charset=x')
    b'--a b'

    Raises
    ------
    SourceLostError
        When there is none.
    """
    found = re.search(r'boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))', content_type, re.IGNORECASE)
    if not found:
        raise SourceLostError("it sends a stream without saying what parts the pictures")
    name = (found[1] or found[2]).removeprefix("--")
    return b"--" + name.encode("latin-1", "replace")


def parts(body: ByteReader, boundary: bytes, most_bytes: int) -> Iterator[bytes]:
    """Yield one part after the other, whole.

    Parameters
    ----------
    body : ByteReader
    boundary : bytes
        As `boundary_of` returns it.
    most_bytes : int
        A longer part is refused before it fills the memory.

    Raises
    ------
    SourceLostError
        When a part or what stands before it is too long.

    Notes
    -----
    A part that is cut short at the end of the body is left out.
    """
    incoming, seam = _Incoming(body), re.compile(re.escape(boundary))
    is_at_part = False
    while is_at_part or incoming.through(seam, MOST_HEADER_BYTES) is not None:
        header = incoming.through(HEADER_END, MOST_HEADER_BYTES)
        if header is None:
            return
        length = LENGTH.search(header)
        if length:
            content = incoming.exactly(int(length[1]), most_bytes)
        else:
            content = incoming.through(seam, most_bytes)
        if content is None:
            return
        yield content
        is_at_part = length is None


class _Incoming:
    """What came in and was not taken yet."""

    def __init__(self, body: ByteReader) -> None:
        self._body, self._buffer = body, bytearray()

    def through(self, end: re.Pattern[bytes], most: int) -> bytes | None:
        """Take what comes before an end, and the end; None when the body is over before."""
        looked = 0
        while not (found := end.search(self._buffer, looked)):
            if len(self._buffer) > most:
                raise SourceLostError("it sends something larger than a picture")
            looked = max(0, len(self._buffer) - MOST_SEAM)
            if not self._more():
                return None
        taken = bytes(self._buffer[: found.start()])
        after = found.end()
        # A match holds on to what it was found in, which then cannot change its size.
        del found
        del self._buffer[:after]
        return taken

    def exactly(self, size: int, most: int) -> bytes | None:
        """Take so many bytes; None when the body is over before."""
        if size > most:
            raise SourceLostError("it sends a picture of {size} MB", size=f"{size / 2**20:.0f}")
        while len(self._buffer) < size:
            if not self._more():
                return None
        taken = bytes(self._buffer[:size])
        del self._buffer[:size]
        return taken

    def _more(self) -> bool:
        chunk = self._body.read1(2**16)
        self._buffer += chunk
        return bool(chunk)
