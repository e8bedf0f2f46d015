"""The virtual board's printed picture: any board file, drawn straight from above.

The drawing is the project's own; only the geometry and the colour of every space come from the
board file. It stands in for a board on the table and for a photo of an empty one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray
from railspotter.scoring.board import Board, Space

from .inks import Ink
from .land import draw_ground
from .printed_copy import Copy

Picture = NDArray[np.uint8]
Points = NDArray[np.float64]

OUTLINE = (62, 66, 74)
PLACE_RIM = (40, 52, 92)
PLACE_FACE = (96, 190, 244)
NAME_INK = (44, 40, 36)
NAME_HALO = (218, 236, 242)
STEP_INKS: tuple[Ink, Ink] = ((92, 78, 44), (112, 98, 60))
TENTH_STEP_INK = (70, 132, 184)
BORDER_LINE = (170, 204, 220)
BORDER_MM = 22.0
PRINT_PX_PER_MM = 3.0
"""Fine enough for a picture of a few thousand pixels; a line is a pixel wide at least."""
SCORE_STEPS = 100
"""About how many steps the score border has; they are fitted to whole ones on every side."""
PLACE_RADIUS_MM = 4.6
CAPITAL_MM = 4.6
"""Height of the capitals in the names."""
FONT = cv2.FONT_HERSHEY_TRIPLEX

_TURN = np.linspace(0, 2 * np.pi, 29)
_CIRCLE: Points = np.column_stack([np.cos(_TURN), np.sin(_TURN)])
SIGNS: dict[str, Points] = {
    "red": 0.6 * np.array([(-1, 0.8), (0, -1), (1, 0.8), (-1, 0.8)]),
    "orange": 0.55 * _CIRCLE,
    "yellow": 0.6 * np.array([(-1, -1), (1, 1), (0, 0), (1, -1), (-1, 1)]),
    "green": 0.65 * np.array([(0, -1), (1, 0), (0, 1), (-1, 0), (0, -1)]),
    "blue": 0.6 * np.array([(-1.4, 0.6), (-0.7, -0.6), (0, 0.6), (0.7, -0.6), (1.4, 0.6)]),
    "pink": 0.55 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)]),
    "white": 0.65 * np.array([(-1, 0), (1, 0), (0, 0), (0, 1), (0, -1)]),
    "black": 0.6 * np.array([(1, -1), (-1, -1), (1, 1), (-1, 1)]),
}
"""One small sign for each colour, in half widths of a space: a covered space loses it."""
PLAIN_SIGN: Points = np.array([(-0.7, 0.0), (0.7, 0.0)])

NAME_SIDES: Points = np.array(
    [(1, 0), (-1, 0), (0, 1), (0, -1)]
    + [(x, y) for y in (0.8, -0.8) for x in (1, -1)]
    + [(x, y) for y in (1, -1) for x in (0.5, -0.5)]
)
"""Where a name may stand beside its place, in half sizes of the name, the best first."""


def draw_board(board: Board, px_per_mm: float = 2.0, seed: int = 0) -> Picture:
    """Draw a board from straight above, edge to edge of what is printed.

    Parameters
    ----------
    board : Board
    px_per_mm : float
        The same seed is the same drawing at every resolution.
    seed : int
        Which country lies under the network.

    Returns
    -------
    (H, W, 3) uint8 array, BGR

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> draw_board(load_board("usa"), px_per_mm=1.0).shape
    (525, 795, 3)
    """
    copy = Copy(seed)
    return draw_copy(copy.printed(board), copy, px_per_mm)


def draw_copy(printed: Board, copy: Copy, px_per_mm: float) -> Picture:
    """Draw a board as a copy prints it, edge to edge; `copy.printed` gives the board."""
    px_wh = round(printed.size_mm[0] * px_per_mm), round(printed.size_mm[1] * px_per_mm)
    way = cv2.INTER_AREA if px_per_mm < PRINT_PX_PER_MM else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(_finest(printed, copy), px_wh, interpolation=way), np.uint8)


@lru_cache(maxsize=2)
def _finest(board: Board, copy: Copy) -> Picture:
    """Draw a board in the one resolution that all others are made from."""
    settled = [place.xy_mm for place in board.places]
    settled += [space.xy_mm for route in board.routes for space in route.spaces]
    pen = _Pen(draw_ground(board.size_mm, PRINT_PX_PER_MM, settled, copy.seed), PRINT_PX_PER_MM)
    _draw_score_border(pen, board.size_mm)
    for route in board.routes:
        ink = copy.printed_ink(route.colour)
        for space in route.spaces:
            _draw_space(pen, space, route.colour, ink)
    for place in board.places:
        pen.disc(place.xy_mm, PLACE_RADIUS_MM, PLACE_RIM)
        pen.disc(place.xy_mm, 0.72 * PLACE_RADIUS_MM, PLACE_FACE)
    _draw_names(pen, board)
    return pen.picture


class _Pen:
    """Draws in millimetres; a pixel's own coordinates are those of its middle."""

    def __init__(self, picture: Picture, px_per_mm: float) -> None:
        self.picture = picture
        self.px_per_mm = px_per_mm

    def fill(self, outline_mm: ArrayLike, ink: Ink) -> None:
        cv2.fillPoly(self.picture, [self._fixed(outline_mm)], ink, cv2.LINE_AA, 4)

    def line(self, points_mm: ArrayLike, ink: Ink, width_mm: float) -> None:
        width = max(1, round(width_mm * self.px_per_mm))
        cv2.polylines(self.picture, [self._fixed(points_mm)], False, ink, width, cv2.LINE_AA, 4)

    def disc(self, middle_mm: ArrayLike, radius_mm: float, ink: Ink) -> None:
        self.fill(np.asarray(middle_mm) + radius_mm * _CIRCLE, ink)

    def text(self, middle_mm: ArrayLike, text: str, height_mm: float, ink: Ink) -> None:
        """Write so that the middle of the capitals is there."""
        scale = self.font_scale(height_mm)
        (width, height), _ = cv2.getTextSize(text, FONT, scale, 1)
        x, y = np.asarray(middle_mm) * self.px_per_mm + (-width / 2 - 0.5, height / 2 - 0.5)
        cv2.putText(self.picture, text, (round(x), round(y)), FONT, scale, ink, 1, cv2.LINE_AA)

    def font_scale(self, height_mm: float) -> float:
        """Scale at which capitals are that high."""
        (_, height), _ = cv2.getTextSize("H", FONT, 4.0, 1)
        return 4.0 * height_mm * self.px_per_mm / height

    def _fixed(self, points_mm: ArrayLike) -> NDArray[np.int32]:
        px = np.asarray(points_mm, np.float64) * self.px_per_mm - 0.5
        return np.rint(px * 16).astype(np.int32)


