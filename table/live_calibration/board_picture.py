"""Where the board is in one picture, and the profile that such a picture makes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, replace

from railspotter.calibration.finding.finder import find_board
from railspotter.calibration.finding.ways import NO_PHOTO, Failure, FindBy, FoundByNone, find_by_any
from railspotter.calibration.pose import NotFound, Pose
from railspotter.calibration.profiles.copy_size import size_of_copy
from railspotter.calibration.profiles.picture_quality import measure_picture
from railspotter.calibration.profiles.profile import Profile, with_user_data_of
from railspotter.calibration.profiles.quality import judge_picture
from railspotter.scoring.board import Board
from railspotter.scoring.sentence import Sentence
from railspotter.vision.sources.source import Frame
from railspotter.vision.watching.emptiness import OccupiedReference

from ..errors import CalibratingError, NotNowError
from ..photo_file import to_jpeg
from .outlines import Finding, Point, findings
from .own_profile import profile_of_picture

HELD = 4  # pictures that are kept: one that is asked for again and again outlasts the others
QUALITY = 88  # a picture's corners are looked at under a magnifier
GONE = Sentence("that picture is gone: look at the newest one")
WAITING = Sentence("waiting for a picture from the camera")
BY_ITSELF = (FindBy.OWN_PHOTO, FindBy.FINGERPRINT, FindBy.MARKERS)  # needs no corners pointed at
NOT_PLAYED_WITH = Sentence(
    "the profile does not know the board like this: take hands and trains off, and"
    " keep this picture as the photo of your board"
)
# What finds the board without one's own photo, which may be what is wrong.
ANEW = (FindBy.FINGERPRINT, FindBy.MARKERS)


class RecentPictures:
    """Keeps some pictures, each with where the board is in it. Several threads may use it at once.

    `newest` is the one that was taken in last.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: OrderedDict[int, tuple[Frame, BoardPicture | None]] = OrderedDict()
        self._packed: tuple[int, bytes] | None = None
        self.newest: Frame | None = None

    def take(self, frame: Frame, sight: BoardPicture | None) -> None:
        """Take in the newest picture, or what is known of it by now."""
        with self._lock:
            self.newest = frame
            self._held[frame.number] = frame, sight
            self._held.move_to_end(frame.number)
            while len(self._held) > HELD:
                self._held.popitem(last=False)

    def hold(self, number: int) -> None:
        """Keep a picture for longer, if it is still there."""
        with self._lock:
            if number in self._held:
                self._held.move_to_end(number)

    def picture(self, number: int | None = None) -> tuple[Frame, BoardPicture | None]:
        """Return a picture, and where the board is in it; the newest without a number."""
        with self._lock:
            if self.newest is None:
                raise NotNowError(WAITING)
            number = self.newest.number if number is None else number
            if number not in self._held:
                raise NotNowError(GONE)
            self._held.move_to_end(number)
            return self._held[number]

    def jpeg(self, number: int | None = None) -> bytes:
        """Return a picture in full, packed once for all; raises as `picture`."""
        frame, _ = self.picture(number)
        packed = self._packed
        if packed is None or packed[0] != frame.number:
            packed = self._packed = frame.number, to_jpeg(frame.picture, QUALITY)
        return packed[1]


@dataclass(frozen=True, eq=False)
class BoardPicture:
    """A picture, and where the board is in it."""

    frame: Frame
    pose: Pose
    method: FindBy
    tried: tuple[Failure, ...] = ()
    notes: tuple[Sentence, ...] = ()  # why it does not, and what else a person may want to know
    is_ready: bool = True  # whether the profile finds the board: a game needs no more
    verdict: str = ""
    findings: tuple[Finding, ...] = ()


