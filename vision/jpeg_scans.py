"""What unpacking a JPEG costs, told by its markers: nothing is unpacked for it.

A plain JPEG holds its picture once, from top to bottom, and is unpacked row by row. A progressive
one goes over the whole picture in several *scans*, each of which makes it finer. That takes six
bytes a pixel to remember, and time for every scan, which a file can have hundreds of at a few
bytes each.

References
----------
ITU-T T.81, annex B: the markers; B.1.1.5 for the bytes that stand for none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# A marker that something follows: no stuffed byte, no restart, no filling.
MARKER = re.compile(rb"\xff[^\x00\x01\xd0-\xd7\xff]")
SCAN, END = 0xDA, 0xD9
# Heads of the picture: table B.1 without tables of codes (DHT, DAC) and what is reserved.
FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
PROGRESSIVE = frozenset({0xC2, 0xC6, 0xCA, 0xCE})


@dataclass(frozen=True)
class Scans:
    """How a JPEG is to be unpacked."""

    are_few: bool  # whether there are no more of them than was asked
    is_plain: bool  # whether the first is the whole picture, so that no other need be waited for


def scans_of(content: bytes, most: int) -> Scans:
    r"""Tell whether a JPEG has at most so many scans, and of what kind they are.

    A file cut short has those that are there. The picture ends where the decoder sees its end, so
    that a film which phones append to a photo counts for nothing.

    Examples
    --------
    >>> head, scan = b"\xff\xd8\xff\xc2\0\x09\x08\0\1\0\1\3\0", b"\xff\xda\0\3\3"
    >>> scans_of(head + 5 * scan + b"\xff\xd9" + scan, most=5)
    Scans(are_few=True, is_plain=False)
    """
    number, parts, is_plain = 0, 0, True
    # These two bytes begin every scan, so where they are few, scans are. They may also stand in a
    # thumbnail, and behind the picture: then it has to be gone through, which takes longer.
    are_surely_few = content.count(bytes((0xFF, SCAN))) <= most
    for kind, body in segments(content):
        if kind in FRAMES:
            is_plain = kind not in PROGRESSIVE
            parts = content[body + 7] if body + 7 < len(content) else 0
        elif kind == SCAN:
            number += 1
            if number == 1:
                is_plain &= content[body + 2 : body + 3] == bytes((parts,))
            if are_surely_few or number > most:
                break
    return Scans(number <= most, is_plain)


def segments(content: bytes) -> Iterator[tuple[int, int]]:
    """Yield each segment's marker, and where its length stands; the picture's end is the last."""
    at = 2  # behind the start of the picture
    while found := MARKER.search(content, at):
        kind, at = content[found.start() + 1], found.end()
        yield kind, at
        if kind == END:
            return
        at += max(2, int.from_bytes(content[at : at + 2], "big"))