def _draw_score_border(pen: _Pen, size_mm: tuple[float, float]) -> None:
    """Numbered steps around the edge, from the bottom left corner on, clockwise."""
    for number, (left, top, right, bottom) in enumerate(_score_steps(size_mm), start=1):
        outline = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
        ink = TENTH_STEP_INK if number % 10 == 0 else STEP_INKS[number % 2]
        pen.fill(outline, ink)
        pen.line(outline, BORDER_LINE, 0.6)
        pen.text(((left + right) / 2, (top + bottom) / 2), str(number), 6.5, BORDER_LINE)


def score_step_mm(size_mm: tuple[float, float], score: int) -> tuple[float, float]:
    """Return the middle of the step that a score is counted on; 0 starts on the last one.

    Examples
    --------
    >>> score_step_mm((795.0, 525.0), 1)[0], score_step_mm((795.0, 525.0), 0)[1]
    (11.0, 514.0)
    """
    steps = list(_score_steps(size_mm))
    left, top, right, bottom = steps[(score - 1) % len(steps)]
    return (left + right) / 2, (top + bottom) / 2


def _score_steps(size_mm: tuple[float, float]) -> Iterator[tuple[float, float, float, float]]:
    """Yield left, top, right, bottom of every step."""
    width, height = size_mm
    step_mm = 2 * (width + height - 2 * BORDER_MM) / SCORE_STEPS
    xs, ys = (
        np.array([0.0, *np.linspace(BORDER_MM, side - BORDER_MM, round(side / step_mm) - 1), side])
        for side in size_mm
    )
    columns, rows = len(xs) - 2, len(ys) - 2
    left = [(0, row) for row in range(rows, 0, -1)]
    top = [(column, 0) for column in range(columns)]
    right = [(columns, row) for row in range(rows)]
    bottom = [(column, rows) for column in range(columns, 0, -1)]
    for column, row in left + top + right + bottom:
        yield float(xs[column]), float(ys[row]), float(xs[column + 1]), float(ys[row + 1])


