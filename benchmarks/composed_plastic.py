"""Real plastic in another player's colour: the shading and the gloss stay."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Picture

CHROMA_OF_GLOSS = 0.5
"""A highlight has less colour than the plastic around it."""
MOST_GLOSS = 1.2
"""Over the plastic's own lightness: what is lighter is ground at the train's edge."""


def recoloured(
    picture: Picture,
    plastic: Float32s,
    colours: Mapping[str, Float64s],
    colour: str,
    wanted: str,
) -> Picture:
    """Return a picture with its plastic in another of the photo's train colours.

    Parameters
    ----------
    picture : (H, W, 3) uint8 array, BGR
    plastic : (H, W) float32 array
        How much of every pixel is plastic.
    colours : mapping
        What the colours are in that photo, as CIE Lab.
    """
    lab = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    here = plastic > 0.5
    if not here.any():
        return picture
    # The measured plastic of these very pixels, so that their light stays theirs.
    own = np.median(lab[here], axis=0)
    target = colours[wanted] + (own - colours[colour]) * np.array([1, 0.3, 0.3])
    shade = (lab[..., 0] - own[0]) / max(float(own[0]), 25.0)
    scale = max(float(target[0]), 12.0)
    shade = np.clip(shade, -1, MOST_GLOSS)
    lightness = target[0] + shade * np.where(shade < 0, scale, 25.0)
    dull = np.clip(1 + 0.6 * np.minimum(shade, 0), 0.2, 1)
    dull /= 1 + CHROMA_OF_GLOSS * np.maximum(shade, 0)
    painted = np.dstack([np.clip(lightness, 0, 100), target[1] * dull, target[2] * dull])
    bgr = cv2.cvtColor(painted.astype(np.float32), cv2.COLOR_LAB2BGR)
    return np.asarray(np.clip(np.asarray(bgr) * 255 + 0.5, 0, 255), np.uint8)
