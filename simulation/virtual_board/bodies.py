"""The convex parts that bodies are made of: prisms, lofts, limbs and what is printed on them.

They are made around the origin, x ahead, y to the right, z up, in plain grey.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Float64s, Indices
from .solids import Solid

GREY = (128.0, 128.0, 128.0)


def prism(profile: ArrayLike, start: float, end: float, axis: int) -> Solid:
    """Extrude a convex profile along an axis.

    Examples
    --------
    >>> box = prism([(0, 0), (2, 0), (2, 1), (0, 1)], 0.0, 3.0, axis=2)
    >>> len(box.corners), len(box.faces), box.corners.mean(axis=0).tolist()
    (8, 6, [1.0, 0.5, 1.5])
    """
    outline = np.asarray(profile, np.float64)
    return loft([np.insert(outline, axis, at, axis=1) for at in (start, end)])


def box(low: Sequence[float], high: Sequence[float]) -> Solid:
    """Return the box between two opposite corners (x, y, z)."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    return prism([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], z0, z1, axis=2)


def loft(rings: Sequence[Float64s], is_closed: bool = True) -> Solid:
    """Return the convex body between rings of corners."""
    count = len(rings[0])
    corners = np.vstack(rings)
    last = count * (len(rings) - 1)
    listed: list[tuple[int, ...]] = [
        (i + first, (i + 1) % count + first, (i + 1) % count + first + count, i + first + count)
        for first in range(0, last, count)
        for i in range(count)
    ]
    if is_closed:
        listed += [tuple(range(count)), tuple(range(last, last + count))]
    width = max(len(face) for face in listed)
    faces = np.array([face + face[-1:] * (width - len(face)) for face in listed])
    normals = _outward(corners, faces)
    inks = np.broadcast_to(np.array(GREY), normals.shape)
    groups = np.zeros(len(faces), np.intp)
    return Solid(corners, faces, normals, inks, np.zeros(len(faces)), groups, ((0, len(corners)),))


def flat(outline: ArrayLike, z: float) -> Solid:
    """Return what is printed on a level face: a convex outline, (N, 2)."""
    corners = np.insert(np.asarray(outline, np.float64), 2, z, axis=1)
    up = np.array([(0.0, 0.0, 1.0)])
    face = np.arange(len(corners))[None]
    return Solid(corners, face, up, np.array([GREY]), np.zeros(1), np.zeros(1, np.intp), ())


def disc(middle: Sequence[float], radius: float, corners: int = 8) -> Float64s:
    """Return a level ring of corners about a middle (x, y, z), as `loft` takes them."""
    turn = (np.arange(corners) + 0.5) * 2 * np.pi / corners
    ring = np.column_stack([np.cos(turn), np.sin(turn), np.zeros(corners)])
    return np.asarray(np.asarray(middle, np.float64) + radius * ring, np.float64)


def tube(middles: ArrayLike, radii: ArrayLike, corners: int = 12) -> tuple[Solid, ...]:
    """Return a round limb along a line of middles, an open body for each stretch of it."""
    line = np.asarray(middles, np.float64)
    wide = np.broadcast_to(np.asarray(radii, np.float64).reshape(len(line), -1), (len(line), 2))
    along = np.gradient(line, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    turn = np.arange(corners) * 2 * np.pi / corners
    rings = []
    for middle, ahead, (level, upright) in zip(line, along, wide, strict=True):
        right = np.cross(ahead, (0.0, 0.0, 1.0))
        right /= np.linalg.norm(right)
        up = np.cross(right, ahead)
        around = level * np.outer(np.cos(turn), right) + upright * np.outer(np.sin(turn), up)
        rings.append(middle + around)
    return tuple(loft(stretch, is_closed=False) for stretch in pairwise(rings))


def _outward(corners: Float64s, faces: Indices) -> Float64s:
    """Return the unit normals of a convex body's faces, pointing out of it."""
    middle = corners.mean(axis=0)
    outline = corners[faces]
    # Newell's sum: right also where corners repeat or two of them coincide.
    normals = np.cross(outline, np.roll(outline, -1, axis=1)).sum(axis=1)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    is_inward = np.einsum("ij,ij->i", normals, outline.mean(axis=1) - middle) < 0
    return np.asarray(np.where(is_inward[:, None], -normals, normals), np.float64)
