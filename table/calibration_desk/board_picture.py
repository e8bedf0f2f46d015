"""Looking for the board in one picture: by what is played with first, then by any way there is."""

from __future__ import annotations

from dataclasses import dataclass, replace

from railspotter.calibration.finding.finder import find_board
from railspotter.calibration.finding.ways import NO_PHOTO, FailedWay, FoundNoWay, Way, find_any_way
from railspotter.calibration.pose import NotFound, Pose
from railspotter.calibration.profiles.copy_size import size_of_copy
from railspotter.calibration.profiles.picture_quality import measure_picture
from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.profiles.quality import judge_picture
from railspotter.scoring.board import Board
from railspotter.scoring.sentence import Sentence
from railspotter.vision.sources.source import Frame

from .outlines import Finding, findings

BY_ITSELF = (Way.OWN_PHOTO, Way.FINGERPRINT, Way.MARKERS)  # what needs nobody who points at corners
# What finds the board without one's own photo, which may be what is wrong.
ANEW = (Way.FINGERPRINT, Way.MARKERS)

"""As `calibration.ways` says it."""
NOT_PLAYED_WITH = Sentence(
    "the profile does not know the board like this: take hands and trains off, and"
    " keep this picture as the photo of your board"
)


@dataclass(frozen=True, eq=False)
class BoardPicture:
    """A picture, and where the board is in it."""

    frame: Frame
    pose: Pose
    way: Way
    tried: tuple[FailedWay, ...] = ()
    notes: tuple[Sentence, ...] = ()  # why it does not, and what else a person may want to know
    is_ready: bool = True  # whether the profile finds the board: a game needs no more
    verdict: str = ""
    findings: tuple[Finding, ...] = ()


def sight_in(frame: Frame, board: Board, profile: Profile | None) -> BoardPicture | FoundNoWay:
    """Look for the board by itself.

    A drawn profile finds it by the print that comes with the program, and reads it with that.
    """
    tried: list[FailedWay] = []
    if profile is not None and profile.is_drawn:
        pose = find_board(frame.picture, profile)
        if isinstance(pose, Pose):
            return BoardPicture(frame, pose, Way.FINGERPRINT, (FailedWay(Way.OWN_PHOTO, NO_PHOTO),))
        tried.append(FailedWay(Way.FINGERPRINT, pose.reason))
    own = own_of(profile)
    ways = [way for way in BY_ITSELF if way not in {one.way for one in tried}]
    found = find_any_way([frame.picture], board, own, ways=ways, size_mm=_size(board, own))
    if isinstance(found, FoundNoWay):
        every = tuple(sorted((*tried, *found.tried), key=lambda one: BY_ITSELF.index(one.way)))
        return FoundNoWay(tried[0].reason if tried else found.reason, every)
    is_ready = found.way is Way.OWN_PHOTO
    notes = found.notes if is_ready else (*found.notes, NOT_PLAYED_WITH)
    return BoardPicture(frame, found.pose, found.way, (*tried, *found.tried), notes, is_ready)


def found_anew(frame: Frame, board: Board, profile: Profile | None) -> BoardPicture | FoundNoWay:
    """Look for the board without one's own photo of it."""
    own = own_of(profile)
    found = find_any_way([frame.picture], board, own, ways=ANEW, size_mm=_size(board, own))
    if isinstance(found, FoundNoWay):
        return found
    return BoardPicture(frame, found.pose, found.way, found.tried, found.notes)


def judged(sight: BoardPicture) -> BoardPicture:
    """Return a sight with what is wrong with its picture."""
    verdict = judge_picture(measure_picture(sight.frame.picture, sight.pose))
    return replace(
        sight, verdict=verdict.grade.name.lower(), findings=findings(verdict, sight.pose)
    )


def is_found_with(frame: Frame, profile: Profile) -> NotFound | None:
    """Return why a profile does not find its board in a picture; None where it does."""
    pose = find_board(frame.picture, profile)
    return pose if isinstance(pose, NotFound) else None


def own_of(profile: Profile | None) -> Profile | None:
    """Return a profile if it is of the user's own copy, not the print that comes with the program.

    Its photo is what finds the board, and its size what the board has.
    """
    return None if profile is None or profile.is_drawn else profile


def _size(board: Board, own: Profile | None) -> tuple[float, float]:
    return size_of_copy(board, None if own is None else own.scale)
