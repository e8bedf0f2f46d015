"""The table as seen from straight above: what makes all cards of a photo one size."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from railspotter.calibration.arrays import Float64s, Mask

ASPECT, ASPECT_SPREAD = 1.5, 0.05
"""Long side over short one of cards that are sold, and how far most are from it, as a share."""
ASPECTS = (1.32, 1.68)
"""What is no card's beyond doubt."""
TILT_SPREAD = 0.12
"""How much larger the near side of a photo shows a card than its middle does, as a share."""
LEAN_SPREAD = 0.12
"""How much a tilted camera squeezes and shears a photo's middle, as a share."""
SAME_SIZE = (0.16, 0.1, 0.06)
"""How far a side may be from the others', as a share, while more and more is known of the tilt."""
SIDE_SPREAD = 0.02
SAME = 0.02
"""Two outlines are one where no corner is farther off than so much of a long side."""
STEPS = 12
MOST_PLANES = 3


@dataclass(frozen=True, eq=False)
class TablePlane:
    """Where the table is in a photo.

    Attributes
    ----------
    above_from_photo : (3, 3) float64 array
        Maps the photo's pixels to the table seen from above, in photo pixels near its middle.
    size : tuple of float
        A card's long and short side from above.
    votes : int
        Cards that said so.
    """

    above_from_photo: Float64s
    size: tuple[float, float]
    votes: int


def table_planes(sheets: Float64s, size_wh: tuple[int, int]) -> list[TablePlane]:
    """Return planes in which many outlines are of one size, the one with the most first.

    Parameters
    ----------
    sheets : (N, 4, 2) float64 array
        From `card_sheets`.
    size_wh : tuple of int
        Width and height of the photo, in pixels.
    """
    half = np.array(size_wh, np.float64) / 2
    scale = float(half.max())
    points = (sheets - half) / scale
    points = _once(points[(np.abs(points) < 1.2).all(axis=(1, 2))])
    planes: list[TablePlane] = []
    left = np.ones(len(points), bool)
    while len(planes) < MOST_PLANES and left.any():
        inside = _largest_family(points, left)
        family = inside
        values = _first_guess(points[inside])
        for tolerance in SAME_SIZE:
            if inside.any():
                values = _fitted(points[inside], values)
                inside = left & (np.abs(_sides_off(points, values)).max(axis=1) < tolerance)
        left &= ~(inside if inside.any() else family)
        if not inside.any():
            continue
        values = _fitted(points[inside], values)
        if not ASPECTS[0] < np.exp(values[4] - values[5]) < ASPECTS[1]:
            continue
        here = np.diag([1 / scale, 1 / scale, 1.0]) @ np.array(
            [(1, 0, -half[0]), (0, 1, -half[1]), (0, 0, 1)]
        )
        size = tuple((scale * np.exp(values[4:])).tolist())
        above = np.diag([scale, scale, 1.0]) @ _warp(values) @ here
        planes.append(TablePlane(above, (size[0], size[1]), _apart(points[inside])))
    return sorted(planes, key=lambda plane: (-plane.votes, -plane.size[0]))


def _largest_family(points: Float64s, left: Mask) -> Mask:
    """Return the outlines that are about as large as one of them, the one with the most like it."""
    logs = np.log(_lengths(points).reshape(-1, 2, 2).mean(axis=1))
    best, most = left, 0.0
    for one in np.flatnonzero(left):
        alike = left & (np.abs(logs - logs[one]).max(axis=1) < SAME_SIZE[0])
        # Of a border and the ground within it, the border is the card.
        count = _apart(points[alike]) + 0.2 * np.exp(logs[one, 0])
        if count > most:
            best, most = alike, count
    return best


def _once(points: Float64s) -> Float64s:
    """Return outlines without those that are another one again."""
    kept: list[Float64s] = []
    for one in points:
        reach = SAME * np.hypot(*(one[1] - one[0]))
        others = np.array(kept).reshape(-1, 4, 2)
        turned = others[:, [2, 3, 0, 1]]
        off = np.minimum(
            np.abs(others - one).max(axis=(1, 2)), np.abs(turned - one).max(axis=(1, 2))
        )
        if not (off < reach).any():
            kept.append(one)
    return np.array(kept).reshape(-1, 4, 2)


def _apart(points: Float64s) -> int:
    """Return how many outlines lie beside each other."""
    middles = points.mean(axis=1)
    reach = 0.4 * np.hypot(*(points[:, 1] - points[:, 0]).T)
    kept: list[int] = []
    for one, middle in enumerate(middles):
        off = np.hypot(*(middle - middles[kept]).T) if kept else np.empty(0)
        if (off > reach[kept]).all():
            kept.append(one)
    return len(kept)


def _first_guess(points: Float64s) -> Float64s:
    long, short = np.median(np.log(_lengths(points)).reshape(-1, 2, 2).mean(axis=1), axis=0)
    return np.array([0.0, 0.0, 0.0, 0.0, long, short])


def _warp(values: Float64s) -> Float64s:
    """Return the way from the photo to the table: its tilt, then its lean."""
    tilt = np.array([(1, 0, 0), (0, 1, 0), (values[0], values[1], 1)])
    lean = np.array(
        [(np.exp(-values[3] / 2), values[2], 0), (0, np.exp(values[3] / 2), 0), (0, 0, 1)]
    )
    return np.asarray(lean @ tilt, np.float64)


def _lengths(points: Float64s) -> Float64s:
    return np.asarray(np.linalg.norm(np.roll(points, -1, axis=1) - points, axis=2), np.float64)


def _sides_off(points: Float64s, values: Float64s) -> Float64s:
    """Return how far four sides and two diagonals are from a card's, as shares, (N, 6)."""
    above = cv2.perspectiveTransform(points.reshape(-1, 1, 2), _warp(values)).reshape(-1, 4, 2)
    sides = np.log(np.maximum(_lengths(np.asarray(above, np.float64)), 1e-9))
    across = np.log(np.linalg.norm(above[:, :2] - above[:, 2:], axis=2) + 1e-9)
    long, short = values[4:]
    diagonal = np.log(np.hypot(np.exp(long), np.exp(short)))
    return np.column_stack([sides - (long, short, long, short), 1.5 * (across - diagonal)])


def _fitted(points: Float64s, values: Float64s) -> Float64s:
    """Return the values that make these outlines cards of one size, by least squares."""

    def off(at: Float64s) -> Float64s:
        sides = _sides_off(points, at).ravel() / SIDE_SPREAD
        # What is far off weighs no more than what is a little off.
        sides = np.sign(sides) * np.sqrt(np.log1p(sides**2)) / np.sqrt(max(1, len(points) / 40))
        known = [
            *(at[:2] / TILT_SPREAD),
            *(at[2:4] / LEAN_SPREAD),
            (at[4] - at[5] - np.log(ASPECT)) / ASPECT_SPREAD,
        ]
        return np.concatenate([sides, known])

    now = off(values)
    damping = 1e-2
    for _ in range(STEPS):
        slopes = np.column_stack([(off(values + step) - now) / 1e-5 for step in 1e-5 * np.eye(6)])
        square = slopes.T @ slopes
        tried = values - np.linalg.solve(
            square + damping * np.diag(np.diag(square)), slopes.T @ now
        )
        then = off(tried)
        if then @ then < now @ now:
            values, now, damping = tried, then, damping / 3
        else:
            damping *= 5
    return values
