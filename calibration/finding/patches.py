"""Small patches of the reference, looked for where a pose has them, and the bend that they show.

The bend is what remains when a pose has done its best, smoothed. Folds make it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from ..arrays import Float32s, Float64s, GreyPicture, Mask


@dataclass(frozen=True, eq=False)
class Patches:
    """Where parts of the reference were seen."""

    at_mm: Float64s  # (N, 2) float64 array. Their middles in the reference.
    shift_mm: Float64s  # (N, 2) float64: how far from there the best match lies
    is_seen: Mask  # (N,) bool: whether it matches well enough to count


def lay_patches(
    grey: GreyPicture, px_per_mm: float, step_mm: float, half_mm: float, least_texture: float
) -> Float64s:
    """Lay patches over the reference where it has texture; their middles in mm, (N, 2)."""
    height_mm, width_mm = (side / px_per_mm for side in grey.shape)
    margin = half_mm + 1.0
    x = np.arange(margin, width_mm - margin, step_mm)
    y = np.arange(margin, height_mm - margin, step_mm)
    laid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    side = 2 * round(half_mm * px_per_mm) + 1
    mean = cv2.boxFilter(grey, cv2.CV_32F, (side, side))
    variance = cv2.sqrBoxFilter(grey, cv2.CV_32F, (side, side)) - mean * mean
    column, row = (laid * px_per_mm).astype(int).T
    return np.asarray(laid[variance[row, column] >= least_texture**2])


def look_for_patches(
    rectified: GreyPicture,
    grey: GreyPicture,
    px_per_mm: float,
    at_mm: Float64s,
    half_mm: float,
    reach_mm: float,
    least_correlation: float,
) -> Patches:
    """Look for each patch of the reference near its place in the rectified frame."""
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
        shifts[i] = dx - reach + _vertex(peak[dy], dx), dy - reach + _vertex(peak[:, dx], dy)
    return Patches(at_mm, shifts / px_per_mm, correlations >= least_correlation)


def _cut(grey: GreyPicture, middle_mm: Float64s, px_per_mm: float, half_mm: float) -> GreyPicture:
    """Cut a square out of a picture of the board, around the pixel that holds `middle_mm`."""
    column, row = (middle_mm * px_per_mm).astype(int)
    half = round(half_mm * px_per_mm)
    return grey[row - half : row + half + 1, column - half : column + half + 1]


def _vertex(scores: Float32s, at: int) -> float:
    """Return where, between the neighbours of a peak, the parabola through the three has its top.

    Between -0.5 and 0.5 pixels; 0 at the edge of the scores.
    """
    if not 0 < at < len(scores) - 1:
        return 0.0
    left, middle, right = (float(v) for v in scores[at - 1 : at + 2])
    curvature = left - 2 * middle + right
    return 0.5 * (left - right) / curvature if curvature < -1e-6 else 0.0


@dataclass(frozen=True)
class BendSettings:
    """How stiff a board is; chosen on the photos of docs/vision.md, shoot-2."""

    cells_wh: tuple[int, int] = (12, 8)
    # Radius over which patches agree on the bend; folds are narrower, trains' lean is not.
    sigma_mm: float = 50.0
    prior: float = 0.5  # weight, in patches, of no bend at all
    limit_mm: float = 3.0


def smooth_bend(
    patches: Patches, size_mm: tuple[float, float], outlier_mm: float, s: BendSettings
) -> tuple[Float64s, Mask]:
    """Return the smooth part of the patches' shifts, and which patches agree with it.

    As `Pose.bend_mm` has it, and one for each patch.
    """
    columns, rows = s.cells_wh
    x, y = np.meshgrid(
        (np.arange(columns) + 0.5) * size_mm[0] / columns,
        (np.arange(rows) + 0.5) * size_mm[1] / rows,
    )
    cells = np.stack([x, y], axis=-1).reshape(-1, 2)
    agreeing = patches.is_seen & (np.hypot(*patches.shift_mm.T) < s.limit_mm)
    around = _nearness(patches.at_mm, patches.at_mm, s)
    for _ in range(3):
        off = patches.shift_mm - _mean_shift(around, patches.shift_mm, agreeing, s)
        agreeing = patches.is_seen & (np.hypot(*off.T) < outlier_mm)
    bend = _mean_shift(_nearness(cells, patches.at_mm, s), patches.shift_mm, agreeing, s)
    bend *= np.minimum(1.0, s.limit_mm / np.maximum(np.hypot(*bend.T), 1e-9))[:, None]
    return bend.reshape(rows, columns, 2), agreeing


def _nearness(points: Float64s, patches: Float64s, s: BendSettings) -> Float32s:
    """Return what each patch counts at each point, (P, N): nearer ones more."""
    x, y = (
        (points[:, None, i] - patches[None, :, i]).astype(np.float32) / np.float32(s.sigma_mm)
        for i in range(2)
    )
    return np.asarray(np.exp((x * x + y * y) * np.float32(-0.5)))


def _mean_shift(
    nearness: Float32s, shift_mm: Float64s, agreeing: Mask, s: BendSettings
) -> Float64s:
    """Return the mean shift of the agreeing patches around each point, (P, 2)."""
    counted = np.column_stack([shift_mm, np.ones(len(shift_mm))]) * agreeing[:, None]
    summed = nearness @ counted.astype(np.float32)
    return np.asarray(summed[:, :2] / (summed[:, 2:] + s.prior), np.float64)
