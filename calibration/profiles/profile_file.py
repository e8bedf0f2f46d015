"""A profile as a file: a NumPy archive without pickled objects, to be copied, mailed and checked.

The reference picture is the user's own photo; it never leaves their machine. The file's head is
JSON and readable without its pictures. Files of every older version are read; what they do not
tell is left at its default.
"""

from __future__ import annotations

import io
import math
import struct
from collections.abc import Iterator
from typing import Any

import cv2
import msgspec
import numpy as np
import numpy.typing as npt
from railspotter.scoring.sentence import Sentence

from ..arrays import Picture
from ..errors import ProfileError
from ..lenses.lens import Lens
from .archive import MOST_BYTES, read_arrays
from .copy_size import SCALES
from .features import Features
from .nudges import MOST_MM
from .profile import CameraMode, LearnedColour, Offset, Profile
from .quality import Quality

# Version 1 had no lenses. Version 2 had no quality, nudges, scale, learned colours, unseen spaces
# or camera mode.
VERSION = 3
# All arrays as large as they may be, and what stands around them.
MOST_FILE_BYTES = MOST_BYTES + 2**20
MOST_PX = 20_000  # more than any reference has on a side
# Of a reference: it has two a millimetre each way, and so many on a board of 3 by 2.5 metres.
MOST_PIXELS = 30_000_000
# A PNG's signature, and its first chunk's length, name, width and height (PNG, 5.2 and 11.2.2).
PNG_HEAD = struct.Struct(">8s4x4sII")


class ProfileHead(msgspec.Struct, frozen=True):
    """What a profile says of itself, readable without unpacking its pictures."""

    version: int
    name: str
    board: str
    size_mm: tuple[float, float]
    made_at: str
    px_per_mm: float
    print_offsets_mm: dict[str, Offset]
    lenses: dict[str, Lens] = {}
    quality: Quality | None = None
    nudges_mm: dict[str, Offset] = {}
    scale: float | None = None
    colours: dict[str, tuple[LearnedColour, ...]] = {}
    unseen: frozenset[str] = frozenset()
    made_with: CameraMode | None = None


def to_bytes(profile: Profile) -> bytes:
    """Write a profile as the content of its file."""
    head = ProfileHead(
        version=VERSION,
        name=profile.name,
        board=profile.board,
        size_mm=profile.size_mm,
        made_at=profile.made_at,
        px_per_mm=profile.px_per_mm,
        print_offsets_mm=dict(profile.print_offsets_mm),
        lenses=dict(profile.lenses),
        quality=profile.quality,
        nudges_mm=dict(profile.nudges_mm),
        scale=profile.scale,
        colours=dict(profile.colours),
        unseen=frozenset(profile.unseen),
        made_with=profile.made_with,
    )
    _, png = cv2.imencode(".png", profile.reference)
    file = io.BytesIO()
    np.savez(
        file,
        allow_pickle=False,
        head=np.frombuffer(msgspec.json.encode(head, order="deterministic"), dtype=np.uint8),
        reference_png=png.reshape(-1),
        points_mm=profile.features.points.astype(np.float32),
        descriptors=profile.features.descriptors,
    )
    return file.getvalue()


def parse_head(content: bytes) -> ProfileHead:
    """Read what a profile says of itself.

    Raises
    ------
    ProfileError
        When the file is damaged or of a version that this program does not know.
    """
    return _parse_head(_arrays(content, ["head"])["head"])