def _draw_space(pen: _Pen, space: Space, colour: str, ink: Ink) -> None:
    angle = np.deg2rad(space.angle_deg)
    along = np.array([np.cos(angle), np.sin(angle)])
    turn = np.array([along, (-along[1], along[0])])
    half = np.asarray(space.size_mm) / 2
    box = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)])
    shade = -46 if sum(ink) > 180 else 70
    blue, green, red = (min(max(channel + shade, 0), 255) for channel in ink)
    pen.fill(space.xy_mm + box * half @ turn, OUTLINE)
    pen.fill(space.xy_mm + box * (half - 0.5) @ turn, BORDER_LINE)
    pen.fill(space.xy_mm + box * (half - 1.0) @ turn, ink)
    sign = SIGNS.get(colour, PLAIN_SIGN) * half[1]
    pen.line(space.xy_mm + sign @ turn, (blue, green, red), 0.7)


def _draw_names(pen: _Pen, board: Board) -> None:
    """Write every name beside its place, where it covers least of what is printed."""
    taken = _printed_cells(board)
    for place in board.places:
        (text_width, _), _ = cv2.getTextSize(place.name, FONT, 1.0, 1)
        half_width = text_width * pen.font_scale(CAPITAL_MM) / pen.px_per_mm / 2
        half = np.array([half_width + 0.6, CAPITAL_MM / 2 + 1.2])
        boxes = [place.xy_mm + side * (half + 0.8 * PLACE_RADIUS_MM) for side in NAME_SIDES]
        covered = [taken[_cells(middle - half, middle + half)].sum() for middle in boxes]
        middle = boxes[int(np.argmin(covered))]
        taken[_cells(middle - half, middle + half)] = 1
        for side in NAME_SIDES:
            pen.text(middle + 0.6 * side, place.name, CAPITAL_MM, NAME_HALO)
        pen.text(middle, place.name, CAPITAL_MM, NAME_INK)


def _printed_cells(board: Board) -> NDArray[np.uint8]:
    """Mark the square millimetres that are printed on already."""
    columns, rows = np.ceil(board.size_mm).astype(int)
    pen = _Pen(np.full((rows, columns, 3), 255, np.uint8), 1.0)
    inside = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * (np.array(board.size_mm) - 2 * BORDER_MM)
    pen.fill(inside + BORDER_MM, (0, 0, 0))
    for route in board.routes:
        for space in route.spaces:
            _draw_space(pen, space, "white", (255, 255, 255))
    for place in board.places:
        pen.disc(place.xy_mm, PLACE_RADIUS_MM, (255, 255, 255))
    return (pen.picture[..., 0] > 0).astype(np.uint8)


def _cells(top_left_mm: Points, bottom_right_mm: Points) -> tuple[slice, slice]:
    left, top = np.maximum(top_left_mm, 0).astype(int)
    right, bottom = np.maximum(bottom_right_mm, 0).astype(int) + 1
    return slice(top, bottom), slice(left, right)
