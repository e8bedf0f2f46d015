"""Spoils photos as people and phones do: too little light, blur, flicker, portrait mode, panoramas.

Lengths are shares of the picture's longer side.
"""

from collections.abc import Callable, Mapping

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Picture

from hardships.renderings import (
    FULL_WELL_ELECTRONS,
    add_sensor_noise,
    defocus,
    to_bytes,
    to_linear,
    to_srgb,
)

SHAKES_DEG = 30.0  # the direction in which a hand shakes
PARTS = 3  # of a panorama
SEAM_SHARE = 0.006  # width in which a panorama's parts are blended


def darken(picture: Picture, share: float) -> Picture:
    """Leave a share of the levels, with the noise of the light that is left."""
    light = to_linear(to_bytes(picture.astype(np.float32) * share))
    return to_srgb(add_sensor_noise(light, FULL_WELL_ELECTRONS))


def shake(picture: Picture, share: float) -> Picture:
    """Smear along a line of that length."""
    side = int(share * max(picture.shape[:2])) | 1
    line = np.zeros((side, side), np.float32)
    half = side / 2 * np.array([np.cos(np.radians(SHAKES_DEG)), np.sin(np.radians(SHAKES_DEG))])
    ends = np.rint([side / 2 - half, side / 2 + half]).astype(int).tolist()
    cv2.line(line, ends[0], ends[1], 1.0, 1, cv2.LINE_AA)
    light = cv2.filter2D(to_linear(picture), -1, line / line.sum())
    return to_srgb(np.asarray(light, np.float32))


def blur_around(picture: Picture, share: float) -> Picture:
    """Blur all but the middle, as portrait mode does."""
    height, width = picture.shape[:2]
    soft = cv2.GaussianBlur(picture, (0, 0), share * max(height, width))
    y, x = np.mgrid[:height, :width].astype(np.float32)
    off = np.hypot((x - width / 2) / width, (y - height / 2) / height)
    blurred = np.clip((off - 0.22) / 0.06, 0, 1).astype(np.float32)[..., None]
    return to_bytes(np.asarray(picture * (1 - blurred) + soft * blurred, np.float32))


def flicker(picture: Picture, depth: float, bands: float = 6.5) -> Picture:
    """Take a share of the light in bands across, as lamps do that are read row by row."""
    phase = np.linspace(0, 2 * np.pi * bands, len(picture), dtype=np.float32)
    lit = 1 - depth * np.clip(0.5 + 0.9 * np.sin(phase), 0, 1)
    light = to_linear(picture) * lit[:, None, None].astype(np.float32)
    return to_srgb(add_sensor_noise(np.asarray(light, np.float32), FULL_WELL_ELECTRONS))


def stitch(picture: Picture, share: float) -> Picture:
    """Put a photo together of parts that do not fit: one lies lower, one is wider."""
    height, width = picture.shape[:2]
    off = share * max(height, width)
    seam = SEAM_SHARE * max(height, width)
    x = np.arange(width, dtype=np.float32)
    at: list[Float32s] = [
        np.array([[1, 0, side * off], [0, 1, down * off]], np.float32)
        for side, down in ((0, 0), (0.6, 1), (-0.4, -0.5))
    ]
    stitched = picture.astype(np.float32)
    for number in range(1, PARTS):
        part = cv2.warpAffine(picture, at[number], (width, height), borderMode=cv2.BORDER_REPLICATE)
        share_of_part = np.clip((x - width * number / PARTS) / seam + 0.5, 0, 1)[None, :, None]
        stitched = stitched * (1 - share_of_part) + part * share_of_part
    return to_bytes(np.asarray(stitched, np.float32))


# What spoils a photo, and how much, from hardly to wholly.
SPOILS: Mapping[str, tuple[Callable[[Picture, float], Picture], tuple[float, ...]]] = {
    "dark": (darken, (0.35, 0.22, 0.15, 0.08)),
    "out of focus": (defocus, (0.002, 0.004, 0.006, 0.009)),
    "shaken": (shake, (0.006, 0.012, 0.02, 0.03)),
    "portrait mode": (blur_around, (0.003, 0.005, 0.0075, 0.012)),
    "flicker": (flicker, (0.8, 0.95, 0.99)),
    "panorama": (stitch, (0.006, 0.012, 0.02, 0.04)),
}