def find_board_in_frame(
    frame: Frame, board: Board, profile: Profile | None
) -> BoardPicture | FoundByNone:
    """Look for the board by itself.

    A drawn profile finds it by the print that comes with the program, and reads it with that.
    """
    tried: list[Failure] = []
    if profile is not None and profile.is_drawn:
        pose = find_board(frame.picture, profile)
        if isinstance(pose, Pose):
            failed = Failure(FindBy.OWN_PHOTO, NO_PHOTO)
            return BoardPicture(frame, pose, FindBy.FINGERPRINT, (failed,))
        tried.append(Failure(FindBy.FINGERPRINT, pose.reason))
    own = own_profile_or_none(profile)
    methods = [method for method in BY_ITSELF if method not in {one.method for one in tried}]
    found = find_by_any([frame.picture], board, own, methods=methods, size_mm=_size_mm(board, own))
    if isinstance(found, FoundByNone):
        every = tuple(sorted((*tried, *found.tried), key=lambda one: BY_ITSELF.index(one.method)))
        return FoundByNone(tried[0].reason if tried else found.reason, every)
    is_ready = found.method is FindBy.OWN_PHOTO
    notes = found.notes if is_ready else (*found.notes, NOT_PLAYED_WITH)
    return BoardPicture(frame, found.pose, found.method, (*tried, *found.tried), notes, is_ready)


def with_picture_quality(sight: BoardPicture) -> BoardPicture:
    """Return a sight with what is wrong with its picture."""
    verdict = judge_picture(measure_picture(sight.frame.picture, sight.pose))
    return replace(
        sight, verdict=verdict.grade.name.lower(), findings=findings(verdict, sight.pose)
    )


def own_profile_or_none(profile: Profile | None) -> Profile | None:
    """Return a profile if it is of the user's own copy, not the print that comes with the program.

    Its photo is what finds the board, and its size what the board has.
    """
    return None if profile is None or profile.is_drawn else profile


def _size_mm(board: Board, own: Profile | None) -> tuple[float, float]:
    return size_of_copy(board, None if own is None else own.scale)


@dataclass(frozen=True, eq=False)
class PhotoRequest:
    """A picture that is to become the photo of the board."""

    frame: Frame
    # Where the board was found in it, where it is to be kept like that.
    sight: BoardPicture | None = None
    # Where it lies, as a person says; without them and without a sight it is looked for.
    corners: tuple[Point, ...] = ()
    is_exact: bool = False  # whether the corners stay as they are given


def sight_of(request: PhotoRequest, board: Board, profile: Profile | None) -> BoardPicture:
    """Return where the board is in a picture, as somebody wants it."""
    if request.sight is not None:
        return request.sight
    own = own_profile_or_none(profile)
    if request.corners:
        found = find_by_any(
            [request.frame.picture],
            board,
            own,
            request.corners,
            methods=(FindBy.CORNERS,),
            is_snapped=not request.is_exact,
            size_mm=None if own is None else own.size_mm,
        )
    else:
        size_mm = _size_mm(board, own)
        found = find_by_any([request.frame.picture], board, own, methods=ANEW, size_mm=size_mm)
    if isinstance(found, FoundByNone):
        raise CalibratingError(found.reason)
    tried = () if request.corners else found.tried
    return BoardPicture(request.frame, found.pose, found.method, tried, found.notes)


def profile_from_request(
    sight: BoardPicture, board: Board, profile: Profile | None
) -> tuple[Profile, OccupiedReference | None]:
    """Return the profile that a picture makes, under its older one's name, and what lay there."""
    own, pose = own_profile_or_none(profile), sight.pose
    made, lying = profile_of_picture(
        sight.frame.picture,
        board,
        pose.corners_px,
        board.id if own is None else own.name,
        pose.lens,
        None if own is None else own.scale,
    )
    if own is None and profile is not None:  # trains of one's own, named on the command line
        made = with_user_data_of(made, profile)
    return made, lying


def notes_on(lying: OccupiedReference | None, lost: NotFound | None) -> Iterator[Sentence]:
    """Yield what there is to say of a profile that was just made."""
    if lying is not None:
        yield (
            Sentence(
                "trains lie on the board, on {count} routes: what they hide is drawn until it"
                " is seen free; a photo of the empty board is better",
                count=len(lying.routes),
            )
        )
    if lost is not None:
        yield Sentence("the board is not found with this photo of it: {error}", error=lost.reason)
