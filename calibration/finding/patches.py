"""Small patches of the reference, looked for in a picture of the board where a pose has them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from ..arrays import Float32s, Float64s, GreyPicture, Mask


@dataclass(frozen=True, eq=False)
class Patches:
    """Where parts of the reference were seen.

    Attributes
    ----------
    at_mm : (N, 2) float64 array
        Their middles in the reference.
    shift_mm : (N, 2) float64 array
        How far from there the best match lies.
    is_seen : (N,) bool array
        Whether it matches well enough to count.
    """

    at_mm: Float64s
    shift_mm: Float64s
    is_seen: Mask


def lay_patches(
    grey: GreyPicture, px_per_mm: float, step_mm: float, half_mm: float, least_texture: float
) -> Float64s:
    """Lay patches over the reference where it has texture; their middles in mm, (N, 2).

    Parameters
    ----------
    step_mm : float
        From one to the next.
    half_mm : float
        Half a side.
    least_texture : float
        Standard deviation in grey levels.
    """
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
    """Look for each patch of the reference near its place in the rectified frame.

    Parameters
    ----------
    rectified, grey : (H, W) uint8 array
        The board in the frame, and in the reference, at `px_per_mm`.
    """
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
