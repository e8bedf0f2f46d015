"""The state of calibration, as sent to the pages."""

from typing import Literal

import msgspec
from railspotter.calibration.finding.ways import FindBy
from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.sentence import Sentence

from .outlines import Finding, Point

State = Literal["waiting", "looking", "keeping", "found", "lost"]


class ProfileFacts(msgspec.Struct, frozen=True):
    """A summary of a profile."""

    name: str
    is_drawn: bool  # whether it is the program's own, not from a photo of this copy
    made_at: str
    unseen: int  # spaces that its photo did not show free

    @classmethod
    def of(cls, profile: Profile) -> "ProfileFacts":
        """Summarise a profile."""
        return cls(profile.name, profile.is_drawn, profile.made_at, len(profile.unseen))


class Looked(msgspec.Struct, frozen=True):
    """A picture in which the board was searched."""

    number: int
    size_px: tuple[int, int]  # width and height


class Tried(msgspec.Struct, frozen=True):
    """A method that did not find the board."""

    way: str
    said: Sentence  # why not


class Verdict(msgspec.Struct, frozen=True):
    """The quality of the picture."""

    grade: str  # `good`, `usable` or `poor`
    findings: tuple[Finding, ...]  # remarks, the gravest first


class Calibration(msgspec.Struct, frozen=True):
    """The state of calibration."""

    number: int  # rises with every change
    # `waiting` for a picture, `looking` for the board, `keeping` a picture as the photo of the
    # board, `found` or `lost`.
    state: State
    # The same in a sentence, without full stop: how it was found, or why not and advice.
    said: Sentence
    problem: Sentence  # why the last request failed; empty if it did not
    notes: tuple[Sentence, ...]  # other remarks
    is_ready: bool  # whether the profile finds the board, so that a game can be watched
    picture: Looked | None  # the picture that this is about
    way: str | None  # the method that found the board
    corners_px: tuple[Point, ...] | None  # the board's corners; None if not found
    tried: tuple[Tried, ...]  # the methods that failed
    verdict: Verdict | None  # None before it was measured
    profile: ProfileFacts | None  # the current profile
    nudged: int  # how many routes and single spaces the user moved
    outlines: int  # rises when the outlines of the spaces change


def way_name(method: FindBy) -> str:
    """Return a method's name on the wire."""
    return method.name.lower().replace("_", " ")
