"""Solid bodies: painted as the faces that look at the camera, and the shadows they cast.

A body is made of convex parts, whose faces are listed in the order to paint them. Bodies are
painted the farthest first, so that near ones cover far ones; two that reach into each other are
not cut where they meet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from .camera import Matrix, Projection

Picture = NDArray[np.uint8]
Faces = NDArray[np.intp]

NEAREST_MM = 40.0
"""What is nearer to the lens than that is not painted: it would fill the picture."""
FROM_SIDES = 0.6
"""Of the light from everywhere, what an upright face gets: the table keeps the rest away."""
BRIGHTEST = 1.5
"""A face that looks at a low lamp gets at most so many times the board's light."""
GLOSS_POWER = 22.0
"""How narrow the highlight on shining plastic is; chosen."""
SUBPIXEL_BITS = 4
"""Corners are painted to a sixteenth of a pixel."""
FARTHEST_PX = 1e6
"""What is farther out than that is drawn there: the painter's numbers end somewhere."""
EDGE = 0.6
"""A soft edge's standard deviation over half its width: that of an even disc's image."""
LEAST_SIGMA_PX = 0.5
BLUR_REACH = 4
"""A blur ends after so many standard deviations."""

Outline = NDArray[np.int32]


class Lamp(Protocol):
    """What a body needs to know of the light."""

    @property
    def towards(self) -> Matrix:
        """The direction (x, y, z) from the board to the lamp, of length 1."""

    @property
    def ambient(self) -> float:
        """Share of the light on the board that comes from everywhere, 0 to 1."""

    @property
    def softness(self) -> float:
        """Half the lamp's size over its distance."""


@dataclass(frozen=True, eq=False)
class Solid:
    """A rigid body of convex parts.

    Attributes
    ----------
    corners : (N, 3) float64 array
        In millimetres; a part's corners stand together.
    faces : (F, K) int array
        Each face's corners in turn, in the order to paint them; a face of fewer than K corners
        repeats its last one.
    normals : (F, 3) float64 array
        Outward, of length 1.
    inks : (F, 3) float64 array, BGR
        In full light.
    gloss : (F,) float64 array
        Grey levels that the lamp's mirror image adds to a face where it is brightest.
    parts : tuple of (int, int)
        Where each part's corners start and stop.
    """

    corners: Matrix
    faces: Faces
    normals: Matrix
    inks: Matrix
    gloss: Matrix
    parts: tuple[tuple[int, int], ...]

    @cached_property
    def middle(self) -> Matrix:
        """The middle of the box around it, (3,)."""
        return np.asarray((self.corners.min(axis=0) + self.corners.max(axis=0)) / 2, np.float64)

    def placed(self, turn: Matrix, to_mm: Matrix) -> Solid:
        """Return it turned about its own origin, then moved there."""
        return replace(self, corners=self.corners @ turn.T + to_mm, normals=self.normals @ turn.T)

    def dyed(self, ink: ArrayLike, gloss: float) -> Solid:
        """Return it in one ink, and shining so much."""
        count = len(self.faces)
        return replace(
            self,
            inks=np.broadcast_to(np.asarray(ink, np.float64), (count, 3)),
            gloss=np.full(count, float(gloss)),
        )


def joined(solids: Sequence[Solid]) -> Solid:
    """Return one body of several, in the order to paint them."""
    if len(solids) == 1:
        return solids[0]
    starts = np.cumsum([0, *(len(solid.corners) for solid in solids)])[:-1].tolist()
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
        tuple(
            (start + first, start + last)
            for solid, start in zip(solids, starts, strict=True)
            for first, last in solid.parts
        ),
    )


def paint_solids(
    picture: Picture,
    solids: Sequence[Solid],
    projection: Projection,
    light: Lamp,
    origin_px: tuple[int, int] = (0, 0),
) -> None:
    """Paint bodies over a picture, the farthest first.

    Parameters
    ----------
    picture : (H, W, 3) uint8 array, BGR
        The whole picture, or the part of it that is to be painted again.
    light : Lamp
        A level face that sees the lamp gets exactly the board's own light.
    origin_px : tuple of int
        The pixel of the whole picture that is the part's first.
    """
    if not solids:
        return
    eye = projection.eye
    scene = joined(sorted(solids, key=lambda solid: -float(np.sum((solid.middle - eye) ** 2))))
    fixed, is_near = _fixed(scene.corners, projection)
    to_eye = eye - scene.corners[scene.faces].mean(axis=1)
    outlines = fixed[scene.faces] - _first_corner(origin_px)
    is_seen = np.einsum("ij,ij->i", scene.normals, to_eye) > 0
    is_seen &= ~is_near[scene.faces].any(axis=1)
    tones = _tones(scene, is_seen, to_eye, light)
    for outline, tone in zip(outlines[is_seen], tones.tolist(), strict=True):
        cv2.fillConvexPoly(picture, outline, tone, cv2.LINE_AA, SUBPIXEL_BITS)


def cast_shadows(
    shade: Picture,
    solids: Sequence[Solid],
    projection: Projection,
    light: Lamp,
    origin_px: tuple[int, int] = (0, 0),
) -> None:
    """Write how much of the lamp's light bodies keep off the board's plane, 0 to 255.

    The edge of a shadow is the softer the higher the part that casts it.

    Parameters
    ----------
    shade : (H, W) uint8 array
        Empty; the whole picture's, or a part's whose first pixel is `origin_px`.
    """
    first = _first_corner(origin_px)
    for sigma_px, outlines in _shadows(solids, projection, light).items():
        cast = np.zeros_like(shade)
        for outline in outlines:
            cv2.fillConvexPoly(cast, outline - first, 255, cv2.LINE_AA, SUBPIXEL_BITS)
        np.maximum(shade, _blurred(cast, sigma_px), out=shade)


