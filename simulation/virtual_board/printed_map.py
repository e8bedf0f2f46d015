"""Draws the printed picture of any board file, from straight above.

The drawing is the project's own; only the geometry and the colour of every space come from the
board file. A tunnel has a jagged rim, a ferry a small engine on every space that requires a
Locomotive, a site two colours; a route is dashed where it crosses another.
"""

from collections.abc import Iterator
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray
from railspotter.scoring.board import Board, Route, Site, Space

from ..arrays import Int32s, Picture, Points
from .land import draw_land
from .printed_copy import Copy, Ink

PLACE_RIM = (40, 52, 92)
PLACE_FACE = (96, 190, 244)
NAME_INK = (44, 40, 36)
NAME_HALO = (218, 236, 242)
STEP_INKS: tuple[Ink, Ink] = ((92, 78, 44), (112, 98, 60))
TENTH_STEP_INK = (70, 132, 184)
BORDER_LINE = (170, 204, 220)
BORDER_MM = 22.0
PRINT_PX_PER_MM = 3.0  # fine enough for a picture of a few thousand pixels
STEP_DEPTH_MM = 21.0  # of the score track's steps
PLACE_RADIUS_MM = 4.6
CAPITAL_MM = 4.6  # height of the capitals in the names
ATTRACTION_INK = (60, 84, 224)
_RAYS = np.arange(32) * np.pi / 16
# A star around a place with a Tourist Attraction.
ATTRACTION_RAYS: Points = np.column_stack([np.cos(_RAYS), np.sin(_RAYS)]) * np.where(
    np.arange(32) % 2, 1.15 * PLACE_RADIUS_MM, 1.7 * PLACE_RADIUS_MM
).reshape(-1, 1)
# Positions of a name beside its place, in half sizes of the name, the best first.
NAME_SIDES: Points = np.array(
    [(1, 0), (-1, 0), (0, 1), (0, -1)]
    + [(x, y) for y in (0.8, -0.8) for x in (1, -1)]
    + [(x, y) for y in (1, -1) for x in (0.5, -0.5)]
)
FONT = cv2.FONT_HERSHEY_TRIPLEX
_TURN = np.linspace(0, 2 * np.pi, 29)
# Of radius 1 about the origin, closed.
CIRCLE: Points = np.column_stack([np.cos(_TURN), np.sin(_TURN)])
RIM: Ink = (62, 66, 74)
PAPER: Ink = (170, 204, 220)
TUNNEL_RIM: Ink = (40, 42, 48)
TOOTH_MM = 2.4  # distance between the teeth of a tunnel's rim
BOX: Points = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)], np.float64)
# A sign for each colour, in half widths of a space, which a train hides.
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
# The sign of a Locomotive from the side, in half widths of a space.
ENGINE: Points = np.array([*_CAB, *_CHIMNEY, *_FRONT])


def draw_board(board: Board, px_per_mm: float = 2.0, seed: int = 0) -> Picture:
    """Draw a board from straight above, edge to edge; the seed is the landscape's.

    >>> from railspotter.scoring.board import load_board
    >>> draw_board(load_board("usa"), px_per_mm=1.0).shape
    (525, 795, 3)
    """
    copy = Copy(seed)
    return draw_copy(copy.printed(board), copy, px_per_mm)


def draw_copy(printed: Board, copy: Copy, px_per_mm: float) -> Picture:
    """Draw a copy's board edge to edge; `printed` is from `copy.printed`."""
    px_wh = round(printed.size_mm[0] * px_per_mm), round(printed.size_mm[1] * px_per_mm)
    way = cv2.INTER_AREA if px_per_mm < PRINT_PX_PER_MM else cv2.INTER_CUBIC
    return np.asarray(
        cv2.resize(_draw_full_size(printed, copy), px_wh, interpolation=way), np.uint8
    )


@lru_cache(maxsize=2)
def _draw_full_size(board: Board, copy: Copy) -> Picture:
    """Draw a board in the resolution from which all others are scaled."""
    settled = [place.xy_mm for place in board.places]
    settled += [space.xy_mm for route in board.routes for space in route.spaces]
    pen = Pen(draw_land(board.size_mm, PRINT_PX_PER_MM, settled, copy.seed), PRINT_PX_PER_MM)
    if board.score_track:
        _draw_score_border(pen, board)
    for route in board.routes:  # below the routes that they cross
        for start, end in route.bridges:
            _print_dashes(pen, start, end, 1.2)
    for route in board.routes:
        print_route(pen, route, copy)
    for site in board.sites:
        print_site(pen, site, board.place_by_id[site.station].xy_mm, copy)
    for place in board.places:
        if place.attraction:
            pen.fill(place.xy_mm + ATTRACTION_RAYS, ATTRACTION_INK)
        pen.disc(place.xy_mm, PLACE_RADIUS_MM, PLACE_RIM)
        pen.disc(place.xy_mm, 0.72 * PLACE_RADIUS_MM, PLACE_FACE)
    _draw_names(pen, board)
    return pen.picture


