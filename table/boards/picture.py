"""The picture of a board that is being made: as it was taken, and seen from straight above."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.calibration.board_making.outlines import SizeMm
from railspotter.calibration.errors import OutlineError
from railspotter.calibration.geometry import homography_from_corners
from railspotter.calibration.pose import Pose, rectify
from railspotter.calibration.profiles.reference import check_corners

from ..errors import DraftError
from ..photo_file import brought_down, parse_photo, to_jpeg

RECTIFIED_PX_PER_MM = 2.0
# The most pixels of a photo's longer side; a board has some 1600 where two are a millimetre.
LARGEST_PX = 4000
Corners = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class BoardPhoto:
    """A photo as a draft keeps it: brought down to what is needed, and as JPEG."""

    jpeg: bytes
    size_px: tuple[int, int]


def board_photo(content: bytes) -> BoardPhoto:
    """Return a photo from a file's content; raises `PhotoError`."""
    picture = brought_down(parse_photo(content, LARGEST_PX), LARGEST_PX)
    return BoardPhoto(to_jpeg(picture), (picture.shape[1], picture.shape[0]))


def whole_picture(size_px: tuple[int, int]) -> Corners:
    """Return a picture's own corners, as of a scan cut to the board's edge."""
    width, height = size_px
    # A pixel's middle is its place: the edge of the picture is half a pixel out.
    return ((-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5))


def seen_from_above(
    photo: Picture, corners_px: Sequence[Sequence[float]], size_mm: SizeMm
) -> Picture:
    """Return the board alone, from straight above."""
    corners = np.array(corners_px, np.float64)
    try:
        check_corners(corners, photo.shape)
    except OutlineError as error:
        raise DraftError(str(error)) from error
    across = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    if across.min() < 50:
        raise DraftError("the corners are too near to each other")
    seen = float(across.min() / min(size_mm)), float(across.max() / max(size_mm))
    pose = Pose(homography_from_corners(corners, size_mm), np.zeros((1, 1, 2)), size_mm, 0, 1.0)
    # Finer than the photo is no better, and hides from who looks that it is coarse.
    return rectify(photo, pose, min(RECTIFIED_PX_PER_MM, *seen))
