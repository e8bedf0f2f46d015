"""Making a profile from one photo of the empty board."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
from railspotter.scoring.board import Board

from ..arrays import Float64s, Picture
from ..errors import OutlineError
from ..geometry import homography_from_corners, turning
from ..lenses.lens import Lens
from ..pose import Pose, rectify
from .copy_size import board_of_copy
from .features import Features, find_spread_features
from .print_fit import fit_print
from .profile import Profile

# A train is then 52 x 18 pixels; finer references measured no better (docs/vision.md).
REFERENCE_PX_PER_MM = 2.0
# Features are searched at about the scale of the pictures they are looked for in: twice as many
# then agree as at the reference's own scale.
FEATURE_PX_PER_MM = 1.0
FEATURES = 2500
FEATURE_CELLS_WH = (10, 7)


def make_profile(
    photo: Picture,
    board: Board,
    corners_px: npt.ArrayLike,
    name: str,
    made_at: str,
    lens: Lens | None = None,
    scale: float | None = None,
) -> Profile:
    """Make a profile from a photo of the user's own empty board.

    Parameters
    ----------
    photo : (H, W, 3) uint8 array, BGR
    corners_px : (4, 2) array_like
        The printed board's corners in the photo: top left, top right, bottom right, bottom left.
    made_at : str
        UTC time, ISO 8601.
    lens : Lens, optional
        What bends the photo, as `fingerprint.find_reference` has it: the reference is straight.
    scale : float, optional
        How much larger this copy is than the board file has it, as `copy_size.scale_of_width` has
        it; without it nobody measured.

    Raises
    ------
    OutlineError
        When the corners cross, run the wrong way round or lie outside the photo.
    """
    corners = np.asarray(corners_px, dtype=np.float64)
    check_corners(corners, photo.shape)
    straight = corners if lens is None else lens.straightened(corners)
    board = board_of_copy(board, scale)
    frame_from_board = homography_from_corners(straight, board.size_mm)
    pose = Pose(frame_from_board, np.zeros((1, 1, 2)), board.size_mm, 0, 1.0, lens)
    reference = rectify(photo, pose, REFERENCE_PX_PER_MM)
    return Profile(
        name=name,
        board=board.id,
        size_mm=board.size_mm,
        made_at=made_at,
        reference=reference,
        px_per_mm=REFERENCE_PX_PER_MM,
        features=spread_features(reference, FEATURES),
        print_offsets_mm=fit_print(reference, REFERENCE_PX_PER_MM, board),
        scale=scale,
    )


def spread_features(reference: Picture, limit: int) -> Features:
    """Return features of a reference at `REFERENCE_PX_PER_MM`, points in board millimetres."""
    shrink = FEATURE_PX_PER_MM / REFERENCE_PX_PER_MM
    small = cv2.resize(reference, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    found = find_spread_features(grey, limit, FEATURE_CELLS_WH)
    return Features((found.points + 0.5) / FEATURE_PX_PER_MM, found.descriptors)


def check_corners(corners: Float64s, shape: tuple[int, ...]) -> None:
    """Refuse corners that cannot be a board's.

    Raises
    ------
    OutlineError
        With what is wrong, in the words of the person who gave them.
    """
    height, width = shape[:2]
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise OutlineError("four corners are needed, each as x,y")
    way = turning(corners)
    if way == 0:
        raise OutlineError(
            "the corners cross or lie on one line: give them in the order top left, top"
            " right, bottom right, bottom left"
        )
    if way < 0:
        raise OutlineError(
            "the corners run the wrong way round: give them in the order top left, top"
            " right, bottom right, bottom left"
        )
    slack = 0.02 * max(height, width)
    low, high = corners.min(axis=0), corners.max(axis=0)
    if low.min() < -slack or high[0] > width + slack or high[1] > height + slack:
        raise OutlineError(
            "a corner lies outside the photo, which is {width} x {height} pixels",
            width=width,
            height=height,
        )
