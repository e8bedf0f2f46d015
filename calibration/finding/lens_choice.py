"""Decides whether a picture needs a lens, beside a homography and folds.

Most pictures do not, and an unneeded lens makes their pose less sure. It is used if it explains the
features much better, and if the pose without it would be off by more than alignment can correct.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from ..arrays import Float64s
from ..geometry import grid_mm, project
from ..lenses.lens import no_lens
from ..lenses.lens_fit import LensFit, Sighting, fit_lens, search_lens
from ..pose import Pose
from .alignment import LEAST_PATCHES, ROUGH_REACH_MM, Alignment

# Least gain in log-likelihood of the points by a lens. If the next rule is fulfilled too,
# photos without (62, folds and all) gained nothing; warps that needed one gained 10 to 10,000.
LEAST_GAIN = 8.0
# Least difference of both poses anywhere on the board. Folds of labelled photos made up to 5 mm.
LEAST_DIFFERENCE_MM = ROUGH_REACH_MM
# Most residual with a lens, relative to that of a homography on the same patches. Lenses had .62
# and less. Another copy's print is shifted by millimetres over whole regions, which looks like a
# lens to features, but less so to patches: it had .80 and more where the lens saw more of it (.66
# where it saw less), and such a lens put corners 21 mm off.
MOST_LEFT = 0.7
WITNESS_REACH_MM = 3.0  # most distance of a patch from where a lens puts it


def pose_with_lens(
    pose: Pose,
    points_mm: Float64s,
    points_px: Float64s,
    size_wh: tuple[int, int],
    tolerance_px: float,
) -> Pose | None:
    """Return the pose with a lens if the points need one, else None."""
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


def better_aligned(aligned: Sequence[Alignment]) -> Alignment:
    """Return the better of the alignments without and with a lens.

    An alignment only sees patches near its pose: one that fits the middle of a bent picture has
    small residuals there. So the lens is compared with a homography fitted to its own patches.
    """
    straight, bent = aligned[0], aligned[-1]
    if bent.pose.agreement <= straight.pose.agreement:
        return straight
    needs_lens = straight.pose.agreement == 0 or bent.bent_mm < MOST_LEFT * _without_lens_mm(bent)
    return bent if needs_lens else straight


def _without_lens_mm(bent: Alignment) -> float:
    """Return the residual of the best homography on an alignment's patches, as `bent_mm`."""
    at_mm = bent.at_mm[bent.agrees]
    seen_px = bent.pose.seen_at(at_mm + bent.off_mm[bent.agrees])
    board_from_seen = np.asarray(cv2.findHomography(seen_px, at_mm, 0)[0], np.float64)
    return float(np.sqrt(np.mean((project(board_from_seen, seen_px) - at_mm) ** 2)))


def is_lens_measured(aligned: Alignment, size_wh: tuple[int, int]) -> bool:
    """Tell whether a lens explains most of the bend of an alignment."""
    pose = aligned.pose
    if pose.lens is not None:  # a lens of several pictures was not measured in this one
        return pose.lens.views == 1
    at_mm = aligned.at_mm[aligned.agrees]
    if len(at_mm) < LEAST_PATCHES:
        return False
    seen_px = pose.seen_at(at_mm + aligned.off_mm[aligned.agrees])
    reach_px = WITNESS_REACH_MM * pose.px_per_mm
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
    """Return the largest distance between two poses anywhere on the board."""
    grid = grid_mm(pose.size_mm)
    off = project(np.linalg.inv(pose.frame_from_board), other.seen_at(grid)) - grid
    return float(np.hypot(*off.T).max())


def _gain(straight: LensFit, bent: LensFit, tolerance_px: float) -> float:
    """Return the gain in log-likelihood by a lens, with a constant for outliers."""
    before, after = (np.minimum(fit.off_px[0] / tolerance_px, 1) ** 2 for fit in (straight, bent))
    scatter = np.mean(after[after < 1]) if np.any(after < 1) else 1.0
    return float((before.sum() - after.sum()) / max(scatter, 1e-4))