def _draw_score_border(pen: "Pen", board: Board) -> None:
    """Draw the numbered steps of the score track along the edge."""
    for number, (left, top, right, bottom) in enumerate(_score_steps(board), start=1):
        outline = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
        ink = TENTH_STEP_INK if number % 10 == 0 else STEP_INKS[number % 2]
        pen.fill(outline, ink)
        pen.line(outline, BORDER_LINE, 0.6)
        pen.text(((left + right) / 2, (top + bottom) / 2), str(number), 6.5, BORDER_LINE)


def _score_steps(board: Board) -> Iterator[tuple[float, float, float, float]]:
    """Yield left, top, right, bottom of every step from 1 on; the last one is that of 0."""
    steps = np.roll(np.array(board.score_track), -1, axis=0)
    to_next = np.abs(np.roll(steps, -1, axis=0) - steps) / 2
    # Neighbours meet halfway; across a straight track they are as deep as the border.
    half = np.maximum(to_next, np.roll(to_next, 1, axis=0))
    half[half < STEP_DEPTH_MM / 4] = STEP_DEPTH_MM / 2
    for (left, top), (right, bottom) in zip(steps - half, steps + half, strict=True):
        yield float(left), float(top), float(right), float(bottom)


def _draw_names(pen: "Pen", board: Board) -> None:
    """Write every name beside its place, where it covers the least print."""
    taken = _print_mask(board)
    for place in board.places:
        width = pen.text_width_mm(place.name, CAPITAL_MM)
        half = np.array([width / 2 + 0.6, CAPITAL_MM / 2 + 1.2])
        boxes = [place.xy_mm + side * (half + 0.8 * PLACE_RADIUS_MM) for side in NAME_SIDES]
        covered = [taken[_slices(middle - half, middle + half)].sum() for middle in boxes]
        middle = boxes[int(np.argmin(covered))]
        taken[_slices(middle - half, middle + half)] = 1
        for side in NAME_SIDES:
            pen.text(middle + 0.6 * side, place.name, CAPITAL_MM, NAME_HALO)
        pen.text(middle, place.name, CAPITAL_MM, NAME_INK)


def _print_mask(board: Board) -> NDArray[np.uint8]:
    """Return 1 for each square millimetre of the board that is printed on, else 0."""
    columns, rows = np.ceil(board.size_mm).astype(int)
    pen = Pen(np.full((rows, columns, 3), 255, np.uint8), 1.0)
    inside = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * (np.array(board.size_mm) - 2 * BORDER_MM)
    pen.fill(inside + BORDER_MM, (0, 0, 0))
    for route in board.routes:
        print_route(pen, route, Copy())
    for place in board.places:
        pen.disc(place.xy_mm, PLACE_RADIUS_MM, (255, 255, 255))
    return np.asarray(pen.picture.any(axis=2), np.uint8)


def _slices(top_left_mm: Points, bottom_right_mm: Points) -> tuple[slice, slice]:
    left, top = np.maximum(top_left_mm, 0).astype(int)
    right, bottom = np.maximum(bottom_right_mm, 0).astype(int) + 1
    return slice(top, bottom), slice(left, right)


