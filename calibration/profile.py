"""A profile: what calibrating saves of one copy of a board.

One file holds it: a NumPy archive without pickled objects, so that it can be copied, mailed and
checked. The reference picture is the user's own photo; it never leaves their machine.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from .errors import ProfileError
from .features import Features
from .lens import Lens

VERSION = 2
"""Version 1 had no lenses; it is read as having none."""
MOST_PX = 20_000
"""More than any reference has on a side."""
Picture = npt.NDArray[np.uint8]
Offset = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Profile:
    """One copy of a board, as its owner photographed it empty.

    Attributes
    ----------
    name : str
    board : str
        The id of the board.
    size_mm : tuple of float
        Width and height of the printed board.
    made_at : str
        UTC time of making, ISO 8601.
    reference : (H, W, 3) uint8 array, BGR
        The empty board seen from straight above, edge to edge.
    px_per_mm : float
        The reference's scale: H and W are the board's size times this.
    features : Features
        The print's features, points in board millimetres.
    print_offsets_mm : mapping of route id to (dx, dy)
        Where this copy's reference shows the route's spaces, less where the board file has them.
    is_drawn : bool
        Whether the reference was drawn by the program, for want of a photo; such a profile is not
        saved.
    lenses : mapping of camera to Lens
        Of the cameras that this board was seen by often enough, under names of the user's own.
    """

    name: str
    board: str
    size_mm: tuple[float, float]
    made_at: str
    reference: Picture
    px_per_mm: float
    features: Features
    print_offsets_mm: Mapping[str, Offset]
    is_drawn: bool = False
    lenses: Mapping[str, Lens] = field(default_factory=dict)


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
    )
    _, png = cv2.imencode(".png", profile.reference)
    file = io.BytesIO()
    np.savez(
        file,
        allow_pickle=False,
        head=np.frombuffer(msgspec.json.encode(head), dtype=np.uint8),
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
    )


def _arrays(content: bytes, names: list[str]) -> dict[str, npt.NDArray[Any]]:
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            return {name: archive[name] for name in names}
    except Exception as error:  # whatever zip, NumPy and the damage make of it
        raise ProfileError("the profile is damaged or is not a profile") from error


def _parse_head(text: npt.NDArray[np.uint8]) -> ProfileHead:
    try:
        head = msgspec.json.decode(text.tobytes(), type=ProfileHead)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ProfileError(f"the profile's description is damaged: {error}") from error
    if not 1 <= head.version <= VERSION:
        raise ProfileError(
            f"the profile is of version {head.version}, this program reads versions 1 to {VERSION}"
        )
    if head.px_per_mm <= 0 or not all(0 < side * head.px_per_mm < MOST_PX for side in head.size_mm):
        raise ProfileError("the profile's description is damaged: its size is impossible")
    for name, lens in head.lenses.items():
        if min(lens.size_wh) < 1 or not np.isfinite(lens.bending).all() or lens.bending[2] < 0:
            raise ProfileError(f"the profile's lens of {name!r} is impossible")
    return head


def _parse_reference(png: npt.NDArray[np.uint8], head: ProfileHead) -> Picture:
    try:
        picture = np.asarray(cv2.imdecode(png, cv2.IMREAD_COLOR))
    except cv2.error as error:
        raise ProfileError("the profile's reference picture is damaged") from error
    if picture.shape[:2] != tuple(round(side * head.px_per_mm) for side in head.size_mm[::-1]):
        raise ProfileError("the profile's reference picture is damaged")
    return np.asarray(picture, np.uint8)
