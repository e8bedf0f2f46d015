"""Rooms: a table in the light of lamps and windows."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from railspotter.calibration.arrays import Float32s, Picture
from railspotter.simulation.virtual_board.solids import Solid, box

from rendered.canvas import vary
from teaching.relighting import lamp_bgr

ROOMS = 24  # there are: their numbers name them
SUN_SHARE = 0.0047  # the sun's radius over how far it is
SUN_MM = 20000.0
TABLES = ("wood", "planks", "cloth", "plain", "felt", "stone")
WOODS = ((70, 105, 150), (45, 75, 120), (30, 45, 80), (120, 160, 195), (60, 110, 175))
CLOTHS = ((50, 45, 150), (120, 80, 40), (225, 225, 225), (60, 60, 60), (110, 140, 90))
PLAINS = ((225, 228, 230), (120, 120, 120), (40, 40, 42), (170, 190, 200), (90, 70, 60))
# Sizes of grain along and across, in pixels, and how strong it is.
GRAINS = {
    "wood": (((300, 9), 0.10), ((90, 3), 0.07), ((500, 40), 0.08), ((14, 1.3), 0.05)),
    "cloth": (((1.2, 1.2), 0.06), ((160, 120), 0.05)),
    "stone": (((3, 3), 0.03), ((200, 200), 0.03)),
    "felt": (((2, 2), 0.03), ((200, 200), 0.03)),
}
LAMP_MIXES = (
    ("ceiling",),
    ("window",),
    ("ceiling", "ceiling"),
    ("window", "lamp"),
    ("window", "sun"),
    ("lamp", "ceiling"),
    ("window", "window", "ceiling"),
    ("lamp",),
)
# Of each kind, low and high: how far it is from the board aside and up, its sides, and its mireds,
# millionths of 1 over kelvin, in which lamps are evenly spread.
LAMPS = {
    "ceiling": ((100, 1300), (1100, 1900), (60, 700), (150, 450)),
    "lamp": ((550, 1000), (350, 900), (60, 220), (285, 500)),
    "window": ((1000, 2800), (300, 1200), (600, 1600), (133, 192)),
}


@dataclass(frozen=True)
class Lamp:
    """A rectangle of light; the sun is a ball."""

    kind: str  # ceiling, lamp, window or sun
    kelvin: float
    at_mm: tuple[float, float, float]  # its middle, from the board's middle
    size_mm: tuple[float, float]
    share: float  # of the light on the middle of the board


@dataclass(frozen=True, eq=False)
class Room:
    """A room with its table and its lamps."""

    name: str
    lamps: tuple[Lamp, ...]
    panorama: Float32s  # (h, w, 3) float32, BGR: what walls and ceiling throw back, as a panorama
    table: Picture  # (H, W, 3) uint8, BGR: a millimetre a pixel
    table_mm: tuple[float, float, float, float]  # how far it reaches beyond the board: l, t, r, b
    table_roughness: float | None
    floor: Picture
    bars: tuple[Solid, ...]  # of a window's frame, between the sun and the board
    is_dim: bool  # whether so little light comes that pictures are noisy

    @classmethod
    def of(cls, number: int) -> "Room":
        """Return a random room."""
        rng = np.random.default_rng([number, 107])
        lamps, ambient = _choose_lamps(LAMP_MIXES[number % len(LAMP_MIXES)], rng)
        kind = str(rng.choice(TABLES))
        left, top, right, bottom = np.exp(rng.uniform(np.log(150), np.log(900), 4)).tolist()
        return cls(
            f"room-{number}",
            lamps,
            _panorama(lamps, ambient, rng),
            _draw_table(kind, (1600, 1200), rng),
            (left, top, right, bottom),
            None if kind in ("cloth", "felt") else float(rng.uniform(0.15, 0.5)),
            _draw_table(str(rng.choice(["planks", "plain", "felt"])), (900, 900), rng),
            _window_bars(lamps, rng),
            bool(rng.random() < 0.35),
        )


def _choose_lamps(kinds: Sequence[str], rng: Generator) -> tuple[tuple[Lamp, ...], float]:
    """Return a room's lamps, and the share of its light that comes from walls and ceiling."""
    ambient = rng.uniform(0.12, 0.5)
    shares = rng.dirichlet(np.full(len(kinds), 2.0)) * (1 - ambient)
    if "sun" in kinds:
        ambient, shares = 0.12, np.array([0.2, rng.uniform(0.6, 1.6)])
    lamps = []
    for kind, share in zip(kinds, shares.tolist(), strict=True):
        turn = rng.uniform(0, 2 * np.pi)
        if kind == "sun":
            up = np.deg2rad(rng.uniform(22, 62))
            away, high = SUN_MM * np.cos(up), SUN_MM * np.sin(up)
            wide = deep = SUN_MM * SUN_SHARE
            mired = rng.uniform(180, 230)
        else:
            aside, above, sides, mireds = LAMPS[kind]
            away, high, mired = (rng.uniform(*span) for span in (aside, above, mireds))
            wide, deep = np.exp(rng.uniform(np.log(sides[0]), np.log(sides[1]), 2)).tolist()
        at = float(away * np.cos(turn)), float(away * np.sin(turn)), float(high)
        lamps.append(Lamp(kind, float(1e6 / mired), at, (wide, deep), share))
    return tuple(lamps), float(ambient)


