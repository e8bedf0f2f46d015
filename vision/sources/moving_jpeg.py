"""Extracts JPEGs from a camera's endless response, and decodes them if they are intact.

Cameras send MIME multipart (RFC 2046, 5.1.1), and omit or get wrong the boundary before the first
picture, all boundaries, their name, the lengths, the types. But all of them send JPEGs. So pictures
are found by their own markers, and the rest is ignored.

References
----------
ITU-T T.81, annex B: an image is its start (SOI), segments that say how long they are, the last of
them a scan's head (SOS), then coded data, in which no other marker than its end's (EOI) or a
start's may be taken for one of these two.
"""

import re
from collections.abc import Callable, Iterator

from railspotter.calibration.pyramid import Pyramid
from railspotter.scoring.sentence import Sentence

from ..decoding import unpack
from ..errors import TornPictureError
from .source import SourceLostError

# Share of intact pictures from which torn ones are refused: some cameras never send a valid one,
# and theirs are used all the same. Chosen.
USUAL = 0.1
# Bytes from one picture to the next: headers have about 100, sound for two seconds 200,000.
MOST_BETWEEN = 2**18
# Segments before the first scan; cameras make about 10. A thumbnail is inside one of them.
MOST_SEGMENTS = 100
# First byte of moving JPEG: a picture's, a boundary's or a header's.
BEGINNING = re.compile(rb"[\xff\-\r\nCc]")
# Start of a picture, and of the segment that follows it.
START = re.compile(rb"\xff\xd8\xff")
# A picture's end, or the start of the next one where the first was cut short.
END = re.compile(rb"\xff[\xd8\xd9]")
FILLING, SCAN = 0xFF, 0xDA
# Markers that start no segment: reserved ones, restarts, starts and ends.
NO_SEGMENT = frozenset((*range(0xC0), *range(0xD0, 0xDA)))
NO_PICTURE = Sentence(
    "it sends no JPEG picture: give its address for single pictures, or for moving JPEG"
)


class IntactJpegs:
    """Decodes the pictures of one camera, and refuses torn ones.

    Their damaged parts show nothing of the table, and bursts of them were taken for hands, or for
    the board (`jpeg_damage.py`).
    """

    def __init__(self) -> None:
        self._intact = self._torn = 0

    def unpack(self, content: bytes) -> Pyramid:
        """Decode a picture, a large JPEG at half its size first.

        Raises `PictureError` when it cannot be used, `TornPictureError` when it is damaged.
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


def split_pictures(read: Callable[[int], bytes], most_bytes: int) -> Iterator[bytes]:
    """Yield the bytes of each picture in a body, truncated ones too.

    `read` returns up to so many bytes as soon as there are any; none at the body's end. Raises
    `SourceLostError` when a picture has more than `most_bytes`, or none comes.
    """
    buffer, at = _Buffer(read), 0
    while (start := buffer.find(START, at, MOST_BETWEEN, NO_PICTURE)) is not None:
        scan = buffer.scan_after(start)
        if scan is None:  # not a picture: such bytes occur in sound and other data
            at = start + 1
            continue
        too_large = Sentence("it sends something larger than a picture")
        end = buffer.find(END, scan, start + most_bytes, too_large)
        yield buffer.take(start, end)
        at = 0


class _Buffer:
    """The buffer of a body's bytes that were read and not taken yet."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read, self._buffer = read, bytearray()

    def find(self, what: re.Pattern[bytes], at: int, most: int, too_far: Sentence) -> int | None:
        """Return the offset of the first match from `at` on; None when the body ends before."""
        while True:
            found = what.search(self._buffer, at)
            if (found.start() if found else len(self._buffer)) > most:
                raise SourceLostError(too_far)
            if found:
                return found.start()
            at = max(at, len(self._buffer) - 2)  # a match may be split between reads
            if not self._read_more():
                return None

    def scan_after(self, start: int) -> int | None:
        """Return the offset of a picture's first scan; the body's end when that comes before.

        None when the header is not a JPEG's.
        """
        at = start + 2
        for _ in range(MOST_SEGMENTS):
            while len(self._buffer) < at + 4:
                if not self._read_more():
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

    def take(self, start: int, end: int | None) -> bytes:
        """Remove a picture from the buffer and return it, up to its end marker if there is one."""
        if end is None:
            end = len(self._buffer)
        elif self._buffer[end + 1] == 0xD9:
            end += 2
        picture = bytes(self._buffer[start:end])
        del self._buffer[:end]
        return picture

    def _read_more(self) -> bool:
        chunk = self._read(2**16)
        self._buffer += chunk
        return bool(chunk)
