"""Refining a pose: small patches of the reference are looked for where the pose expects them.

Features find the board anywhere; a thousand small patches then say to a fraction of a pixel how
the print lies, and where folds or the lens bend it. Patches under trains do not match and drop
out by themselves. Where there is no reference, the features are looked for once more, each near
its place: many more are then found than match from afar.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from .features import Features, find_features, match_near
from .geometry import FloatArray, homography_between, project
from .pose import Picture, Pose, rectify

GreyPicture = npt.NDArray[np.uint8]

LEAST_PATCHES = 12
"""Three times what a homography needs: with fewer, chance can agree."""


@dataclass(frozen=True)
class AlignmentSettings:
    """How patches are laid and believed; chosen on the photos of docs/vision.md, shoot-2."""

    rough_px_per_mm: float = 1.0
    rough_reach_mm: float = 7.0
    """How far a patch is looked for while the pose is only as good as its features."""
    fine_reach_mm: float = 2.5
    """How far it is looked for afterwards, at the reference's own scale."""
    step_mm: float = 22.0
    """Distance between patches."""
    half_mm: float = 7.0
    """Half the side of a patch."""
    least_texture: float = 6.0
    """Standard deviation in grey levels below which a patch is too plain to be placed."""
    least_correlation: float = 0.55
    """Normalised correlation from which a patch counts as seen."""
    outlier_mm: float = 1.2
    """Patches that disagree by more with the common homography are no print."""
    bend_cells_wh: tuple[int, int] = (12, 8)
    bend_sigma_mm: float = 50.0
    """Radius over which patches agree on the bend; folds are narrower, trains' lean is not."""
    bend_prior: float = 0.5
    """Weight, in patches, of no bend at all."""
    bend_limit_mm: float = 3.0
    features: int = 6000
    """Features taken from the rectified frame, where features are all there is of the print."""
    most_difference: float = 250.0
    """Distance of descriptors up to which a feature counts as seen near its place."""


@dataclass(frozen=True, eq=False)
class _Patches:
    """Where patches of the reference were seen.

    Attributes
    ----------
    at_mm : (N, 2) float64 array
        Their middles in the reference.
    shift_mm : (N, 2) float64 array
        How far from there the best match lies.
    is_seen : (N,) bool array
        Whether it matches well enough to count.
    """

    at_mm: FloatArray
    shift_mm: FloatArray
    is_seen: npt.NDArray[np.bool_]


