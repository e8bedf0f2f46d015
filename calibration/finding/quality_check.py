"""Measures the quality of a profile while its photos are at hand."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from railspotter.scoring.board import Board

from ..arrays import Float64s, Picture
from ..geometry import cells_of
from ..lenses.lens import Lens
from ..pose import NotFound, Pose
from ..profiles.picture_quality import CELLS_WH, measure_picture
from ..profiles.profile import Profile
from ..profiles.quality import Quality
from .alignment import Alignment, align_by_features
from .feature_pose import FrameFeatures
from .finder import find_aligned
from .fingerprint import load_fingerprint
from .proof import why_unproven

LEAST_IN_PIECE = 2  # least patches or features that match in a piece: one may be chance


def with_quality(
    profile: Profile,
    board: Board,
    photo: Picture,
    corners_px: npt.ArrayLike,
    lens: Lens | None = None,
) -> Profile:
    """Return the profile with its quality, measured on its photo.

    Errors are measured against the board's fingerprint, if it has one: of another copy, whose print
    may differ by a millimetre.

    Parameters
    ----------
    photo : (H, W, 3) uint8 array, BGR
        The photo that `reference.make_profile` made it from, with the same corners and lens.
    """
    pose = Pose.at_corners(np.asarray(corners_px, np.float64), profile.size_mm, lens)
    quality = Quality(measure_picture(photo, pose))
    scaled = np.diag([profile.px_per_mm] * 2 + [1.0])
    own = Pose(scaled, np.zeros((1, 1, 2)), profile.size_mm, 0, 1.0)
    fingerprint = load_fingerprint(board)
    if fingerprint is not None:
        features = fingerprint.of_copy(profile.scale).features
        aligned = align_by_features(profile.reference, own, features)
        # On a drawn board, or another edition, some features agree by chance.
        if why_unproven(profile.reference, aligned, is_drawn=True) is None:
            quality = _with_errors(quality, [(aligned, own)])
    return replace(profile, quality=quality)


def measured_on(profile: Profile, photos: Iterable[Picture]) -> Profile:
    """Return the profile with its quality measured on further photos of the same empty board.

    Errors are then against its own print. Photos in which the board is not found are ignored.
    """
    if profile.quality is None:
        return profile
    found = (find_aligned(FrameFeatures(photo), profile) for photo in photos)
    confirming = [one for one in found if not isinstance(one, NotFound)]
    if not confirming:
        return profile
    quality = _with_errors(profile.quality, [(one, one.pose) for one in confirming])
    count = profile.quality.photos + len(confirming)
    return replace(profile, quality=replace(quality, photos=count))


def _with_errors(quality: Quality, seen: Sequence[tuple[Alignment, Pose]]) -> Quality:
    """Return a quality with the errors of seen print, and the share of pieces where it was seen."""
    off, at, size_mm = [], [], seen[0][1].size_mm
    for aligned, pose in seen:
        agrees = aligned.agrees
        there_px = aligned.pose.seen_at((aligned.at_mm + aligned.off_mm)[agrees])
        off.append(pose.on_board(there_px) - aligned.at_mm[agrees])
        at.append(aligned.at_mm[agrees])
    error = np.hypot(*np.concatenate(off).T)
    if not len(error):
        return replace(quality, error_mm=None, matched=0.0)
    middle, most = (round(float(np.percentile(error, share)), 3) for share in (50, 95))
    matched = round(_matched(np.concatenate(at), size_mm), 4)
    return replace(quality, error_mm=(middle, most), matched=matched)


def _matched(at_mm: Float64s, size_mm: tuple[float, float]) -> float:
    counts = np.bincount(cells_of(at_mm, size_mm, CELLS_WH), minlength=CELLS_WH[0] * CELLS_WH[1])
    return float(np.mean(counts >= LEAST_IN_PIECE))
