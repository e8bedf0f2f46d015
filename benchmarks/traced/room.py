"""Rooms: a table, its lamps and windows, and what lies about on it beside the board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from railspotter.calibration.arrays import Float32s, Float64s, Picture
from railspotter.simulation.virtual_board.solids import Solid, box
from railspotter.simulation.virtual_board.things import Thing, thing_solids

from rendered.canvas import varied
from teaching.relighting import lamp_bgr

ROOMS = 24  # there are: their numbers name them
BOARD_MM = 2.6  # how thick the board is
FLOOR_MM = -740.0
SUN_SHARE = 0.0047  # the sun's radius over how far it is
SUN_MM = 20000.0
TABLES = ("wood", "planks", "cloth", "plain", "felt", "stone")
WOODS = ((70, 105, 150), (45, 75, 120), (30, 45, 80), (120, 160, 195), (60, 110, 175))
CLOTHS = ((50, 45, 150), (120, 80, 40), (225, 225, 225), (60, 60, 60), (110, 140, 90))
PLAINS = ((225, 228, 230), (120, 120, 120), (40, 40, 42), (170, 190, 200), (90, 70, 60))


@dataclass(frozen=True)
class Lamp:
    """A rectangle of light; the sun is a disc."""

    kind: str  # ceiling, lamp, window or sun
    kelvin: float
    at_mm: tuple[float, float, float]  # its middle, from the board's middle
    size_mm: tuple[float, float]
    share: float  # of the light on the middle of the board


@dataclass(frozen=True, eq=False)
class Room:
    """Where somebody plays."""

    name: str
    lamps: tuple[Lamp, ...]
    around: Float32s  # (h, w, 3) float32, BGR: what walls and ceiling throw back, as a panorama
    table: Picture  # (H, W, 3) uint8, BGR
    table_mm: tuple[float, float, float, float]  # how far it reaches beyond the board: l, t, r, b
    table_roughness: float | None
    floor: Picture
    bars: tuple[Solid, ...]  # of a window's frame, between the sun and the board
    is_dim: bool  # whether so little light comes that pictures are noisy

    @classmethod
    def of(cls, number: int) -> Room:
        """Return a room."""
        rng = np.random.default_rng([number, 107])
        lamps, ambient = _lamps(number, rng)
        kind = TABLES[rng.integers(len(TABLES))]
        left, top, right, bottom = np.exp(rng.uniform(np.log(150), np.log(900), 4)).tolist()
        return cls(
            f"room-{number}",
            lamps,
            _around(lamps, ambient, rng),
            draw_table(kind, (1600, 1200), rng),
            (left, top, right, bottom),
            None if kind in ("cloth", "felt") else float(rng.uniform(0.15, 0.5)),
            draw_table(str(rng.choice(["planks", "plain", "felt"])), (600, 600), rng),
            _bars(lamps, rng),
            bool(rng.random() < 0.35),
        )


def _lamps(number: int, rng: Generator) -> tuple[tuple[Lamp, ...], float]:
    """Return what lights a room, and how much of the light comes from walls and ceiling."""
    kinds = (
        ("ceiling",),
        ("window",),
        ("ceiling", "ceiling"),
        ("window", "lamp"),
        ("window", "sun"),
        ("lamp", "ceiling"),
        ("window", "window", "ceiling"),
        ("lamp",),
    )[number % 8]
    ambient = rng.uniform(0.12, 0.5)
    shares = rng.dirichlet(np.full(len(kinds), 2.0)) * (1 - ambient)
    if "sun" in kinds:
        ambient, shares = 0.12, np.array([0.2, rng.uniform(0.6, 1.6)])
    lamps = []
    for kind, share in zip(kinds, shares.tolist(), strict=True):
        turn = rng.uniform(0, 2 * np.pi)
        if kind == "ceiling":
            away, high = rng.uniform(100, 1300), rng.uniform(1100, 1900)
            size = np.exp(rng.uniform(np.log(60), np.log(700), 2)).tolist()
            kelvin = 1e6 / rng.uniform(1e6 / 6500, 1e6 / 2200)
        elif kind == "lamp":
            away, high = rng.uniform(550, 1000), rng.uniform(350, 900)
            size = rng.uniform(60, 220, 2).tolist()
            kelvin = rng.uniform(2000, 3500)
        elif kind == "window":
            away, high = rng.uniform(1000, 2800), rng.uniform(300, 1200)
            size = rng.uniform(600, 1600, 2).tolist()
            kelvin = rng.uniform(5200, 7500)
        else:
            up = np.deg2rad(rng.uniform(22, 62))
            away, high = SUN_MM * np.cos(up), SUN_MM * np.sin(up)
            size, kelvin = [SUN_MM * SUN_SHARE] * 2, rng.uniform(4300, 5600)
        at = float(away * np.cos(turn)), float(away * np.sin(turn)), float(high)
        lamps.append(Lamp(kind, float(kelvin), at, (size[0], size[1]), share))
    return tuple(lamps), float(ambient)


def _around(lamps: Sequence[Lamp], ambient: float, rng: Generator) -> Float32s:
    """Return a panorama of dim walls: a pale ceiling on top, uneven, in the lamps' mixed light."""
    height, width = 32, 64
    colour = sum(lamp.share * lamp_bgr(lamp.kelvin) for lamp in lamps)
    wall = varied(rng, (190, 200, 205), 0.3) / 200
    uneven = cv2.resize(rng.normal(0, 0.5, (4, 8)).astype(np.float32), (width, height))
    down = np.linspace(1.25, 0.35, height, dtype=np.float32)[:, None]
    field = np.exp(uneven) * down
    mean = float(field[: height // 2].mean())
    tint = np.asarray(colour / np.mean(colour) * wall, np.float32)
    return np.asarray(field[..., None] * tint * np.float32(ambient / mean / np.pi), np.float32)


def _bars(lamps: Sequence[Lamp], rng: Generator) -> tuple[Solid, ...]:
    """Return slats that stand in the sun's way: the frame of its window."""
    suns = [lamp for lamp in lamps if lamp.kind == "sun"]
    if not suns or rng.random() < 0.25:
        return ()
    towards = np.array(suns[0].at_mm) / SUN_MM
    aside = np.array([-towards[1], towards[0], 0.0]) / np.hypot(*towards[:2])
    bars = []
    for off in np.cumsum(rng.uniform(220, 620, 4)) - 750:
        wide = rng.uniform(30, 160)
        slat = box((-wide / 2, -10, -900), (wide / 2, 10, 900)).dyed((60, 70, 80), 0.0)
        up = np.cross(aside, towards)
        turn = np.column_stack([aside, towards, -up])
        bars.append(slat.placed(turn, 1700 * towards + off * aside))
    return tuple(bars)


def _noise(rng: Generator, size_wh: tuple[int, int], step_wh: tuple[float, float]) -> Float32s:
    """Return noise of a standard deviation of about 1, smooth over so many pixels."""
    knots = [max(2, round(side / step)) for side, step in zip(size_wh, step_wh, strict=True)]
    coarse = rng.normal(size=(knots[1], knots[0])).astype(np.float32)
    return np.asarray(cv2.resize(coarse, size_wh, interpolation=cv2.INTER_CUBIC), np.float32)


def draw_table(kind: str, size_wh: tuple[int, int], rng: Generator) -> Picture:
    """Draw a table's top, about a millimetre a pixel."""
    tones = {"wood": WOODS, "planks": WOODS, "cloth": CLOTHS, "felt": CLOTHS}.get(kind, PLAINS)
    tone = varied(rng, tones[rng.integers(len(tones))], 0.25)
    width, height = size_wh
    lighter: Float32s = np.zeros((height, width), np.float32)
    top = np.tile(tone.astype(np.float32), (height, width, 1))
    if kind in ("wood", "planks"):
        for step, strength in (
            ((300, 9), 0.10),
            ((90, 3), 0.07),
            ((500, 40), 0.08),
            ((14, 1.3), 0.05),
        ):
            lighter += np.float32(strength) * _noise(rng, size_wh, step)
        if kind == "planks":
            board = rng.integers(80, 200)
            for start in range(0, height, board):
                lighter[start : start + board] += np.float32(rng.normal(0, 0.12))
                lighter[start : start + 2] -= np.float32(0.7)
    elif kind == "cloth":
        other = varied(rng, CLOTHS[rng.integers(len(CLOTHS))], 0.3).astype(np.float32)
        side = rng.integers(12, 60)
        x, y = np.meshgrid(np.arange(width) // side % 2, np.arange(height) // side % 2)
        checked = ((x + y) / 2)[..., None] if rng.random() < 0.6 else 0 * x[..., None]
        top = np.asarray(top + checked.astype(np.float32) * (other - top), np.float32)
        lighter += np.float32(0.06) * _noise(rng, size_wh, (1.2, 1.2))
        lighter += np.float32(0.05) * _noise(rng, size_wh, (160, 120))
    elif kind == "stone":
        veins = np.abs(_noise(rng, size_wh, (90, 60)) + 0.4 * _noise(rng, size_wh, (20, 20)))
        lighter += np.float32(0.2) * np.exp(-veins * 8) + np.float32(0.03) * _noise(
            rng, size_wh, (3, 3)
        )
    else:
        lighter += np.float32(0.03) * _noise(rng, size_wh, (2, 2))
        lighter += np.float32(0.03) * _noise(rng, size_wh, (200, 200))
    return np.asarray(np.clip(top * np.exp(lighter)[..., None], 0, 255), np.uint8)


def things_beside(size_mm: tuple[float, float], room: Room, rng: Generator) -> list[Thing]:
    """Return what lies on the table beside the board: cards, mostly, a cup, a phone."""
    things, taken = [], list[tuple[Float64s, float]]()
    left, top, right, bottom = room.table_mm
    low, high = np.array([-left, -top]), np.add(size_mm, (right, bottom))
    kinds = ["train card"] * int(rng.integers(0, 14)) + ["ticket card"] * int(rng.integers(0, 5))
    kinds += ["cup"] * int(rng.random() < 0.3) + ["phone"] * int(rng.random() < 0.25)
    for kind in kinds:
        reach = {"cup": 62.0, "phone": 80.0}.get(kind, 48.0)
        for _ in range(8):
            at = rng.uniform(low, high)
            if things and kind.endswith("card") and rng.random() < 0.5:  # beside another card
                at = np.array(things[-1].xy_mm) + rng.normal(0, 30, 2)
            off = np.maximum(np.maximum(-at, at - size_mm), 0)
            fits = ((at > low + 30) & (at < high - 30)).all() and np.hypot(*off) > reach + 4
            far = all(np.hypot(*(at - other)) > reach + r for other, r in taken if r > 50)
            if fits and far:
                taken.append((at, reach))
                xy, z = (float(at[0]), float(at[1])), 1.1 * len(things) - BOARD_MM
                z = z if kind.endswith("card") else -BOARD_MM
                turn, seed = float(rng.uniform(-180, 180)), int(rng.integers(1000))
                things.append(Thing(kind, xy, turn, seed, z))
                break
    return things


def hand_over(size_mm: tuple[float, float], rng: Generator) -> Thing:
    """Return somebody's hand over an edge of the board."""
    side = int(rng.integers(4))
    along = rng.uniform(0.15, 0.85)
    depth = rng.uniform(40, 200)
    width, height = size_mm
    xy, angle = (
        ((along * width, height - depth), -90.0),
        ((depth, along * height), 0.0),
        ((along * width, depth), 90.0),
        ((width - depth, along * height), 180.0),
    )[side]
    kind = str(rng.choice(["hand", "flat hand"]))
    return Thing(kind, xy, angle + float(rng.normal(0, 15)), int(rng.integers(1000)))


def solids_of(things: Sequence[Thing]) -> list[Solid]:
    """Return the bodies of things, where they are."""
    return [body for thing in things for body in thing_solids(thing)]
