"""Rendered prints: paper, map and spaces in made-up styles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from numpy.random import Generator
from railspotter.calibration.arrays import Float64s, Picture, Points

from rendered.canvas import (
    PX_PER_MM,
    SIZE_MM,
    SIZE_PX,
    box,
    directions,
    draw_disc,
    draw_line,
    fill,
    smooth_noise,
    vary,
)

INKS: dict[str, tuple[float, float, float]] = {
    "grey": (160, 158, 165),
    "white": (225, 235, 240),
    "black": (45, 42, 42),
    "blue": (185, 100, 20),
    "green": (30, 170, 145),
    "red": (35, 55, 200),
    "yellow": (25, 205, 240),
    "orange": (35, 125, 225),
    "pink": (130, 90, 190),
    "purple": (120, 60, 110),
    "brown": (50, 80, 120),
}
PAPERS = [
    (205, 218, 226),
    (195, 205, 210),
    (215, 225, 225),
    (190, 200, 190),
    (200, 190, 170),
    (170, 190, 205),
]
BORDER_INKS = [(110, 140, 160), (40, 40, 40), (230, 235, 240)]
FRAMES = ("none", "line", "frame", "double")
SYMBOLS = ("none", "circle", "cross", "star", "bars", "letter", "arrow")
LETTERS = "ABCDEFGHIKLMNOPRSTUVabcdeghiklmnoprstu"


@dataclass(frozen=True, eq=False)
class Space:
    """A printed space: its middle, its direction in radians, its length and width, its route."""

    xy_mm: Points
    angle: float
    size_mm: tuple[float, float]
    route: int


@dataclass(frozen=True, eq=False)
class Style:
    """One copy's style of printing spaces; lengths in millimetres, the rest in grey levels."""

    inks: dict[str, Float64s]
    frame: str
    frame_ink: Float64s
    line_px: int
    bevel: float
    inner: float
    symbol: str
    symbol_mm: float
    symbol_step: float
    hollow_grey: bool

    @classmethod
    def random(cls, rng: Generator) -> "Style":
        """Return a random style."""
        return cls(
            inks={name: vary(rng, ink, 0.25) for name, ink in INKS.items()},
            frame=str(rng.choice(FRAMES, p=[0.2, 0.3, 0.3, 0.2])),
            frame_ink=vary(rng, BORDER_INKS[rng.choice(3, p=[0.6, 0.24, 0.16])], 0.25),
            line_px=int(rng.integers(1, 3)),
            bevel=rng.uniform(0, 34) if rng.random() < 0.8 else 0.0,
            inner=rng.uniform(0.82, 1.0),
            symbol=str(rng.choice(SYMBOLS, p=[0.12, 0.25, 0.15, 0.15, 0.1, 0.13, 0.1])),
            symbol_mm=rng.uniform(1.2, 3.0),
            symbol_step=rng.normal(0, 30),
            hollow_grey=bool(rng.random() < 0.4),
        )

    def reprint(self, rng: Generator) -> "Style":
        """Return the style of another printing: similar inks, perhaps other ornaments."""
        other = Style.random(rng) if rng.random() < 0.5 else self
        inks = {name: vary(rng, ink, 0.06) for name, ink in self.inks.items()}
        return replace(self if rng.random() < 0.5 else other, inks=inks)


def draw_ground(rng: Generator) -> Picture:
    """Draw paper with a map's details between its routes."""
    width, height = SIZE_PX
    strengths = [rng.uniform(*between) for between in ((2, 9), (1, 7), (0, 5), (0, 5))]
    noise = smooth_noise(rng, (60, 18, 5, 2), strengths)
    paper = vary(rng, PAPERS[rng.integers(len(PAPERS))], 0.2).astype(np.float32)
    tinted = noise[..., None] * (1 + rng.normal(0, 0.15, 3)).astype(np.float32)
    ground: Picture = np.clip(paper + tinted, 0, 255).astype(np.uint8)
    for _ in range(rng.integers(0, 6)):
        bends = np.cumsum(rng.normal(0, 0.25, (160, 2)), axis=0) * 0.12
        wiggles = rng.normal(0, 0.5, (160, 2)) * rng.uniform(0.1, 1)
        border = np.cumsum(bends + wiggles + rng.normal(0, 0.7, 2), axis=0)
        start = rng.uniform(0, 1, 2) * SIZE_MM
        draw_line(ground, border + start, vary(rng, (90, 90, 90), 0.3), int(rng.integers(1, 3)))
    if rng.random() < 0.3:
        mask = np.zeros((height, width), np.uint8)
        fill(mask, rng.uniform(0, 1, (3, 2)) * SIZE_MM, (255, 255, 255))
        _blend(ground, cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.5, 6)), rng.normal(0, 22, 3))
    for _ in range(rng.integers(0, 6)):
        _write_name(ground, rng)
    return ground


