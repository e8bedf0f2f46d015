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

from math import ceil

import numpy as np
from railspotter.calibration.arrays import Picture

from .jpeg_scans import END, SCAN, segments

try:
    import simplejpeg
except ImportError:  # where there is none (pyproject.toml): see `is_whole`
    simplejpeg = None

START_BYTES, END_BYTES = b"\xff\xd8", b"\xff\xd9"
# Segments that programs write for themselves (APPn, COM): no part of the picture.
OF_PROGRAMS = frozenset({*range(0xE0, 0xF0), 0xFE})
# Zeros before the picture's end: encoders fill up to a whole word, of 16 bytes at most. Where more
# stand there, a part of the picture was lost.
MOST_FILLING = 15


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


def is_whole(content: bytes) -> bool:
    """Tell whether nothing of a JPEG's picture was lost or changed, as far as its data show.

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
