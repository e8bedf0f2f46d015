"""Paints the pieces on the board, incrementally: only changed parts are painted again.

Every piece has its rectangle: what its body and its shadow touch. A part of the picture is made
from the bare ground and all pieces whose rectangles reach into it, each painted whole in its own
rectangle, the farthest first. So it has the same bytes whether it was made alone or with the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from ..arrays import Int32s, Picture
from .camera import Projection
from .ground import darken
from .light import Light
from .pieces import Piece
from .solids import (
    SUBPIXEL_BITS,
    Solid,
    cover,
    first_corner,
    fixed_px,
    joined,
    outlines_px,
    paint_solids,
)
from .things import Thing

# Standard deviation of a soft edge over half its width: 0.5 for an even disc of a lamp; chosen.
EDGE = 0.6
LEAST_SIGMA_PX = 0.5  # no shadow is sharper than a pixel
FINE_SIGMA_PX = 2.0  # a blur twice as broad is made in a picture half as large, for speed
BLUR_REACH = 4  # a blur ends after so many standard deviations
Rectangle = tuple[int, int, int, int]  # left, top, right and bottom; the last two are just outside
Item = Piece | Thing
MANY = 24  # from so many changed pieces on, the whole rectangle around them is made again


def cast_shadows(
    shade: Picture,
    solids: Sequence[Solid],
    projection: Projection,
    light: Light,
    origin_px: tuple[int, int] = (0, 0),
) -> None:
    """Draw the shadows of bodies on the board's plane, 0 to 255.

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
    solids: Sequence[Solid], projection: Projection, light: Light
) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of the pixels that bodies cover.

    The last two are just outside. It is not cut to the picture; all are 0 when nothing is seen.
    """
    shapes = [(0.0, list(outlines_px(solids, projection)))]
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
    solids: Sequence[Solid], projection: Projection, light: Light
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


@dataclass(frozen=True, eq=False)
class PaintedBody:
    """A piece or thing as the camera sees it."""

    solids: tuple[Solid, ...]
    rectangle: Rectangle  # what it touches in the picture, its soft shadow included
    shade: Picture  # (H, W) uint8 array: Its shadow on the board in that rectangle
    off_mm: float  # from the lens

    def paint(
        self, picture: Picture, origin_px: tuple[int, int], seen: Projection, light: Light
    ) -> None:
        """Paint it over a part of the picture whose first pixel is `origin_px`."""
        at = window(self.rectangle, origin_px)
        paint_solids(picture[at], self.solids, seen, light, self.rectangle[:2])

    def mark(self, mask: Picture, origin_px: tuple[int, int], seen: Projection) -> None:
        """Write 255 where it is."""
        at = window(self.rectangle, origin_px)
        cover(mask[at], self.solids, seen, self.rectangle[:2])


def body(solids: Sequence[Solid], seen: Projection, light: Light) -> PaintedBody:
    """Return solids as the camera sees them."""
    corners = np.vstack([solid.corners for solid in solids])
    off_mm = float(np.linalg.norm(seen.eye - corners.mean(axis=0)))
    left, top, right, bottom = bounds_px(solids, seen, light)
    width, height = seen.size_wh
    left, right = (min(max(side, 0), width) for side in (left, right))
    top, bottom = (min(max(side, 0), height) for side in (top, bottom))
    shade = np.zeros((bottom - top, right - left), np.uint8)
    if shade.size:
        cast_shadows(shade, solids, seen, light, (left, top))
    return PaintedBody(tuple(solids), (left, top, right, bottom), shade, off_mm)


@dataclass(frozen=True, eq=False)
class UnlitPicture:
    """A rendered picture before lighting."""

    picture: Picture  # (H, W, 3) uint8 array, BGR
    varnish: Picture  # (H, W) uint8 array: How strongly each pixel mirrors a lamp
    hidden: Picture  # (H, W) uint8 array: 255 where a thing is before the board


class OccupiedGround:
    """The ground with the pieces on it, rendered incrementally."""

    def __init__(
        self,
        ground: tuple[Picture, Picture],
        seen: Projection,
        light: Light,
        solids_of: Callable[[Item], Sequence[Solid]],
    ) -> None:
        self._seen, self._light = seen, light
        self._bare_picture, self._bare_varnish = ground
        self._picture, self._varnish = (layer.copy() for layer in ground)
        self._solids_of = solids_of
        self._pieces: dict[Item, PaintedBody] = {}
        self._things: dict[Item, PaintedBody] = {}

    def stand(self, pieces: Sequence[Piece]) -> None:
        """Set the pieces on the board."""
        before, self._pieces = self._pieces, self._bodies(pieces, self._pieces)
        moved = set(before) ^ set(self._pieces)
        changed = [{**before, **self._pieces}[item].rectangle for item in moved]
        if len(changed) >= MANY:
            changed = [around(changed)]
        # Two pieces that are equally far are told apart by where they are seen.
        far_first = sorted(self._pieces.values(), key=lambda one: (-one.off_mm, one.rectangle))
        for rectangle in changed:
            self._make(rectangle, far_first)

    def passed_over(self, things: Sequence[Thing]) -> UnlitPicture:
        """Return the picture with things over the board, the lowest first."""
        self._things = self._bodies(things, self._things)
        picture, varnish = self._picture.copy(), self._varnish.copy()
        hidden = np.zeros(varnish.shape, np.uint8)
        for one in (self._things[thing] for thing in things):
            darken(picture[window(one.rectangle)], one.shade, 1 - self._light.ambient)
            one.paint(picture, (0, 0), self._seen, self._light)
            one.mark(hidden, (0, 0), self._seen)
        if things:
            cv2.subtract(varnish, hidden, varnish)
        return UnlitPicture(picture, varnish, hidden)

    def _bodies(
        self, items: Sequence[Item], known: dict[Item, PaintedBody]
    ) -> dict[Item, PaintedBody]:
        return {
            item: known.get(item) or body(self._solids_of(item), self._seen, self._light)
            for item in items
        }

    def _make(self, rectangle: Rectangle, far_first: Sequence[PaintedBody]) -> None:
        """Render a part of the picture again."""
        reaching = [one for one in far_first if meets(one.rectangle, rectangle)]
        whole = around([rectangle, *(one.rectangle for one in reaching)])
        origin_px = whole[:2]
        at = window(whole)
        picture, varnish = self._bare_picture[at].copy(), self._bare_varnish[at].copy()
        shade = np.zeros(varnish.shape, np.uint8)
        mask = np.zeros(varnish.shape, np.uint8)
        for one in reaching:
            part = shade[window(one.rectangle, origin_px)]
            cv2.add(part, one.shade, part)
        darken(picture, shade, 1 - self._light.ambient)
        for one in reaching:
            one.paint(picture, origin_px, self._seen, self._light)
            one.mark(mask, origin_px, self._seen)
        np.minimum(varnish, 255 - mask // 4 * 3, out=varnish)  # plastic is round: it mirrors little
        inside, made = window(rectangle, origin_px), window(rectangle)
        self._picture[made] = picture[inside]
        self._varnish[made] = varnish[inside]


def around(rectangles: Sequence[Rectangle]) -> Rectangle:
    """Return the bounding box of rectangles."""
    left, top, right, bottom = zip(*rectangles, strict=True)
    return min(left), min(top), max(right), max(bottom)


def meets(one: Rectangle, other: Rectangle) -> bool:
    """Tell whether two rectangles overlap."""
    left, top, right, bottom = one
    return left < other[2] and other[0] < right and top < other[3] and other[1] < bottom


def window(rectangle: Rectangle, origin_px: tuple[int, int] = (0, 0)) -> tuple[slice, slice]:
    """Return the slices of a rectangle in a part of the picture that starts at `origin_px`."""
    left, top, right, bottom = rectangle
    x, y = origin_px
    return slice(top - y, bottom - y), slice(left - x, right - x)
