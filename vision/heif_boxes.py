"""The boxes of a HEIC or AVIF: which colours its primary picture has, and whether its end is there.

pillow-heif tells the colours of a HEIC, Pillow none of an AVIF; so both are read here, one way.

References
----------
ISO/IEC 14496-12: 4.2 boxes, 12.1.5 `colr`. ISO/IEC 23008-12: 8.11.4 `pitm`, 9.3 `iprp`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from .hdr import Curve

# What an interrupted copy leaves of the rest of a file: sectors of zeros, which have 512 bytes or
# more. No coder of pictures writes so many.
NO_END = bytes(512)


def ends_in_zeros(content: bytes) -> bool:
    """Tell whether the end of a HEIC's, AVIF's or WebP's pictures was never written.

    Their decoders make something of zeros, and say nothing. What was lost in the middle of one
    cannot be told.
    """
    if content[:4] == b"RIFF":
        return content[: 8 + int.from_bytes(content[4:8], "little")].endswith(NO_END)
    data = next((end for kind, _, end in _boxes(content, 0, len(content)) if kind == b"mdat"), None)
    return data is not None and content[:data].endswith(NO_END)


def primary_curve(content: bytes) -> Curve | None:
    """Return how the primary picture's colours are coded, where its boxes say so."""
    whole = (0, len(content))
    meta = _first(content, b"meta", whole)
    if meta is None:
        return None
    inside = (meta[0] + 4, meta[1])  # behind a version and flags, as of every box below
    pitm, iprp = (_first(content, kind, inside) for kind in (b"pitm", b"iprp"))
    if pitm is None or iprp is None:
        return None
    wide = 4 if content[pitm[0]] else 2
    primary = content[pitm[0] + 4 : pitm[0] + 4 + wide]
    ipco, ipma = (_first(content, kind, iprp) for kind in (b"ipco", b"ipma"))
    if ipco is None or ipma is None:
        return None
    properties = list(_boxes(content, *ipco))
    for number in _properties_of(int.from_bytes(primary, "big"), content[slice(*ipma)]):
        if 0 < number <= len(properties):
            kind, begin, end = properties[number - 1]
            if kind == b"colr" and content[begin : begin + 4] == b"nclx" and end - begin >= 8:
                return Curve(*struct.unpack_from(">HH", content, begin + 4))
    return None


def _properties_of(item: int, ipma: bytes) -> Iterator[int]:
    """Yield the numbers of an item's properties, from 1 on (`ipma`)."""
    id_size, size = 4 if ipma[:1] != b"\0" else 2, 2 if ipma[3:4] and ipma[3] & 1 else 1
    at = 8
    for _ in range(int.from_bytes(ipma[4:8], "big")):
        if at + id_size >= len(ipma):
            return
        named, number = int.from_bytes(ipma[at : at + id_size], "big"), ipma[at + id_size]
        at += id_size + 1
        if named == item:
            for one in range(at, at + number * size, size):
                # The first bit says whether it is essential.
                yield int.from_bytes(ipma[one : one + size], "big") & (2 ** (8 * size - 1) - 1)
        at += number * size


def _first(content: bytes, kind: bytes, within: tuple[int, int]) -> tuple[int, int] | None:
    return next((box[1:] for box in _boxes(content, *within) if box[0] == kind), None)


def _boxes(content: bytes, at: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    """Yield each box's kind, and where what it holds begins and ends."""
    while at + 8 <= end:
        size, kind, begin = (
            int.from_bytes(content[at : at + 4], "big"),
            content[at + 4 : at + 8],
            at + 8,
        )
        if size == 1:
            size, begin = int.from_bytes(content[begin : begin + 8], "big"), begin + 8
        after = end if size == 0 else min(at + size, end)
        if after < begin:
            return
        yield kind, begin, after
        at = after
