"""Reads HEIC (iPhones) and AVIF pictures, both in HEIF containers.

Only the primary picture of a file is decoded, not bursts, thumbnails or depth maps. Its rotation
is in boxes (`irot`, `imir`), which the decoders obey; an EXIF orientation repeats it and is
ignored.

Their decoders are large and young. So only the process that reads photos and the commands, whose
files are the user's own, decode such pictures; live sources take none.

References
----------
ISO/IEC 23008-12: 6.4.3 the primary item, 6.5.10 `irot`; Annex A.2.1, EXIF is for information.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import cv2
import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.scoring.sentence import Sentence, raised_as

from .binary_packages import working_package
from .errors import PictureError
from .hdr import Curve, sdr

# An interrupted copy leaves sectors of 512 zeros or more at the end of a file. No encoder writes so
# many.
NO_END = bytes(512)
HEIC_BRANDS = frozenset(
    (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs", b"mif1", b"msf1")
)
AVIF_BRANDS = frozenset((b"avif", b"avis"))
MOST_BRANDS = 32  # brands read from a file's first box; usual programs name five
NO_AVIF = Sentence("AVIF pictures cannot be read on this computer: send it as a JPEG")
DAMAGED = Sentence("the picture is damaged or cut short; send it again")
# Exceptions of pillow-heif for a bad file.
FAULTS = (OSError, ValueError, SyntaxError, RuntimeError, EOFError, IndexError)


def ends_in_zeros(content: bytes) -> bool:
    """Tell whether the end of a HEIC, AVIF or WebP is missing: zeros, which decoders accept.

    Data lost in the middle are not found.
    """
    if content[:4] == b"RIFF":
        return content[: 8 + int.from_bytes(content[4:8], "little")].endswith(NO_END)
    data = _first_box(content, b"mdat", (0, len(content)))
    return data is not None and content[: data[1]].endswith(NO_END)


def primary_curve(content: bytes) -> Curve | None:
    """Return the primary picture's colour coding from its `colr` box; None if it has none."""
    whole = (0, len(content))
    meta = _first_box(content, b"meta", whole)
    if meta is None:
        return None
    inside = (meta[0] + 4, meta[1])  # behind version and flags, as in every box below
    pitm, iprp = (_first_box(content, kind, inside) for kind in (b"pitm", b"iprp"))
    if pitm is None or iprp is None:
        return None
    id_size = 4 if content[pitm[0]] else 2
    primary = content[pitm[0] + 4 : pitm[0] + 4 + id_size]
    ipco, ipma = (_first_box(content, kind, iprp) for kind in (b"ipco", b"ipma"))
    if ipco is None or ipma is None:
        return None
    properties = list(_media_boxes(content, *ipco))
    for number in _property_indices(int.from_bytes(primary, "big"), content[slice(*ipma)]):
        if 0 < number <= len(properties):
            kind, begin, end = properties[number - 1]
            if kind == b"colr" and content[begin : begin + 4] == b"nclx" and end - begin >= 8:
                return Curve(*struct.unpack_from(">HH", content, begin + 4))
    return None


def _property_indices(item: int, ipma: bytes) -> Iterator[int]:
    """Yield the indices of an item's properties, from 1 on, from an `ipma` box."""
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


def _first_box(content: bytes, kind: bytes, within: tuple[int, int]) -> tuple[int, int] | None:
    return next((box[1:] for box in _media_boxes(content, *within) if box[0] == kind), None)


def _media_boxes(content: bytes, at: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    """Yield each box of an ISO media file: its kind, start and end of its content."""
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


def heif_kind(content: bytes) -> Literal["HEIC", "AVIF"] | None:
    r"""Return the format by the brands in a file's first box; None for another format.

    >>> heif_kind(b"\0\0\0\x18ftypmif1\0\0\0\0mif1avif")
    'AVIF'
    >>> heif_kind(b"\0\0\0\x14ftypqt  \0\0\0\0qt  ")
    """
    if content[4:8] != b"ftyp":
        return None
    end = min(int.from_bytes(content[:4], "big"), 8 + 4 * MOST_BRANDS)
    # Behind the major brand comes a version.
    brands = {content[8:12], *(content[at : at + 4] for at in range(16, end, 4))}
    if brands & AVIF_BRANDS:
        return "AVIF"
    return "HEIC" if brands & HEIC_BRANDS else None


@dataclass(frozen=True, eq=False)
class Heic:
    """A HEIC's primary picture, not decoded yet."""

    size_wh: tuple[int, int]  # upright; the decoder refuses a picture that is larger than this
    # Whether channels have more than 8 bits, which doubles the memory for decoding.
    is_deep: bool
    _image: Any
    _curve: Curve | None = None

    @classmethod
    def of(cls, content: bytes) -> "Heic":
        """Parse a file's header; raise `PictureError` if it is damaged."""
        library = working_package("pillow_heif", PictureError)  # large
        curve = primary_curve(content)
        is_hdr = curve is not None and curve.is_hdr
        with raised_as(PictureError, FAULTS, DAMAGED):
            file = library.open_heif(content, convert_hdr_to_8bit=not is_hdr, bgr_mode=True)
            image = file[file.primary_index]
            width, height = image.size
            is_deep = image.info["bit_depth"] > 8
            return cls((width, height), is_deep, image, curve if is_hdr else None)

    def unpacked(self, by: int = 1) -> Picture:
        """Decode the picture, `by` times smaller."""
        with raised_as(PictureError, FAULTS, DAMAGED):
            picture = np.asarray(self._image)
        height, width = picture.shape[:2]
        if by > 1:
            size_wh = (width // by, height // by)
            picture = np.asarray(cv2.resize(picture, size_wh, interpolation=cv2.INTER_AREA))
        if picture.ndim == 2 or picture.shape[2] < 3:
            grey = np.ascontiguousarray(picture.reshape(*picture.shape[:2], -1)[..., 0])
            picture = np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR))
        if self._curve is not None:
            return sdr(picture[..., :3], self._curve, self._image.info["bit_depth"])
        # A copy: the decoder owns its memory.
        return np.array(picture[..., :3], np.uint8)
