"""The shadows that solid bodies cast on the board, soft by the lamp's size and their height."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from ..arrays import Int32s, Picture
from .camera import Projection
from .solids import SUBPIXEL_BITS, Lamp, Solid, first_corner, fixed_px, joined, outlines_px

# Standard deviation of a soft edge over half its width: 0.5 for an even disc of a lamp; chosen.
EDGE = 0.6
LEAST_SIGMA_PX = 0.5  # no shadow is sharper than a pixel
FINE_SIGMA_PX = 2.0  # a blur twice as broad is made in a picture half as large, for speed
BLUR_REACH = 4  # a blur ends after so many standard deviations


def cast_shadows(
    shade: Picture,
    solids: Sequence[Solid],
    projection: Projection,
    light: Lamp,
    origin_px: tuple[int, int] = (0, 0),
) -> None:
    """Write how much of the lamp's light bodies keep off the board's plane, 0 to 255.

    The edge of a shadow is the softer the higher the part that casts it.
    """
    for sigma_px, outlines in _shadows(solids, projection, light):
        left, top, right, bottom = _box(outlines, sigma_px)
        x, y = max(left - origin_px[0], 0), max(top - origin_px[1], 0)
        part = shade[y : max(bottom - origin_px[1], 0), x : max(right - origin_px[0], 0)]
        if not part.size:
            continue
        cast = np.zeros_like(part)
        first = first_corner((x + origin_px[0], y + origin_px[1]))
        for outline in outlines:
            cv2.fillConvexPoly(cast, outline - first, 255, cv2.LINE_AA, SUBPIXEL_BITS)
        np.maximum(part, _blurred(cast, sigma_px), out=part)


def bounds_px(
    solids: Sequence[Solid], projection: Projection, light: Lamp | None = None
) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of the pixels that bodies cover.

    The last two are just outside. It is not cut to the picture; all are 0 when nothing is seen.
    """
    shapes = [(0.0, list(outlines_px(solids, projection)))]
    if light is not None:
        shapes += _shadows(solids, projection, light)
    boxes = [_box(outlines, sigma_px) for sigma_px, outlines in shapes if outlines]
    if not boxes:
        return 0, 0, 0, 0
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def _box(outlines: Sequence[Int32s], sigma_px: float) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of the pixels that blurred outlines touch."""
    points = np.vstack(outlines)[:, 0] / (1 << SUBPIXEL_BITS)
    margin = 2 + BLUR_REACH * sigma_px
    left, top = np.floor(points.min(axis=0) - margin).astype(int)
    right, bottom = np.ceil(points.max(axis=0) + margin + 1).astype(int)
    return int(left), int(top), int(right), int(bottom)


def _shadows(
    solids: Sequence[Solid], projection: Projection, light: Lamp
) -> list[tuple[float, list[Int32s]]]:
    """Return the outlines of the parts' shadows by how soft they are in pixels, the sharpest first.

    Those of the next sharper ones are among them: so two parts that meet leave no seam.
    """
    if not solids:
        return []
    shadows: dict[float, list[Int32s]] = {}
    scene = joined(solids)
    heights = scene.corners[:, 2:]
    on_board = scene.corners - heights / light.towards[2] * light.towards
    fixed, is_near = fixed_px(on_board, projection)
    fine = projection.px_per_mm(scene.corners.mean(axis=0)[:2])
    towards = light.towards
    for start, stop in scene.parts:
        if not is_near[start:stop].any():
            edge_mm = EDGE * light.softness * float(heights[start:stop].max()) / towards[2]
            # Only a few steps of softness: each is one more blur.
            sigma_px = 2.0 ** np.round(np.log2(max(edge_mm * fine, LEAST_SIGMA_PX)))
            outline = np.asarray(cv2.convexHull(fixed[start:stop]), np.int32)
            shadows.setdefault(float(sigma_px), []).append(outline)
    by_softness = sorted(shadows.items())
    sharper = [[], *(outlines for _, outlines in by_softness)]
    return [(px, own + more) for (px, own), more in zip(by_softness, sharper, strict=False)]


def _blurred(cast: Picture, sigma_px: float) -> Picture:
    """Blur; a broad blur in a smaller picture, for speed."""
    coarse = 2 ** max(0, int(np.log2(sigma_px / FINE_SIGMA_PX)))
    if coarse == 1:
        return np.asarray(cv2.GaussianBlur(cast, (0, 0), sigma_px), np.uint8)
    height, width = cast.shape
    small_wh = max(1, width // coarse), max(1, height // coarse)
    small = cv2.resize(cast, small_wh, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), sigma_px / coarse, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(cv2.resize(small, (width, height)), np.uint8)