class Pen:
    """Draws on a picture in millimetres; a pixel's coordinates are those of its middle."""

    def __init__(self, picture: Picture, px_per_mm: float) -> None:
        self.picture = picture
        self.px_per_mm = px_per_mm

    def fill(self, outline_mm: ArrayLike, ink: Ink) -> None:
        """Fill an outline."""
        cv2.fillPoly(self.picture, [self._fixed(outline_mm)], ink, cv2.LINE_AA, 4)

    def line(self, points_mm: ArrayLike, ink: Ink, width_mm: float) -> None:
        """Draw a line through points, at least one pixel wide."""
        width = max(1, round(width_mm * self.px_per_mm))
        cv2.polylines(self.picture, [self._fixed(points_mm)], False, ink, width, cv2.LINE_AA, 4)

    def disc(self, middle_mm: ArrayLike, radius_mm: float, ink: Ink) -> None:
        """Fill a circle."""
        self.fill(np.asarray(middle_mm) + radius_mm * CIRCLE, ink)

    def text(self, middle_mm: ArrayLike, text: str, height_mm: float, ink: Ink) -> None:
        """Write a text centred at a point; `height_mm` is that of its capitals."""
        scale = self.font_scale(height_mm)
        (width, height), _ = cv2.getTextSize(text, FONT, scale, 1)
        x, y = np.asarray(middle_mm) * self.px_per_mm + (-width / 2 - 0.5, height / 2 - 0.5)
        cv2.putText(self.picture, text, (round(x), round(y)), FONT, scale, ink, 1, cv2.LINE_AA)

    def text_width_mm(self, text: str, height_mm: float) -> float:
        """Return the width of a text with capitals of a height."""
        (width, _), _ = cv2.getTextSize(text, FONT, 1.0, 1)
        return float(width * self.font_scale(height_mm) / self.px_per_mm)

    def font_scale(self, height_mm: float) -> float:
        """Return OpenCV's font scale for a height of capitals."""
        (_, height), _ = cv2.getTextSize("H", FONT, 4.0, 1)
        return 4.0 * height_mm * self.px_per_mm / float(height)

    def _fixed(self, points_mm: ArrayLike) -> Int32s:
        px = np.asarray(points_mm, np.float64) * self.px_per_mm - 0.5
        return np.rint(px * 16).astype(np.int32)


def print_route(pen: Pen, route: Route, copy: Copy) -> None:
    """Print a route's spaces; a ferry's Locomotives are on the first of them."""
    ink = copy.printed_ink(route.colour)
    sign = SIGNS.get(route.colour, PLAIN_SIGN)
    for number, space in enumerate(route.spaces):
        if route.tunnel:
            _print_jagged_rim(pen, space)
        _print_box(pen, space, ink)
        if number < route.ferry_locomotives:
            pen.fill(_to_board(space, ENGINE * space.size_mm[1] / 2), RIM)
        else:
            pen.line(_to_board(space, sign * space.size_mm[1] / 2), _contrasting(ink), 0.7)


def print_site(pen: Pen, site: Site, station_mm: tuple[float, float], copy: Copy) -> None:
    """Print a site's space, in both of its colours, and the dashed line to its station."""
    if site.space is None:
        return
    _print_dashes(pen, station_mm, site.space.xy_mm, 0.6)
    first, *others = [copy.printed_ink(colour) for colour in site.colours or ("grey",)]
    _print_box(pen, site.space, first)
    half = np.array(site.space.size_mm) / 2 - 1.0
    for ink in others:
        pen.fill(_to_board(site.space, BOX * (half[0] / 2, half[1]) + (half[0] / 2, 0)), ink)


def _print_dashes(
    pen: Pen, start_mm: tuple[float, float], end_mm: tuple[float, float], width_mm: float
) -> None:
    dashes = int(np.linalg.norm(np.subtract(end_mm, start_mm)) / (5 * width_mm))
    points = np.linspace(start_mm, end_mm, 2 * dashes + 2)
    for start, end in zip(points[::2], points[1::2], strict=True):
        pen.line([start, end], RIM, width_mm)


def _print_box(pen: Pen, space: Space, ink: Ink) -> None:
    half = np.asarray(space.size_mm) / 2
    for inset_mm, layer in ((0.0, RIM), (0.5, PAPER), (1.0, ink)):
        pen.fill(_to_board(space, BOX * (half - inset_mm)), layer)


def _print_jagged_rim(pen: Pen, space: Space) -> None:
    """Print a tunnel's jagged rim around a space."""
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
    pen.fill(_to_board(space, np.array(rim)), TUNNEL_RIM)


def _to_board(space: Space, local_mm: Points) -> Points:
    """Transform points from a space's axes to the board's, (N, 2)."""
    angle = np.deg2rad(space.angle_deg)
    along = np.array([np.cos(angle), np.sin(angle)])
    return np.asarray(space.xy_mm + local_mm @ [along, (-along[1], along[0])], np.float64)


def _contrasting(ink: Ink) -> Ink:
    """Return a darker ink, or a lighter one for a dark ink, to draw on it."""
    shade = -46 if sum(ink) > 180 else 70
    blue, green, red = (min(max(channel + shade, 0), 255) for channel in ink)
    return blue, green, red
