"""Finding a board in a frame with nobody clicking: features first, then the print itself."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from .alignment import AlignmentSettings, align, align_by_features
from .features import Features, find_features, match
from .geometry import FloatArray, area_px2, homography_between, outline_mm, project, turning
from .pose import NotFound, Picture, Pose
from .profile import Profile

NOWHERE = (
    "the board was not found in the picture: show the whole board, from above and in even light"
    " (the board of another edition needs a profile of its own)"
)


@dataclass(frozen=True)
class FindingSettings:
    """When a board counts as found; see docs/vision.md for what was measured."""

    tries: tuple[tuple[int, int], ...] = ((960, 2000), (1600, 6000))
    """Longer side of the picture searched in pixels, and features taken; the cheap one first."""
    ratio: float = 0.8
    inlier_px: float = 3.0
    """Distance, in the picture searched, within which a feature agrees with a pose."""
    least_inliers: int = 25
    least_area: float = 0.02
    """Share of the frame that a board fills at least."""
    least_agreement: float = 0.2
    """Share of the print's patches that must be seen where the pose has them."""
    least_features_seen: float = 0.05
    """Share of the print's features that must be seen there, where there is no reference."""
    most_overhang_mm: float = 35.0
    """How far the printed edge may lie outside the frame: about the score border's width."""


def find_board(
    frame: Picture,
    profile: Profile,
    settings: FindingSettings | None = None,
    alignment: AlignmentSettings | None = None,
) -> Pose | NotFound:
    """Find the board of a profile in a frame.

    Parameters
    ----------
    frame : (H, W, 3) uint8 array, BGR
    profile : Profile
        Its features find the board, its reference refines the pose.

    Returns
    -------
    Pose or NotFound
        `NotFound` is falsy and tells the person with the camera what to change.
    """
    s = settings or FindingSettings()
    result: Pose | NotFound = NotFound(NOWHERE)
    for longer_side_px, limit in s.tries:
        result = find_by_features(
            frame, profile.features, profile.size_mm, longer_side_px, limit, s
        )
        if isinstance(result, NotFound):
            continue
        if profile.is_drawn:
            pose = align_by_features(frame, result, profile.features, alignment)
        else:
            pose = align(frame, result, profile.reference, profile.px_per_mm, alignment)
        least = s.least_features_seen if profile.is_drawn else s.least_agreement
        if pose.agreement >= least:
            return pose if _is_whole(frame, pose, s) else _cut_off(frame, pose)
        result = NotFound(
            "something like the board was seen, but its print does not fit: is it another edition?"
        )
    if _is_mirrored(frame, profile, s):
        return NotFound("the picture is mirrored: switch mirroring off in the camera's settings")
    return result


def find_by_features(
    frame: Picture,
    reference: Features,
    size_mm: tuple[float, float],
    longer_side_px: int,
    limit: int,
    settings: FindingSettings | None = None,
) -> Pose | NotFound:
    """Find a board by its features alone: good to a few millimetres.

    Parameters
    ----------
    reference : Features
        Of the print, points in board millimetres.
    longer_side_px : int
        The picture is brought down to this first.
    limit : int
        Features taken from the picture.
    """
    s = settings or FindingSettings()
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    scale = min(1.0, longer_side_px / max(grey.shape))
    if scale < 1:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    features = find_features(np.asarray(grey, dtype=np.uint8), limit)
    pairs = match(reference, features, s.ratio)
    if len(pairs) < s.least_inliers:
        return NotFound(NOWHERE)
    # The middle of the top-left pixel is (0, 0) at either scale.
    points = (features.points[pairs[:, 1]] + 0.5) / scale - 0.5
    common = homography_between(reference.points[pairs[:, 0]], points, s.inlier_px / scale)
    inliers = 0 if common is None else int(np.count_nonzero(common[1]))
    if common is None or inliers < s.least_inliers:
        return NotFound(NOWHERE)
    return _plausible(common[0], size_mm, frame, inliers, s)


def _plausible(
    frame_from_board: FloatArray,
    size_mm: tuple[float, float],
    frame: Picture,
    inliers: int,
    s: FindingSettings,
) -> Pose | NotFound:
    """Refuse what no camera sees: a crossed, mirrored or tiny board."""
    corners = project(frame_from_board, outline_mm(size_mm))
    depth = outline_mm(size_mm) @ frame_from_board[2, :2] + frame_from_board[2, 2]
    if np.any(depth <= 0) and np.any(depth > 0):  # a part of it would lie behind the camera
        return NotFound(NOWHERE)
    if turning(corners) <= 0 or area_px2(corners) < s.least_area * frame.shape[0] * frame.shape[1]:
        return NotFound(NOWHERE)
    return Pose(frame_from_board, np.zeros((1, 1, 2)), size_mm, inliers, 0.0)


def _is_mirrored(frame: Picture, profile: Profile, s: FindingSettings) -> bool:
    """Tell whether the board is found in the mirror: no feature looks the same in it."""
    mirror = np.ascontiguousarray(frame[:, ::-1])
    found = find_by_features(mirror, profile.features, profile.size_mm, *s.tries[0], s)
    return not isinstance(found, NotFound)


def _overhang_mm(frame: Picture, pose: Pose) -> dict[str, float]:
    """Return how far, in board millimetres, each side of the board lies outside the frame."""
    height, width = frame.shape[:2]
    board_from_frame = np.linalg.inv(pose.frame_from_board)
    board_width, board_height = pose.size_mm
    corners = pose.corners_px
    inside = np.stack(
        [np.clip(corners[:, 0], 0, width - 1), np.clip(corners[:, 1], 0, height - 1)], axis=-1
    )
    seen = project(board_from_frame, inside)
    return {
        "left": float(seen[[0, 3], 0].max()),
        "right": float(board_width - seen[[1, 2], 0].min()),
        "top": float(seen[[0, 1], 1].max()),
        "bottom": float(board_height - seen[[2, 3], 1].min()),
    }


def _is_whole(frame: Picture, pose: Pose, s: FindingSettings) -> bool:
    return max(_overhang_mm(frame, pose).values()) <= s.most_overhang_mm


def _cut_off(frame: Picture, pose: Pose) -> NotFound:
    side, _ = max(_overhang_mm(frame, pose).items(), key=lambda item: item[1])
    return NotFound(
        f"only part of the board is in the picture: its {side} side is cut off;"
        " step back until the whole board shows"
    )
