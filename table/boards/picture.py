"""Rectifying a board's photo: the view from straight above."""

from collections.abc import Sequence

import numpy as np
from railspotter.calibration.arrays import Float64s, Picture
from railspotter.calibration.board_making.outlines import SizeMm
from railspotter.calibration.pose import Pose, rectify
from railspotter.calibration.profiles.reference import check_corners

RECTIFIED_PX_PER_MM = 2.0
Corners = tuple[tuple[float, float], ...]


def corners_of_picture(picture: Picture) -> Corners:
    """Return the corners of the picture itself, for a scan cut to the board's edge."""
    height, width = picture.shape[:2]
    # Pixel coordinates are of its middle: the picture's edge is half a pixel out.
    return ((-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5))


def sides_px(corners_px: Sequence[Sequence[float]]) -> Float64s:
    """Return the lengths of a quadrilateral's sides."""
    corners = np.array(corners_px, np.float64)
    return np.asarray(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1))


def rectified_board(
    photo: Picture, corners_px: Sequence[Sequence[float]], size_mm: SizeMm
) -> Picture:
    """Cut the board out of a photo and rectify it; raises `OutlineError`."""
    corners = np.array(corners_px, np.float64)
    check_corners(corners, photo.shape)
    across = sides_px(corners_px)
    seen = float(across.min() / min(size_mm)), float(across.max() / max(size_mm))
    pose = Pose.at_corners(corners, size_mm)
    # Upscaling beyond the photo's resolution would hide from people that it is coarse.
    return rectify(photo, pose, min(RECTIFIED_PX_PER_MM, *seen))