def print_spaces(
    ground: Picture,
    style: Style,
    spaces: Sequence[Space],
    colours: Mapping[int, str],
    places_mm: Sequence[Points],
    rng: Generator,
) -> Picture:
    """Return the ground with spaces and places printed on it."""
    picture = ground.copy()
    for space in spaces:
        _print_space(picture, style, space, colours[space.route], rng)
    for place in places_mm:
        ink = vary(rng, (40, 80, 190) if rng.random() < 0.6 else (200, 205, 210), 0.2)
        radius = rng.uniform(3, 5.5)
        draw_disc(picture, place, radius, ink * 0.5)
        draw_disc(picture, place, radius * 0.8, ink)
        draw_disc(picture, place - 0.25 * radius, radius * 0.3, ink * 1.3 + 30)
    return picture


def _print_space(picture: Picture, style: Style, space: Space, colour: str, rng: Generator) -> None:
    ink = style.inks[colour]
    length, width = space.size_mm
    if style.frame in ("frame", "double"):
        fill(picture, box(space.xy_mm, space.angle, length, width), style.frame_ink)
    inner = (length - width * (1 - style.inner), width * style.inner)
    outline = box(space.xy_mm, space.angle, *inner)
    hollow = colour == "grey" and style.hollow_grey
    fill(picture, outline, ink / 2 + 102 if hollow else ink)
    if style.bevel:
        ridge = box(space.xy_mm, space.angle, inner[0] - 1, inner[1] - 1)
        for side in range(4):
            edge = ridge[[side, (side + 1) % 4]]
            faces_light = edge.mean(axis=0) - space.xy_mm
            draw_line(picture, edge, ink - style.bevel * np.sign(faces_light.sum() + 1e-3))
    if style.frame != "none":
        draw_line(picture, outline, style.frame_ink * 0.8, style.line_px, closed=True)
    if style.frame == "double":
        outer = box(space.xy_mm, space.angle, length + 0.6, width + 0.6)
        draw_line(picture, outer, style.frame_ink * 0.5, closed=True)
    _print_symbol(picture, style, space, ink + style.symbol_step + rng.normal(0, 6), rng)


def _print_symbol(
    picture: Picture, style: Style, space: Space, ink: Float64s, rng: Generator
) -> None:
    middle, size = space.xy_mm, style.symbol_mm
    along, across = (way * size for way in directions(space.angle))
    lines: list[Points] = []
    if style.symbol == "circle":
        draw_disc(picture, middle, size, ink, width_px=1)
    elif style.symbol == "cross":
        lines = [np.array([-way, way]) * 0.7 for way in (along + across, along - across)]
    elif style.symbol == "star":
        turns = [directions(space.angle + turn)[0] for turn in np.arange(3) * np.pi / 3]
        lines = [np.array([-way, way]) * size for way in turns]
    elif style.symbol == "bars":
        bar = np.array([-across, across]) * 0.7
        lines = [bar + 0.8 * along * step for step in (-1, 0, 1)]
    elif style.symbol == "arrow":
        lines = [np.array([-along - 0.7 * across, 0.5 * along, 0.7 * across - along])]
    elif style.symbol == "letter":
        left, bottom = (middle + np.array([-0.7, 0.7]) * size) * PX_PER_MM
        letter = "OXS+"[rng.integers(4)]
        tone = np.clip(ink, 0, 255).tolist()
        scale = 0.1 * size + 0.12
        cv2.putText(picture, letter, (int(left), int(bottom)), 0, scale, tone, 1, cv2.LINE_AA)
    for line in lines:
        draw_line(picture, middle + line, ink)


def _write_name(ground: Picture, rng: Generator) -> None:
    """Write a name at a position, in some direction."""
    width, height = SIZE_PX
    name = "".join(rng.choice(list(LETTERS), rng.integers(3, 9)))
    x, y = int(rng.uniform(0, 0.8 * width)), int(rng.uniform(0, height))
    mask = np.zeros((height, width), np.uint8)
    font, scale = int(rng.choice([0, 2, 3, 4])), rng.uniform(0.35, 0.8)
    cv2.putText(mask, name, (x, y), font, scale, (255,), int(rng.integers(1, 3)), cv2.LINE_AA)
    turn = cv2.getRotationMatrix2D((x, y), rng.normal(0, 60), 1)
    ink = vary(rng, (60, 60, 70), 0.3)
    paper = ground[min(y, height - 1), min(x, width - 1)].astype(float)
    _blend(ground, cv2.warpAffine(mask, turn, (width, height)), ink - paper)


def _blend(ground: Picture, mask: npt.NDArray[Any], step: Float64s) -> None:
    """Make the ground lighter or darker in a mask."""
    left, top, width, height = cv2.boundingRect(mask)
    part = ground[top : top + height, left : left + width]
    share = mask[top : top + height, left : left + width, None].astype(np.float32) / 255
    part[...] = np.clip(part + share * step.astype(np.float32), 0, 255).astype(np.uint8)