def from_bytes(content: bytes) -> Profile:
    """Read a profile from the content of its file.

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
    return Profile(
        name=head.name,
        board=head.board,
        size_mm=head.size_mm,
        made_at=head.made_at,
        reference=reference,
        px_per_mm=head.px_per_mm,
        features=Features(points.astype(np.float64), descriptors),
        print_offsets_mm=head.print_offsets_mm,
        lenses=head.lenses,
        quality=head.quality,
        nudges_mm=head.nudges_mm,
        scale=head.scale,
        colours=head.colours,
        unseen=head.unseen,
        made_with=head.made_with,
    )


def _arrays(content: bytes, names: list[str]) -> dict[str, npt.NDArray[Any]]:
    try:
        return read_arrays(content, names)
    except Exception as error:  # whatever zip, NumPy and the damage make of it
        raise ProfileError("the profile is damaged or is not a profile") from error


def _parse_head(text: npt.NDArray[np.uint8]) -> ProfileHead:
    try:
        head = msgspec.json.decode(text.tobytes(), type=ProfileHead)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ProfileError(
            "{path} is damaged: {error}",
            path="the profile's description",
            error=Sentence("it is not as the program wrote it"),
        ) from error
    if not 1 <= head.version <= VERSION:
        raise ProfileError(
            f"the profile is of version {head.version}, this program reads versions 1 to {VERSION}"
        )
    sides_px = [side * head.px_per_mm for side in head.size_mm]
    is_possible = head.px_per_mm > 0 and all(0 < side < MOST_PX for side in sides_px)
    if not is_possible or math.prod(sides_px) > MOST_PIXELS:
        raise ProfileError(
            "{path} is damaged: {error}",
            path="the profile's description",
            error="its size is impossible",
        )
    for trouble in _impossible(head):
        raise ProfileError(f"the profile's {trouble} is impossible")
    return head


def _impossible(head: ProfileHead) -> Iterator[str]:
    """Name what is well written and cannot be."""
    for name, lens in head.lenses.items():
        if min(lens.size_wh) < 1 or not np.isfinite(lens.bending).all() or lens.bending[2] < 0:
            yield f"lens of {name!r}"
    for name, by_mm in head.nudges_mm.items():
        if not math.hypot(*by_mm) <= MOST_MM:
            yield f"nudge of {name!r}"
    if head.scale is not None and not SCALES[0] <= head.scale <= SCALES[1]:
        yield "scale"
    if head.made_with is not None and min(head.made_with.size_wh) < 1:
        yield "camera mode"
    if head.quality is not None and not _is_measured(head.quality):
        yield "quality"
    for name, lights in head.colours.items():
        for light in lights:
            channels = [channel for seen in light.observations for channel in seen]
            if light.count < len(light.observations) or not np.isfinite(channels).all():
                yield f"colour {name!r}"
            if light.swatch is not None and not all(0 <= value < 256 for value in light.swatch):
                yield f"swatch of {name!r}"


def _is_measured(quality: Quality) -> bool:
    """Tell whether a quality can come of measuring."""
    picture = quality.picture
    grids = (picture.blur_mm, picture.glare)
    values = [*picture.corners_px_per_mm, picture.px_per_mm, picture.lightness, picture.tilt_deg]
    values += [picture.shown, quality.matched or 0.0, *(quality.error_mm or ())]
    values += [value or 0.0 for grid in grids for row in grid for value in row]
    is_grid = all(grid and grid[0] and len({len(row) for row in grid}) == 1 for grid in grids)
    return is_grid and quality.photos >= 1 and all(0 <= value < math.inf for value in values)


def _parse_reference(png: npt.NDArray[np.uint8], head: ProfileHead) -> Picture:
    width, height = (round(side * head.px_per_mm) for side in head.size_mm)
    try:
        # Before it is unpacked: a megabyte of PNG may hold a thousand.
        if PNG_HEAD.unpack_from(png.tobytes()) != (b"\x89PNG\r\n\x1a\n", b"IHDR", width, height):
            raise ProfileError("the profile's reference picture is damaged")
        picture = np.asarray(cv2.imdecode(png, cv2.IMREAD_COLOR))
    except (cv2.error, struct.error) as error:
        raise ProfileError("the profile's reference picture is damaged") from error
    if picture.shape[:2] != (height, width):
        raise ProfileError("the profile's reference picture is damaged")
    return np.asarray(picture, np.uint8)
