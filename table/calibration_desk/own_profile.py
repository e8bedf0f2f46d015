"""A profile made of one picture in which the board was found; of trains on it, it knows."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy.typing as npt
from railspotter.calibration.arrays import Picture
from railspotter.calibration.finding import confirmed_by, with_quality
from railspotter.calibration.lenses import Lens
from railspotter.calibration.profiles import Profile, make_profile
from railspotter.scoring import Board
from railspotter.vision.watching import Occupied

from .occupied_reference import as_if_empty

MOST_CONFIRMING = 2
"""Further pictures that a profile's quality is told by: each takes a second or two."""


def profile_of_picture(
    photo: Picture,
    board: Board,
    corners_px: npt.ArrayLike,
    name: str,
    lens: Lens | None = None,
    scale: float | None = None,
    others: tuple[Picture, ...] = (),
) -> tuple[Profile, Occupied | None]:
    """Make a profile of one's own board, with what it is worth.

    Parameters
    ----------
    photo : (H, W, 3) uint8 array, BGR
    corners_px : (4, 2) array_like
        The printed board's corners in it: top left, top right, bottom right, bottom left.
    lens, scale
        As `calibration.reference.make_profile` has them.
    others : tuple of (H, W, 3) uint8 array, BGR
        Further pictures of the same empty board, which tell its quality.

    Returns
    -------
    Profile, Occupied or None
        And which trains lay on the board, if any did.

    Raises
    ------
    OutlineError
        When the corners cannot be a board's.
    """
    made_at = datetime.now(UTC).isoformat()
    profile = make_profile(photo, board, corners_px, name, made_at, lens, scale)
    profile = with_quality(profile, board, photo, corners_px, lens)
    profile = confirmed_by(profile, others[:MOST_CONFIRMING])
    return as_if_empty(profile, board, photo, corners_px, lens)
