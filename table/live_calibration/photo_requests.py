"""Pictures that are to become the photo of the board: that takes longer than an answer may."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from railspotter.calibration.finding.ways import FindBy, FoundByNone, find_by_any
from railspotter.calibration.pose import NotFound
from railspotter.calibration.profiles.profile import Profile, with_words_of
from railspotter.scoring.board import Board
from railspotter.scoring.sentence import Sentence
from railspotter.vision.sources.source import Frame
from railspotter.vision.watching.emptiness import OccupiedReference

from ..errors import CalibratingError
from .board_picture import BoardPicture, own_profile_or_none, size_mm_of
from .outlines import Point
from .own_profile import profile_of_picture

# What finds the board without one's own photo, which may be what is wrong.
ANEW = (FindBy.FINGERPRINT, FindBy.MARKERS)


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
        size_mm = size_mm_of(board, own)
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
        made = with_words_of(made, profile)
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
