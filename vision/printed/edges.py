"""Colour edges of a picture: what light does not change of a print.

In all channels of Lab, since the outline of a dark space on dark ground is one of hue only.
"""

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Int32s, Picture

from ..lab import to_lab

BLUR_PX = 1.0  # standard deviation of the blur before the gradient


def colour_edges(picture: Picture, pixels: Int32s | slice = slice(None)) -> Float32s:
    """Return the change of L*, a*, b* per pixel along x, then along y, (M, 6).

    `pixels` are indices into the flattened picture; all by default.
    """
    soft = cv2.GaussianBlur(to_lab(picture), (0, 0), BLUR_PX)
    changes = (cv2.Sobel(soft, cv2.CV_32F, dx, 1 - dx, scale=1 / 8) for dx in (1, 0))
    return np.concatenate([change.reshape(-1, 3)[pixels] for change in changes], axis=1)
