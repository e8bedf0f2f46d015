"""Colours as CIE Lab, where distances are about what an eye sees."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Lab = tuple[float, float, float]

LIGHTNESS = 0.6
"""What a step of lightness counts against one of hue: plastic shines and has a dark side."""


def to_lab(bgr: Floats) -> Floats:
    """Return CIE Lab of colours.

    Parameters
    ----------
    bgr : (..., 3) float32 array
        0 to 255.

    Returns
    -------
    (..., 3) float32 array
        L* from 0 to 100.
    """
    flat = np.clip(bgr.reshape(-1, 1, 3), 0, 255) / np.float32(255)
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2LAB), np.float32).reshape(bgr.shape)


def distance2(lab: Floats, other: Floats | Lab) -> Floats:
    """Return the squared distance of colours in Lab, lightness counted less: (..., 3) to (...)."""
    lightness, a, b = (lab[..., i] - np.float32(np.asarray(other)[..., i]) for i in range(3))
    lightness *= np.float32(LIGHTNESS)
    return np.asarray(lightness * lightness + a * a + b * b, np.float32)
