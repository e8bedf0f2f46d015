"""Measuring how good a profile is, while its photos are at hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from railspotter.scoring.board import Board

from ..arrays import Float64s, Picture
from ..lenses.lens import Lens
from ..pose import NotFound, Pose
from ..profiles.copy_size import size_of_copy
from ..profiles.features import Features
from ..profiles.picture_quality import CELLS_WH, measure_picture
from ..profiles.profile import Profile
from ..profiles.quality import Quality
from .alignment import Alignment, align_by_features
from .feature_pose import FrameFeatures
from .finder import find_aligned
from .fingerprint import load_fingerprint
from .proof import what_is_missing

LEAST_IN_PIECE = 2  # parts of the print that must be recognised in a piece: one can be chance


def with_quality(
    profile: Profile,
    board: Board,
    photo: Picture,
    corners_px: npt.ArrayLike,
    lens: Lens | None = None,
) -> Profile:
    """Return the profile with what its photo is worth.

    The print is compared with the board's fingerprint, where the program has one: another copy's
    print as numbers, which may differ by a millimetre by itself.

    Parameters
    ----------
    photo : (H, W, 3) uint8 array, BGR
        From which `reference.make_profile` made it, with the same corners and lens.
    """
    pose = Pose.at_corners(np.asarray(corners_px, np.float64), profile.size_mm, lens)
    quality = Quality(measure_picture(photo, pose))
    scaled = np.diag([profile.px_per_mm] * 2 + [1.0])
    own = Pose(scaled, np.zeros((1, 1, 2)), profile.size_mm, 0, 1.0)
    fingerprint = load_fingerprint(board)
    if fingerprint is not None:
        larger = size_of_copy(board, profile.scale)[0] / board.size_mm[0]
        features = Features(fingerprint.features.points * larger, fingerprint.features.descriptors)
        aligned = align_by_features(profile.reference, own, features)
        # Of a drawn board, or an anniversary's, some features agree by chance.
        if what_is_missing(profile.reference, aligned, is_drawn=True) is None:
            quality = _compared(quality, [(aligned, own)])
    return replace(profile, quality=quality)


def confirmed_by(profile: Profile, photos: Iterable[Picture]) -> Profile:
    """Return the profile with its quality told by further photos of the same empty board.

    Its own print is a better yardstick than another copy's. Photos in which the board is not found
    do not count.
    """
    if profile.quality is None:
        return profile
    found = (find_aligned(FrameFeatures(photo), profile) for photo in photos)
    confirming = [one for one in found if not isinstance(one, NotFound)]
    if not confirming:
        return profile
    quality = _compared(profile.quality, [(one, one.pose) for one in confirming])
    count = profile.quality.photos + len(confirming)
    return replace(profile, quality=replace(quality, photos=count))


def _compared(quality: Quality, seen: Sequence[tuple[Alignment, Pose]]) -> Quality:
    """Return a quality with how far print was seen from where poses have it, and where it was."""
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
    columns, rows = CELLS_WH
    piece = np.clip((at_mm / size_mm * (columns, rows)).astype(int), 0, (columns - 1, rows - 1))
    counts = np.bincount(piece[:, 1] * columns + piece[:, 0], minlength=columns * rows)
    return float(np.mean(counts >= LEAST_IN_PIECE))
