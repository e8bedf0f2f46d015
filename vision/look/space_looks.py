"""What lies on each space looks like, and what its print would look like in the same place."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from railspotter.calibration.arrays import AnyFloats, Float32s, Picture

from ..lab import to_lab
from .train_net import CELLS, WINDOW_MM, Windows

SEEN_HEIGHT = 0.6
"""The middle of what is seen of a train, as a share of its height."""
NEAR_MM = (7.0, 3.0)
"""How far along and across from where a train is expected to be seen cells still count, one
standard deviation."""
FLOOR = 0.02
"""What a cell counts of which nothing says that plastic is there: enough where none does."""


@dataclass(frozen=True, eq=False)
class SpaceLooks:
    """Colours of what lies on each space, in the light of the reference.

    Attributes
    ----------
    seen, bare : (N, 3) float32 array
        CIE Lab: medians over the cells where plastic is seen, or would be, in the photo and in the
        reference.
    plastic : (N,) float32 array
        How much of the place where a train would be seen is plastic, 0 to 1.
    """

    seen: Float32s
    bare: Float32s
    plastic: Float32s


def space_looks(windows: Windows, plastic: Float32s) -> SpaceLooks:
    """Look at the middle of each space's window.

    Parameters
    ----------
    plastic : (N, rows, columns) float32 array
        How likely plastic is seen in each cell, 0 to 1.
    """
    count = len(plastic)
    u = ((np.arange(CELLS[0]) + 0.5) / CELLS[0] - 0.5) * WINDOW_MM[0]
    v = ((np.arange(CELLS[1]) + 0.5) / CELLS[1] - 0.5) * WINDOW_MM[1]
    lean = SEEN_HEIGHT * windows.lean_mm
    near = np.exp(
        -0.5 * ((u[None, None, :] - lean[:, 0, None, None]) / NEAR_MM[0]) ** 2
        - 0.5 * ((v[None, :, None] - lean[:, 1, None, None]) / NEAR_MM[1]) ** 2
    )
    weight = (near * (plastic**2 + FLOOR)).reshape(count, -1)
    share = (near * plastic).sum(axis=(1, 2)) / near.sum(axis=(1, 2))
    seen, bare = (_medians(_cell_colours(p), weight) for p in (windows.photo, windows.reference))
    return SpaceLooks(seen, bare, share.astype(np.float32))


def _cell_colours(windows: npt.NDArray[np.floating | np.uint8]) -> Float32s:
    """Return the mean colour of each cell, (N, V, U, 3) to (N, cells, 3) CIE Lab."""
    tall = np.asarray(windows, np.uint8).reshape(-1, windows.shape[2], 3)
    rows = CELLS[1] * len(windows)
    means: Picture = np.asarray(cv2.resize(tall, (CELLS[0], rows), interpolation=cv2.INTER_AREA))
    return to_lab(means).reshape(len(windows), -1, 3)


def _medians(values: Float32s, weight: AnyFloats) -> Float32s:
    """Return the weighted median of each channel: (N, P, 3) and (N, P) to (N, 3)."""
    order = np.argsort(values, axis=1)
    sums = np.cumsum(np.take_along_axis(weight[..., None], order, axis=1), axis=1)
    half = (sums >= sums[:, -1:] / 2).argmax(axis=1)[:, None]
    middle = np.take_along_axis(order, half, axis=1)
    return np.asarray(np.take_along_axis(values, middle, axis=1)[:, 0], np.float32)
