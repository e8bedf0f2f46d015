"""Solid bodies, and a painter's algorithm that renders their faces.

Bodies are painted the farthest first, each with its visible faces in their listed order; bodies
that intersect are not cut. A hand is a group of bodies joined into one. Bodies are made around the
origin, x ahead, y to the right, z up, of convex parts in grey: prisms, lofts and tubes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Float64s, Indices, Int32s, Mask, Picture
from .camera import Projection
from .light import Light

NEAREST_MM = 40.0  # faces nearer to the lens are not painted: they would fill the picture
FROM_SIDES = 0.7  # share of the ambient light on an upright face: the table shades the rest
BRIGHTEST = 1.5  # most light on a face, relative to the board's
GLOSS_POWER = 50.0  # Phong's exponent of the highlight on plastic; chosen
SUBPIXEL_BITS = 4  # corners are painted to a sixteenth of a pixel
FARTHEST_PX = 1e6  # coordinates are limited to this for OpenCV's integers
GREY = (128.0, 128.0, 128.0)  # of a body without ink


@dataclass(frozen=True, eq=False)
class Solid:
    """One or several bodies, each of convex parts."""

    corners: Float64s  # (N, 3), in millimetres; those of a part are consecutive
    # (F, K): each face's corners in order; one of fewer than K corners repeats its last one
    faces: Indices
    normals: Float64s  # (F, 3), outward, of length 1
    inks: Float64s  # (F, 3), BGR in full light
    gloss: Float64s  # (F,), grey levels that the lamp's reflection adds at its brightest
    groups: Indices  # (F,), the number of each face's body
    parts: tuple[tuple[int, int], ...]  # the range of each part's corners, for shadows and masks

    def placed(self, turn: Float64s, to_mm: Float64s) -> "Solid":
        """Return a copy, rotated by a (3, 3) matrix about the origin and then moved."""
        return replace(self, corners=self.corners @ turn.T + to_mm, normals=self.normals @ turn.T)

    def with_ink(self, ink: ArrayLike, gloss: float) -> "Solid":
        """Return a copy in one colour, with a gloss."""
        count = len(self.faces)
        return replace(
            self,
            inks=np.broadcast_to(np.asarray(ink, np.float64), (count, 3)),
            gloss=np.full(count, float(gloss)),
        )


def joined(solids: Sequence[Solid]) -> Solid:
    """Join solids into one; its bodies are still painted by distance."""
    if len(solids) == 1:
        return solids[0]
    starts = np.cumsum([0, *(len(solid.corners) for solid in solids)])[:-1].tolist()
    firsts = np.cumsum([0, *(int(solid.groups.max()) + 1 for solid in solids)])[:-1]
    width = max(solid.faces.shape[1] for solid in solids)
    faces = [
        np.pad(solid.faces, ((0, 0), (0, width - solid.faces.shape[1])), mode="edge") + start
        for solid, start in zip(solids, starts, strict=True)
    ]
    return Solid(
        np.vstack([solid.corners for solid in solids]),
        np.vstack(faces),
        np.vstack([solid.normals for solid in solids]),
        np.vstack([solid.inks for solid in solids]),
        np.concatenate([solid.gloss for solid in solids]),
        np.concatenate([one.groups + first for one, first in zip(solids, firsts, strict=True)]),
        tuple(
            (start + first, start + last)
            for solid, start in zip(solids, starts, strict=True)
            for first, last in solid.parts
        ),
    )


def fused(solids: Sequence[Solid]) -> Solid:
    """Fuse solids into one body, painted in the given order."""
    body = joined(solids)
    return replace(body, groups=np.zeros(len(body.faces), np.intp))


def paint_solid(
    picture: Picture,
    scene: Solid,
    projection: Projection,
    light: Light,
    origin_px: tuple[int, int] = (0, 0),
) -> None:
    """Paint a solid over a part of a picture that starts at `origin_px`, its far bodies first."""
    eye = projection.eye
    fixed, is_near = project_fixed(scene.corners, projection)
    outlines = fixed[scene.faces] - to_fixed(origin_px)
    middles = _face_centres(scene)
    to_eye = eye - middles
    is_seen = np.einsum("ij,ij->i", scene.normals, to_eye) > 0
    is_seen &= ~is_near[scene.faces].any(axis=1)
    seen = _paint_order(middles, scene.groups, eye)
    seen = seen[is_seen[seen]]
    tones = _face_colours(scene, seen, to_eye, light)
    for outline, tone in zip(outlines[seen], tones.tolist(), strict=True):
        cv2.fillConvexPoly(picture, outline, tone, cv2.LINE_AA, SUBPIXEL_BITS)


def draw_mask(
    mask: Picture, solid: Solid, projection: Projection, origin_px: tuple[int, int] = (0, 0)
) -> None:
    """Draw the mask of a solid: 255 at its pixels."""
    first = to_fixed(origin_px)
    for outline in outlines_px(solid, projection):
        cv2.fillConvexPoly(mask, outline - first, 255, cv2.LINE_AA, SUBPIXEL_BITS)


def project_fixed(points: Float64s, projection: Projection) -> tuple[Int32s, Mask]:
    """Project points to fixed-point pixels, (N, 2), and tell which are too near to the lens."""
    row = projection.frame_from_scene[2]
    is_near = points @ row[:3] + row[3] < NEAREST_MM
    if is_near.any():
        points = np.where(is_near[:, None], (0.0, 0.0, 0.0), points)
    px = np.clip(projection.project(points), -FARTHEST_PX, FARTHEST_PX)
    return np.rint(px * (1 << SUBPIXEL_BITS)).astype(np.int32), is_near


def to_fixed(origin_px: tuple[int, int]) -> Int32s:
    """Return a pixel's coordinates in fixed point, (2,)."""
    return np.array(origin_px, np.int32) << SUBPIXEL_BITS


