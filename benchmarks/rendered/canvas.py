"""A canvas for rendered scenes: millimetres to pixels, boxes, noise."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.random import Generator
from railspotter.calibration.arrays import Float32s, Float64s, Int32s, Picture, Points

PX_PER_MM = 2.5
SIZE_MM = (200.0, 180.0)  # a neighbourhood's width and height
SIZE_PX = (round(SIZE_MM[0] * PX_PER_MM), round(SIZE_MM[1] * PX_PER_MM))
MIDDLE_MM = np.array(SIZE_MM) / 2
FIXED_POINT = 4  # bits behind the point of OpenCV's drawing

# Drawn once: fresh numbers for every picture would take longer than the picture.
_NORMAL = np.random.default_rng(99).standard_normal(1 << 21).astype(np.float32)


def normal_noise(rng: Generator, shape: tuple[int, ...]) -> Float32s:
    """Return normally distributed numbers, from two million precomputed ones."""
    count = int(np.prod(shape))
    start = int(rng.integers(len(_NORMAL) - count))
    return _NORMAL[start : start + count].reshape(shape)


def smooth_noise(rng: Generator, steps_px: Sequence[float], strengths: Sequence[float]) -> Float32s:
    """Return a sum of noises over the canvas, each smooth over its step."""
    width, height = SIZE_PX
    total = np.zeros((height, width), dtype=np.float32)
    for step, strength in zip(steps_px, strengths, strict=True):
        coarse = normal_noise(rng, (max(2, int(height / step) + 2), max(2, int(width / step) + 2)))
        fine = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR)
        total += np.float32(strength) * fine
    return total


def vary(rng: Generator, tone: Sequence[float] | Float64s, spread: float) -> Float64s:
    """Return a colour with random brightness and hue."""
    lighter = np.exp(rng.normal(0, 0.4 * spread))
    tone = np.asarray(tone, np.float64) * lighter + rng.normal(0, 55 * spread, 3)
    return np.asarray(np.clip(tone, 4, 250), np.float64)


def directions(angle: float) -> tuple[Points, Points]:
    """Return the unit vectors along and across."""
    along = np.array([np.cos(angle), np.sin(angle)])
    return along, np.array([-along[1], along[0]])


def box(middle_mm: Points, angle: float, length_mm: float, width_mm: float) -> Points:
    """Return the corners of a box, (4, 2)."""
    along, across = directions(angle)
    half_u, half_v = along * length_mm / 2, across * width_mm / 2
    corners = np.array([half_u + half_v, half_u - half_v, -half_u - half_v, half_v - half_u])
    return np.asarray(middle_mm + corners, np.float64)


def fill(picture: Picture, outline_mm: Points, tone: Sequence[float] | Float64s) -> None:
    """Fill a convex outline."""
    cv2.fillConvexPoly(picture, _fixed_point(outline_mm), _scalar(tone), cv2.LINE_AA, FIXED_POINT)


def draw_line(
    picture: Picture,
    line_mm: Points,
    tone: Sequence[float] | Float64s,
    width_px: int = 1,
    closed: bool = False,
) -> None:
    """Draw a polyline."""
    cv2.polylines(
        picture, [_fixed_point(line_mm)], closed, _scalar(tone), width_px, cv2.LINE_AA, FIXED_POINT
    )


def draw_disc(
    picture: Picture,
    middle_mm: Points,
    radius_mm: float,
    tone: Sequence[float] | Float64s,
    width_px: int = -1,
) -> None:
    """Draw a circle; filled unless a width is given."""
    x, y = np.rint(middle_mm * PX_PER_MM).astype(int).tolist()
    radius = max(1, int(radius_mm * PX_PER_MM))
    cv2.circle(picture, (x, y), radius, _scalar(tone), width_px, cv2.LINE_AA)


def _fixed_point(points_mm: Points) -> Int32s:
    return np.rint(points_mm * (PX_PER_MM * (1 << FIXED_POINT))).astype(np.int32)


def _scalar(tone: Sequence[float] | Float64s) -> list[float]:
    return [float(level) for level in np.clip(np.asarray(tone, np.float64), 0, 255)]
