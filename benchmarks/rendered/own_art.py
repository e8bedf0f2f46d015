"""Boards in made-up editions: the same places and routes with other inks, ground and lettering.

What is drawn between routes, how spaces and places are marked, and where names stand is all made
up, a number an edition; colours stay what their names say.
"""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from railspotter.calibration.arrays import Float64s, Picture, Points
from railspotter.scoring.board import Board, Place, Route, Space
from railspotter.simulation.virtual_board.land import draw_land
from railspotter.simulation.virtual_board.printed_copy import Copy
from railspotter.simulation.virtual_board.printed_map import CIRCLE

from rendered.canvas import PX_PER_MM, box, draw_line, fill, vary
from rendered.print import INKS

SPACES = ("filled", "framed", "outlined", "dashed", "rounded")
DOTS = ("disc", "ring", "square", "diamond", "star")
GROUNDS = ("land", "dark", "plain", "stripes", "hatched", "patches")
FONTS = (0, 2, 3, 4, 6, 7)  # OpenCV's
_RAYS = np.arange(10) * np.pi / 5
_STAR = np.column_stack([np.sin(_RAYS), -np.cos(_RAYS)]) * np.resize((1.4, 0.7), 10)[:, None]
STEP_MM = 26.0  # of the score track, where an edition has one


@dataclass(frozen=True, eq=False)
class EditionStyle:
    """A made-up edition's style; lengths in millimetres."""

    inks: dict[str, Float64s]
    ground: str
    spaces: str
    share: tuple[float, float]  # of a space's length and width that is printed
    line_mm: float  # of outlines
    frame: Float64s
    dot: str
    dot_mm: float
    dot_ink: Float64s
    font: int
    capital_mm: float
    name_ink: Float64s
    has_banners: bool
    has_track: bool

    @classmethod
    def random(cls, rng: Generator) -> "EditionStyle":
        """Return a random edition."""
        ground = str(rng.choice(GROUNDS))
        pale = 225.0 if ground == "dark" else 45.0
        strength, light = rng.uniform(0.55, 1.15), rng.normal(0, 14)
        inks = {}
        for name, ink in INKS.items():
            tone = vary(rng, ink, 0.2)
            grey = tone.mean()
            inks[name] = np.clip(grey + strength * (tone - grey) + light, 6, 248)
        return cls(
            inks=inks,
            ground=ground,
            spaces=str(rng.choice(SPACES)),
            share=(float(rng.uniform(0.88, 1.0)), float(rng.uniform(0.8, 1.0))),
            line_mm=float(rng.uniform(0.5, 1.4)),
            frame=vary(rng, (pale, pale, pale), 0.3),
            dot=str(rng.choice(DOTS)),
            dot_mm=float(rng.uniform(3.2, 6.0)),
            dot_ink=vary(rng, (60, 90, 200) if rng.random() < 0.5 else (200, 190, 180), 0.5),
            font=int(rng.choice(FONTS)),
            capital_mm=float(rng.uniform(3.2, 6.0)),
            name_ink=vary(rng, (pale, pale, pale), 0.3),
            has_banners=bool(rng.random() < 0.3),
            has_track=bool(rng.random() < 0.7),
        )


def draw_own_art(printed: Board, copy: Copy, rng: Generator) -> Picture:
    """Return an edition's board from straight above, edge to edge, at `PX_PER_MM`."""
    edition = EditionStyle.random(rng)
    picture = _draw_ground(printed, copy, edition.ground, rng)
    if edition.has_track:
        _draw_track(picture, printed, edition, rng)
    for route in printed.routes:
        for space in route.spaces:
            _draw_space(picture, edition, route, space)
    for place in printed.places:
        _draw_dot(picture, edition, np.array(place.xy_mm))
    for place in printed.places:
        _write_name(picture, edition, place, rng)
    return picture


def _draw_ground(board: Board, copy: Copy, kind: str, rng: Generator) -> Picture:
    width, height = (round(side * PX_PER_MM) for side in board.size_mm)
    settled = [place.xy_mm for place in board.places]
    land = draw_land(board.size_mm, PX_PER_MM, settled, copy.seed).astype(np.float32)
    tone = vary(rng, (175, 195, 205), 0.7).astype(np.float32)
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    along = (x * np.cos(turn := rng.uniform(0, np.pi)) + y * np.sin(turn)) / PX_PER_MM
    if kind == "land":
        drawn = land * (tone / land.mean(axis=(0, 1)))
    elif kind == "dark":
        drawn = 30 + (255 - land) * rng.uniform(0.5, 0.9) * (tone / tone.mean())
    elif kind == "plain":
        drawn = np.broadcast_to(tone, land.shape) + (land - land.mean(axis=(0, 1))) * 0.15
    elif kind == "stripes":
        wave = np.sin(along * 2 * np.pi / rng.uniform(12, 40))[..., None]
        drawn = tone + rng.uniform(6, 18) * wave + (land - land.mean(axis=(0, 1))) * 0.3
    elif kind == "hatched":
        lines = (along % rng.uniform(4, 9) < 0.6)[..., None]
        drawn = tone + rng.uniform(-45, 30) * lines + (land - land.mean(axis=(0, 1))) * 0.3
    else:
        seeds = rng.uniform(0, 1, (14, 2)) * board.size_mm
        far = np.stack([np.hypot(x / PX_PER_MM - u, y / PX_PER_MM - v) for u, v in seeds])
        tones = tone + rng.normal(0, 16, (len(seeds), 3)).astype(np.float32)
        drawn = tones[far.argmin(axis=0)] + (land - land.mean(axis=(0, 1))) * 0.3
    return np.asarray(np.clip(drawn, 0, 255), np.uint8)


