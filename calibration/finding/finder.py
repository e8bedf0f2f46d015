"""Finds a board in a frame by its print: by features first, then by all of it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
from railspotter.scoring.board import board_names, load_board
from railspotter.scoring.sentence import Sentence

from ..arrays import Picture
from ..geometry import cells_of
from ..lenses.lens import no_lens
from ..pose import Grounds, NotFound, Pose, better_measured
from ..profiles.features import Features
from ..profiles.picture_quality import CELLS_WH
from ..profiles.profile import Profile
from .alignment import Alignment, align, align_by_features
from .feature_pose import LEAST_INLIERS, FrameFeatures, SeenFeatures, poses_by_features
from .fingerprint import load_fingerprint
from .lens_choice import better_aligned
from .picture_faults import fault_of
from .proof import (
    COVERED,
    LEAST_FEATURES_SEEN,
    OTHER_COPY,
    OTHER_PRINT,
    confirmed_pieces,
    too_small,
    why_unproven,
)

NOWHERE = Sentence(
    "the board was not found in the picture: show the whole board, from above and"
    " in even light (the board of another edition needs a profile of its own)"
)
MIRRORED = Sentence("the picture is mirrored: switch mirroring off in the camera's settings")
ANOTHER_BOARD = Sentence(
    "the picture shows another board, {name!r}: choose that board, or lay the right one before the"
    " camera"
)
TOO_LITTLE = Sentence(
    "too little of the board is in the picture: its {side} side is cut off; step back until more"
    " of it shows"
)
TWO_BOARDS = Sentence("two boards are in the picture: show one alone")
STITCHED = Sentence(
    "the picture is put together of parts that do not fit, as panoramas are: take one plain photo"
)
# Thresholds for a found board: see docs/vision.md for measurements.
# Longer side of the searched picture in pixels, and number of features; the cheap one first.
TRIES = ((640, 1500), (1600, 6000))
# Least share of the board inside the frame: a third of it can be read, and less proves nothing.
LEAST_IN_FRAME = 0.3
# Agreement of patches from which a print is this board's, even if cut off or one of two.
LEAST_OF_ANY_PART = 0.2
ASIDE_MM = 15.0  # margin around a found board outside of which a second one is searched
# Pieces of the board whose print is seen at another pose, and how far that moves them, from which
# the picture was put together: folds and other copies move print by 6 mm.
LEAST_PIECES_MOVED = 3
LEAST_MOVED_MM = 8.0
# Inliers from which a pose is checked against the print, which decides: on a board under a hand,
# far away and blurred, 24 agreed, and more than half of the print.
INLIERS_TO_LOOK = 10


@cache
def known_prints() -> Mapping[str, Features]:
    """Return the features of every board with a fingerprint, by the board's id."""
    found = ((name, load_fingerprint(load_board(name))) for name in board_names())
    return {name: known.features for name, known in found if known is not None}


def other_board_in(frame: Picture, seen: SeenFeatures, board: str) -> str | None:
    """Return the id of another known board that a frame shows, or None."""
    for name, print_of in known_prints().items():
        if name == board:
            continue
        width, height = print_of.points.max(axis=0).tolist()
        for pose in poses_by_features(seen, print_of, (width, height)):
            aligned = align_by_features(frame, pose, print_of)
            if aligned.pose.agreement >= LEAST_FEATURES_SEEN:
                return name
    return None


@dataclass(frozen=True)
class AnotherBoard(NotFound):
    """The refusal that a frame shows another board."""

    board: str = field(default="", compare=False)  # the id of the one in the picture

    @classmethod
    def of(cls, board: str) -> "AnotherBoard":
        """Return the refusal with a sentence that names the other board."""
        return cls(ANOTHER_BOARD.filled(name=board), grounds=Grounds.SEEN, board=board)


def reason_of_any(refusals: Iterable[NotFound]) -> NotFound:
    """Return the best reason why none of several candidate boards was found.

    `AnotherBoard` refusals are left out: the board that is shown has a reason of its own.
    """
    own = (lost for lost in refusals if not isinstance(lost, AnotherBoard))
    return better_measured(NotFound(NOWHERE), *own)


