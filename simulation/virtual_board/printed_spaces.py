"""How the virtual board prints spaces: of plain routes, tunnels, ferries and sites.

The shapes are the project's own. A tunnel has a jagged rim, a ferry a small engine on every space
that asks for a Locomotive, a site two colours.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import ArrayLike
from railspotter.scoring.board import Route, Site, Space

from ..arrays import Int32s, Picture, Points
from .inks import Ink
from .printed_copy import Copy

FONT = cv2.FONT_HERSHEY_TRIPLEX

_TURN = np.linspace(0, 2 * np.pi, 29)
# Around the origin, of radius 1, closed.
CIRCLE: Points = np.column_stack([np.cos(_TURN), np.sin(_TURN)])


class Pen:
    """Draws on a picture; a pixel's own coordinates are those of its middle."""

    def __init__(self, picture: Picture, px_per_mm: float) -> None:
        self.picture = picture
        self.px_per_mm = px_per_mm

    def fill(self, outline_mm: ArrayLike, ink: Ink) -> None:
        """Fill an outline."""
        cv2.fillPoly(self.picture, [self._fixed(outline_mm)], ink, cv2.LINE_AA, 4)

    def line(self, points_mm: ArrayLike, ink: Ink, width_mm: float) -> None:
        """Draw a line through points, a pixel wide at least."""
        width = max(1, round(width_mm * self.px_per_mm))
        cv2.polylines(self.picture, [self._fixed(points_mm)], False, ink, width, cv2.LINE_AA, 4)

    def disc(self, middle_mm: ArrayLike, radius_mm: float, ink: Ink) -> None:
        """Fill a circle."""
        self.fill(np.asarray(middle_mm) + radius_mm * CIRCLE, ink)

    def text(self, middle_mm: ArrayLike, text: str, height_mm: float, ink: Ink) -> None:
        """Write so that the middle of the capitals is there."""
        scale = self.font_scale(height_mm)
        (width, height), _ = cv2.getTextSize(text, FONT, scale, 1)
        x, y = np.asarray(middle_mm) * self.px_per_mm + (-width / 2 - 0.5, height / 2 - 0.5)
        cv2.putText(self.picture, text, (round(x), round(y)), FONT, scale, ink, 1, cv2.LINE_AA)

    def text_width_mm(self, text: str, height_mm: float) -> float:
        """Return how wide a text is whose capitals are that high."""
        (width, _), _ = cv2.getTextSize(text, FONT, 1.0, 1)
        return float(width * self.font_scale(height_mm) / self.px_per_mm)

    def font_scale(self, height_mm: float) -> float:
        """Return the scale at which capitals are that high."""
        (_, height), _ = cv2.getTextSize("H", FONT, 4.0, 1)
        return 4.0 * height_mm * self.px_per_mm / float(height)

    def _fixed(self, points_mm: ArrayLike) -> Int32s:
        px = np.asarray(points_mm, np.float64) * self.px_per_mm - 0.5
        return np.rint(px * 16).astype(np.int32)


RIM: Ink = (62, 66, 74)
PAPER: Ink = (170, 204, 220)
TUNNEL_RIM: Ink = (40, 42, 48)
TOOTH_MM = 2.4  # from one tooth of a tunnel's rim to the next

