"""Colours as CIE Lab, where distances are about what an eye sees."""

import cv2
import numpy as np
import numpy.typing as npt
from railspotter.calibration.arrays import Float32s, Lab

# Weight of a step of lightness against one of hue: plastic shines and has a dark side.
LIGHTNESS = 0.6
COLOURFUL = 20.0  # chroma from which a plastic or a print has a hue
# L*, a* and b* for each of OpenCV's byte values, (1, 256, 3).
_LAB_OF_BYTES = np.arange(256, dtype=np.float32)[None, :, None] * np.array(
    [100 / 255, 1, 1], np.float32
) - np.array([0, 128, 128], np.float32)


def to_lab(bgr: npt.NDArray[np.uint8]) -> Float32s:
    """Convert BGR colours, (..., 3) uint8, to CIE Lab, L* from 0 to 100, to about half a unit."""
    # One long row: OpenCV has a cost per row.
    of_bytes = cv2.cvtColor(np.ascontiguousarray(bgr).reshape(1, -1, 3), cv2.COLOR_BGR2LAB)
    return np.asarray(cv2.LUT(of_bytes, _LAB_OF_BYTES), np.float32).reshape(bgr.shape)


def distance2(lab: Float32s, other: Float32s | Lab) -> Float32s:
    """Return the squared distance of colours in Lab, lightness counted less: (..., 3) to (...)."""
    lightness, a, b = (lab[..., i] - np.float32(np.asarray(other)[..., i]) for i in range(3))
    lightness *= np.float32(LIGHTNESS)
    return np.asarray(lightness * lightness + a * a + b * b, np.float32)