def _panorama(lamps: Sequence[Lamp], ambient: float, rng: Generator) -> Float32s:
    """Return a panorama of dim walls and a pale ceiling in the lamps' mixed light."""
    height, width = 32, 64
    colour = np.sum([lamp.share * lamp_bgr(lamp.kelvin) for lamp in lamps], axis=0)
    tint = colour / np.mean(colour) * vary(rng, (190, 200, 205), 0.3) / 200
    uneven = np.exp(0.5 * _noise(rng, (width, height), (8, 8)))
    field = uneven * np.linspace(1.25, 0.35, height, dtype=np.float32)[:, None]
    light = ambient / np.pi * field / field[: height // 2].mean()
    return np.asarray(light[..., None] * tint, np.float32)


def _window_bars(lamps: Sequence[Lamp], rng: Generator) -> tuple[Solid, ...]:
    """Return bars before the sun: the frame of its window."""
    suns = [lamp for lamp in lamps if lamp.kind == "sun"]
    if not suns or rng.random() < 0.25:
        return ()
    towards = np.array(suns[0].at_mm) / SUN_MM
    aside = np.array([-towards[1], towards[0], 0.0]) / np.hypot(*towards[:2])
    turn = np.column_stack([aside, towards, np.cross(towards, aside)])
    bars = []
    for off in np.cumsum(rng.uniform(220, 620, 4)) - 750:
        wide = rng.uniform(30, 160)
        slat = box((-wide / 2, -10, -900), (wide / 2, 10, 900)).with_ink((60, 70, 80), 0.0)
        bars.append(slat.placed(turn, 1700 * towards + off * aside))
    return tuple(bars)


def _noise(rng: Generator, size_wh: tuple[int, int], step_wh: tuple[float, float]) -> Float32s:
    """Return noise of a standard deviation of about 1, smooth over so many pixels."""
    knots = [max(2, round(side / step)) for side, step in zip(size_wh, step_wh, strict=True)]
    coarse = rng.normal(size=(knots[1], knots[0])).astype(np.float32)
    return np.asarray(cv2.resize(coarse, size_wh, interpolation=cv2.INTER_CUBIC), np.float32)


def _draw_table(kind: str, size_wh: tuple[int, int], rng: Generator) -> Picture:
    """Draw a table's top, one millimetre per pixel."""
    width, height = size_wh
    material = {"planks": "wood", "plain": "felt"}.get(kind, kind)
    tones = {"wood": WOODS, "cloth": CLOTHS}.get(material, CLOTHS if kind == "felt" else PLAINS)
    tone, other = (vary(rng, tones[rng.integers(len(tones))], 0.25) for _ in range(2))
    top = np.tile(tone.astype(np.float32), (height, width, 1))
    lighter: Float32s = np.zeros((height, width), np.float32)
    for step, strength in GRAINS[material]:
        lighter += np.float32(strength) * _noise(rng, size_wh, step)
    if kind == "planks":
        deep = int(rng.integers(80, 200))
        for start in range(0, height, deep):
            lighter[start : start + deep] += np.float32(rng.normal(0, 0.12))
            lighter[start : start + 2] -= np.float32(0.7)
    elif kind == "cloth" and rng.random() < 0.6:  # chequered
        side = int(rng.integers(12, 60))
        x, y = np.meshgrid(np.arange(width) // side % 2, np.arange(height) // side % 2)
        top += ((x + y) / 2).astype(np.float32)[..., None] * (other.astype(np.float32) - top)
    elif kind == "stone":
        veins = np.abs(_noise(rng, size_wh, (90, 60)) + 0.4 * _noise(rng, size_wh, (20, 20)))
        lighter += np.float32(0.2) * np.exp(-8 * veins)
    return np.asarray(np.clip(top * np.exp(lighter)[..., None], 0, 255), np.uint8)
