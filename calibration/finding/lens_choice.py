"""Whether a picture needs a lens: where a homography and folds do not explain what is seen.

Most pictures do not, and a lens that is not needed only makes their pose less sure. One is taken
where it explains the features much better, and where the pose without it would be off by more than
alignment can bring right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from ..arrays import Float64s
from ..geometry import area_px2, grid_mm, project
from ..lenses.lens import no_lens
from ..lenses.lens_fit import LensFit, Sighting, fit_lens, search_lens
from ..pose import Pose
from .alignment import LEAST_PATCHES, ROUGH_REACH_MM, Alignment

# Logarithm of how much likelier the points are with a lens. Where the next rule speaks for one,
# photos without (62, folds and all) gained nothing; warps that needed one gained 10 to 10,000.
LEAST_GAIN = 8.0
# Somewhere on the board: as far as alignment looks. Folds of labelled photos made up to 5 mm.
LEAST_DIFFERENCE_MM = ROUGH_REACH_MM
# Share that a lens leaves at most of what a homography leaves of the same print. Lenses left .62
# and less. Another copy's print lies otherwise by millimetres over whole regions, which looks like
# a lens to features, but less so to patches: it left .80 and more where the lens saw more of it
# (.66 where it saw less), and such a lens put corners 21 mm off.
MOST_LEFT = 0.7
WITNESS_REACH_MM = 3.0  # how far a patch may lie from where a lens puts it


def through_a_lens(
    pose: Pose,
    points_mm: Float64s,
    points_px: Float64s,
    size_wh: tuple[int, int],
    tolerance_px: float,
) -> Pose | None:
    """Return the pose with a lens where the points ask for one, else None."""
    fit = search_lens(points_mm, points_px, size_wh, tolerance_px)
    if fit is None:
        return None
    bent = replace(
        pose,
        frame_from_board=fit.frame_from_board[0],
        lens=fit.lens,
        inliers=int(np.count_nonzero(fit.off_px[0] < tolerance_px)),
    )
    if _difference_mm(pose, bent) < LEAST_DIFFERENCE_MM:
        return None
    sighting = Sighting(points_mm, points_px, pose.frame_from_board)
    straight = fit_lens([sighting], no_lens(size_wh), (tolerance_px,), is_free=False)
    return bent if _gain(straight, fit, tolerance_px) > LEAST_GAIN else None


def less_bent(aligned: Sequence[Alignment]) -> Alignment:
    """Return the pose without a lens, or the one with it where only a lens bends print so.

    A pose sees the print that lies near where it has it: a homography that fits the middle of a
    bent picture leaves little of what it sees. So the lens is held against what a homography would
    leave of the same print, seen through the lens.
    """
    straight, bent = aligned[0], aligned[-1]
    if bent.pose.agreement <= straight.pose.agreement:
        return straight
    takes_it = straight.pose.agreement == 0 or bent.bent_mm < MOST_LEFT * _without_lens_mm(bent)
    return bent if takes_it else straight


def _without_lens_mm(bent: Alignment) -> float:
    """Return what the best homography leaves of the print that a pose sees, as `bent_mm`."""
    at_mm = bent.at_mm[bent.agrees]
    seen_px = bent.pose.seen_at(at_mm + bent.off_mm[bent.agrees])
    board_from_seen = np.asarray(cv2.findHomography(seen_px, at_mm, 0)[0], np.float64)
    return float(np.sqrt(np.mean((project(board_from_seen, seen_px) - at_mm) ** 2)))


def is_lens_measured(aligned: Alignment, size_wh: tuple[int, int]) -> bool:
    """Tell whether a lens is what bends the board: whether one explains most of the bend."""
    pose = aligned.pose
    if pose.lens is not None:  # one of several pictures was measured in those, not in this one
        return pose.lens.views == 1
    at_mm = aligned.at_mm[aligned.agrees]
    if len(at_mm) < LEAST_PATCHES:
        return False
    seen_px = pose.seen_at(at_mm + aligned.off_mm[aligned.agrees])
    width, height = pose.size_mm
    px_per_mm = np.sqrt(area_px2(pose.corners_px) / (width * height))
    reach_px = WITNESS_REACH_MM * px_per_mm
    bent = search_lens(at_mm, seen_px, size_wh, reach_px)
    if bent is None:
        return False
    sighting = Sighting(at_mm, seen_px, pose.frame_from_board)
    straight = fit_lens([sighting], no_lens(size_wh), (reach_px,), is_free=False)
    left_mm, without_mm = (
        np.sqrt(np.mean((_seen_through(fit, pose).on_board(seen_px) - at_mm) ** 2))
        for fit in (bent, straight)
    )
    return bool(left_mm < MOST_LEFT * without_mm)


def _seen_through(fit: LensFit, pose: Pose) -> Pose:
    return replace(pose, frame_from_board=fit.frame_from_board[0], lens=fit.lens)


def _difference_mm(pose: Pose, other: Pose) -> float:
    """Return how far the two poses are from each other where they differ most."""
    grid = grid_mm(pose.size_mm)
    off = project(np.linalg.inv(pose.frame_from_board), other.seen_at(grid)) - grid
    return float(np.hypot(*off.T).max())


def _gain(straight: LensFit, bent: LensFit, tolerance_px: float) -> float:
    """Return the gain in log-likelihood, outliers counting alike."""
    before, after = (np.minimum(fit.off_px[0] / tolerance_px, 1) ** 2 for fit in (straight, bent))
    scatter = np.mean(after[after < 1]) if np.any(after < 1) else 1.0
    return float((before.sum() - after.sum()) / max(scatter, 1e-4))
