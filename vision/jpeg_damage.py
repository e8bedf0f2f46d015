"""Whether a JPEG is whole: its decoder fills what was lost or changed with grey or with noise.

What libjpeg only warns of is what tells: a code that is none, data that end before the picture
does, or go on behind it. It warns as well where nothing of the picture is missing: of a revision of
JFIF or a colour transform that it does not know, of bytes that stand between two segments, of
filling before the end, of an end that is missing. So a picture is whole if it is unpacked without a
warning once all that is left out.

References
----------
libjpeg-turbo, jerror.h: the warnings (JWRN_...). ITU-T T.81, B.1.1.2: filling before a marker.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

import numpy as np
from railspotter.calibration.arrays import Picture

# A marker that something follows: no stuffed byte, no restart, no filling.
MARKER = re.compile(rb"\xff[^\x00\x01\xd0-\xd7\xff]")
SCAN, END = 0xDA, 0xD9
# Heads of the picture: table B.1 without tables of codes (DHT, DAC) and what is reserved.
FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
PROGRESSIVE = frozenset({0xC2, 0xC6, 0xCA, 0xCE})
START_BYTES, END_BYTES = b"\xff\xd8", b"\xff\xd9"
# Segments that programs write for themselves (APPn, COM): no part of the picture.
OF_PROGRAMS = frozenset({*range(0xE0, 0xF0), 0xFE})
# Zeros before the picture's end: encoders fill up to a whole word, of 16 bytes at most. Where more
# stand there, a part of the picture was lost.
MOST_FILLING = 15


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


try:
    import simplejpeg
except ImportError:  # where there is none (pyproject.toml): see `is_undamaged`
    simplejpeg = None


def whole_pixels(content: bytes, size_wh: tuple[int, int], by: int) -> Picture | None:
    """Return a colour JPEG's pixels, so many times fewer, as they are stored.

    They are those that OpenCV makes of it, for the same time. None where the decoder has anything
    to warn of, or there is none here that tells.
    """
    if simplejpeg is None:
        return None
    width, height = (ceil(side / by) for side in size_wh)
    least = {"min_width": width, "min_height": height} if by > 1 else {}
    try:
        return np.asarray(simplejpeg.decode_jpeg(content, "BGR", **least), np.uint8)
    except ValueError:
        return None


def is_undamaged(content: bytes) -> bool:
    """Return whether a JPEG is undamaged: nothing lost or changed, as far as its data show.

    Of pictures that lack 1,400 bytes, or have others there, 96 in 100 are told; one changed bit
    often makes another picture in order. What the strict decoder does not know (arithmetic codes,
    odd sizes of colours), and everything where there is none, is whole if its end is there: an
    interrupted copy has none.
    """
    head, coded, has_end = _parts(content)
    unfilled = coded.rstrip(b"\0")
    try:
        if simplejpeg is None:
            return has_end
        _, _, colours, _ = simplejpeg.decode_jpeg_header(head + coded)
    except ValueError:
        return has_end
    to = colours if colours in ("CMYK", "YCCK") else "GRAY"
    return _is_unpacked(head + coded + END_BYTES, to) or (
        0 < len(coded) - len(unfilled) <= MOST_FILLING
        and _is_unpacked(head + unfilled + END_BYTES, to)
    )


def _parts(content: bytes) -> tuple[bytes, bytes, bool]:
    """Return what is told before a JPEG's first scan, its scans, and whether they have an end."""
    head, begin, end, has_end = [START_BYTES], len(content), len(content), False
    for kind, body in segments(content):
        if kind == END:
            end, has_end = body - 2, True
        elif kind == SCAN:
            begin = min(begin, body - 2)
        elif body < begin and kind not in OF_PROGRAMS:
            length = int.from_bytes(content[body : body + 2], "big")
            head.append(content[body - 2 : body + length])
    return b"".join(head), content[begin:end], has_end


def _is_unpacked(content: bytes, colours: str) -> bool:
    try:
        simplejpeg.decode_jpeg(content, colours, min_factor=8)
    except ValueError:
        return False
    return True
