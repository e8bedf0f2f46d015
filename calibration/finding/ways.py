"""The one ladder that finds a board: all methods in turn, with the reasons why those before failed.

First the user's own photo of the board, which is surest, then the program's fingerprint, printed
markers, and the directions of its routes, whatever its print. Photos that are scored, the camera of
a game and of calibrating, and the search for which board a photo shows climb it, each as far as
it may (`find_board`).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

import cv2
import numpy as np
import numpy.typing as npt
from railspotter.scoring.board import Board
from railspotter.scoring.sentence import Sentence

from ..arrays import Float64s, Picture
from ..errors import OutlineError
from ..geometry import grid_mm
from ..lenses.lens import Lens, lens_for
from ..pose import Grounds, NotFound, Pose, better_measured
from ..profiles.profile import Profile, board_of_copy, size_of_copy
from ..profiles.reference import check_corners
from .feature_pose import FrameFeatures
from .finder import NOWHERE, find_by_print, reason_of_any
from .fingerprint import stand_in_profile
from .markers import NO_MARKERS, find_by_markers
from .outline_fit import align_at_corners, find_by_network

# A hand over the board, somebody leaning in, a moving reflection: each shifts one frame's pose by
# millimetres, but not the median of several. If the frames disagree, there is no pose.

MOVED = Sentence(
    "the board or the camera moved from one picture to the next: keep both still, and take all"
    " pictures from one place"
)
RESTLESS = Sentence(
    "the pictures do not agree on where the board is: wait until nobody leans over it and the light"
    " is steady, or name a single photo"
)

# Most distance of any point of the board from the median: poses by markers scatter by half of it in
# poor pictures, those by print by a tenth.
MOST_OFF_MM = 2.0
LEAST_SHARE = 0.6  # least share of the poses that agree
LEAST_FOUND = 0.5  # least share of the frames in which the board is found


def agreed_pose(poses: Sequence[Pose]) -> Pose | NotFound:
    """Return the median of the poses that agree, with the lens of the nearest one.

    A single pose is returned as it is. `NotFound` tells whether something moved or poses scatter.
    """
    if not poses:
        return NotFound(Sentence("there is no picture in which the board was found"))
    if len(poses) == 1:
        return poses[0]
    compared_mm = grid_mm(poses[0].size_mm)
    seen_px = np.stack([pose.seen_at(compared_mm) for pose in poses])
    mm_per_px = 1 / max(float(np.median([pose.px_per_mm for pose in poses])), 1e-9)
    agrees = _off_mm(seen_px, mm_per_px) <= MOST_OFF_MM
    if np.count_nonzero(agrees) < LEAST_SHARE * len(poses):
        return NotFound(MOVED if _has_moved(seen_px, mm_per_px) else RESTLESS)
    median_px = np.median(seen_px[agrees], axis=0)
    agreeing = [pose for pose, is_one in zip(poses, agrees, strict=True) if is_one]
    nearest = poses[nearest_to(median_px, seen_px)]
    straight_px = median_px if nearest.lens is None else nearest.lens.straightened(median_px)
    fitted, _ = cv2.findHomography(compared_mm, straight_px, 0)
    bends = [pose.bend_mm for pose in agreeing if pose.bend_mm.shape == nearest.bend_mm.shape]
    return replace(
        nearest,
        frame_from_board=np.asarray(fitted, np.float64),
        bend_mm=np.asarray(np.median(bends, axis=0)),
        inliers=int(np.median([pose.inliers for pose in agreeing])),
        agreement=float(np.median([pose.agreement for pose in agreeing])),
    )


def nearest_to(median_px: Float64s, seen_px: Float64s) -> int:
    """Return the index of the nearest of several sets of points, (N, P, 2), to one, (P, 2)."""
    return int(np.hypot(*np.moveaxis(seen_px - median_px, -1, 0)).max(axis=1).argmin())


def nearest_pose(pose: Pose, poses: Sequence[Pose]) -> int:
    """Return the index of the nearest of several poses to one of the same board."""
    at_mm = grid_mm(pose.size_mm)
    return nearest_to(pose.seen_at(at_mm), np.stack([one.seen_at(at_mm) for one in poses]))


def _off_mm(seen_px: Float64s, mm_per_px: float) -> Float64s:
    """Return the largest distance of each pose from the median, (N,)."""
    off = seen_px - np.median(seen_px, axis=0)
    return np.asarray(np.hypot(off[..., 0], off[..., 1]).max(axis=1) * mm_per_px)


def _has_moved(seen_px: Float64s, mm_per_px: float) -> bool:
    """Tell whether the poses agree before and after some moment."""
    return any(
        (_off_mm(seen_px[:moment], mm_per_px) <= MOST_OFF_MM).all()
        and (_off_mm(seen_px[moment:], mm_per_px) <= MOST_OFF_MM).all()
        for moment in range(1, len(seen_px))
    )


class FindBy(StrEnum):
    """The methods to find a board, in their order; their values are shown to people."""

    OWN_PHOTO = Sentence("your own photo of the board")
    FINGERPRINT = Sentence("the print that comes with the program")
    MARKERS = Sentence("the markers at its corners")
    NETWORK = Sentence("where its routes run")
    CORNERS = Sentence("the corners you gave")


LADDER = (FindBy.OWN_PHOTO, FindBy.FINGERPRINT, FindBy.MARKERS, FindBy.NETWORK)
BY_PRINT = (FindBy.OWN_PHOTO, FindBy.FINGERPRINT)
WHICH_BOARD = (*BY_PRINT, FindBy.NETWORK)  # markers say where a board is, not which one
# The most grounds of the refusals before with which a method may still find the board.
MOST_GROUNDS = {**dict.fromkeys(BY_PRINT, Grounds.PICTURE), FindBy.NETWORK: Grounds.LOOKS}

Finder = Callable[[FrameFeatures], Pose | NotFound]
Tried = Mapping[FindBy, NotFound]  # why methods did not find the board


@dataclass(frozen=True, eq=False)
class Candidate:
    """A board that frames may show, with the profile of a copy of it, if there is one."""

    board: Board
    profile: Profile | None = None

    @property
    def own(self) -> Profile | None:
        """The profile with a photo of the copy; None for none, or a drawn one."""
        known = self.profile
        is_photo = known is not None and not known.is_drawn and known.board == self.board.id
        return known if is_photo else None

    @property
    def stand_in(self) -> Profile | None:
        """The profile drawn from the program's fingerprint; None for users' boards."""
        is_drawn = self.profile is not None and self.profile.is_drawn
        return self.profile if is_drawn else stand_in_profile(self.board)

    @property
    def own_print(self) -> FindBy:
        """The one method whose poses fit the print that its profile is read by."""
        is_drawn = self.profile is not None and self.profile.is_drawn
        return FindBy.FINGERPRINT if is_drawn else FindBy.OWN_PHOTO


@dataclass(frozen=True, eq=False)
class FoundPose:
    """A board that was found."""

    pose: Pose  # of all frames
    method: FindBy  # that found it
    tried: Tried  # the methods before
    frame: int  # index of the frame that the pose is nearest to
    candidate: Candidate  # which board it is
    beside: tuple[Board, ...] = ()  # other candidates that were found, each less surely
    # Notes for people: that the board lies upside down, say.
    notes: tuple[Sentence, ...] = ()
    is_mirrored: bool = False  # whether it was found in the mirrored frame


@dataclass(frozen=True)
class FoundByNone(NotFound):
    """A board that no method found; `reason` is the best founded one."""

    tried: Tried = field(default_factory=dict, compare=False)

    def scaled_up(self, times: float) -> "NotFound":
        """Return the refusal for a picture that was `times` larger before it was scaled."""
        tried = {method: lost.scaled_up(times) for method, lost in self.tried.items()}
        return _by_none(tried) if tried else self


def find_board(
    frames: Sequence[Picture],
    candidates: Sequence[Candidate],
    methods: Sequence[FindBy] = LADDER,
    *,
    corners: npt.ArrayLike | None = None,
    lens: Lens | None = None,
    is_snapped: bool = True,
    size_mm: tuple[float, float] | None = None,
) -> FoundPose | FoundByNone:
    """Return which board frames of one camera show, and where, by the first method that finds it.

    A method that a candidate has nothing for is left out: a photo without a profile, say. Once the
    board was seen well enough to know why it is refused, no other print is tried, and the routes
    only where neither the picture nor what covers the board is at fault.

    Parameters
    ----------
    frames : sequence of (H, W, 3) uint8 array, BGR
        All from one place, in the order in which they were taken; one is enough.
    candidates : sequence of Candidate
        Of several, the one that is found most surely is returned. Markers do not tell them apart.
    methods : sequence of FindBy
        Methods to try, in this order.
    corners : (4, 2) array_like, optional
        TL, TR, BR, BL in the frames' pixels, as a person pointed at them: then no method is tried.
    lens : Lens, optional
        The camera's, for markers and corners; by default the profile's for frames of this size. By
        print the lens is measured in the picture itself, since a wrong one would mislead
        (benchmarks/results/finding-boards.md).
    is_snapped : bool
        Whether the person's corners are refined by the outlines of the board's spaces.
    size_mm : tuple of float, optional
        The copy's own size, if it is not its profile's or the board's.

    Returns
    -------
    FoundPose or FoundByNone
        `FoundByNone` is falsy, with a reason that tells what to do.
    """
    shapes = {frame.shape for frame in frames}
    if len(shapes) != 1:
        return FoundByNone(
            Sentence("the pictures are of different sizes: take all with one camera, held one way")
            if shapes
            else Sentence("there is no picture to look at")
        )
    height, width = frames[0].shape[:2]
    features, middle = [FrameFeatures(frame) for frame in frames], len(frames) // 2

    def finder(candidate: Candidate, method: FindBy) -> Finder | None:
        """Return what finds a candidate in one frame; None if it has nothing for the method."""
        board, own, known = candidate.board, candidate.own, candidate.profile
        if method in BY_PRINT:
            of_print = own if method is FindBy.OWN_PHOTO else candidate.stand_in
            return None if of_print is None else lambda seen: find_by_print(seen, of_print)
        if method is FindBy.NETWORK:
            return lambda seen: find_by_network(seen.frame, board)
        size = size_mm or size_of_copy(board, None if own is None else own.scale)
        its = lens if lens or known is None else lens_for(known.lenses, (width, height))
        if method is FindBy.MARKERS:
            return lambda seen: find_by_markers(seen.frame, size, its)
        given = np.asarray(corners, np.float64)
        return lambda seen: _by_corners(seen.frame, given, board if is_snapped else None, size, its)

    tried: dict[FindBy, NotFound] = {}
    for method in methods if corners is None else (FindBy.CORNERS,):
        if max((lost.grounds for lost in tried.values()), default=0) > MOST_GROUNDS.get(method, 9):
            continue
        # The routes take seconds a frame: one is enough.
        first, last = (middle, middle + 1) if method is FindBy.NETWORK else (0, len(frames))
        found: list[tuple[Pose, int, Candidate]] = []
        refusals = []
        for candidate in candidates:
            if (find := finder(candidate, method)) is None:
                continue
            result = _in_most(features[first:last], find)
            if isinstance(result, NotFound):
                refusals.append(result)
            else:
                found.append((result[0], first + result[1], candidate))
        if found:
            found.sort(key=lambda one: (-one[0].inliers, -one[0].agreement))
            (pose, frame, candidate), *others = found
            beside = tuple(other.board for _, _, other in others)
            notes = tuple(_notes(pose, candidate, lens, (width, height)))
            return FoundPose(pose, method, tried, frame, candidate, beside, notes)
        if refusals:
            tried[method] = refusals[0] if len(refusals) == 1 else reason_of_any(refusals)
    return _by_none(tried)


def _by_none(tried: Tried) -> FoundByNone:
    some = [lost for lost in tried.values() if lost.reason != NO_MARKERS or len(tried) == 1]
    best = better_measured(*(some or [NotFound(NOWHERE)]))
    return FoundByNone(best.reason, tried, grounds=best.grounds)


def _in_most(frames: Sequence[FrameFeatures], find: Finder) -> tuple[Pose, int] | NotFound:
    """Find a board in every frame; return the common pose and the index of the nearest frame."""
    results = [find(frame) for frame in frames]
    found = [(i, pose) for i, pose in enumerate(results) if isinstance(pose, Pose)]
    if len(found) < LEAST_FOUND * len(frames) or not found:
        refused = [lost for lost in results if isinstance(lost, NotFound)]
        common = Counter(lost.reason for lost in refused).most_common(1)[0][0]
        return next(lost for lost in refused if lost.reason == common)
    poses = [pose for _, pose in found]
    agreed = agreed_pose(poses)
    if isinstance(agreed, NotFound):
        return agreed
    return agreed, found[nearest_pose(agreed, poses)][0]


def _by_corners(
    frame: Picture,
    given: Float64s,
    board: Board | None,
    size_mm: tuple[float, float],
    lens: Lens | None,
) -> Pose | NotFound:
    """Return the pose by a person's corners, refined by the spaces of a given board."""
    try:
        check_corners(given, frame.shape)
    except OutlineError as error:
        return NotFound(error.sentence)
    lens = lens and lens.for_size((frame.shape[1], frame.shape[0]))
    at = Pose.at_corners(given, size_mm, lens)
    if board is None:
        return at
    copy = board_of_copy(board, size_mm[0] / board.size_mm[0])
    return replace(align_at_corners(frame, at, copy), agreement=0.0)


def _notes(
    pose: Pose, candidate: Candidate, lens: Lens | None, size_wh: tuple[int, int]
) -> Iterator[Sentence]:
    """Yield notes on the profile's lenses, and on how the board is rotated in the frame."""
    lenses = {} if candidate.profile is None else candidate.profile.lenses
    if lens is None and lenses and lens_for(lenses, size_wh) is None:
        shapes = sorted({"{}x{}".format(*one.size_wh) for one in lenses.values()})
        yield Sentence(
            "the profile's lenses are of other pictures ({sizes}) than this one ({size}):"
            " another camera, or another mode of it; none was used",
            sizes=", ".join(shapes),
            size="{}x{}".format(*size_wh),
        )
    top = pose.corners_px[1] - pose.corners_px[0]
    quarter = round(float(np.arctan2(top[1], top[0])) / (np.pi / 2)) % 4
    if quarter:
        turned = (
            Sentence("turned to the right"),
            Sentence("upside down"),
            Sentence("turned to the left"),
        )[quarter - 1]
        yield Sentence("the board lies {turned} in the picture, which is fine", turned=turned)