def cover(
    mask: Picture,
    solids: Sequence[Solid],
    projection: Projection,
    origin_px: tuple[int, int] = (0, 0),
) -> None:
    """Write 255 where bodies are in the picture.

    Parameters
    ----------
    mask : (H, W) uint8 array
        The whole picture's, or a part's whose first pixel is `origin_px`.
    """
    first = _first_corner(origin_px)
    for outline in _outlines(solids, projection):
        cv2.fillConvexPoly(mask, outline - first, 255, cv2.LINE_AA, SUBPIXEL_BITS)


def bounds_px(
    solids: Sequence[Solid], projection: Projection, light: Lamp | None = None
) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of the pixels that bodies cover.

    The last two are just outside. It is not cut to the picture; all are 0 when nothing is seen.

    Parameters
    ----------
    light : Lamp, optional
        With it, their shadows count too, soft edges and all.
    """
    reaches = {0.0: list(_outlines(solids, projection))}
    if light is not None:
        for sigma_px, outlines in _shadows(solids, projection, light).items():
            reaches.setdefault(sigma_px, []).extend(outlines)
    boxes = []
    for sigma_px, outlines in reaches.items():
        if outlines:
            points = np.vstack(outlines)[:, 0] / (1 << SUBPIXEL_BITS)
            margin = 2 + BLUR_REACH * sigma_px
            boxes.append((points.min(axis=0) - margin, points.max(axis=0) + margin + 1))
    if not boxes:
        return 0, 0, 0, 0
    left, top = np.floor(np.min([low for low, _ in boxes], axis=0)).astype(int)
    right, bottom = np.ceil(np.max([high for _, high in boxes], axis=0)).astype(int)
    return int(left), int(top), int(right), int(bottom)


def _fixed(points: Matrix, projection: Projection) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Project to parts of a pixel, (N, 2), and tell which points are too near to the lens."""
    row = projection.frame_from_scene[2]
    is_near = points @ row[:3] + row[3] < NEAREST_MM
    if is_near.any():
        points = np.where(is_near[:, None], (0.0, 0.0, 0.0), points)
    px = np.clip(projection.project(points), -FARTHEST_PX, FARTHEST_PX)
    return np.rint(px * (1 << SUBPIXEL_BITS)).astype(np.int32), is_near


def _first_corner(origin_px: tuple[int, int]) -> Outline:
    return np.array(origin_px, np.int32) << SUBPIXEL_BITS


def _outlines(solids: Sequence[Solid], projection: Projection) -> Iterator[Outline]:
    """Yield the outline of every part."""
    if not solids:
        return
    scene = joined(solids)
    fixed, is_near = _fixed(scene.corners, projection)
    for start, stop in scene.parts:
        if not is_near[start:stop].any():
            yield np.asarray(cv2.convexHull(fixed[start:stop]), np.int32)


def _shadows(
    solids: Sequence[Solid], projection: Projection, light: Lamp
) -> dict[float, list[Outline]]:
    """Return the outline of every part's shadow, by how soft it is in pixels."""
    shadows: dict[float, list[Outline]] = {}
    if not solids:
        return shadows
    scene = joined(solids)
    heights = scene.corners[:, 2:]
    on_board = scene.corners - heights / light.towards[2] * light.towards
    fixed, is_near = _fixed(on_board, projection)
    fine = projection.px_per_mm(scene.middle[:2])
    for start, stop in scene.parts:
        if not is_near[start:stop].any():
            edge_mm = EDGE * light.softness * float(heights[start:stop].max()) / light.towards[2]
            # Only a few steps of softness: each is one more blur.
            sigma_px = 2.0 ** np.round(np.log2(max(edge_mm * fine, LEAST_SIGMA_PX)))
            outline = np.asarray(cv2.convexHull(fixed[start:stop]), np.int32)
            shadows.setdefault(float(sigma_px), []).append(outline)
    return shadows


def _blurred(cast: Picture, sigma_px: float) -> Picture:
    """Blur; a broad blur in a smaller picture, for speed."""
    coarse = 2 ** max(0, int(np.log2(sigma_px / 2)))
    if coarse == 1:
        return np.asarray(cv2.GaussianBlur(cast, (0, 0), sigma_px), np.uint8)
    height, width = cast.shape
    small_wh = max(1, width // coarse), max(1, height // coarse)
    small = cv2.resize(cast, small_wh, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), sigma_px / coarse, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(cv2.resize(small, (width, height)), np.uint8)


def _tones(scene: Solid, is_seen: NDArray[np.bool_], to_eye: Matrix, light: Lamp) -> Matrix:
    """Return the BGR of every face that is seen."""
    normals, to_eye = scene.normals[is_seen], to_eye[is_seen]
    from_all = FROM_SIDES + (1 - FROM_SIDES) * np.maximum(normals[:, 2], 0.0)
    from_lamp = np.maximum(normals @ light.towards, 0.0) / light.towards[2]
    lit = np.minimum(light.ambient * from_all + (1 - light.ambient) * from_lamp, BRIGHTEST)
    halfway = to_eye / np.linalg.norm(to_eye, axis=1, keepdims=True) + light.towards
    halfway /= np.linalg.norm(halfway, axis=1, keepdims=True)
    mirrored = np.maximum(np.einsum("ij,ij->i", normals, halfway), 0.0) ** GLOSS_POWER
    shine = scene.gloss[is_seen] * mirrored
    return np.asarray(np.clip(scene.inks[is_seen] * lit[:, None] + shine[:, None], 0, 255))
