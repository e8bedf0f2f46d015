"""The light of one photo transferred to another, measured on bare print.

Cameras mix colours differently, a lamp scales what the print throws back, glare adds to it: around
every pixel the two pictures are compared as target = gain * (mixing @ source) + veil.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Mask, Picture

# Radius over which the print decides, and the one that steps in where trains cover all of it.
NEAR_MM, FAR_MM = 7.0, 40.0
FAR_WEIGHT = 0.01
# Variance of the print, in grey levels squared, below which gain and veil cannot be told apart.
PLAIN_VARIANCE = 60.0
# Grey levels by which a pixel may miss: more is a shadow or a thing, and no bare print.
UNEXPLAINED_LEVELS = 22.0
# Limits of the gain, over the ratio of the two pictures' lightness: the rest is veil.
GAIN_OF_RATIO = (0.5, 1.25)
DARK_GAIN_RATIO = 0.45
COARSE_PX_PER_MM = 0.5
ROUNDS = 3


@dataclass(frozen=True, eq=False)
class LightChange:
    """The change from one photo's light to another's."""

    mixing: Float32s
    # gain, veil: (h, w, 3) float32 array. Over the whole board, coarser than the pictures.
    gain: Float32s
    veil: Float32s
    # (h, w, 3) float32: the least that a pixel is scaled by: black plastic is darker than any
    # print, and a veil taken away from it leaves nothing.
    dark_gain: Float32s

    def apply(self, picture: Picture) -> Picture:
        """Return a picture of the whole board in the other light."""
        size_wh = picture.shape[1], picture.shape[0]
        gain, veil, dark_gain = (
            cv2.resize(part, size_wh) for part in (self.gain, self.veil, self.dark_gain)
        )
        mixed = np.asarray(cv2.transform(picture.astype(np.float32), self.mixing), np.float32)
        brought = np.maximum(mixed * gain + veil, mixed * dark_gain)
        return np.asarray(np.clip(brought + 0.5, 0, 255), np.uint8)


def measure_change(source: Picture, target: Picture, bare: Mask, px_per_mm: float) -> LightChange:
    """Measure the change from one picture's light to another's, both of the board."""
    shrink = COARSE_PX_PER_MM / px_per_mm
    share = cv2.resize(bare.astype(np.float32), None, fx=shrink, fy=shrink, interpolation=3)
    weight = (share > 0.95).astype(np.float32)
    small_source, small_target = (
        np.asarray(cv2.resize(p, weight.shape[::-1], interpolation=cv2.INTER_AREA), np.float32)
        for p in (source, target)
    )
    mixing = np.eye(3, dtype=np.float32)
    for _ in range(ROUNDS):
        mixed = np.asarray(cv2.transform(small_source, mixing), np.float32)
        gain, veil, _ = _fit_gain(mixed, small_target, weight)
        missed = np.abs(mixed * gain + veil - small_target).max(axis=-1)
        explained = weight * (missed < UNEXPLAINED_LEVELS)
        mixing = _fit_mixing(small_source, small_target / gain, explained)
    mixed = np.asarray(cv2.transform(small_source, mixing), np.float32)
    return LightChange(mixing, *_fit_gain(mixed, small_target, explained))


def _fit_gain(
    source: Float32s, target: Float32s, weight: Float32s
) -> tuple[Float32s, Float32s, Float32s]:
    """Return the gain, the offset and the least gain around every pixel."""
    means = _LocalMeans(weight)
    mean_source, mean_target = means.mean(source), means.mean(target)
    variance = means.mean(source * source) - mean_source**2
    covariance = means.mean(source * target) - mean_source * mean_target
    ratio = (mean_target + 1) / (mean_source + 1)
    gain = (covariance + PLAIN_VARIANCE * ratio) / (variance + PLAIN_VARIANCE)
    gain = np.clip(gain, GAIN_OF_RATIO[0] * ratio, GAIN_OF_RATIO[1] * ratio)
    smooth = np.asarray(cv2.GaussianBlur(gain, (0, 0), NEAR_MM * COARSE_PX_PER_MM), np.float32)
    dark_gain = np.asarray(DARK_GAIN_RATIO * ratio, np.float32)
    return smooth, mean_target - smooth * mean_source, dark_gain


def _fit_mixing(source: Float32s, target: Float32s, weight: Float32s) -> Float32s:
    """Return the colour matrix from one camera to the other.

    Only what the print differs by from its surroundings counts, so that no uneven light does.
    """
    means = _LocalMeans(weight)
    counted = weight > 0
    off_source = (source - means.mean(source))[counted]
    off_target = (target - means.mean(target))[counted]
    prior = PLAIN_VARIANCE * len(off_source) * np.eye(3)
    both = off_source.T.astype(np.float64) @ off_source + prior
    return np.linalg.solve(both, off_source.T @ off_target + prior).T.astype(np.float32)


class _LocalMeans:
    """Local means around every pixel, of the selected pixels."""

    def __init__(self, weight: Float32s) -> None:
        self._weight = weight[..., None]
        self._total = self._sum(weight)[..., None] + np.float32(1e-6)

    def mean(self, values: Float32s) -> Float32s:
        """Return the local mean around every pixel of a picture."""
        return self._sum(values * self._weight) / self._total

    @staticmethod
    def _sum(values: Float32s) -> Float32s:
        near, far = (sigma * COARSE_PX_PER_MM for sigma in (NEAR_MM, FAR_MM))
        close = cv2.GaussianBlur(values, (0, 0), near)
        return np.asarray(close + FAR_WEIGHT * cv2.GaussianBlur(values, (0, 0), far), np.float32)
