"""A profile: what calibration saves about one copy of a board.

It is an immutable value; `profile_file.py` reads and writes it. Some printings are larger than the
board file's, but trains are not, so the copy's size is needed for true millimetres.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated

import msgspec
import numpy as np
from railspotter.scoring.board import Board, RouteId, scaled_board, scaled_mm

from ..arrays import GreyPicture, Lab, Picture, SizeWh
from ..errors import CopySizeError, NudgeError
from ..lenses.lens import Lens
from .features import Features
from .quality import Quality

# Limit of a nudge, about a space's length: with more it is another board, or the wrong route.
MOST_MM = 30.0
# Limits of a copy's scale: others are another unit, or another edition.
SCALES = (0.5, 2.0)
Scale = Annotated[float, msgspec.Meta(ge=SCALES[0], le=SCALES[1])]
Offset = tuple[float, float]
# One space: its route's id, `#`, and its number from the route's `a`, counted from 0.
SpaceKey = str
Channel = Annotated[int, msgspec.Meta(ge=0, le=255)]
Srgb = tuple[Channel, Channel, Channel]


def space_key(route: RouteId, number: int) -> SpaceKey:
    """Return the key of one space of a route.

    >>> space_key("helena--seattle", 2)
    'helena--seattle#2'
    """
    return f"{route}#{number}"


def route_of_key(key: SpaceKey) -> RouteId:
    """Return the route of a space's key.

    >>> route_of_key("helena--seattle#2")
    'helena--seattle'
    """
    return key.rpartition("#")[0]


def space_keys(board: Board) -> tuple[SpaceKey, ...]:
    """Return the keys of all measured spaces of a board, route by route.

    >>> from railspotter.scoring.board import load_board
    >>> len(space_keys(load_board("usa")))
    309
    """
    return tuple(
        space_key(route.id, number) for route in board.routes for number in range(len(route.spaces))
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class ProfileHead:
    """The metadata of a profile, readable without decoding its pictures."""

    name: str
    board: str  # the id of the board
    # Width and height of the printed board. All millimetres of a profile are this copy's own: the
    # board file's times `scale`.
    size_mm: tuple[float, float]
    made_at: str  # UTC time of making, ISO 8601
    px_per_mm: float  # scale of the reference
    # Offsets of routes in this copy's reference, from the board file.
    print_offsets_mm: Mapping[RouteId, Offset]
    # Lenses of cameras, by names of the user's own.
    lenses: Mapping[str, Lens] = field(default_factory=dict)
    # Quality of its photos; None for a file of an older version.
    quality: Quality | None = None
    # Offsets by which a person moved a route, or one space of it, from its measured place; both add
    # up. They are stored apart from `print_offsets_mm`, so that they can be undone, and survive a
    # new reference.
    nudges_mm: Mapping[RouteId | SpaceKey, Offset] = field(default_factory=dict)
    # Size of this copy over the board file's, if its owner measured it; None for the same size.
    scale: Scale | None = None
    # Learned train colours by name, one for each light.
    colours: "Mapping[str, tuple[LearnedColour, ...]]" = field(default_factory=dict)
    # Spaces that the reference does not show free: trains stood there.
    unseen: frozenset[SpaceKey] = frozenset()
    # The camera that took the reference, and the size of its pictures.
    made_with: "CameraMode | None" = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Profile(ProfileHead):
    """A profile with its reference and features."""

    # (H, W, 3) uint8, BGR: the rectified empty board, edge to edge.
    reference: Picture
    features: Features  # the print's features, points in board millimetres
    # Whether the reference was drawn by the program, without a photo; never saved.
    is_drawn: bool = False
    # `darkest_print` of a real copy, if the reference is drawn in its place; never saved.
    darkest: GreyPicture | None = None


@dataclass(frozen=True)
class CameraMode:
    """A camera and the size of its pictures."""

    camera: str  # name of a source, such as `camera 0`, or the user's name for a camera
    size_wh: SizeWh  # of its pictures

    def __str__(self) -> str:
        return f"{self.camera!r} at {self.size_wh[0]} x {self.size_wh[1]}"

    def difference(self, now: "CameraMode") -> str | None:
        """Return a warning if another camera or mode differs from this one, else None.

        A rectified reference serves any camera; the lens and the quality belong to one mode.

        >>> made_with = CameraMode("webcam", (1920, 1080))
        >>> made_with.difference(CameraMode("webcam", (640, 480)))
        "the profile was made with 'webcam' at 1920 x 1080, and this is 'webcam' at 640 x 480"
        >>> made_with.difference(made_with)
        """
        if self == now:
            return None
        return f"the profile was made with {self}, and this is {now}"


@dataclass(frozen=True)
class LearnedColour:
    """A learned train colour in one light."""

    # Name of the colour in `vision/colours/plastics.json`, or of the user's own.
    name: str
    # Name of the light it was learned in; empty for the reference's own.
    light: str = ""
    # CIE Lab of trains' tops in the light of the reference, the newest last.
    observations: tuple[Lab, ...] = ()
    count: int = 0  # number of all observations, dropped ones included
    title: str = ""  # the user's title for the page; empty for its name
    # sRGB (red, green, blue), 0 to 255, for the page; None for the usual one.
    swatch: Srgb | None = None


def with_user_data_of(profile: Profile, older: Profile) -> Profile:
    """Return a new profile with lenses, nudges and swatches of the older one that it replaces.

    Nudges only if the copy's size is the same. Observed colours are dropped: they were measured in
    the light of the older reference.
    """
    if older.board != profile.board:
        return profile
    return replace(
        profile,
        lenses={**older.lenses, **profile.lenses},
        nudges_mm=older.nudges_mm if older.size_mm == profile.size_mm else {},
        colours=without_observations(older.colours),
    )


def without_observations(
    colours: Mapping[str, tuple[LearnedColour, ...]],
) -> dict[str, tuple[LearnedColour, ...]]:
    """Return colours as users gave them: observations hold for one reference."""
    given = {
        name: tuple(
            replace(one, observations=(), count=0) for one in lights if one.swatch or one.title
        )
        for name, lights in colours.items()
    }
    return {name: lights for name, lights in given.items() if lights}


def with_learned_of(profile: Profile, learned: Profile) -> Profile:
    """Return a profile with the colours and bare print that a game has learned meanwhile.

    If the references differ, the profile is returned as it is.
    """
    if learned.board != profile.board or learned.made_at != profile.made_at:
        return profile
    profile = replace(profile, colours=learned.colours)
    if learned.unseen < profile.unseen:
        profile = replace(profile, reference=learned.reference, unseen=learned.unseen)
    return profile


def nudged(profile: Profile, board: Board, key: RouteId | SpaceKey, by_mm: Offset) -> Profile:
    """Return the profile with a nudge added to a route, or to one space.

    Parameters
    ----------
    key : str
        A route's id, or `profile.space_key` of one of its spaces.
    by_mm : tuple of float
        (dx, dy), added to an earlier nudge.

    Raises
    ------
    NudgeError
        When the board has no such route or space, or the sum is beyond `MOST_MM`.
    """
    if key not in _keys(board):
        raise NudgeError(
            "the board {board!r} has no route or space {key!r}", board=board.id, key=key
        )
    dx, dy = np.add(profile.nudges_mm.get(key, (0.0, 0.0)), by_mm).tolist()
    if not np.hypot(dx, dy) <= MOST_MM:
        raise NudgeError(
            "{key!r} would be {dx}, {dy} mm off; at most {most} mm are",
            key=key,
            dx=f"{dx:.1f}",
            dy=f"{dy:.1f}",
            most=f"{MOST_MM:.0f}",
        )
    others = _without(profile, key)
    return replace(profile, nudges_mm=others if dx == dy == 0 else {**others, key: (dx, dy)})


def without_nudge(profile: Profile, key: RouteId | SpaceKey) -> Profile:
    """Return the profile without the nudge of a route, or of one space."""
    return replace(profile, nudges_mm=_without(profile, key))


def without_nudges(profile: Profile) -> Profile:
    """Return the profile without nudges."""
    return replace(profile, nudges_mm={})


def _keys(board: Board) -> frozenset[str]:
    routes = {route.id: len(route.spaces) for route in board.routes}
    routes |= {site.id: 1 for site in board.sites if site.space is not None}
    spaces = (space_key(name, i) for name, length in routes.items() for i in range(length))
    return frozenset(routes) | frozenset(spaces)


def _without(profile: Profile, key: str) -> dict[str, Offset]:
    return {name: by for name, by in profile.nudges_mm.items() if name != key}


def scale_of_width(board: Board, width_mm: float) -> float:
    """Return the scale of a copy from the measured width of its printed picture.

    Raises
    ------
    CopySizeError
        When the scale is beyond `SCALES`.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> scale_of_width(load_board("usa"), 874.5)
    1.1
    """
    usual = board.size_mm[0]
    scale = width_mm / usual
    if not (math.isfinite(scale) and SCALES[0] <= scale <= SCALES[1]):
        raise CopySizeError(
            "a board {board!r} {wide} mm wide is hard to believe: the usual one is {usual} mm;"
            " measure the printed picture from its left to its right edge, in millimetres",
            board=board.id,
            wide=f"{width_mm:g}",
            usual=f"{usual:g}",
        )
    return round(scale, 6)


def size_of_copy(board: Board, scale: float | None) -> tuple[float, float]:
    """Return the width and height of a copy of this scale, in its own millimetres."""
    return board.size_mm if scale is None else scaled_mm(board.size_mm, scale)


def is_of_board(profile: Profile, board: Board) -> bool:
    """Tell whether a profile was made for a board at its present size."""
    return profile.board == board.id and profile.size_mm == size_of_copy(board, profile.scale)


def board_of_copy(board: Board, scale: float | None) -> Board:
    """Return the board in the millimetres of a copy of this scale.

    >>> from railspotter.scoring.board import load_board
    >>> usa = load_board("usa")
    >>> board_of_copy(usa, None) is usa
    True
    """
    return board if scale is None or scale == 1 else scaled_board(board, scale)
