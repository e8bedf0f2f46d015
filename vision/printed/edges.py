"""Edges of colour: what light leaves of a print.

All of Lab counts, for the outline of a dark space on dark ground is one of hue only.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Int32s, Picture

from ..lab import to_lab

# Rows that are worked on at once, and how far a pixel is told of beyond them: the intermediate
# steps of a whole board take 100 MB.
BAND_PX, BLURRED_PX = 200, 8
BLUR_PX = 1.0  # standard deviation by which a picture is softened first


def colour_edges(picture: Picture) -> Float32s:
    """Return how the colours of a picture change.

    Returns
    -------
    (H, W, 6) float32 array
        L*, a*, b* per pixel along x, then along y.
    """
    return np.concatenate([edges for _, edges in _bands(picture)])


def edges_at(picture: Picture, pixels: Int32s) -> Float32s:
    """Return how the colours of a picture change at some of its pixels, (M, 6).

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
    """Yield the edges of `BAND_PX` rows, and the first of these rows."""
    height = len(picture)
    for top in range(0, height, BAND_PX):
        first, last = max(top - BLURRED_PX, 0), min(top + BAND_PX + BLURRED_PX, height)
        soft = cv2.GaussianBlur(to_lab(picture[first:last]), (0, 0), BLUR_PX)
        rows = slice(top - first, top - first + BAND_PX)
        changes = [cv2.Sobel(soft, cv2.CV_32F, dx, 1 - dx, scale=1 / 8)[rows] for dx in (1, 0)]
        yield top, np.asarray(cv2.merge(changes), np.float32)
