"""Local features of a print: detection, even selection, matching.

SIFT, since on the measured photos it found every board where ORB and AKAZE lost one in ten
(docs/vision.md). Descriptors are stored as bytes, which is enough for matching.
"""

from dataclasses import dataclass
from itertools import repeat

import cv2
import numpy as np
import numpy.typing as npt

from ..arrays import Float32s, Float64s, GreyPicture, Indices, Mask
from ..geometry import cells_of

ROWS_AT_ONCE = 500  # descriptors of a batch: 12 MB with 6000 others
SIGMA, LAYERS = 1.6, 3  # SIFT's smallest scale, and its layers in an octave


@dataclass(frozen=True, eq=False)
class Features:
    """Feature points and their descriptors."""

    points: Float64s  # (N, 2) float64: (x, y) in pixels, or in board millimetres
    descriptors: npt.NDArray[np.uint8]  # (N, 128)
    # (N, 2) float32: diameter of each keypoint in the points' unit, and its angle in degrees; None
    # if unknown.
    frames: Float32s | None = None

    def __len__(self) -> int:
        return len(self.points)

    def where(self, kept: Mask | Indices) -> "Features":
        """Return the features selected by a mask or by indices."""
        frames = None if self.frames is None else self.frames[kept]
        return Features(self.points[kept], self.descriptors[kept], frames)

    def every(self, step: int) -> "Features":
        """Return every `step`-th feature."""
        return self.where(np.arange(len(self)) % step == 0)


def find_features(grey: GreyPicture, limit: int) -> Features:
    """Detect up to `limit` features of a picture, in its pixels, the strongest first."""
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
    """Return the distances of features' descriptors from those of a picture at their places, (N,).

    Nothing is detected: the picture is described at each feature's point, diameter and angle. So
    print is recognized even where another photo would have other features.

    Parameters
    ----------
    features : Features
        With frames, in the picture's pixels.
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
    """Return the octaves and layers of features by diameter, packed as in OpenCV, (N,)."""
    steps = LAYERS * np.log2(size.astype(np.float64) / (2 * SIGMA))
    octave = np.floor((steps - 0.5) / LAYERS).astype(np.intp)
    layer = np.clip(np.rint(steps - LAYERS * octave), 1, LAYERS).astype(np.intp)
    return np.asarray((octave & 255) | (layer << 8), np.intp)


def find_spread_features(grey: GreyPicture, limit: int, cells_wh: tuple[int, int]) -> Features:
    """Detect features of a picture, at most an equal share of `limit` in each cell of a grid.

    The strongest features of a board crowd in its busiest part, which may be covered.
    """
    features = find_features(grey, limit * 4)
    cell, count = cells_of(features.points, grey.shape[::-1], cells_wh), cells_wh[0] * cells_wh[1]
    share = -(-limit // count)
    order = np.argsort(cell, kind="stable")
    first = np.searchsorted(cell[order], np.arange(count))
    rank = np.arange(len(order)) - first[cell[order]]
    kept = order[rank < share]
    return features.where(kept)


def match(reference: Features, picture: Features, ratio: float) -> Indices:
    """Match the features of a reference with those of a picture; return indices, (M, 2).

    Each feature of the picture is used once at most, by its nearest: otherwise many points may
    match one, and a consensus of such pairs is meaningless. `ratio` is Lowe's: the most distance of
    a pair over that of the second best.
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
    """Return each descriptor's nearest one, (N,), and its two least distances, (N, 2).

    By a product of matrices, which is five times as fast as pairs and exact: squares of SIFT's
    descriptors are integers below 2^24.
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
    """Match the features of a reference with nearby ones of a picture; return indices, (M, 2).

    Among few neighbours the most similar one is right, so there is no ratio test. `reach` is the
    most distance along x and along y, `most_difference` that of descriptors.
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
