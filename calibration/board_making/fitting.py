"""Laying single spaces exactly over their outlines, and looking at what is inside.

Candidates come from coarse steps of angle and place. Here each is moved a little until its four
sides lie on edges, all candidates at once.
"""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np

from ..arrays import AnyFloats, Float32s, Float64s
from .outlines import SOFT_EDGE, Edges, SizeMm

TURNS_DEG = (-5.0, -2.5, 0.0, 2.5, 5.0)
ALONG_MM = (-1.6, -0.8, 0.0, 0.8, 1.6)
ACROSS_MM = (-1.0, -0.5, 0.0, 0.5, 1.0)
LENGTHS_MM = (-2.0, -1.0, 0.0, 1.0, 2.0)
# What is tried around a candidate's angle, place and size.
WIDTHS_MM = (-1.5, -0.75, 0.0, 0.75, 1.5)
ON_LONG = np.linspace(-0.4, 0.4, 9)
ON_SHORT = np.linspace(-0.33, 0.33, 5)
END_ALONG = np.array([-0.38, -0.34, -0.3, -0.26, 0.26, 0.3, 0.34, 0.38])
# Where a space is looked at, in shares of its length and width.
MIDDLE_ALONG, INNER_ACROSS = np.linspace(-0.22, 0.22, 7), np.array([-0.22, 0.0, 0.22])


def fit_spaces(edges: Edges, poses: Float64s, size_mm: SizeMm) -> Float64s:
    """Move candidates onto the outlines they are near.

    x, y, angle, and how much edge there is along each side, 0 to 1: the two long ones, the two
    short ones.
    """
    best = np.full(len(poses), -1.0)
    fitted = np.zeros((len(poses), 7))
    for turn, along, across in product(TURNS_DEG, ALONG_MM, ACROSS_MM):
        tried = moved(poses, turn, along, across)
        sides = _sides(edges, tried, np.broadcast_to(size_mm, (len(poses), 2)))
        # As lies: without a reason to move it stays.
        worth = _worth(sides) - 0.01 * (abs(turn) / 5 + abs(along) + abs(across))
        better = worth > best
        best[better] = worth[better]
        fitted[better] = np.column_stack([tried, sides])[better]
    return fitted


def fit_size(edges: Edges, poses: Float64s, size_mm: SizeMm) -> SizeMm:
    """Return the size that fits most of the spaces best, near a first guess of it."""
    tried = np.array(list(product(LENGTHS_MM, WIDTHS_MM))) + size_mm
    worths = np.array(
        [_worth(_sides(edges, poses, np.broadcast_to(size, (len(poses), 2)))) for size in tried]
    )
    length, width = np.median(tried[np.argmax(worths, axis=0)], axis=0)
    return round(float(length), 1), round(float(width), 1)


def moved(poses: Float64s, turn_deg: float, along_mm: float, across_mm: float) -> Float64s:
    """Return poses moved along their own axes and turned."""
    angle = np.deg2rad(poses[:, 2])
    c, s = np.cos(angle), np.sin(angle)
    x = poses[:, 0] + c * along_mm - s * across_mm
    y = poses[:, 1] + s * along_mm + c * across_mm
    return np.column_stack([x, y, poses[:, 2] + turn_deg])


def inside(lab: Float32s, px_per_mm: float, poses: Float64s, size_mm: SizeMm) -> Float64s:
    """Return what colour spaces have and how even it is.

    The colour is that of both ends of a space: in its middle may be a sign or a ferry's engine.

    Median L, a, b of the ends, how far from it they are on average, and how far most of the middle
    is from its own median.
    """
    ends = _seen(lab, px_per_mm, poses, size_mm, END_ALONG)
    colour = np.median(ends, axis=1)
    uneven = np.linalg.norm(ends - colour[:, None], axis=-1).mean(axis=1)
    middle = _seen(lab, px_per_mm, poses, size_mm, MIDDLE_ALONG)
    off = np.linalg.norm(middle - np.median(middle, axis=1)[:, None], axis=-1)
    return np.column_stack([colour, uneven, off.mean(axis=1)])


def _seen(
    lab: Float32s, px_per_mm: float, poses: Float64s, size_mm: SizeMm, along: Float64s
) -> Float64s:
    u, v = np.meshgrid(along * size_mm[0], INNER_ACROSS * size_mm[1])
    x, y = _points(poses, np.broadcast_to(u.ravel(), (len(poses), u.size)), v.ravel())
    return sampled(lab, x, y, px_per_mm)


def sampled(picture: Float32s, x_mm: Float64s, y_mm: Float64s, px_per_mm: float) -> Float64s:
    """Return a picture's values at points in millimetres."""
    at_x = (x_mm * px_per_mm - 0.5).astype(np.float32)
    at_y = (y_mm * px_per_mm - 0.5).astype(np.float32)
    found = [
        cv2.remap(picture, part_x, part_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        # OpenCV maps no more than 32767 rows at once.
        for part_x, part_y in zip(
            np.array_split(at_x, len(at_x) // 30000 + 1),
            np.array_split(at_y, len(at_y) // 30000 + 1),
            strict=True,
        )
    ]
    return np.concatenate(found).astype(np.float64)


def _points(poses: Float64s, along: AnyFloats, across: AnyFloats) -> tuple[Float64s, Float64s]:
    angle = np.deg2rad(poses[:, 2:3])
    c, s = np.cos(angle), np.sin(angle)
    return poses[:, 0:1] + c * along - s * across, poses[:, 1:2] + s * along + c * across


def _sides(edges: Edges, poses: Float64s, sizes_mm: AnyFloats) -> Float64s:
    """Return how much edge there is along the sides of spaces, (N, 4)."""
    length, width = sizes_mm[:, :1], sizes_mm[:, 1:]
    angle = np.deg2rad(poses[:, 2:3])
    c, s = np.cos(angle), np.sin(angle)
    sides = []
    for sign in (-1, 1):
        x, y = _points(poses, ON_LONG * length, sign * width / 2 + 0 * ON_LONG)
        sides.append(_edge(edges, x, y, -s, c))
    for sign in (-1, 1):
        x, y = _points(poses, sign * length / 2 + 0 * ON_SHORT, ON_SHORT * width)
        sides.append(_edge(edges, x, y, c, s))
    return np.column_stack(sides)


def _edge(
    edges: Edges, x: Float64s, y: Float64s, normal_x: Float64s, normal_y: Float64s
) -> Float64s:
    products = sampled(edges.products, x, y, edges.px_per_mm)
    xx, xy, yy = products[..., 0], products[..., 1], products[..., 2]
    square = normal_x**2 * xx + 2 * normal_x * normal_y * xy + normal_y**2 * yy
    strength = np.sqrt(np.maximum(square, 0))
    return np.asarray((strength / (strength + SOFT_EDGE)).mean(axis=1))


def _worth(sides: Float64s) -> Float64s:
    long_sides, short_sides = sides[:, :2], sides[:, 2:]
    return np.asarray(
        0.3 * (long_sides.min(axis=1) + long_sides.mean(axis=1))
        + 0.2 * (short_sides.min(axis=1) + short_sides.mean(axis=1))
    )
