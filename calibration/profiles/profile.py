"""A profile: what calibrating saves of one copy of a board.

It is a value: whatever changes it makes a new one. `profile_file.py` has it as a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from railspotter.scoring.board import Board, RouteId

from ..arrays import Lab, Picture
from ..errors import NudgeError
from ..lenses.lens import Lens
from .features import Features
from .quality import Quality

# How far at most a person may nudge: about a space's length. Who needs more has another board, or
# nudges the wrong route.
MOST_MM = 30.0
Offset = tuple[float, float]
# One space: its route's id, `#`, and its number from the route's `a`, counted from 0.
SpaceKey = str
Srgb = tuple[int, int, int]


def space_key(route: RouteId, number: int) -> SpaceKey:
    """Return the key of one space of a route.

    Examples
    --------
    >>> space_key("helena--seattle", 2)
    'helena--seattle#2'
    """
    return f"{route}#{number}"


def route_of_key(key: SpaceKey) -> RouteId:
    """Return the route of a space's key.

    Examples
    --------
    >>> route_of_key("helena--seattle#2")
    'helena--seattle'
    """
    return key.rpartition("#")[0]


def space_keys(board: Board) -> tuple[SpaceKey, ...]:
    """Return the keys of all measured spaces of a board, route by route.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> len(space_keys(load_board("usa")))
    309
    """
    return tuple(
        space_key(route.id, number) for route in board.routes for number in range(len(route.spaces))
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class ProfileHead:
    """What a profile says of itself, readable without unpacking its pictures."""

    name: str
    board: str  # the id of the board
    # Width and height of the printed board. All millimetres of a profile are this copy's own, which
    # are the board file's times `scale`.
    size_mm: tuple[float, float]
    made_at: str  # UTC time of making, ISO 8601
    px_per_mm: float  # the reference's scale: H and W are the board's size times this
    # Where this copy's reference shows the route's spaces, less where the board file has them.
    print_offsets_mm: Mapping[RouteId, Offset]
    # The lenses of cameras that saw this board often enough, under names of the user's own.
    lenses: Mapping[str, Lens] = field(default_factory=dict)
    # How good the photos were that it was made from; None for one of an older version.
    quality: Quality | None = None
    # How far a person moved a route, or one space of it, from where it was measured; both add up.
    # They are kept beside what was measured, so that each can be taken back and a new reference
    # keeps them.
    nudges_mm: Mapping[RouteId | SpaceKey, Offset] = field(default_factory=dict)
    # How much larger this copy is than the board file has it, where its owner measured it; None
    # where nobody did, and the board file's size is assumed.
    scale: float | None = None
    # What the plastic of this box looked like, one for each light it was learned in.
    colours: Mapping[str, tuple[LearnedColour, ...]] = field(default_factory=dict)
    # Spaces that the reference does not show free: trains lay there when it was taken.
    unseen: frozenset[SpaceKey] = frozenset()
    # The camera that took the reference, and how large its pictures were.
    made_with: CameraMode | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Profile(ProfileHead):
    """One copy of a board, as its owner photographed it empty."""

    # (H, W, 3) uint8, BGR: the empty board seen from straight above, edge to edge.
    reference: Picture
    features: Features  # the print's features, points in board millimetres
    # Whether the reference was drawn by the program, for want of a photo; such a profile is not
    # saved.
    is_drawn: bool = False


@dataclass(frozen=True)
class CameraMode:
    """A camera and the size of its pictures."""

    camera: str  # a source's name, as `camera 0`, or what the user calls the camera of a photo
    size_wh: tuple[int, int]  # width and height of its pictures in pixels

    def __str__(self) -> str:
        return f"{self.camera!r} at {self.size_wh[0]} x {self.size_wh[1]}"

    def difference(self, now: CameraMode) -> str | None:
        """Say how another camera, or another mode of this one, differs; None where it does not.

        A reference is seen from straight above, so it serves any camera; what belongs to one mode
        is the lens, and how good the reference is.

        Examples
        --------
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
    """One train colour in one light."""

    # The train colour, as `vision/colours/plastics.json` names it, or a name of the user's own.
    name: str
    # In which light it was learned, in the user's words; empty for the reference's own.
    light: str = ""
    # CIE Lab of trains' tops, as they would be in the light of the reference: the newest last.
    observations: tuple[Lab, ...] = ()
    count: int = 0  # how many trains were seen in all; of many, only some observations are kept
    title: str = ""  # what the user calls the colour on the page; empty for its name
    # The sRGB (red, green, blue), 0 to 255, in which the page shows it; None for the usual one.
    swatch: Srgb | None = None


def with_words_of(profile: Profile, older: Profile) -> Profile:
    """Return a new profile with what people said and cameras told of the older one it replaces.

    Lenses stay, as do nudges where the copy's size is the same, and the user's own trains. What was
    learned of their colours goes: it was learned in the light of the older reference.
    """
    if older.board != profile.board:
        return profile
    colours = {
        name: tuple(
            replace(one, observations=(), count=0) for one in lights if one.swatch or one.title
        )
        for name, lights in older.colours.items()
    }
    return replace(
        profile,
        lenses={**older.lenses, **profile.lenses},
        nudges_mm=older.nudges_mm if older.size_mm == profile.size_mm else {},
        colours={name: lights for name, lights in colours.items() if lights},
    )


def with_learned_of(profile: Profile, learned: Profile) -> Profile:
    """Return a profile with what a game learned while somebody else changed the profile.

    That is its trains' colours and print seen since; of another reference nothing is taken.
    """
    if learned.board != profile.board or learned.made_at != profile.made_at:
        return profile
    profile = replace(profile, colours=learned.colours)
    if learned.unseen < profile.unseen:
        profile = replace(profile, reference=learned.reference, unseen=learned.unseen)
    return profile


def nudged(profile: Profile, board: Board, key: RouteId | SpaceKey, by_mm: Offset) -> Profile:
    """Return the profile with a route, or one space, moved by a little more.

    Parameters
    ----------
    key : str
        A route's id, or `profile.space_key` of one of its spaces.
    by_mm : tuple of float
        (dx, dy), to what it was nudged before.

    Raises
    ------
    NudgeError
        When the board has no such route or space, or it would be moved too far.
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
    """Return the profile with a route, or one space, back where it was measured."""
    return replace(profile, nudges_mm=_without(profile, key))


def without_nudges(profile: Profile) -> Profile:
    """Return the profile with everything back where it was measured."""
    return replace(profile, nudges_mm={})


def _keys(board: Board) -> frozenset[str]:
    routes = {route.id: len(route.spaces) for route in board.routes}
    routes |= {site.id: 1 for site in board.sites if site.space is not None}
    spaces = (space_key(name, i) for name, length in routes.items() for i in range(length))
    return frozenset(routes) | frozenset(spaces)


def _without(profile: Profile, key: str) -> dict[str, Offset]:
    return {name: by for name, by in profile.nudges_mm.items() if name != key}
