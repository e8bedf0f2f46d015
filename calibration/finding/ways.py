"""Tries all methods to find a board in turn, and reports why each failed.

First the user's own photo of the board, which is surest, then the program's fingerprint, printed
markers, corners that a person gave, and the directions of its routes, whatever its print. The
result names the method and the failures before it, for the screens that help to set a board up.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
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
from ..pose import Grounds, NotFound, Pose
from ..profiles.profile import Profile, board_of_copy
from ..profiles.reference import check_corners
from .feature_pose import FrameFeatures
from .finder import MIRRORED, NOWHERE, TWO_BOARDS, find_board
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
NO_PHOTO = Sentence("there is no profile with a photo of this board yet")
NO_FINGERPRINT = Sentence("the board {board!r} cannot be found by itself")
NO_CORNERS = Sentence("nobody gave the board's corners")
OTHER_BOARD = Sentence("the profile {name!r} is of the board {board!r}, not {other!r}")
# Reasons of methods that saw nothing of the board.
SAW_NOTHING = (NOWHERE, NO_MARKERS, NO_PHOTO, NO_CORNERS)
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
    """The methods to find a board; their values are shown to people."""

    OWN_PHOTO = Sentence("your own photo of the board")
    FINGERPRINT = Sentence("the print that comes with the program")
    MARKERS = Sentence("the markers at its corners")
    CORNERS = Sentence("the corners you gave")
    NETWORK = Sentence("where its routes run")


ORDER = tuple(FindBy)


@dataclass(frozen=True)
class Failure:
    """A method that did not find the board, with the reason."""

    method: FindBy
    reason: Sentence
    grounds: Grounds = Grounds.NOTHING


@dataclass(frozen=True, eq=False)
class FoundPose:
    """A board that was found."""

    pose: Pose  # of all frames
    method: FindBy  # that found it
    tried: tuple[Failure, ...] = ()  # the methods before
    frame: int = 0  # index of the frame that the pose is nearest to
    # Notes for people: that the board lies upside down, say.
    notes: tuple[Sentence, ...] = ()


@dataclass(frozen=True)
class FoundByNone(NotFound):
    """A board that no method found; `reason` is the most helpful one."""

    tried: tuple[Failure, ...] = ()


def find_by_any(
    frames: Sequence[Picture],
    board: Board,
    profile: Profile | None = None,
    corners: npt.ArrayLike | None = None,
    lens: Lens | None = None,
    *,
    methods: Sequence[FindBy] = ORDER,
    is_snapped: bool = True,
    size_mm: tuple[float, float] | None = None,
) -> FoundPose | FoundByNone:
    """Return the pose of a board in frames of one camera, by the first method that finds it.

    Parameters
    ----------
    frames : sequence of (H, W, 3) uint8 array, BGR
        All from one place, in the order in which they were taken; one is enough.
    profile : Profile, optional
        With the user's own photo.
    corners : (4, 2) array_like, optional
        TL, TR, BR, BL in the frames' pixels, as a person pointed at them.
    lens : Lens, optional
        The camera's, for markers and corners; by default the profile's for frames of this size. By
        print the lens is measured in the picture itself, since a wrong one would mislead
        (benchmarks/results/finding-boards.md).
    methods : sequence of FindBy
        Methods to try, in this order.
    is_snapped : bool
        Whether the person's corners are refined by the outlines of the board's spaces.
    size_mm : tuple of float, optional
        The copy's own size, if it is not the board's.

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
    size = size_mm or board.size_mm
    height, width = frames[0].shape[:2]
    notes: list[Sentence] = []
    if lens is None and profile is not None and profile.lenses:
        lens = lens_for(profile.lenses, (width, height))
        if lens is None:
            notes.append(_other_mode(profile, (width, height)))

    features = [FrameFeatures(frame) for frame in frames]

    def by(method: FindBy) -> tuple[Pose, int] | NotFound:
        """Return the pose by one method over all frames, and the index of the nearest frame."""
        match method:
            case FindBy.OWN_PHOTO:
                if profile is None:
                    return NotFound(NO_PHOTO)
                if profile.board != board.id:
                    of_board, name = profile.board, profile.name
                    return NotFound(OTHER_BOARD.filled(name=name, board=of_board, other=board.id))
                return _in_most(features, lambda seen: find_board(seen, profile))
            case FindBy.FINGERPRINT:
                if (stand_in := stand_in_profile(board)) is None:
                    return NotFound(NO_FINGERPRINT.filled(board=board.id))
                return _in_most(features, lambda seen: find_board(seen, stand_in))
            case FindBy.MARKERS:
                return _in_most(features, lambda seen: find_by_markers(seen.frame, size, lens))
            case FindBy.CORNERS:
                if corners is None:
                    return NotFound(NO_CORNERS)
                given = np.asarray(corners, np.float64)
                snapped = board if is_snapped else None
                return _in_most(
                    features, lambda seen: _by_corners(seen.frame, given, snapped, size, lens)
                )
            case FindBy.NETWORK:
                middle = len(frames) // 2  # one frame only: each takes seconds
                pose = find_by_network(frames[middle], board)
                return pose if isinstance(pose, NotFound) else (pose, middle)

    tried: list[Failure] = []
    for method in methods:
        result = by(method)
        if isinstance(result, NotFound):
            tried.append(Failure(method, result.reason, result.grounds))
            continue
        pose, frame = result
        note = _rotation_note(pose)
        return FoundPose(pose, method, tuple(tried), frame, (*notes, *((note,) if note else ())))
    return FoundByNone(_most_helpful(tried), tuple(tried))


def _in_most(
    frames: Sequence[FrameFeatures], find: Callable[[FrameFeatures], Pose | NotFound]
) -> tuple[Pose, int] | NotFound:
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


def _other_mode(profile: Profile, size_wh: tuple[int, int]) -> Sentence:
    shapes = sorted({"{}x{}".format(*one.size_wh) for one in profile.lenses.values()})
    return Sentence(
        "the profile's lenses are of other pictures ({sizes}) than this one ({size}):"
        " another camera, or another mode of it; none was used",
        sizes=", ".join(shapes),
        size=f"{size_wh[0]}x{size_wh[1]}",
    )


def _rotation_note(pose: Pose) -> Sentence | None:
    """Return a note on how the board is rotated in the frame; None if it is upright."""
    top = pose.corners_px[1] - pose.corners_px[0]
    quarter = round(float(np.arctan2(top[1], top[0])) / (np.pi / 2)) % 4
    if quarter == 0:
        return None
    turned = {
        1: Sentence("turned to the right"),
        2: Sentence("upside down"),
        3: Sentence("turned to the left"),
    }[quarter]
    return Sentence("the board lies {turned} in the picture, which is fine", turned=turned)


def _most_helpful(tried: Sequence[Failure]) -> Sentence:
    """Return the most helpful reason: of a method that saw something of the board, if any."""
    vague = dict.fromkeys(FindBy, 0)
    vague |= {FindBy.OWN_PHOTO: 3, FindBy.FINGERPRINT: 2, FindBy.MARKERS: 1}

    def helpfulness(one: Failure) -> int:
        if one.reason in (MIRRORED, TWO_BOARDS):
            return 10
        if one.grounds > Grounds.PRINT:  # better than any refusal by print
            return 5 + vague[one.method]
        return -1 if one.reason in SAW_NOTHING else vague[one.method]

    if not tried:
        return Sentence("no way to find the board was allowed")
    if len(tried) == 1:
        return tried[0].reason
    best = max(tried, key=helpfulness)
    return best.reason if helpfulness(best) >= 0 else NOWHERE
