"""What stands on the board, painted, and painted again only where something changed.

Every piece has its rectangle: what its body and its shadow touch. A part of the picture is made
from the bare ground and all pieces whose rectangles reach into it, each painted whole in its own
rectangle, the farthest first. So it has the same bytes whether it was made alone or with the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from ..arrays import Picture
from .camera import Projection
from .ground import Ground, darken
from .light import Light
from .pieces import Piece
from .shadows import bounds_px, cast_shadows
from .solids import Solid, cover, paint_solids
from .things import Thing

Rectangle = tuple[int, int, int, int]  # left, top, right and bottom; the last two are just outside
Item = Piece | Thing

MANY = 24  # from so many changed pieces on, the whole rectangle around them is made again


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
    """What is seen at one moment, in even light."""

    picture: Picture  # (H, W, 3) uint8 array, BGR
    varnish: Picture  # (H, W) uint8 array: How strongly each pixel mirrors a lamp
    hidden: Picture  # (H, W) uint8 array: 255 where a thing is before the board


class OccupiedGround:
    """The ground with what stands on it."""

    def __init__(
        self,
        ground: Ground,
        seen: Projection,
        light: Light,
        solids_of: Callable[[Item], Sequence[Solid]],
    ) -> None:
        self._ground, self._seen, self._light = ground, seen, light
        self._picture = ground.picture.copy()
        self._varnish = ground.varnish.copy()
        self._solids_of = solids_of
        self._pieces: dict[Item, PaintedBody] = {}
        self._things: dict[Item, PaintedBody] = {}

    def stand(self, pieces: Sequence[Piece]) -> None:
        """Let these pieces stand on the board, and no others."""
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
        """Return what is seen with these things over the board, the lowest first."""
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
        """Make a part of the picture again."""
        reaching = [one for one in far_first if meets(one.rectangle, rectangle)]
        whole = around([rectangle, *(one.rectangle for one in reaching)])
        origin_px = whole[:2]
        at = window(whole)
        picture, varnish = self._ground.picture[at].copy(), self._ground.varnish[at].copy()
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
    """Return the least rectangle that holds them all."""
    left, top, right, bottom = zip(*rectangles, strict=True)
    return min(left), min(top), max(right), max(bottom)


def meets(one: Rectangle, other: Rectangle) -> bool:
    """Tell whether two rectangles have a pixel in common."""
    left, top, right, bottom = one
    return left < other[2] and other[0] < right and top < other[3] and other[1] < bottom


def window(rectangle: Rectangle, origin_px: tuple[int, int] = (0, 0)) -> tuple[slice, slice]:
    """Return the rows and columns of a rectangle in a part that begins at `origin_px`."""
    left, top, right, bottom = rectangle
    x, y = origin_px
    return slice(top - y, bottom - y), slice(left - x, right - x)