def find_by_print(frame: Picture | FrameFeatures, profile: Profile) -> Pose | NotFound:
    """Find the board of a profile in a frame.

    The profile's features find the board, its reference refines the pose. If the print does not fit
    a pinhole camera, a lens is fitted to the picture itself, even if the camera's is known: it is
    no better, and a wrong one would mislead. `NotFound` is falsy and has a reason for the person
    with the camera. To search several boards in one frame, pass its `FrameFeatures`, which take
    longest.
    """
    features = frame if isinstance(frame, FrameFeatures) else FrameFeatures(frame)
    found = find_aligned(features, profile)
    return found if isinstance(found, NotFound) else found.pose


def find_aligned(features: FrameFeatures, profile: Profile) -> Alignment | NotFound:
    """Find the board as `find_by_print` does; return the alignment with its patches."""
    frame = features.frame
    lost = NotFound(NOWHERE)
    for longer_side_px, limit in TRIES:
        seen = features.at(longer_side_px, limit)
        found = _find_among(frame, seen, seen, profile)
        if isinstance(found, Alignment) or found.grounds is Grounds.SEEN:
            return found
        lost = better_measured(found, lost)
    if _is_mirrored(features, profile):
        return NotFound(MIRRORED, grounds=Grounds.SEEN)
    if lost.grounds is Grounds.PICTURE or lost.reason == OTHER_COPY:
        return lost
    # With two boards every feature has an equal second best: so halves are searched.
    for half in _halves(seen):
        found = _find_among(frame, half, seen, profile)
        if isinstance(found, Alignment) or found.grounds is Grounds.SEEN:
            return found
    return _why_nowhere(frame, seen, profile, lost)


def _find_among(
    frame: Picture,
    part: SeenFeatures,
    everything: SeenFeatures,
    profile: Profile,
) -> Alignment | NotFound:
    """Find the board among some of a frame's features.

    A refusal on less than `Grounds.SEEN` may still be overcome by other features.
    """
    poses = poses_by_features(
        part, profile.features, profile.size_mm, least_inliers=INLIERS_TO_LOOK
    )
    if not poses:
        return NotFound(NOWHERE)
    aligned = better_aligned([_aligned(frame, pose, profile) for pose in poses])
    if _is_print(aligned, profile):
        if _is_another_beside(frame, everything, aligned.pose, profile):
            return NotFound(TWO_BOARDS, grounds=Grounds.SEEN)
        cut_off = _cut_off(frame, aligned.pose)
        if cut_off is not None:
            return cut_off
    missing = why_unproven(frame, aligned, profile.is_drawn)
    if missing is not None and profile.is_drawn and _is_print(aligned, profile):
        # With the refined pose, a board seen from aside may show more features.
        unbent = replace(aligned.pose, bend_mm=poses[0].bend_mm)
        aligned = _aligned(frame, unbent, profile)
        missing = why_unproven(frame, aligned, profile.is_drawn)
    if missing is None:
        return aligned
    if aligned.pose.inliers < LEAST_INLIERS and not _is_print(aligned, profile):
        return NotFound(NOWHERE)  # so few features may agree by chance
    by_print = missing.reason in (COVERED, OTHER_COPY, OTHER_PRINT)
    if by_print and _is_stitched(frame, everything, aligned, profile):
        return NotFound(STITCHED, grounds=max(missing.grounds, Grounds.LOOKS))
    return missing


def _aligned(frame: Picture, pose: Pose, profile: Profile) -> Alignment:
    if profile.is_drawn:
        return align_by_features(frame, pose, profile.features)
    return align(frame, pose, profile.reference, profile.px_per_mm)


def _is_print(aligned: Alignment, profile: Profile) -> bool:
    """Tell whether enough of the print is seen, on any part of the board."""
    least = LEAST_FEATURES_SEEN if profile.is_drawn else LEAST_OF_ANY_PART
    seen_of_all = float(aligned.agrees.mean())
    return aligned.pose.agreement >= least and seen_of_all >= least * LEAST_IN_FRAME


