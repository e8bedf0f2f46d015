"""One pose from many frames of one camera: what most of them say, or none.

A hand over the board, somebody leaning in, a reflection that moves: each shifts one frame's pose by
millimetres. The median of several is not moved by them. Where the frames do not agree nothing is
better than their mean, which would be nobody's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from railspotter.scoring.sentence import Sentence

from ..arrays import Float64s
from ..geometry import area_px2
from ..pose import NotFound, Pose

MOVED = Sentence(
    "the board or the camera moved from one picture to the next: keep both still, and take all"
    " pictures from one place"
)
RESTLESS = Sentence(
    "the pictures do not agree on where the board is: wait until nobody leans over it and the light"
    " is steady, or name a single photo"
)


@dataclass(frozen=True)
class AgreementSettings:
    """When poses agree."""

    # How far any point of the board may be from the median: poses by markers scatter by half of it
    # in poor pictures, those by print by a tenth.
    most_off_mm: float = 2.0
    least_share: float = 0.6  # share of the poses that must agree
    grid: int = 5  # points along each side of the board that are compared


def agreed_pose(
    poses: Sequence[Pose], settings: AgreementSettings | None = None
) -> Pose | NotFound:
    """Return the pose that most poses agree on; a single one agrees with itself.

    The median of those that agree, with the lens of the one next to it. `NotFound` tells whether
    something moved, or whether the poses scatter.
    """
    s = settings or AgreementSettings()
    if not poses:
        return NotFound(Sentence("there is no picture in which the board was found"))
    if len(poses) == 1:
        return poses[0]
    grid_mm = _grid(poses[0].size_mm, s.grid)
    seen_px = np.stack([pose.seen_at(grid_mm) for pose in poses])
    mm_per_px = _mm_per_px(poses)
    agrees = _off_mm(seen_px, mm_per_px) <= s.most_off_mm
    if np.count_nonzero(agrees) < s.least_share * len(poses):
        return NotFound(MOVED if _has_moved(seen_px, mm_per_px, s) else RESTLESS)
    median_px = np.median(seen_px[agrees], axis=0)
    agreeing = [pose for pose, is_one in zip(poses, agrees, strict=True) if is_one]
    nearest = poses[nearest_to(median_px, seen_px)]
    straight_px = median_px if nearest.lens is None else nearest.lens.straightened(median_px)
    fitted, _ = cv2.findHomography(grid_mm, straight_px, 0)
    bends = [pose.bend_mm for pose in agreeing if pose.bend_mm.shape == nearest.bend_mm.shape]
    return replace(
        nearest,
        frame_from_board=np.asarray(fitted, np.float64),
        bend_mm=np.asarray(np.median(bends, axis=0)),
        inliers=int(np.median([pose.inliers for pose in agreeing])),
        agreement=float(np.median([pose.agreement for pose in agreeing])),
    )


def nearest_to(median_px: Float64s, seen_px: Float64s) -> int:
    """Return which of several sightings, (N, P, 2), is nearest to one, (P, 2)."""
    return int(np.hypot(*np.moveaxis(seen_px - median_px, -1, 0)).max(axis=1).argmin())


def nearest_pose(pose: Pose, poses: Sequence[Pose]) -> int:
    """Return which of several poses is nearest to one of the same board."""
    grid_mm = _grid(pose.size_mm, AgreementSettings().grid)
    return nearest_to(pose.seen_at(grid_mm), np.stack([one.seen_at(grid_mm) for one in poses]))


def _grid(size_mm: tuple[float, float], count: int) -> Float64s:
    x, y = (np.linspace(0, side, count) for side in size_mm)
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def _mm_per_px(poses: Sequence[Pose]) -> float:
    areas = [area_px2(pose.corners_px) for pose in poses]
    return float(np.sqrt(np.prod(poses[0].size_mm) / max(float(np.median(areas)), 1e-9)))


def _off_mm(seen_px: Float64s, mm_per_px: float) -> Float64s:
    """Return how far each pose is from the median where it is furthest, (N,)."""
    off = seen_px - np.median(seen_px, axis=0)
    return np.asarray(np.hypot(off[..., 0], off[..., 1]).max(axis=1) * mm_per_px)


def _has_moved(seen_px: Float64s, mm_per_px: float, s: AgreementSettings) -> bool:
    """Tell whether there is a moment before which and after which the poses agree."""
    return any(
        (_off_mm(seen_px[:moment], mm_per_px) <= s.most_off_mm).all()
        and (_off_mm(seen_px[moment:], mm_per_px) <= s.most_off_mm).all()
        for moment in range(1, len(seen_px))
    )
