"""Finds a first pose by features: matches them, and fits the homography that most agree on."""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from ..arrays import Mask, Picture
from ..geometry import area_px2, homography_between, orientation, outline_mm
from ..lenses.lens import Lens
from ..pose import Pose
from ..profiles.features import Features, find_features, match
from .lens_choice import pose_with_lens

# Thresholds for a board found by features: see docs/vision.md for measurements.
RATIO = 0.8  # of the best to the second best distance of a match
INLIER_PX = 3.0  # most distance of an inlier, in pixels of the searched picture
LEAST_INLIERS = 25
LEAST_AREA = 0.02  # least share of the frame that a board fills


@dataclass(frozen=True, eq=False)
class SeenFeatures:
    """The features of a frame, at one scale."""

    features: Features  # points in the frame's pixels
    shrunk: float  # scale at which they were found, 1 for the frame's own
    size_wh: tuple[int, int]  # width and height of the frame, in pixels

    def where(self, kept: Mask) -> "SeenFeatures":
        """Return some of them."""
        return SeenFeatures(self.features.where(kept), self.shrunk, self.size_wh)


class FrameFeatures:
    """A frame's features, cached for searching several boards."""

    def __init__(self, frame: Picture) -> None:
        self.frame = frame
        self._found: dict[tuple[int, int], SeenFeatures] = {}

    def at(self, longer_side_px: int, limit: int) -> SeenFeatures:
        """Return up to `limit` features of the frame, scaled to a longer side."""
        key = longer_side_px, limit
        if key not in self._found:
            grey = cv2.cvtColor(self.frame, cv2.COLOR_BGR2GRAY)
            shrunk = min(1.0, longer_side_px / max(grey.shape))
            if shrunk < 1:
                grey = cv2.resize(grey, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA)
            found = find_features(np.asarray(grey, dtype=np.uint8), limit)
            # The middle of the top-left pixel is (0, 0) at either scale.
            points = (found.points + 0.5) / shrunk - 0.5
            size_wh = self.frame.shape[1], self.frame.shape[0]
            self._found[key] = SeenFeatures(Features(points, found.descriptors), shrunk, size_wh)
        return self._found[key]

    @cached_property
    def mirrored(self) -> "FrameFeatures":
        """The features of the mirrored frame."""
        return FrameFeatures(np.ascontiguousarray(self.frame[:, ::-1]))


def poses_by_features(
    seen: SeenFeatures,
    reference: Features,
    size_mm: tuple[float, float],
    lens: Lens | None = None,
    least_inliers: int = LEAST_INLIERS,
    least_area: float = LEAST_AREA,
) -> tuple[Pose, ...]:
    """Return the poses of a board that matching features agree on, good to a few millimetres.

    Empty if too few agree, or only on an implausible pose; else one, and a second with a lens if
    the features need one.
    """
    pairs = match(reference, seen.features, RATIO)
    if len(pairs) < least_inliers:
        return ()
    points_mm, points_px = reference.points[pairs[:, 0]], seen.features.points[pairs[:, 1]]
    tolerance_px = INLIER_PX / seen.shrunk
    straight_px = points_px if lens is None else lens.straightened(points_px)
    common = homography_between(points_mm, straight_px, tolerance_px)
    if common is None:
        return ()
    no_bend = np.zeros((1, 1, 2))
    pose = Pose(common[0], no_bend, size_mm, int(np.count_nonzero(common[1])), 0.0, lens)
    bent = None
    if lens is None:
        bent = pose_with_lens(pose, points_mm, points_px, seen.size_wh, tolerance_px)
    poses = (pose,) if bent is None else (pose, bent)
    return tuple(
        p
        for p in poses
        if p.inliers >= least_inliers and _is_plausible(p, seen.size_wh, least_area)
    )


def _is_plausible(pose: Pose, size_wh: tuple[int, int], least_area: float) -> bool:
    """Tell whether a camera can see the board so: not crossed, mirrored, or too small."""
    depth = outline_mm(pose.size_mm) @ pose.frame_from_board[2, :2] + pose.frame_from_board[2, 2]
    if np.any(depth <= 0) and np.any(depth > 0):  # partly behind the camera
        return False
    least_px2 = least_area * size_wh[0] * size_wh[1]
    return orientation(pose.corners_px) > 0 and area_px2(pose.corners_px) >= least_px2
