"""JPEGs as cameras send them: cut out of a body that does not end, and decoded if they are intact.

Cameras send it as MIME's multipart (RFC 2046, 5.1.1), and leave out or get wrong whatever they can:
the boundary before the first picture, all boundaries, their name, the lengths, the types. What all
of them send is JPEGs. So a picture is told by its own markers, and nothing else is believed.

References
----------
ITU-T T.81, annex B: an image is its start (SOI), segments that say how long they are, the last of
them a scan's head (SOS), then coded data, in which no other marker than its end's (EOI) or a
start's may be taken for one of these two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

from railspotter.calibration.pyramid import Pyramid
from railspotter.scoring.sentence import Sentence

from ..decoding import unpack
from ..errors import TornPictureError
from .source import SourceLostError

# The least share of intact pictures of a camera that sends such: some never send one that is quite
# in order, and are looked at all the same. Chosen.
USUAL = 0.1
# Bytes from one picture to the next: headers have about 100, sound for two seconds 200,000.
MOST_BETWEEN = 2**18
# Before the first scan; cameras make about 10. A thumbnail is inside one of them.
MOST_SEGMENTS = 100
# Moving JPEG begins with a picture, with a boundary, or with a part's header.
BEGINNING = re.compile(rb"[\xff\-\r\nCc]")
# Something always follows the start of a picture, and begins like this.
START = re.compile(rb"\xff\xd8\xff")
# A picture's end, or the start of the next one where the first was cut short.
END = re.compile(rb"\xff[\xd8\xd9]")
FILLING, SCAN = 0xFF, 0xDA
# What no segment is marked with: what is reserved, restarts, starts and ends.
NO_SEGMENT = frozenset((*range(0xC0), *range(0xD0, 0xDA)))
NO_PICTURE = Sentence(
    "it sends no JPEG picture: give its address for single pictures, or for moving JPEG"
)


class IntactJpegs:
    """Unpacks what one camera sends, for as long as anybody watches by it.

    What came torn is refused: a part of it shows nothing that lies on the table, and a burst of
    such pictures was taken for hands, or for the board (`jpeg_damage.py`).
    """

    def __init__(self) -> None:
        self._intact = self._torn = 0

    def unpack(self, content: bytes) -> Pyramid:
        """Unpack a picture; a large JPEG is decoded at half its size for now.

        Raises `PictureError` when it cannot be used, `TornPictureError` when it came damaged.
        """
        try:
            picture = unpack(content)
        except TornPictureError:
            self._torn += 1
            if self._intact >= USUAL * (self._intact + self._torn):
                raise
            return unpack(content, may_be_torn=True)
        self._intact += 1
        return picture


class ByteReader(Protocol):
    """An answer's body, read as it comes in."""

    def read1(self, n: int, /) -> bytes:
        """Return some bytes as soon as there are any; none at the end."""
        ...


def pictures(body: ByteReader, most_bytes: int) -> Iterator[bytes]:
    """Yield one picture after the other; what was cut short too, which no decoder takes for whole.

    Raises `SourceLostError` when a picture has more than `most_bytes`, before it fills the memory,
    or none comes.
    """
    incoming, at = _Incoming(body), 0
    while (start := incoming.find(START, at, MOST_BETWEEN, NO_PICTURE)) is not None:
        scan = incoming.scan_after(start)
        if scan is None:  # sound and other data may have such bytes
            at = start + 1
            continue
        too_large = Sentence("it sends something larger than a picture")
        end = incoming.find(END, scan, start + most_bytes, too_large)
        yield incoming.taken(start, end)
        at = 0


class _Incoming:
    """What came in and was not taken yet."""

    def __init__(self, body: ByteReader) -> None:
        self._body, self._buffer = body, bytearray()

    def find(self, what: re.Pattern[bytes], at: int, most: int, too_far: Sentence) -> int | None:
        """Return where something first stands from there on; None when the body is over before."""
        while True:
            found = what.search(self._buffer, at)
            if (found.start() if found else len(self._buffer)) > most:
                raise SourceLostError(too_far)
            if found:
                return found.start()
            at = max(at, len(self._buffer) - 2)  # it may come in two pieces
            if not self._more():
                return None

    def scan_after(self, start: int) -> int | None:
        """Return where a picture's first scan begins, the body's end when that comes before.

        None when its head is not a JPEG's.
        """
        at = start + 2
        for _ in range(MOST_SEGMENTS):
            while len(self._buffer) < at + 4:
                if not self._more():
                    return len(self._buffer)
            mark, kind = self._buffer[at], self._buffer[at + 1]
            if mark != FILLING or kind in NO_SEGMENT:
                return None
            if kind == FILLING:
                at += 1
                continue
            at += 2 + int.from_bytes(self._buffer[at + 2 : at + 4], "big")
            if kind == SCAN:
                return at
        return None

    def taken(self, start: int, end: int | None) -> bytes:
        """Take a picture, up to the marker at its end; all that is there when there is none."""
        if end is None:
            end = len(self._buffer)
        elif self._buffer[end + 1] == 0xD9:
            end += 2
        picture = bytes(self._buffer[start:end])
        del self._buffer[:end]
        return picture

    def _more(self) -> bool:
        chunk = self._body.read1(2**16)
        self._buffer += chunk
        return bool(chunk)
