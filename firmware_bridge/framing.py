"""Framing: splits a byte stream into messages and detects damage.

A frame is a body and its CRC-32, byte-stuffed so that no zero is in it (COBS), between two zeros.
A zero is always the end of a frame, whatever noise came before: the frame after the noise is read
again, at the latest the one after that.

References
----------
.. [1] S. Cheshire, M. Baker, "Consistent Overhead Byte Stuffing", IEEE/ACM Transactions on
   Networking 7(2), 1999.
.. [2] CRC-32 as in IEEE 802.3 and zlib, sent lowest byte first.
"""

import zlib
from collections.abc import Iterator

from .errors import MessageError

# Bytes of a body: longer than any message, and a bound on memory under noise.
MOST_BODY = 4096
CRC_BYTES = 4
_LONGEST_RUN = 254
_MOST_STUFFED = MOST_BODY + CRC_BYTES + (MOST_BODY + CRC_BYTES) // _LONGEST_RUN + 1


def frame(body: bytes) -> bytes:
    r"""Encode a body as a frame.

    >>> frame(b"\x04\x00").hex(" ")
    '00 02 04 05 fb d7 b5 25 00'
    """
    if len(body) > MOST_BODY:
        raise MessageError(f"a body of {len(body)} bytes: {MOST_BODY} are the most")
    crc = zlib.crc32(body).to_bytes(CRC_BYTES, "little")
    return b"\0" + _stuffed(body + crc) + b"\0"


class FrameReader:
    r"""Decodes the frames in a byte stream, and skips damaged ones.

    >>> reader = FrameReader()
    >>> list(reader.feed(b"noise" + frame(b"one")[:5]))
    []
    >>> list(reader.feed(frame(b"one")[5:] + b"\x7fnoise" + frame(b"two")))
    [b'one', b'two']
    """

    def __init__(self) -> None:
        self._stuffed = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Add received bytes, and yield the bodies of the frames completed by them."""
        *ended, rest = data.split(b"\0")
        for part in ended:
            self._take(part)
            body = _body(bytes(self._stuffed))
            self._stuffed.clear()
            if body is not None:
                yield body
        self._take(rest)

    def _take(self, part: bytes) -> None:
        # One byte more than the maximum is kept, so that an oversized frame is still detected.
        self._stuffed += part[: _MOST_STUFFED + 1 - len(self._stuffed)]


def _body(stuffed: bytes) -> bytes | None:
    """Decode the bytes between two zeros; None if damaged."""
    if not CRC_BYTES < len(stuffed) <= _MOST_STUFFED:
        return None
    whole = _unstuffed(stuffed)
    if whole is None or len(whole) <= CRC_BYTES:
        return None
    body, crc = whole[:-CRC_BYTES], whole[-CRC_BYTES:]
    return body if zlib.crc32(body).to_bytes(CRC_BYTES, "little") == crc else None


def _stuffed(data: bytes) -> bytes:
    """COBS-encode: each run of non-zero bytes, preceded by its length + 1.

    A run of 254 stands for itself; any shorter one for a zero after it, except at the end.
    """
    out = bytearray()
    for part in data.split(b"\0"):
        while len(part) >= _LONGEST_RUN:
            out.append(_LONGEST_RUN + 1)
            out += part[:_LONGEST_RUN]
            part = part[_LONGEST_RUN:]
        out.append(len(part) + 1)
        out += part
    return bytes(out)


def _unstuffed(stuffed: bytes) -> bytes | None:
    """COBS-decode; None if a run goes beyond the end."""
    out = bytearray()
    at = 0
    while at < len(stuffed):
        code = stuffed[at]
        if at + code > len(stuffed):
            return None
        out += stuffed[at + 1 : at + code]
        at += code
        if code <= _LONGEST_RUN and at < len(stuffed):
            out.append(0)
    return bytes(out)
