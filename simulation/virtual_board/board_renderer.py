"""Renders the pieces on the board incrementally: only changed parts are painted again.

Every piece has a rectangle with its body and shadow. A part of the picture is painted from the bare
board and all pieces whose rectangles overlap it, the farthest first. Each is painted in its whole
rectangle, so that a part has the same bytes as in the whole picture.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from ..arrays import Int32s, Picture
from . import solids
from .camera import Projection
from .ground import darken
from .light import Light
from .pieces import Piece
from .things import Thing

# Standard deviation of a soft shadow's edge over half its width: 0.5 for a uniform disc; chosen.
EDGE_SIGMA = 0.6
LEAST_SIGMA_PX = 0.5  # of the sharpest shadow
FINE_SIGMA_PX = 2.0  # a blur twice as wide is computed in a picture half as large, for speed
BLUR_REACH = 4  # extent of a blur in standard deviations
Rectangle = tuple[int, int, int, int]  # left, top, right and bottom; the last two are just outside
Item = Piece | Thing
MANY = 24  # changed pieces, from which on their whole bounding box is painted again


def cast_shadows(
    shade: Picture,
    solid: solids.Solid,
    projection: Projection,
    light: Light,
    origin_px: tuple[int, int] = (0, 0),
) -> None:
    """Draw a solid's shadow on the board's plane, 0 to 255; that of high parts is softer."""
    for sigma_px, outlines in _shadows(solid, projection, light):
        left, top, right, bottom = _bounds(outlines, sigma_px)
        x, y = max(left - origin_px[0], 0), max(top - origin_px[1], 0)
        part = shade[y : max(bottom - origin_px[1], 0), x : max(right - origin_px[0], 0)]
        if not part.size:
            continue
        cast = np.zeros_like(part)
        first = solids.to_fixed((x + origin_px[0], y + origin_px[1]))
        for outline in outlines:
            cv2.fillConvexPoly(cast, outline - first, 255, cv2.LINE_AA, solids.SUBPIXEL_BITS)
        np.maximum(part, _blurred(cast, sigma_px), out=part)


def _bounds(outlines: Sequence[Int32s], sigma_px: float) -> Rectangle:
    """Return the rectangle of the pixels that blurred outlines touch."""
    points = np.vstack(outlines)[:, 0] / (1 << solids.SUBPIXEL_BITS)
    margin = 2 + BLUR_REACH * sigma_px
    left, top = np.floor(points.min(axis=0) - margin).astype(int)
    right, bottom = np.ceil(points.max(axis=0) + margin + 1).astype(int)
    return int(left), int(top), int(right), int(bottom)


def _shadows(
    scene: solids.Solid, projection: Projection, light: Light
) -> list[tuple[float, list[Int32s]]]:
    """Return the outlines of the parts' shadows by their blur in pixels, the sharpest first.

    Each blur has also the outlines of the next sharper one, so that there is no gap between parts.
    """
    shadows: dict[float, list[Int32s]] = {}
    heights = scene.corners[:, 2:]
    on_board = scene.corners - heights / light.to_lamp[2] * light.to_lamp
    fixed, is_near = solids.project_fixed(on_board, projection)
    fine = projection.px_per_mm(scene.corners.mean(axis=0)[:2])
    to_lamp = light.to_lamp
    for start, stop in scene.parts:
        if not is_near[start:stop].any():
            edge_mm = EDGE_SIGMA * light.softness * float(heights[start:stop].max()) / to_lamp[2]
            # In powers of 2, as each different blur costs time.
            sigma_px = 2.0 ** np.round(np.log2(max(edge_mm * fine, LEAST_SIGMA_PX)))
            outline = np.asarray(cv2.convexHull(fixed[start:stop]), np.int32)
            shadows.setdefault(float(sigma_px), []).append(outline)
    by_softness = sorted(shadows.items())
    sharper = [[], *(outlines for _, outlines in by_softness)]
    return [(px, own + more) for (px, own), more in zip(by_softness, sharper, strict=False)]


def _blurred(cast: Picture, sigma_px: float) -> Picture:
    """Blur a picture, for a wide blur in a smaller copy."""
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

    solid: solids.Solid
    rectangle: Rectangle  # of its body and shadow in the picture
    shade: Picture  # (H, W) uint8: its shadow on the board in the rectangle
    off_mm: float  # distance from the lens

    def paint(
        self, picture: Picture, origin_px: tuple[int, int], projection: Projection, light: Light
    ) -> None:
        """Paint it over a part of the picture that starts at `origin_px`."""
        at = slices_of(self.rectangle, origin_px)
        solids.paint_solid(picture[at], self.solid, projection, light, self.rectangle[:2])

    def draw_mask(self, mask: Picture, origin_px: tuple[int, int], projection: Projection) -> None:
        """Set the mask to 255 at its pixels."""
        at = slices_of(self.rectangle, origin_px)
        solids.draw_mask(mask[at], self.solid, projection, self.rectangle[:2])


def painted_body(solid: solids.Solid, projection: Projection, light: Light) -> PaintedBody:
    """Return a solid as the camera sees it."""
    off_mm = float(np.linalg.norm(projection.eye - solid.corners.mean(axis=0)))
    shapes = [
        (0.0, list(solids.outlines_px(solid, projection))),
        *_shadows(solid, projection, light),
    ]
    boxes = [_bounds(outlines, sigma_px) for sigma_px, outlines in shapes if outlines]
    left, top, right, bottom = bounding_box(boxes or [(0, 0, 0, 0)])
    width, height = projection.size_wh
    left, right = (min(max(side, 0), width) for side in (left, right))
    top, bottom = (min(max(side, 0), height) for side in (top, bottom))
    shade = np.zeros((bottom - top, right - left), np.uint8)
    if shade.size:
        cast_shadows(shade, solid, projection, light, (left, top))
    return PaintedBody(solid, (left, top, right, bottom), shade, off_mm)


class BoardRenderer:
    """Renders the board with its pieces, and things over it."""

    def __init__(
        self,
        ground: tuple[Picture, Picture],
        projection: Projection,
        light: Light,
        solid_of: Callable[[Item], solids.Solid],
    ) -> None:
        self.projection, self._light = projection, light
        self._bare_picture, self._bare_varnish = ground
        self._picture, self._varnish = (layer.copy() for layer in ground)
        self._solid_of = solid_of
        self._pieces: dict[Item, PaintedBody] = {}
        self._things: dict[Item, PaintedBody] = {}

    def set_pieces(self, pieces: Sequence[Piece]) -> None:
        """Set the pieces on the board, and paint the changes."""
        before, self._pieces = self._pieces, self._bodies(pieces, self._pieces)
        moved = set(before) ^ set(self._pieces)
        changed = [{**before, **self._pieces}[item].rectangle for item in moved]
        if len(changed) >= MANY:
            changed = [bounding_box(changed)]
        # Pieces at the same distance are ordered by their rectangles.
        far_first = sorted(self._pieces.values(), key=lambda one: (-one.off_mm, one.rectangle))
        for rectangle in changed:
            self._render(rectangle, far_first)

    def with_things(self, things: Sequence[Thing]) -> tuple[Picture, Picture, Picture]:
        """Return the unlit picture with things over the board, painted in their order.

        Beside it are each pixel's reflection of a lamp, and 255 where a thing hides the board.
        """
        self._things = self._bodies(things, self._things)
        picture, varnish = self._picture.copy(), self._varnish.copy()
        hidden = np.zeros(varnish.shape, np.uint8)
        for one in (self._things[thing] for thing in things):
            darken(picture[slices_of(one.rectangle)], one.shade, 1 - self._light.ambient)
            one.paint(picture, (0, 0), self.projection, self._light)
            one.draw_mask(hidden, (0, 0), self.projection)
        if things:
            cv2.subtract(varnish, hidden, varnish)
        return picture, varnish, hidden

    def _bodies(
        self, items: Sequence[Item], known: dict[Item, PaintedBody]
    ) -> dict[Item, PaintedBody]:
        return {
            item: known.get(item)
            or painted_body(self._solid_of(item), self.projection, self._light)
            for item in items
        }

    def _render(self, rectangle: Rectangle, far_first: Sequence[PaintedBody]) -> None:
        """Paint a part of the picture again."""
        reaching = [one for one in far_first if overlap(one.rectangle, rectangle)]
        whole = bounding_box([rectangle, *(one.rectangle for one in reaching)])
        origin_px = whole[:2]
        at = slices_of(whole)
        picture, varnish = self._bare_picture[at].copy(), self._bare_varnish[at].copy()
        shade = np.zeros(varnish.shape, np.uint8)
        mask = np.zeros(varnish.shape, np.uint8)
        for one in reaching:
            part = shade[slices_of(one.rectangle, origin_px)]
            cv2.add(part, one.shade, part)
        darken(picture, shade, 1 - self._light.ambient)
        for one in reaching:
            one.paint(picture, origin_px, self.projection, self._light)
            one.draw_mask(mask, origin_px, self.projection)
        np.minimum(varnish, 255 - mask // 4 * 3, out=varnish)  # plastic is round: it mirrors little
        inside, made = slices_of(rectangle, origin_px), slices_of(rectangle)
        self._picture[made] = picture[inside]
        self._varnish[made] = varnish[inside]


def bounding_box(rectangles: Sequence[Rectangle]) -> Rectangle:
    """Return the bounding box of rectangles."""
    left, top, right, bottom = zip(*rectangles, strict=True)
    return min(left), min(top), max(right), max(bottom)


def overlap(one: Rectangle, other: Rectangle) -> bool:
    """Tell whether two rectangles overlap."""
    left, top, right, bottom = one
    return left < other[2] and other[0] < right and top < other[3] and other[1] < bottom


def slices_of(rectangle: Rectangle, origin_px: tuple[int, int] = (0, 0)) -> tuple[slice, slice]:
    """Return the slices of a rectangle in a part of the picture that starts at `origin_px`."""
    left, top, right, bottom = rectangle
    x, y = origin_px
    return slice(top - y, bottom - y), slice(left - x, right - x)