def _is_another_beside(frame: Picture, seen: SeenFeatures, pose: Pose, profile: Profile) -> bool:
    """Tell whether the frame shows the board a second time, beside the found one."""
    at_mm = pose.on_board(seen.features.points)
    furthest_mm = np.array(pose.size_mm) + ASIDE_MM
    is_inside = np.all((at_mm > -ASIDE_MM) & (at_mm < furthest_mm), axis=1)
    aside = seen.where(~np.asarray(is_inside, bool))
    middle_mm = np.array(pose.size_mm) / 2
    return any(
        np.any(abs(pose.on_board(other.pose.seen_at(middle_mm)) - middle_mm) > middle_mm)
        for other in _others(frame, aside, profile.features, pose, profile)
    )


def _is_stitched(frame: Picture, seen: SeenFeatures, aligned: Alignment, profile: Profile) -> bool:
    """Tell whether print that is missing at a pose is seen at another one."""
    confirmed, judged = confirmed_pieces(aligned)
    is_missing = judged & ~confirmed
    piece = cells_of(profile.features.points, profile.size_mm, CELLS_WH)
    missing = profile.features.where(is_missing.ravel()[piece])
    for other in _others(frame, seen, missing, aligned.pose, profile):
        is_moved = is_missing & confirmed_pieces(other)[0]
        at_mm = (np.argwhere(is_moved)[:, ::-1] + 0.5) / CELLS_WH * profile.size_mm
        off_mm = np.hypot(*(aligned.pose.on_board(other.pose.seen_at(at_mm)) - at_mm).T)
        if np.count_nonzero(off_mm > LEAST_MOVED_MM) >= LEAST_PIECES_MOVED:
            return True
    return False


def _others(
    frame: Picture, seen: SeenFeatures, features: Features, pose: Pose, profile: Profile
) -> list[Alignment]:
    """Return where some of a frame's features show some of the print of a board once more."""
    lens = pose.lens or no_lens(seen.size_wh)
    others = poses_by_features(seen, features, profile.size_mm, lens, INLIERS_TO_LOOK)
    aligned = (_aligned(frame, other, profile) for other in others)
    return [other for other in aligned if _is_print(other, profile)]


def _halves(seen: SeenFeatures) -> Iterator[SeenFeatures]:
    """Yield the features of the left, right, upper and lower half of a frame."""
    for axis in (0, 1):
        middle = seen.size_wh[axis] / 2
        yield seen.where(seen.features.points[:, axis] < middle)
        yield seen.where(seen.features.points[:, axis] >= middle)


def _why_nowhere(frame: Picture, seen: SeenFeatures, profile: Profile, lost: NotFound) -> NotFound:
    """Return the reason why nothing like this board was found."""
    other = other_board_in(frame, seen, profile.board)
    if other is not None:
        return AnotherBoard.of(other)
    if lost.reason != NOWHERE:
        return lost
    fault = fault_of(frame)
    if fault is not None and fault.grounds is Grounds.PICTURE:
        return fault
    # So small a board shows few of its features.
    pinhole = no_lens(seen.size_wh)
    poses = poses_by_features(
        seen, profile.features, profile.size_mm, pinhole, INLIERS_TO_LOOK, least_area=0.0
    )
    small = (refusal for pose in poses if (refusal := too_small(pose)) is not None)
    return next(small, lost if fault is None else fault)


def _is_mirrored(features: FrameFeatures, profile: Profile) -> bool:
    """Tell whether the board is found in the mirrored frame."""
    seen = features.mirrored.at(*TRIES[0])
    return bool(poses_by_features(seen, profile.features, profile.size_mm))


def _cut_off(frame: Picture, pose: Pose) -> NotFound | None:
    """Return a refusal that names the side outside of the frame; None if enough is inside."""
    height, width = frame.shape[:2]
    if pose.share_in_frame((width, height)) >= LEAST_IN_FRAME:
        return None
    board_width, board_height = pose.size_mm
    seen = pose.on_board(np.clip(pose.corners_px, 0, (width - 1, height - 1)))
    overhang_mm = {
        Sentence("left"): float(seen[[0, 3], 0].max()),
        Sentence("right"): float(board_width - seen[[1, 2], 0].min()),
        Sentence("top"): float(seen[[0, 1], 1].max()),
        Sentence("bottom"): float(board_height - seen[[2, 3], 1].min()),
    }
    side, _ = max(overhang_mm.items(), key=lambda item: item[1])
    return NotFound(TOO_LITTLE.filled(side=side), grounds=Grounds.SEEN)
