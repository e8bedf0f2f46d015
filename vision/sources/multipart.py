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
LENGTH = re.compile(rb"^content-length:\s*(\d{1,12})\s*$", re.IGNORECASE | re.MULTILINE)


class Body(Protocol):
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


def parts(body: Body, boundary: bytes, most_bytes: int) -> Iterator[bytes]:
    """Yield one part after the other, whole.

    Parameters
    ----------
    body : Body
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
    buffer = bytearray()

    def find(what: bytes, most: int) -> int:
        """Return where it is, reading on until it is there; -1 at the end of the body."""
        looked = 0
        while (at := buffer.find(what, looked)) < 0:
            if len(buffer) > most:
                raise SourceLostError("it sends something larger than a picture")
            looked = max(0, len(buffer) - len(what) + 1)
            if not _more(body, buffer):
                return -1
        return at

    while True:
        start = find(boundary, MOST_HEADER_BYTES)
        if start < 0:
            return
        del buffer[: start + len(boundary)]
        if buffer.startswith(b"--"):
            return
        blank = re.compile(rb"\r?\n\r?\n")
        while not (end := blank.search(buffer)):
            if len(buffer) > MOST_HEADER_BYTES:
                raise SourceLostError("it sends something larger than a picture")
            if not _more(body, buffer):
                return
        header = bytes(buffer[: end.start()]).replace(b"\r", b"")
        del buffer[: end.end()]
        length = LENGTH.search(header)
        if length:
            size = int(length[1])
            if size > most_bytes:
                raise SourceLostError(f"it sends a picture of {size / 2**20:.0f} MB")
            while len(buffer) < size:
                if not _more(body, buffer):
                    return
        else:
            size = find(boundary, most_bytes)
            if size < 0:
                return
        yield bytes(buffer[:size])
        del buffer[:size]


def _more(body: Body, buffer: bytearray) -> bool:
    chunk = body.read1(2**16)
    buffer += chunk
    return bool(chunk)
