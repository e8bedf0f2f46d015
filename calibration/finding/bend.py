"""The bend: what remains when a pose has done its best, smoothed. Folds make it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Float32s, Float64s, Mask
from .patches import Patches


@dataclass(frozen=True)
class BendSettings:
    """How stiff a board is; chosen on the photos of docs/vision.md, shoot-2."""

    cells_wh: tuple[int, int] = (12, 8)
    sigma_mm: float = 50.0
    """Radius over which patches agree on the bend; folds are narrower, trains' lean is not."""
    prior: float = 0.5
    """Weight, in patches, of no bend at all."""
    limit_mm: float = 3.0


def smooth_bend(
    patches: Patches, size_mm: tuple[float, float], outlier_mm: float, s: BendSettings
) -> tuple[Float64s, Mask]:
    """Return the smooth part of the patches' shifts, and which patches agree with it.

    Parameters
    ----------
    outlier_mm : float
        Patches that disagree by more are no print.

    Returns
    -------
    (R, C, 2) float64 array, (N,) bool array
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
