"""Reads and writes profiles as files: NumPy archives without pickled objects.

The reference picture is the user's own photo; it never leaves their machine. The head is JSON and
can be read without the pictures. Files of older versions are read too, with defaults for missing
fields.
"""

import io
import math
import struct
import zipfile
from collections.abc import Iterable
from dataclasses import fields
from itertools import chain
from typing import Any

import cv2
import msgspec
import numpy as np
import numpy.typing as npt
from railspotter.scoring.sentence import Sentence, raised_as

from ..arrays import Picture
from ..errors import ProfileError
from .features import Features
from .profile import MOST_MM, Profile, ProfileHead

# Version 1 had no lenses. Version 2 had no quality, nudges, scale, learned colours, unseen spaces
# or camera mode.
VERSION = 3
# Limit of all arrays that are read together. A profile has a reference picture of some 20 MB and as
# much of features at most.
MOST_BYTES = 64 * 2**20
MOST_FILE_BYTES = MOST_BYTES + 2**20  # limit of a file
MOST_PX = 20_000  # limit of a reference's sides
# Limit of a reference's pixels: a board of 3 by 2.5 metres at 2 px/mm.
MOST_PIXELS = 30_000_000
# Compression of NumPy's archives. zipfile decompresses others without a limit.
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
HEAD_BYTES = 2**12  # limit of an array's header
# A PNG's signature, and its first chunk's length, name, width and height (PNG, 5.2 and 11.2.2).
PNG_HEAD = struct.Struct(">8s4x4sII")
NO_PROFILE = Sentence("the profile is damaged or is not a profile")
DAMAGED_PICTURE = Sentence("the profile's reference picture is damaged")
NOT_AS_WRITTEN = Sentence(
    "{path} is damaged: {error}",
    path="the profile's description",
    error=Sentence("it is not as the program wrote it"),
)


class _Version(msgspec.Struct):
    version: int


def to_bytes(profile: Profile) -> bytes:
    """Return the content of a profile's file."""
    head = {one.name: getattr(profile, one.name) for one in fields(ProfileHead)}
    text = msgspec.json.encode({"version": VERSION, **head}, order="deterministic")
    _, png = cv2.imencode(".png", profile.reference)
    file = io.BytesIO()
    np.savez(
        file,
        allow_pickle=False,
        head=np.frombuffer(text, dtype=np.uint8),
        reference_png=png.reshape(-1),
        points_mm=profile.features.points.astype(np.float32),
        descriptors=profile.features.descriptors,
    )
    return file.getvalue()


def parse_head(content: bytes) -> ProfileHead:
    """Parse the head of a profile's file.

    Raises
    ------
    ProfileError
        When the file is damaged or of a version that this program does not know.
    """
    return _parse_head(_arrays(content, ["head"])["head"])


def from_bytes(content: bytes) -> Profile:
    """Parse a profile from the content of its file.

    Raises
    ------
    ProfileError
        When the file is damaged or of a version that this program does not know.
    """
    arrays = _arrays(content, ["head", "reference_png", "points_mm", "descriptors"])
    head = _parse_head(arrays["head"])
    reference = _parse_reference(arrays["reference_png"], head)
    points, descriptors = arrays["points_mm"], arrays["descriptors"]
    if (
        points.dtype != np.float32
        or descriptors.dtype != np.uint8
        or points.shape[1:] != (2,)
        or descriptors.shape != (len(points), 128)
        or not np.isfinite(points).all()
    ):
        raise ProfileError("the profile's features are damaged")
    features = Features(points.astype(np.float64), descriptors)
    return Profile(**vars(head), reference=reference, features=features)


def _arrays(content: bytes, names: list[str]) -> dict[str, npt.NDArray[Any]]:
    # Damaged files make zipfile and NumPy raise anything.
    with raised_as(ProfileError, Exception, NO_PROFILE):
        return _unpacked(content, names)


def _parse_head(text: npt.NDArray[np.uint8]) -> ProfileHead:
    with raised_as(ProfileError, (msgspec.DecodeError, UnicodeDecodeError), NOT_AS_WRITTEN):
        version = msgspec.json.decode(text.tobytes(), type=_Version).version
        head = msgspec.json.decode(text.tobytes(), type=ProfileHead)
    if not 1 <= version <= VERSION:
        raise ProfileError(
            f"the profile is of version {version}, this program reads versions 1 to {VERSION}"
        )
    sides_px = [side * head.px_per_mm for side in head.size_mm]
    is_possible = head.px_per_mm > 0 and all(0 < side < MOST_PX for side in sides_px)
    if not is_possible or math.prod(sides_px) > MOST_PIXELS:
        raise ProfileError(
            "{path} is damaged: {error}",
            path="the profile's description",
            error="its size is impossible",
        )
    if not _are_possible(head):
        raise ProfileError(NOT_AS_WRITTEN)
    return head


def _are_possible(head: ProfileHead) -> bool:
    """Tell whether nudges are near, and as many trains counted as seen, which no type says."""
    are_near = all(math.hypot(*by_mm) <= MOST_MM for by_mm in head.nudges_mm.values())
    lights = chain.from_iterable(head.colours.values())
    return are_near and all(light.count >= len(light.observations) for light in lights)


def _parse_reference(png: npt.NDArray[np.uint8], head: ProfileHead) -> Picture:
    width, height = (round(side * head.px_per_mm) for side in head.size_mm)
    with raised_as(ProfileError, (cv2.error, struct.error), DAMAGED_PICTURE):
        # Checked before decoding: a megabyte of PNG may decode to a thousand.
        if PNG_HEAD.unpack_from(png.tobytes()) != (b"\x89PNG\r\n\x1a\n", b"IHDR", width, height):
            raise ProfileError(DAMAGED_PICTURE)
        picture = np.asarray(cv2.imdecode(png, cv2.IMREAD_COLOR))
    if picture.shape[:2] != (height, width):
        raise ProfileError(DAMAGED_PICTURE)
    return np.asarray(picture, np.uint8)


def _unpacked(content: bytes, names: Iterable[str]) -> dict[str, npt.NDArray[Any]]:
    """Return arrays of an archive by their names, after checking their sizes.

    A file of a megabyte can declare gigabytes, compressed or missing, for which memory would be
    allocated first.
    """
    wanted = {name: f"{name}.npy" for name in names}
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        infos = {name: archive.getinfo(file) for name, file in wanted.items()}
        unpacked = sum(info.file_size for info in infos.values())
        if unpacked > MOST_BYTES:
            raise ValueError(f"{unpacked} bytes are more than {MOST_BYTES}")
        return {name: _parse_array(_content(archive, info)) for name, info in infos.items()}


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Decompress a file, up to its size in the archive's list of files."""
    if info.compress_type not in METHODS:
        raise ValueError("NumPy compresses in another way")
    with archive.open(info) as file:
        # Without a size, zipfile would decompress everything before cutting it off.
        return file.read(info.file_size)


def _parse_array(content: bytes) -> npt.NDArray[Any]:
    """Return the array in a `.npy` file's content."""
    file = io.BytesIO(content)
    version = np.lib.format.read_magic(file)
    read_head = np.lib.format.read_array_header_1_0
    if version != (1, 0):
        read_head = np.lib.format.read_array_header_2_0
    shape, is_fortran, dtype = read_head(file, max_header_size=HEAD_BYTES)
    array = np.frombuffer(content, dtype, offset=file.tell())
    return array.reshape(shape, order="F" if is_fortran else "C").copy()