def align(
    frame: Picture,
    pose: Pose,
    reference: Picture,
    px_per_mm: float,
    settings: AlignmentSettings | None = None,
) -> Pose:
    """Return the pose refined by what the frame shows of the reference's print.

    Parameters
    ----------
    frame : (H, W, 3) uint8 array, BGR
    pose : Pose
        Good to a few millimetres.
    reference : (h, w, 3) uint8 array, BGR
        The empty board from above at `px_per_mm`.

    Returns
    -------
    Pose
        With `bend_mm` and `agreement` set. When too few patches are seen, the pose as it came,
        with its agreement.
    """
    s = settings or AlignmentSettings()
    grey = np.asarray(cv2.cvtColor(reference, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    shrink = s.rough_px_per_mm / px_per_mm
    small = cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    where = _laid_patches(grey, px_per_mm, s)
    patches = _look(
        frame, pose, np.asarray(small, np.uint8), s.rough_px_per_mm, where, s.rough_reach_mm, s
    )
    rough = _with_common_shift(pose, patches, s)
    if rough is None:
        return replace(pose, agreement=0.0)
    patches = _look(frame, rough[0], grey, px_per_mm, where, s.fine_reach_mm, s)
    fine = _with_common_shift(rough[0], patches, s)
    if fine is None:
        return replace(pose, agreement=0.0)
    bend, agreeing = _smooth_bend(fine[1], pose.size_mm, s)
    return replace(fine[0], bend_mm=bend, agreement=agreeing)


def align_by_features(
    frame: Picture, pose: Pose, features: Features, settings: AlignmentSettings | None = None
) -> Pose:
    """Return the pose refined by features of the print alone, where there is no reference.

    Parameters
    ----------
    features : Features
        Of the print, points in board millimetres.

    Returns
    -------
    Pose
        As of `align`; the agreement is the share of the features that were seen, which is lower.
    """
    s = settings or AlignmentSettings()
    scale = s.rough_px_per_mm
    grey = cv2.cvtColor(rectify(frame, pose, scale), cv2.COLOR_BGR2GRAY)
    found = find_features(np.asarray(grey, np.uint8), s.features)
    seen = Features((found.points + 0.5) / scale, found.descriptors)
    rough = _with_common_shift(pose, _near_features(features, seen, s.rough_reach_mm, s), s)
    if rough is None:
        return replace(pose, agreement=0.0)
    rough_from_first = np.linalg.inv(rough[0].frame_from_board) @ pose.frame_from_board
    seen = replace(seen, points=project(rough_from_first, seen.points))
    fine = _with_common_shift(rough[0], _near_features(features, seen, s.fine_reach_mm, s), s)
    if fine is None:
        return replace(pose, agreement=0.0)
    bend, agreeing = _smooth_bend(fine[1], pose.size_mm, s)
    return replace(fine[0], bend_mm=bend, agreement=agreeing)


def _near_features(
    features: Features, seen: Features, reach_mm: float, s: AlignmentSettings
) -> _Patches:
    """Look for each feature of the print near its place."""
    pairs = match_near(features, seen, reach_mm, s.most_difference)
    shift = np.zeros_like(features.points)
    shift[pairs[:, 0]] = seen.points[pairs[:, 1]] - features.points[pairs[:, 0]]
    is_seen = np.zeros(len(features), dtype=bool)
    is_seen[pairs[:, 0]] = True
    return _Patches(features.points, shift, is_seen)


def _laid_patches(grey: GreyPicture, px_per_mm: float, s: AlignmentSettings) -> FloatArray:
    """Lay patches over the reference where it has texture; their middles in mm, (N, 2)."""
    height_mm, width_mm = (side / px_per_mm for side in grey.shape)
    margin = s.half_mm + 1.0
    x = np.arange(margin, width_mm - margin, s.step_mm)
    y = np.arange(margin, height_mm - margin, s.step_mm)
    laid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    textured = [_patch(grey, point, px_per_mm, s.half_mm).std() for point in laid]
    return laid[np.array(textured) >= s.least_texture]


def _patch(
    grey: GreyPicture, middle_mm: FloatArray, px_per_mm: float, half_mm: float
) -> GreyPicture:
    """Cut a square out of a picture of the board, around the pixel that holds `middle_mm`."""
    column, row = (middle_mm * px_per_mm).astype(int)
    half = round(half_mm * px_per_mm)
    return grey[row - half : row + half + 1, column - half : column + half + 1]


def _look(
    frame: Picture,
    pose: Pose,
    grey: GreyPicture,
    px_per_mm: float,
    where: FloatArray,
    reach_mm: float,
    s: AlignmentSettings,
) -> _Patches:
    """Look for each patch of the reference near its place in the rectified frame."""
    rectified = cv2.cvtColor(rectify(frame, pose, px_per_mm), cv2.COLOR_BGR2GRAY)
    reach = round(reach_mm * px_per_mm)
    padded = np.pad(np.asarray(rectified, np.uint8), reach, mode="edge")
    shifts = np.zeros_like(where)
    correlations = np.zeros(len(where))
    for i, middle in enumerate(where):
        window = _patch(
            padded, middle + reach / px_per_mm, px_per_mm, s.half_mm + reach / px_per_mm
        )
        patch = _patch(grey, middle, px_per_mm, s.half_mm)
        scores = cv2.matchTemplate(window, patch, cv2.TM_CCOEFF_NORMED)
        _, best, _, (dx, dy) = cv2.minMaxLoc(scores)
        correlations[i] = best if np.isfinite(best) else 0.0
        peak = np.asarray(scores, np.float32)
        shifts[i] = dx - reach + _vertex(peak[dy], dx), dy - reach + _vertex(peak[:, dx], dy)
    return _Patches(where, shifts / px_per_mm, correlations >= s.least_correlation)


def _vertex(scores: npt.NDArray[np.float32], at: int) -> float:
    """Return where, between the neighbours of a peak, the parabola through the three has its top.

    Between -0.5 and 0.5 pixels; 0 at the edge of the scores.
    """
    if not 0 < at < len(scores) - 1:
        return 0.0
    left, middle, right = (float(v) for v in scores[at - 1 : at + 2])
    curvature = left - 2 * middle + right
    return 0.5 * (left - right) / curvature if curvature < -1e-6 else 0.0


def _with_common_shift(
    pose: Pose, patches: _Patches, s: AlignmentSettings
) -> tuple[Pose, _Patches] | None:
    """Return the pose after the one homography that most patches agree on, and what remains.

    None when too few agree.
    """
    target = patches.at_mm + patches.shift_mm
    if np.count_nonzero(patches.is_seen) < LEAST_PATCHES:
        return None
    common = homography_between(
        patches.at_mm[patches.is_seen], target[patches.is_seen], s.outlier_mm
    )
    if common is None or np.count_nonzero(common[1]) < LEAST_PATCHES:
        return None
    seen_from_board = common[0]
    refined = pose.frame_from_board @ seen_from_board
    remainder = project(np.linalg.inv(seen_from_board), target) - patches.at_mm
    return (
        replace(pose, frame_from_board=refined / refined[2, 2]),
        replace(patches, shift_mm=remainder),
    )


def _smooth_bend(
    patches: _Patches, size_mm: tuple[float, float], s: AlignmentSettings
) -> tuple[FloatArray, float]:
    """Return the smooth remainder on the bend's grid, and the share of patches that agree."""
    columns, rows = s.bend_cells_wh
    x, y = np.meshgrid(
        (np.arange(columns) + 0.5) * size_mm[0] / columns,
        (np.arange(rows) + 0.5) * size_mm[1] / rows,
    )
    cells = np.stack([x, y], axis=-1).reshape(-1, 2)
    agreeing = patches.is_seen & (np.hypot(*patches.shift_mm.T) < s.bend_limit_mm)
    around = _nearness(patches.at_mm, patches.at_mm, s)
    for _ in range(3):
        off = patches.shift_mm - _mean_shift(around, patches.shift_mm, agreeing, s)
        agreeing = patches.is_seen & (np.hypot(*off.T) < s.outlier_mm)
    bend = _mean_shift(_nearness(cells, patches.at_mm, s), patches.shift_mm, agreeing, s)
    bend *= np.minimum(1.0, s.bend_limit_mm / np.maximum(np.hypot(*bend.T), 1e-9))[:, None]
    return bend.reshape(rows, columns, 2), float(np.mean(agreeing))


def _nearness(points: FloatArray, patches: FloatArray, s: AlignmentSettings) -> FloatArray:
    """Return what each patch counts at each point, (P, N): nearer ones more."""
    x, y = (points[:, None, i] - patches[None, :, i] for i in range(2))
    return np.asarray(np.exp(-(x * x + y * y) / (2 * s.bend_sigma_mm**2)))


def _mean_shift(
    nearness: FloatArray,
    shift_mm: FloatArray,
    agreeing: npt.NDArray[np.bool_],
    s: AlignmentSettings,
) -> FloatArray:
    """Return the mean shift of the agreeing patches around each point, (P, 2)."""
    total = nearness @ agreeing + s.bend_prior
    return np.asarray(nearness @ (shift_mm * agreeing[:, None]) / total[:, None])
