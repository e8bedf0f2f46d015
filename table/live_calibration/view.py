"""What the desk says to whoever looks on, as a value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from railspotter.calibration.finding.ways import FailedWay, Way
from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.vision.sources.source import Frame

from .board_picture import BoardPicture
from .outlines import Finding, Point

State = Literal["waiting", "looking", "keeping", "found", "lost"]


@dataclass(frozen=True)
class ProfileFacts:
    """What there is to say of a profile."""

    name: str
    is_drawn: bool  # whether it is the print that comes with the program, not a photo of this copy
    made_at: str
    unseen: int = 0  # spaces that its photo did not show free


@dataclass(frozen=True)
class CalibrationView:
    """How calibrating stands."""

    number: int  # rises with every change
    # `waiting` for a picture, `looking` for the board, `keeping` a picture as the photo of the
    # board, `found` or `lost`.
    state: State = "waiting"
    # The same in a sentence, without full stop: how it was found, or why not and what to do.
    said: Sentence = NOTHING
    problem: Sentence = NOTHING  # why what somebody asked for last was not done; empty where it was
    notes: tuple[Sentence, ...] = ()  # what else a person may want to know
    # Whether a game can be watched with what is there: the board is found with the profile.
    is_ready: bool = False
    picture: int | None = None  # the number of the picture that is told of
    size_px: tuple[int, int] = (0, 0)  # its width and height
    way: Way | None = None  # how the board was found
    corners_px: tuple[Point, ...] = ()  # where it lies, empty while that is not known
    tried: tuple[FailedWay, ...] = ()  # the ways that did not find it
    verdict: str = ""  # `good`, `usable` or `poor`; empty while nothing was measured
    findings: tuple[Finding, ...] = ()  # what is wrong with the picture, the gravest first
    profile: ProfileFacts | None = None  # what the board is read with; None while there is nothing
    nudged: int = 0  # how many routes and single spaces a person moved
    outlines: int = 0  # rises when the outlines of the spaces are others

    def with_picture(self, frame: Frame | None, sight: BoardPicture | None) -> CalibrationView:
        """Return it with a picture and what was seen in it."""
        width, height = frame.pyramid.size_wh if frame else (0, 0)
        return replace(
            self,
            notes=sight.notes if sight else (),
            is_ready=self.state == "found" and sight is not None and sight.is_ready,
            picture=frame.number if frame else None,
            size_px=(width, height),
            way=sight.way if sight else None,
            corners_px=_corners(sight) if sight else (),
            verdict=sight.verdict if sight else "",
            findings=sight.findings if sight else (),
        )

    def with_profile(self, profile: Profile | None) -> CalibrationView:
        """Return it with what the board is read with."""
        if profile is None:
            return replace(self, profile=None, nudged=0)
        facts = ProfileFacts(profile.name, profile.is_drawn, profile.made_at, len(profile.unseen))
        return replace(self, profile=facts, nudged=len(profile.nudges_mm))


def _corners(sight: BoardPicture) -> tuple[Point, ...]:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in sight.pose.corners_px)
