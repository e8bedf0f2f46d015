"""Refines a pose by matching small patches of the reference where the pose expects them.

Features find the board anywhere; a thousand small patches then give the pose to a fraction of a
pixel, and the bend of folds. Patches under trains do not match and drop out. Without a reference,
features are matched once more, each near its place, where many more match.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from ..arrays import Float32s, Float64s, GreyPicture, Mask, Picture
from ..geometry import homography_between, project
from ..lenses.lens_fit import Sighting, fit_lens
from ..pose import Pose, rectify
from ..profiles.features import Features, find_features, match_near

# Limits of patches; chosen on the photos of docs/vision.md, shoot-2.
ROUGH_PX_PER_MM = 1.0
ROUGH_REACH_MM = 7.0  # search radius of a patch for a pose by features
FINE_REACH_MM = 2.5  # search radius afterwards, at the reference's own scale
# With a lens, which is only known where features matched, so that patches spread outwards.
ROUGH_ROUNDS_WITH_LENS = 3
STEP_MM = 22.0  # distance between patches
HALF_MM = 7.0  # half the side of a patch
# Standard deviation in grey levels below which a patch is too plain.
LEAST_TEXTURE = 6.0
LEAST_CORRELATION = 0.55  # normalised correlation from which a patch counts as seen
OUTLIER_MM = 1.2  # most distance of a patch from the common pose
# Agreement below which the picture may be blurred, small or covered, and larger, softer patches are
# tried. Labelled photos full of trains have .65 and more.
CLEAR_AGREEMENT = 0.55
BLURRED_HALF_MM = 14.0
BLURRED_SIGMA_MM = 2.0  # twice as many patches are then seen as sharp ones
# Features of the rectified frame, if there is no reference.
MOST_FEATURES = 6000
MOST_DIFFERENCE = 250.0  # most difference of descriptors of matching features

# The bend is the smoothed residual of a pose. Folds make it.
BEND_CELLS_WH = (12, 8)
# Standard deviation of smoothing; folds are narrower, trains' lean is not.
BEND_SIGMA_MM = 50.0
NO_BEND = 0.5  # weight, in patches, of no bend at all
MOST_BEND_MM = 3.0
LEAST_PATCHES = 12  # three times what a homography needs: with fewer, chance can agree


@dataclass(frozen=True, eq=False)
class Patches:
    """Patches of the reference and where they were matched."""

    at_mm: Float64s  # (N, 2) float64: their middles in the reference
    shift_mm: Float64s  # (N, 2) float64: offset of the best match from there
    is_seen: Mask  # (N,) bool: whether it matches well enough


def lay_patches(grey: GreyPicture, px_per_mm: float, half_mm: float) -> Float64s:
    """Return the middles of patches on a grid, where the reference has texture, (N, 2) mm."""
    height_mm, width_mm = (side / px_per_mm for side in grey.shape)
    margin = half_mm + 1.0
    x = np.arange(margin, width_mm - margin, STEP_MM)
    y = np.arange(margin, height_mm - margin, STEP_MM)
    laid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    side = 2 * round(half_mm * px_per_mm) + 1
    mean = cv2.boxFilter(grey, cv2.CV_32F, (side, side))
    variance = cv2.sqrBoxFilter(grey, cv2.CV_32F, (side, side)) - mean * mean
    column, row = (laid * px_per_mm).astype(int).T
    return np.asarray(laid[variance[row, column] >= LEAST_TEXTURE**2])


def match_patches(
    rectified: GreyPicture,
    grey: GreyPicture,
    px_per_mm: float,
    at_mm: Float64s,
    half_mm: float,
    reach_mm: float,
) -> Patches:
    """Match each patch of the reference near its place in the rectified frame."""
    reach = round(reach_mm * px_per_mm)
    padded = np.pad(rectified, reach, mode="edge")
    shifts = np.zeros_like(at_mm)
    correlations = np.zeros(len(at_mm))
    for i, middle in enumerate(at_mm):
        window = _cut(padded, middle + reach / px_per_mm, px_per_mm, half_mm + reach / px_per_mm)
        patch = _cut(grey, middle, px_per_mm, half_mm)
        scores = cv2.matchTemplate(window, patch, cv2.TM_CCOEFF_NORMED)
        _, best, _, (dx, dy) = cv2.minMaxLoc(scores)
        correlations[i] = best if np.isfinite(best) else 0.0
        peak = np.asarray(scores, np.float32)
        shifts[i] = (
            dx - reach + peak_offset(peak[dy], dx),
            dy - reach + peak_offset(peak[:, dx], dy),
        )
    return Patches(at_mm, shifts / px_per_mm, correlations >= LEAST_CORRELATION)


def _cut(grey: GreyPicture, middle_mm: Float64s, px_per_mm: float, half_mm: float) -> GreyPicture:
    """Return a square of a picture of the board, around the pixel at `middle_mm`."""
    column, row = (middle_mm * px_per_mm).astype(int)
    half = round(half_mm * px_per_mm)
    return grey[row - half : row + half + 1, column - half : column + half + 1]


def peak_offset(scores: Float32s, at: int) -> float:
    """Return the subpixel offset of a peak, -0.5 to 0.5, by a parabola; 0 at the edge of scores."""
    if not 0 < at < len(scores) - 1:
        return 0.0
    left, middle, right = (float(v) for v in scores[at - 1 : at + 2])
    curvature = left - 2 * middle + right
    return 0.5 * (left - right) / curvature if curvature < -1e-6 else 0.0


def smooth_bend(patches: Patches, size_mm: tuple[float, float]) -> tuple[Float64s, Mask]:
    """Return the smoothed shifts of patches, as `Pose.bend_mm`, and which patches agree, (N,)."""
    columns, rows = BEND_CELLS_WH
    x, y = np.meshgrid(
        (np.arange(columns) + 0.5) * size_mm[0] / columns,
        (np.arange(rows) + 0.5) * size_mm[1] / rows,
    )
    cells = np.stack([x, y], axis=-1).reshape(-1, 2)
    at_mm, shift_mm = patches.at_mm[patches.is_seen], patches.shift_mm[patches.is_seen]
    agreeing = np.hypot(*shift_mm.T) < MOST_BEND_MM
    around = _weights_at(at_mm, at_mm)
    for _ in range(3):
        off = shift_mm - _mean_shift(around, shift_mm, agreeing)
        agreeing = np.hypot(*off.T) < OUTLIER_MM
    bend = _mean_shift(_weights_at(cells, at_mm), shift_mm, agreeing)
    bend *= np.minimum(1.0, MOST_BEND_MM / np.maximum(np.hypot(*bend.T), 1e-9))[:, None]
    agrees = patches.is_seen.copy()
    agrees[patches.is_seen] = agreeing
    return bend.reshape(rows, columns, 2), agrees


def _weights_at(points: Float64s, patches: Float64s) -> Float32s:
    """Return the Gaussian weight of each patch at each point, (P, N)."""
    x, y = (
        (points[:, None, i] - patches[None, :, i]).astype(np.float32) / np.float32(BEND_SIGMA_MM)
        for i in range(2)
    )
    return np.asarray(np.exp((x * x + y * y) * np.float32(-0.5)))


def _mean_shift(nearness: Float32s, shift_mm: Float64s, agreeing: Mask) -> Float64s:
    """Return the weighted mean shift of the agreeing patches at each point, (P, 2)."""
    counted = np.column_stack([shift_mm, np.ones(len(shift_mm))]) * agreeing[:, None]
    summed = nearness @ counted.astype(np.float32)
    return np.asarray(summed[:, :2] / (summed[:, 2:] + NO_BEND), np.float64)


@dataclass(frozen=True, eq=False)
class Alignment:
    """A refined pose and the patches or features that it was refined by."""

    pose: Pose
    at_mm: Float64s  # (N, 2) float64: middles of the patches or features that were searched
    # (N, 2) float64: offsets from their places at which they were seen, by the pose without bend
    off_mm: Float64s
    agrees: Mask  # (N,) bool: whether they were seen where the pose has them
    in_frame: Mask  # (N,) bool: whether they lie wholly in the frame

    @property
    def bent_mm(self) -> float:
        """Root mean square of the agreeing offsets: what the bend takes up; 0 for nothing."""
        agreeing = self.off_mm[self.agrees]
        return float(np.sqrt(np.mean(agreeing**2))) if len(agreeing) else 0.0


Matcher = Callable[[Pose], Patches]


def align(
    frame: Picture,
    pose: Pose,
    reference: Picture,
    px_per_mm: float,
) -> Alignment:
    """Return the pose refined by patches of the reference, with its bend and agreement.

    If too few patches are seen, the pose is not changed and its agreement is 0.
    """
    grey = np.asarray(cv2.cvtColor(reference, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    shrink = ROUGH_PX_PER_MM / px_per_mm
    small = np.asarray(
        cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8
    )

    def matcher(
        grey: GreyPicture, at_mm: Float64s, half_mm: float, scale: float, reach_mm: float
    ) -> Matcher:
        def look(pose: Pose) -> Patches:
            rectified = cv2.cvtColor(rectify(frame, pose, scale), cv2.COLOR_BGR2GRAY)
            seen = np.asarray(rectified, np.uint8)
            return match_patches(seen, grey, scale, at_mm, half_mm, reach_mm)

        return look

    at_mm = lay_patches(grey, px_per_mm, HALF_MM)
    rough = matcher(small, at_mm, HALF_MM, ROUGH_PX_PER_MM, ROUGH_REACH_MM)
    fine = matcher(grey, at_mm, HALF_MM, px_per_mm, FINE_REACH_MM)
    size_wh = frame.shape[1], frame.shape[0]
    sharp = _refined(pose, at_mm, rough, fine, (size_wh, HALF_MM))
    if sharp.pose.agreement >= CLEAR_AGREEMENT:
        return sharp
    soft = np.asarray(cv2.GaussianBlur(small, (0, 0), BLURRED_SIGMA_MM * ROUGH_PX_PER_MM), np.uint8)
    at_mm = lay_patches(grey, px_per_mm, BLURRED_HALF_MM)
    rough, fine = (
        matcher(soft, at_mm, BLURRED_HALF_MM, ROUGH_PX_PER_MM, reach)
        for reach in (ROUGH_REACH_MM, FINE_REACH_MM)
    )
    unbent = replace(sharp.pose, bend_mm=pose.bend_mm)
    blurred = _refined(unbent, at_mm, rough, fine, (size_wh, BLURRED_HALF_MM))
    return max(sharp, blurred, key=lambda aligned: aligned.pose.agreement)


def align_by_features(frame: Picture, pose: Pose, features: Features) -> Alignment:
    """Return the pose refined by features of the print, without a reference.

    As `align` does; the agreement is the share of seen features, which is lower.
    """
    scale = ROUGH_PX_PER_MM
    grey = cv2.cvtColor(rectify(frame, pose, scale), cv2.COLOR_BGR2GRAY)
    found = find_features(np.asarray(grey, np.uint8), MOST_FEATURES)
    seen_px = pose.seen_at((found.points + 0.5) / scale)

    def look(pose: Pose, reach_mm: float) -> Patches:
        seen = Features(pose.on_board(seen_px), found.descriptors)
        pairs = match_near(features, seen, reach_mm, MOST_DIFFERENCE)
        shift = np.zeros_like(features.points)
        shift[pairs[:, 0]] = seen.points[pairs[:, 1]] - features.points[pairs[:, 0]]
        is_seen = np.zeros(len(features), dtype=bool)
        is_seen[pairs[:, 0]] = True
        return Patches(features.points, shift, is_seen)

    return _refined(
        pose,
        features.points,
        lambda pose: look(pose, ROUGH_REACH_MM),
        lambda pose: look(pose, FINE_REACH_MM),
        ((frame.shape[1], frame.shape[0]), HALF_MM),
    )


def _refined(
    pose: Pose,
    at_mm: Float64s,
    rough: Matcher,
    fine: Matcher,
    room: tuple[tuple[int, int], float],
) -> Alignment:
    """Refine a pose by one or more rough matches and a fine one.

    `room` is the frame's width and height, and half the side of a patch.
    """
    none = np.zeros(len(at_mm), bool)
    nothing = Alignment(replace(pose, agreement=0.0), at_mm, np.zeros_like(at_mm), none, none)
    rounds = 1 if pose.lens is None else ROUGH_ROUNDS_WITH_LENS
    for look in [rough] * rounds + [fine]:
        common = _with_common_pose(pose, look(pose))
        if common is None:
            return nothing
        pose, patches = common
    bend, agrees = smooth_bend(patches, pose.size_mm)
    size_wh, half_mm = room
    corners_mm = at_mm[:, None] + half_mm * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    in_frame = np.asarray(pose.is_in_frame(corners_mm, size_wh).all(axis=1))
    agrees &= in_frame
    agreement = float(agrees.sum() / max(1, in_frame.sum()))
    refined = replace(pose, bend_mm=bend, agreement=agreement)
    return Alignment(refined, at_mm, patches.shift_mm, agrees, in_frame)


def _with_common_pose(pose: Pose, patches: Patches) -> tuple[Pose, Patches] | None:
    """Return the pose that most patches agree on, and their remaining shifts; else None."""
    if np.count_nonzero(patches.is_seen) < LEAST_PATCHES:
        return None
    if pose.lens is None:
        return _with_common_homography(pose, patches)
    return _with_common_lens(pose, patches)


def _with_common_homography(pose: Pose, patches: Patches) -> tuple[Pose, Patches] | None:
    target = patches.at_mm + patches.shift_mm
    common = homography_between(patches.at_mm[patches.is_seen], target[patches.is_seen], OUTLIER_MM)
    if common is None or np.count_nonzero(common[1]) < LEAST_PATCHES:
        return None
    seen_from_board = common[0]
    refined = pose.frame_from_board @ seen_from_board
    remainder = project(np.linalg.inv(seen_from_board), target) - patches.at_mm
    return (
        replace(pose, frame_from_board=refined / refined[2, 2]),
        replace(patches, shift_mm=remainder),
    )


def _with_common_lens(pose: Pose, patches: Patches) -> tuple[Pose, Patches] | None:
    assert pose.lens is not None  # noqa: S101
    seen_px = pose.seen_at(patches.at_mm + patches.shift_mm)
    outlier_px = OUTLIER_MM * pose.px_per_mm
    sighting = Sighting(
        patches.at_mm[patches.is_seen], seen_px[patches.is_seen], pose.frame_from_board
    )
    fit = fit_lens([sighting], pose.lens, (3 * outlier_px, outlier_px), pose.lens.views == 1)
    if np.count_nonzero(fit.off_px[0] < outlier_px) < LEAST_PATCHES:
        return None
    refined = replace(pose, frame_from_board=fit.frame_from_board[0], lens=fit.lens)
    return refined, replace(patches, shift_mm=refined.on_board(seen_px) - patches.at_mm)
