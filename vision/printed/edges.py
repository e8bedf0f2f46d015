"""Colour edges of a picture: what light does not change of a print.

In all channels of Lab, since the outline of a dark space on dark ground is one of hue only.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Int32s, Picture

from ..lab import to_lab

# Rows of a band, and rows of overlap for the blur: intermediate steps of a whole board take 100 MB.
BAND_PX, OVERLAP_PX = 200, 8
BLUR_PX = 1.0  # standard deviation of the blur before the gradient


def colour_edges(picture: Picture) -> Float32s:
    """Return the gradient of a picture's colours.

    Returns
    -------
    (H, W, 6) float32 array
        Change of L*, a*, b* per pixel along x, then along y.
    """
    return np.concatenate([edges for _, edges in _bands(picture)])


def edges_at(picture: Picture, pixels: Int32s) -> Float32s:
    """Return the gradient of a picture's colours at some of its pixels, (M, 6).

    Parameters
    ----------
    pixels : (M,) int32 array
        Indices into the flattened picture, ascending.
    """
    width = picture.shape[1]
    found = []
    for top, edges in _bands(picture):
        first, last = np.searchsorted(pixels, [top * width, (top + len(edges)) * width])
        found.append(edges.reshape(-1, 6).take(pixels[first:last] - top * width, axis=0))
    return np.concatenate(found)


def _bands(picture: Picture) -> Iterator[tuple[int, Float32s]]:
    """Yield each band's first row and its gradient, (rows, W, 6)."""
    height = len(picture)
    for top in range(0, height, BAND_PX):
        first, last = max(top - OVERLAP_PX, 0), min(top + BAND_PX + OVERLAP_PX, height)
        soft = cv2.GaussianBlur(to_lab(picture[first:last]), (0, 0), BLUR_PX)
        rows = slice(top - first, top - first + BAND_PX)
        changes = [cv2.Sobel(soft, cv2.CV_32F, dx, 1 - dx, scale=1 / 8)[rows] for dx in (1, 0)]
        yield top, np.asarray(cv2.merge(changes), np.float32)