def _draw_track(picture: Picture, board: Board, edition: EditionStyle, rng: Generator) -> None:
    width, height = board.size_mm
    deep = float(rng.uniform(12, 20))
    inks = [vary(rng, (120, 120, 120), 0.8) for _ in range(2)]
    for side, length in enumerate((width, height, width, height)):
        for number, start in enumerate(np.arange(0, length - 1, STEP_MM)):
            end = min(start + STEP_MM, length)
            corners = np.array([(start, 0), (end, 0), (end, deep), (start, deep)])
            if side % 2:
                corners = corners[:, ::-1]
            if side >= 2:
                corners = np.array(board.size_mm) - corners
            fill(picture, corners, inks[number % 2])
            draw_line(picture, corners, edition.frame, closed=True)


def _draw_space(picture: Picture, edition: EditionStyle, route: Route, space: Space) -> None:
    ink = edition.inks.get(route.colour, edition.inks["grey"])
    length, width = np.multiply(space.size_mm, edition.share)
    middle, angle = np.array(space.xy_mm), float(np.deg2rad(space.angle_deg))
    line_px = max(1, round(edition.line_mm * PX_PER_MM))
    outline = box(middle, angle, length - edition.line_mm, width - edition.line_mm)
    if edition.spaces == "filled":
        fill(picture, outline, ink)
    elif edition.spaces == "framed":
        fill(picture, outline, ink)
        draw_line(picture, outline, edition.frame, line_px, closed=True)
    elif edition.spaces == "rounded":
        inner = box(middle, angle, length - 0.7 * width, 0.3 * width)
        for wide, tone in ((0.7 * width, edition.frame), (0.7 * width - 1.2, ink)):
            draw_line(picture, inner, tone, max(1, round(wide * PX_PER_MM)), closed=True)
            fill(picture, inner, tone)
    elif edition.spaces == "outlined":
        draw_line(picture, outline, ink, max(2, round(1.8 * PX_PER_MM)), closed=True)
        draw_line(picture, box(middle, angle, length, width), edition.frame, closed=True)
    else:
        fill(picture, outline, ink)
        for side in range(4):
            start, end = outline[side], outline[(side + 1) % 4]
            dashes = max(2, round(float(np.hypot(*(end - start))) / 4))
            points = np.linspace(start, end, 2 * dashes)
            for one, other in zip(points[::2], points[1::2], strict=True):
                draw_line(picture, np.array([one, other]), edition.frame, line_px)


def _draw_dot(picture: Picture, edition: EditionStyle, middle: Points) -> None:
    shapes: dict[str, Callable[[], Points]] = {
        "square": lambda: np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * 0.85,
        "diamond": lambda: np.array([(0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)]),
        "star": lambda: _STAR,
    }
    shape = shapes.get(edition.dot, lambda: CIRCLE)()
    for size, tone in ((1.0, edition.frame), (0.75, edition.dot_ink)):
        fill_polygon(picture, middle + shape * edition.dot_mm * size, tone)
    if edition.dot == "ring":
        fill_polygon(picture, middle + CIRCLE * edition.dot_mm * 0.4, edition.frame)


def fill_polygon(picture: Picture, outline_mm: Points, tone: Float64s) -> None:
    """Fill an outline that need not be convex."""
    fixed = np.rint(outline_mm * PX_PER_MM * 16).astype(np.int32)
    cv2.fillPoly(picture, [fixed], tone.tolist(), cv2.LINE_AA, 4)


def _write_name(picture: Picture, edition: EditionStyle, place: Place, rng: Generator) -> None:
    scale = edition.capital_mm * PX_PER_MM / 22
    (wide, high), _ = cv2.getTextSize(place.name, edition.font, scale, 1)
    way = rng.choice(((1, 0), (-1, 0), (0, 1), (0, -1), (0.6, 0.8), (-0.6, -0.8)))
    off = way * (np.array([wide, high]) / 2 + (edition.dot_mm + 1.5) * PX_PER_MM)
    x, y = np.rint(np.array(place.xy_mm) * PX_PER_MM + off - (wide / 2, -high / 2)).astype(int)
    if edition.has_banners:
        corners = ((x - 3, y + 4), (x + wide + 3, y - high - 4))
        cv2.rectangle(picture, *corners, tuple(edition.dot_ink.tolist()), -1)
    ink = tuple(edition.name_ink.tolist())
    cv2.putText(picture, place.name, (x, y), edition.font, scale, ink, 1, cv2.LINE_AA)