BOX: Points = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)], np.float64)
# One small sign for each colour, in half widths of a space: a covered space loses it.
SIGNS: dict[str, Points] = {
    "red": 0.6 * np.array([(-1, 0.8), (0, -1), (1, 0.8), (-1, 0.8)]),
    "orange": 0.55 * CIRCLE,
    "yellow": 0.6 * np.array([(-1, -1), (1, 1), (0, 0), (1, -1), (-1, 1)]),
    "green": 0.65 * np.array([(0, -1), (1, 0), (0, 1), (-1, 0), (0, -1)]),
    "blue": 0.6 * np.array([(-1.4, 0.6), (-0.7, -0.6), (0, 0.6), (0.7, -0.6), (1.4, 0.6)]),
    "pink": 0.55 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)]),
    "white": 0.65 * np.array([(-1, 0), (1, 0), (0, 0), (0, 1), (0, -1)]),
    "black": 0.6 * np.array([(1, -1), (-1, -1), (1, 1), (-1, 1)]),
}
PLAIN_SIGN: Points = np.array([(-0.7, 0.0), (0.7, 0.0)])
_CAB = [(-1.5, 0.5), (-1.5, -0.7), (-0.5, -0.7), (-0.5, -0.2)]
_CHIMNEY = [(0.5, -0.2), (0.5, -0.7), (0.9, -0.7), (0.9, -0.2)]
_FRONT = [(1.5, 0.0), (1.5, 0.5), (-1.5, 0.5)]
# A small engine from the side, cab, boiler and chimney, in half widths of a space.
ENGINE: Points = np.array([*_CAB, *_CHIMNEY, *_FRONT])


def print_route(pen: Pen, route: Route, copy: Copy) -> None:
    """Print a route's spaces; a ferry's Locomotives are on the first of them."""
    ink = copy.printed_ink(route.colour)
    sign = SIGNS.get(route.colour, PLAIN_SIGN)
    for number, space in enumerate(route.spaces):
        if route.tunnel:
            _print_teeth(pen, space)
        _print_box(pen, space, ink)
        if number < route.ferry_locomotives:
            pen.fill(_placed(space, ENGINE * space.size_mm[1] / 2), RIM)
        else:
            pen.line(_placed(space, sign * space.size_mm[1] / 2), _shaded(ink), 0.7)


def print_site(pen: Pen, site: Site, station_mm: tuple[float, float], copy: Copy) -> None:
    """Print a site's space, in both of its colours, and the dashed line to its station."""
    if site.space is None:
        return
    start_mm, end_mm = np.array(station_mm), np.array(site.space.xy_mm)
    dashes = int(np.linalg.norm(end_mm - start_mm) / 3)
    points = np.linspace(start_mm, end_mm, 2 * dashes + 2)
    for start, end in zip(points[::2], points[1::2], strict=True):
        pen.line([start, end], RIM, 0.6)
    first, *others = [copy.printed_ink(colour) for colour in site.colours or ("grey",)]
    _print_box(pen, site.space, first)
    half = np.array(site.space.size_mm) / 2 - 1.0
    for ink in others:
        pen.fill(_placed(site.space, BOX * (half[0] / 2, half[1]) + (half[0] / 2, 0)), ink)


def _print_box(pen: Pen, space: Space, ink: Ink) -> None:
    half = np.asarray(space.size_mm) / 2
    for inset_mm, layer in ((0.0, RIM), (0.5, PAPER), (1.0, ink)):
        pen.fill(_placed(space, BOX * (half - inset_mm)), layer)


def _print_teeth(pen: Pen, space: Space) -> None:
    """Print a tunnel's jagged rim around where the space will be."""
    half = np.asarray(space.size_mm) / 2
    rim: list[Points] = []
    for start, end in zip(BOX[:-1] * half, BOX[1:] * half, strict=True):
        length = np.linalg.norm(end - start)
        teeth = max(2, round(length / TOOTH_MM))
        along = (end - start) / length
        outward = np.array([along[1], -along[0]])
        points = np.linspace(start, end, 2 * teeth, endpoint=False)
        points[::2] += 0.5 * outward
        points[1::2] += 1.9 * outward
        rim.extend(points)
    pen.fill(_placed(space, np.array(rim)), TUNNEL_RIM)


def _placed(space: Space, local_mm: Points) -> Points:
    """Move points from a space's own axes to the board's."""
    angle = np.deg2rad(space.angle_deg)
    along = np.array([np.cos(angle), np.sin(angle)])
    return np.asarray(space.xy_mm + local_mm @ [along, (-along[1], along[0])], np.float64)


def _shaded(ink: Ink) -> Ink:
    """Return a darker ink to draw on it, or a lighter one if it is dark itself."""
    shade = -46 if sum(ink) > 180 else 70
    blue, green, red = (min(max(channel + shade, 0), 255) for channel in ink)
    return blue, green, red
