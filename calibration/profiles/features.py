"""Local features of a print: found, spread evenly, matched.

SIFT, because on the measured photos it found every board where ORB and AKAZE lost one in ten
(docs/vision.md). Descriptors are kept as bytes: they lose nothing that the matching needs.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat

import cv2
import numpy as np
import numpy.typing as npt

from ..arrays import Float32s, Float64s, GreyPicture, Indices, Mask

ROWS_AT_ONCE = 500  # descriptors compared in one step: 12 MB with 6000 others
SIGMA, LAYERS = 1.6, 3  # SIFT's smallest scale, and how many scales it tells apart in an octave


@dataclass(frozen=True, eq=False)
class Features:
    """Points of a picture and what surrounds them."""

    # (N, 2) float64 array. (x, y); the unit is that of whoever holds them (pixels, or board
    # millimetres).
    points: Float64s
    descriptors: npt.NDArray[np.uint8]
    # (N, 2) float32: over how much each was described, a diameter in the points' unit, and turned
    # by how many degrees; None where nobody kept it.
    frames: Float32s | None = None

    def __len__(self) -> int:
        return len(self.points)

    def where(self, kept: Mask) -> Features:
        """Return some of them."""
        frames = None if self.frames is None else self.frames[kept]
        return Features(self.points[kept], self.descriptors[kept], frames)

    def every(self, step: int) -> Features:
        """Return each `step`-th of them."""
        return self.where(np.arange(len(self)) % step == 0)


def find_features(grey: GreyPicture, limit: int) -> Features:
    """Return up to `limit` features of a picture in its pixels, the strongest first."""
    keypoints, descriptors = cv2.SIFT.create(nfeatures=limit).detectAndCompute(grey, None)
    if descriptors is None:
        frames = np.zeros((0, 2), np.float32)
        return Features(np.zeros((0, 2)), np.zeros((0, 128), dtype=np.uint8), frames)
    order = np.argsort([-k.response for k in keypoints], kind="stable")
    points = np.array([k.pt for k in keypoints], dtype=np.float64)
    frames = np.array([(k.size, k.angle) for k in keypoints], dtype=np.float32)
    as_bytes = np.clip(np.rint(descriptors[order]), 0, 255).astype(np.uint8)
    return Features(points[order], as_bytes, frames[order])


def differences_at(features: Features, grey: GreyPicture) -> Float32s:
    """Return how unlike its own descriptor what a picture has at each feature's place is, (N,).

    Nothing is detected: each is described where it lies, over as much and turned as it was. So a
    print is told from what lies over it also where another photo has other features.

    Parameters
    ----------
    features : Features
        With their frames, in the picture's pixels.
    """
    differences = np.full(len(features), np.inf, np.float32)
    if features.frames is None or len(features) == 0:
        return differences
    (x, y), (size, angle) = features.points.T.tolist(), features.frames.T.tolist()
    octaves = _octaves(features.frames[:, 0]).tolist()
    numbers = range(len(features))
    keypoints = [*map(cv2.KeyPoint, x, y, size, angle, repeat(0.0), octaves, numbers)]
    described, descriptors = cv2.SIFT.create().compute(grey, keypoints)
    known = [keypoint.class_id for keypoint in described]
    own = features.descriptors[known].astype(np.float32)
    differences[known] = np.linalg.norm(descriptors - own, axis=1)
    return differences


def _octaves(size: Float32s) -> Indices:
    """Return the octaves and the layers of features so large, as OpenCV packs them, (N,)."""
    steps = LAYERS * np.log2(size.astype(np.float64) / (2 * SIGMA))
    octave = np.floor((steps - 0.5) / LAYERS).astype(np.intp)
    layer = np.clip(np.rint(steps - LAYERS * octave), 1, LAYERS).astype(np.intp)
    return np.asarray((octave & 255) | (layer << 8), np.intp)


def find_spread_features(grey: GreyPicture, limit: int, cells_wh: tuple[int, int]) -> Features:
    """Return features of a picture, at most an equal share of `limit` from each cell of a grid.

    The strongest features of a board crowd where it is busiest; a board of which that part is
    covered would not be found by them.
    """
    features = find_features(grey, limit * 4)
    height, width = grey.shape
    columns, rows = cells_wh
    column = np.clip(features.points[:, 0] * columns / width, 0, columns - 1).astype(int)
    row = np.clip(features.points[:, 1] * rows / height, 0, rows - 1).astype(int)
    cell = row * columns + column
    share = -(-limit // (columns * rows))
    order = np.argsort(cell, kind="stable")
    first = np.searchsorted(cell[order], np.arange(columns * rows))
    rank = np.arange(len(order)) - first[cell[order]]
    kept = order[rank < share]
    return features.where(kept)


def match(reference: Features, picture: Features, ratio: float) -> Indices:
    """Pair the features of a reference with those of a picture.

    Each feature of the picture is used at most once, by its nearest: matching the other way let
    many points fall on one, and a consensus of such pairs looks sound when it is not.

    Parameters
    ----------
    ratio : float
        A pair counts when its distance is below this share of the second best's.

    Returns
    -------
    (M, 2) int array
        Indices into `reference` and `picture`.
    """
    if len(picture) < 2 or len(reference) == 0:
        return np.zeros((0, 2), dtype=np.intp)
    nearest, difference = _two_nearest(reference.descriptors, picture.descriptors)
    clear = np.flatnonzero(difference[:, 0] < np.float32(ratio) * difference[:, 1])
    nearest_first = clear[np.argsort(difference[clear, 0], kind="stable")]
    _, best = np.unique(nearest[nearest_first], return_index=True)
    _, first = np.unique(nearest[clear], return_index=True)
    paired = nearest_first[best][np.argsort(first)]
    return np.stack([paired, nearest[paired]], axis=1)


def _two_nearest(
    wanted: npt.NDArray[np.uint8], there: npt.NDArray[np.uint8]
) -> tuple[Indices, Float32s]:
    """Return which descriptor is nearest to each one wanted, (N,), and its two distances, (N, 2).

    A product of matrices is five times as fast as comparing pairs one by one, and as exact: squares
    of SIFT's descriptors are whole numbers below 2^24.
    """
    others = there.astype(np.float32)
    square = np.einsum("ij,ij->i", others, others)
    nearest = np.empty(len(wanted), np.intp)
    distance = np.empty((len(wanted), 2), np.float32)
    for start in range(0, len(wanted), ROWS_AT_ONCE):
        some = wanted[start : start + ROWS_AT_ONCE].astype(np.float32)
        part = slice(start, start + len(some))
        apart = square - 2 * (some @ others.T) + np.einsum("ij,ij->i", some, some)[:, None]
        row = np.arange(len(some))
        nearest[part] = apart.argmin(axis=1)
        distance[part, 0] = apart[row, nearest[part]]
        apart[row, nearest[part]] = np.inf
        distance[part, 1] = apart.min(axis=1)
    return nearest, np.sqrt(distance)


def match_near(
    reference: Features, picture: Features, reach: float, most_difference: float
) -> Indices:
    """Pair the features of a reference with those that lie near them in a picture.

    Among few neighbours the most similar one is the same, so no second best need be worse.

    Parameters
    ----------
    reach : float
        Distance along x or y up to which features are near, in the points' unit.
    most_difference : float
        Distance of descriptors up to which they are similar.

    Returns
    -------
    (M, 2) int array
        Indices into `reference` and `picture`.
    """
    if len(picture) == 0 or len(reference) == 0:
        return np.zeros((0, 2), dtype=np.intp)
    by_x = np.argsort(picture.points[:, 0], kind="stable")
    x = picture.points[by_x, 0]
    first = np.searchsorted(x, reference.points[:, 0] - reach, "left")
    count = np.searchsorted(x, reference.points[:, 0] + reach, "right") - first
    wanted = np.repeat(np.arange(len(reference)), count)
    along = np.arange(len(wanted)) - np.repeat(np.cumsum(count) - count, count)
    there = by_x[first[wanted] + along]
    near = abs(reference.points[wanted, 1] - picture.points[there, 1]) <= reach
    wanted, there = wanted[near], there[near]
    apart = np.subtract(reference.descriptors[wanted], picture.descriptors[there], dtype=np.float32)
    difference = np.sqrt(np.einsum("ij,ij->i", apart, apart))
    order = np.lexsort((there, difference, wanted))
    _, nearest = np.unique(wanted[order], return_index=True)
    similar = order[nearest][difference[order[nearest]] <= most_difference]
    return np.stack([wanted[similar], there[similar]], axis=1)
