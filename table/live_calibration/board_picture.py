"""Finding the board in a camera picture, and making a profile from such a picture."""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace

from railspotter.calibration.finding.ways import (
    LADDER,
    Candidate,
    FindBy,
    FoundByNone,
    Tried,
    find_board,
)
from railspotter.calibration.pose import NotFound, Pose
from railspotter.calibration.profiles.picture_quality import measure_picture
from railspotter.calibration.profiles.profile import Profile, with_user_data_of
from railspotter.calibration.profiles.quality import grade_of, judge_picture
from railspotter.scoring.board import Board
from railspotter.scoring.sentence import Sentence
from railspotter.vision.sources.source import Frame
from railspotter.vision.watching.emptiness import OccupiedReference

from ..errors import CalibratingError, NotNowError
from ..photo_file import to_jpeg
from .outlines import Finding, Point, findings
from .own_profile import profile_of_picture

MOST_KEPT = 4  # pictures in the cache; the least recently used one is dropped
QUALITY = 88  # of JPEGs, whose corners the page shows magnified
GONE = Sentence("that picture is gone: look at the newest one")
WAITING = Sentence("waiting for a picture from the camera")
AUTOMATIC = LADDER[:-1]  # the routes take seconds: only where a person waits for an answer
NOT_PLAYED_WITH = Sentence(
    "the profile does not know the board like this: take hands and trains off, and"
    " keep this picture as the photo of your board"
)
# Methods that do not use the user's own photo, which may be wrong.
WITHOUT_OWN_PHOTO = LADDER[1:]


class RecentPictures:
    """A cache of camera pictures, each with the board found in it. Thread-safe.

    `newest` is the picture added last.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pictures: OrderedDict[int, tuple[Frame, BoardPicture | None]] = OrderedDict()
        self._cached_jpeg: tuple[int, bytes] | None = None
        self.newest: Frame | None = None

    def add(self, frame: Frame, sight: "BoardPicture | None") -> None:
        """Add the newest picture, or update the board found in it."""
        with self._lock:
            self.newest = frame
            self._pictures[frame.number] = frame, sight
            self._pictures.move_to_end(frame.number)
            while len(self._pictures) > MOST_KEPT:
                self._pictures.popitem(last=False)

    def touch(self, number: int) -> None:
        """Mark a picture as recently used, if it is still there."""
        with suppress(NotNowError):
            self.picture(number)

    def picture(self, number: int | None = None) -> "tuple[Frame, BoardPicture | None]":
        """Return a picture (default: the newest) with the board in it; raises `NotNowError`."""
        with self._lock:
            if self.newest is None:
                raise NotNowError(WAITING)
            number = self.newest.number if number is None else number
            if number not in self._pictures:
                raise NotNowError(GONE)
            self._pictures.move_to_end(number)
            return self._pictures[number]

    def jpeg(self, number: int | None = None) -> bytes:
        """Return a full-size picture as JPEG, caching the last one; raises as `picture`."""
        frame, _ = self.picture(number)
        cached = self._cached_jpeg
        if cached is None or cached[0] != frame.number:
            cached = self._cached_jpeg = frame.number, to_jpeg(frame.picture, QUALITY)
        return cached[1]


@dataclass(frozen=True, eq=False)
class BoardPicture:
    """A picture with the board found in it."""

    frame: Frame
    pose: Pose
    method: FindBy
    tried: Tried = field(default_factory=dict)
    notes: tuple[Sentence, ...] = ()  # why not, and other remarks for the user
    is_ready: bool = True  # whether the profile alone finds the board, which is all a game needs
    verdict: str = ""
    findings: tuple[Finding, ...] = ()


def find_board_in_frame(
    frame: Frame, board: Board, profile: Profile | None
) -> BoardPicture | FoundByNone:
    """Find the board by the automatic methods."""
    known = Candidate(board, profile)
    found = find_board([frame.picture], [known], AUTOMATIC)
    if isinstance(found, FoundByNone):
        return found
    is_ready = found.method is known.own_print
    notes = found.notes if is_ready else (*found.notes, NOT_PLAYED_WITH)
    return BoardPicture(frame, found.pose, found.method, found.tried, notes, is_ready)


def with_picture_quality(sight: BoardPicture) -> BoardPicture:
    """Return the board picture with its measured quality."""
    picture = measure_picture(sight.frame.picture, sight.pose)
    remarks = judge_picture(picture)
    found = findings(remarks, picture, sight.pose)
    return replace(sight, verdict=grade_of(remarks).name.lower(), findings=found)


def own_profile_or_none(profile: Profile | None) -> Profile | None:
    """Return the profile if it was made from the user's own copy, else None."""
    return None if profile is None or profile.is_drawn else profile


@dataclass(frozen=True, eq=False)
class PhotoRequest:
    """A request to make a profile from a picture."""

    frame: Frame
    sight: BoardPicture | None = None  # the board that is followed in it
    # The board's corners as the user set them; without them and `sight` the board is searched.
    corners: tuple[Point, ...] = ()
    is_exact: bool = False  # whether the corners must not be refined


def find_requested_board(
    request: PhotoRequest, board: Board, profile: Profile | None
) -> BoardPicture:
    """Find the board in a request's picture; raises `CalibratingError`."""
    if request.sight is not None and request.sight.method is not FindBy.CORNERS:
        # It was followed to this picture, perhaps under hands, or to another place.
        again = find_board_in_frame(request.frame, board, profile)
        if isinstance(again, FoundByNone):
            raise CalibratingError(again.reason)
        return replace(request.sight, pose=again.pose)
    if request.sight is not None:
        return request.sight
    found = find_board(
        [request.frame.picture],
        [Candidate(board, profile)],
        WITHOUT_OWN_PHOTO,
        corners=request.corners or None,
        is_snapped=not request.is_exact,
    )
    if isinstance(found, FoundByNone):
        raise CalibratingError(found.reason)
    return BoardPicture(request.frame, found.pose, found.method, found.tried, found.notes)


def profile_from_request(
    sight: BoardPicture, board: Board, profile: Profile | None
) -> tuple[Profile, OccupiedReference | None]:
    """Make a profile from a picture; return it and the trains that lay on the board."""
    own, pose = own_profile_or_none(profile), sight.pose
    made, lying = profile_of_picture(
        sight.frame.picture,
        board,
        pose.corners_px,
        board.id if own is None else own.name,
        pose.lens,
        None if own is None else own.scale,
    )
    if own is None and profile is not None:  # keep the user's trains from the command line
        made = with_user_data_of(made, profile)
    return made, lying


def notes_on(lying: OccupiedReference | None, lost: NotFound | None) -> Iterator[Sentence]:
    """Yield the remarks on a newly made profile."""
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