def outlines_px(scene: Solid, projection: Projection) -> Iterator[Int32s]:
    """Yield the outline of every part in fixed-point pixels, (N, 1, 2)."""
    fixed, is_near = project_fixed(scene.corners, projection)
    for start, stop in scene.parts:
        if not is_near[start:stop].any():
            yield np.asarray(cv2.convexHull(fixed[start:stop]), np.int32)


def _face_centres(scene: Solid) -> Float64s:
    """Return the mean of every face's corners, (F, 3), without repeated ones."""
    counts = np.ones(scene.faces.shape)
    counts[:, 1:] = scene.faces[:, 1:] != scene.faces[:, :-1]
    sums = np.einsum("fk,fkd->fd", counts, scene.corners[scene.faces])
    return np.asarray(sums / counts.sum(axis=1, keepdims=True), np.float64)


def _paint_order(middles: Float64s, groups: Indices, eye: Float64s) -> Indices:
    """Return the indices of faces in painting order: those of far bodies first."""
    counts = np.bincount(groups)
    sums = np.column_stack([np.bincount(groups, middles[:, axis]) for axis in range(3)])
    off = np.sum((sums / np.maximum(counts, 1)[:, None] - eye) ** 2, axis=1)
    return np.argsort(-off[groups], kind="stable")


def _face_colours(scene: Solid, seen: Indices, to_eye: Float64s, light: Light) -> Float64s:
    """Return the BGR of the visible faces in a light, (N, 3)."""
    normals, to_eye, to_lamp = scene.normals[seen], to_eye[seen], light.to_lamp
    from_all = FROM_SIDES + (1 - FROM_SIDES) * np.maximum(normals[:, 2], 0.0)
    from_lamp = np.maximum(normals @ to_lamp, 0.0) / to_lamp[2]
    lit = np.minimum(light.ambient * from_all + (1 - light.ambient) * from_lamp, BRIGHTEST)
    halfway = to_eye / np.linalg.norm(to_eye, axis=1, keepdims=True) + to_lamp
    halfway /= np.linalg.norm(halfway, axis=1, keepdims=True)
    mirrored = np.maximum(np.einsum("ij,ij->i", normals, halfway), 0.0) ** GLOSS_POWER
    shine = scene.gloss[seen] * mirrored
    return np.asarray(np.clip(scene.inks[seen] * lit[:, None] + shine[:, None], 0, 255))


def prism(profile: ArrayLike, start: float, end: float, axis: int) -> Solid:
    """Extrude a convex profile along an axis.

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
    """Return the convex body between rings of corners, each (K, 3)."""
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
    normals = _outward_normals(corners, faces)
    inks = np.broadcast_to(np.array(GREY), normals.shape)
    groups = np.zeros(len(faces), np.intp)
    return Solid(corners, faces, normals, inks, np.zeros(len(faces)), groups, ((0, len(corners)),))


def flat_face(outline: ArrayLike, z: float) -> Solid:
    """Return a level face with a convex outline, (N, 2): a print on another body."""
    corners = np.insert(np.asarray(outline, np.float64), 2, z, axis=1)
    up = np.array([(0.0, 0.0, 1.0)])
    face = np.arange(len(corners))[None]
    return Solid(corners, face, up, np.array([GREY]), np.zeros(1), np.zeros(1, np.intp), ())


def circle(middle: Sequence[float], radius: float, corners: int = 8) -> Float64s:
    """Return a level circle of corners about a middle (x, y, z), for `loft`."""
    turn = (np.arange(corners) + 0.5) * 2 * np.pi / corners
    ring = np.column_stack([np.cos(turn), np.sin(turn), np.zeros(corners)])
    return np.asarray(np.asarray(middle, np.float64) + radius * ring, np.float64)


def tube(middles: ArrayLike, radii: ArrayLike, corners: int = 12) -> tuple[Solid, ...]:
    """Return a tube along a line of middles, (N, 3): an open body for each segment."""
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


def _outward_normals(corners: Float64s, faces: Indices) -> Float64s:
    """Return the unit normals of a convex body's faces, pointing out of it."""
    middle = corners.mean(axis=0)
    outline = corners[faces]
    # Newell's method: correct even with repeated corners.
    normals = np.cross(outline, np.roll(outline, -1, axis=1)).sum(axis=1)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    is_inward = np.einsum("ij,ij->i", normals, outline.mean(axis=1) - middle) < 0
    return np.asarray(np.where(is_inward[:, None], -normals, normals), np.float64)
