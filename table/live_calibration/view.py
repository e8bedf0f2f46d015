"""How calibrating stands, as phones are told."""

from __future__ import annotations

from typing import Literal

import msgspec
from railspotter.calibration.finding.ways import Failure, FindBy
from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.sentence import Sentence

from .outlines import Finding, Point

State = Literal["waiting", "looking", "keeping", "found", "lost"]


class ProfileFacts(msgspec.Struct, frozen=True):
    """What there is to say of a profile."""

    name: str
    is_drawn: bool  # whether it is the print that comes with the program, not a photo of this copy
    made_at: str
    unseen: int  # spaces that its photo did not show free

    @classmethod
    def of(cls, profile: Profile) -> ProfileFacts:
        """Return them of a profile."""
        return cls(profile.name, profile.is_drawn, profile.made_at, len(profile.unseen))


class Looked(msgspec.Struct, frozen=True):
    """A picture that was looked at."""

    number: int
    size_px: tuple[int, int]  # width and height


class Tried(msgspec.Struct, frozen=True):
    """A method that did not find the board."""

    way: str
    said: Sentence  # why not


class Verdict(msgspec.Struct, frozen=True):
    """How good the picture is."""

    grade: str  # `good`, `usable` or `poor`
    findings: tuple[Finding, ...]  # what is wrong with it, the gravest first


class Calibration(msgspec.Struct, frozen=True):
    """How calibrating stands."""

    number: int  # rises with every change
    # `waiting` for a picture, `looking` for the board, `keeping` a picture as the photo of the
    # board, `found` or `lost`.
    state: State
    # The same in a sentence, without full stop: how it was found, or why not and what to do.
    said: Sentence
    problem: Sentence  # why what somebody asked for last was not done; empty where it was
    notes: tuple[Sentence, ...]  # what else a person may want to know
    # Whether a game can be watched with what is there: the board is found with the profile.
    is_ready: bool
    picture: Looked | None  # the picture that is told of
    way: str | None  # how the board was found
    corners_px: tuple[Point, ...] | None  # where it lies, None while that is not known
    tried: tuple[Tried, ...]  # the methods that did not find it
    verdict: Verdict | None  # None while nothing was measured
    profile: ProfileFacts | None  # what the board is read with; None while there is nothing
    nudged: int  # how many routes and single spaces a person moved
    outlines: int  # rises when the outlines of the spaces are others


def ways_tried(tried: tuple[Failure, ...]) -> tuple[Tried, ...]:
    """Return the methods that did not find the board, as they are told."""
    return tuple(Tried(way_name(one.method), one.reason) for one in tried)


def way_name(method: FindBy) -> str:
    """Return what a method is called."""
    return method.name.lower().replace("_", " ")
