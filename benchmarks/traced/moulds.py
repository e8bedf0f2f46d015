"""Moulds: the shapes and the plastic of one box's trains, made up; stations and taxis too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from railspotter.calibration.arrays import Float64s
from railspotter.scoring.edition import Edition
from railspotter.simulation.virtual_board.pieces import (
    about_z,
    station_mould,
    taxi_mould,
    train_mould,
)
from railspotter.simulation.virtual_board.solids import Solid, box, disc, fused, loft
from railspotter.vision.colours.train_colours import plastic

from rendered.plastic import PLASTICS

MOULDS = 12  # boxes there are: their numbers name them
SIZE_SPREAD_MM = (0.5, 0.35, 0.45)  # of trains of one box about those of others
SHADE_SPREAD = 4.0  # of one box's plastic about another's, in CIE Lab


@dataclass(frozen=True, eq=False)
class Moulds:
    """What one box's pieces look like."""

    name: str
    train: Solid
    train_size_mm: tuple[float, float, float]
    station: Solid
    roughness: float  # of the plastic: 0.05 shines, 0.4 is dull
    shade: Float64s  # (3,) float64: how its plastic differs, in CIE Lab

    @classmethod
    def of(cls, number: int, edition: Edition) -> Moulds:
        """Return the pieces of a box."""
        rng = np.random.default_rng([number, 101])
        long, wide, high = np.array(edition.train_size_mm) + rng.normal(0, SIZE_SPREAD_MM)
        size = float(long), float(wide), float(high)
        shape = SHAPES[number % len(SHAPES)]
        train = taxi_mould(size) if edition.train_word == "taxi" else shape(size, rng)
        station = station_mould() if rng.random() < 0.5 else _tower(rng)
        shade = rng.normal(0, SHADE_SPREAD, 3)
        return cls(f"moulds-{number}", train, size, station, rng.uniform(0.06, 0.35), shade)

    def ink(self, colour: str, edition: Edition) -> Float64s:
        """Return the BGR, 0 to 255, of a colour's plastic: of the edition's box, or of no box."""
        box_of = {train.name: train.lab for train in plastic(edition.plastic)}
        lab = np.array(box_of[colour] if colour in box_of else _lab(PLASTICS[colour]))
        lab = np.clip(lab + self.shade * (0.5 + 0.01 * lab[0]), (6, -90, -90), (96, 90, 90))
        bgr = cv2.cvtColor(lab.astype(np.float32)[None, None], cv2.COLOR_LAB2BGR)[0, 0]
        return np.asarray(np.clip(bgr * 255, 3, 245), np.float64)


def stood(
    solid: Solid,
    xy_mm: Sequence[float] | Float64s,
    angle_deg: float,
    z_mm: float = 0.0,
    lean_deg: float = 0.0,
) -> Solid:
    """Return a piece where it stands, or lies on its side where it leans by 90 degrees."""
    cos, sin = np.cos(np.deg2rad(lean_deg)), np.sin(np.deg2rad(lean_deg))
    turn = about_z(angle_deg) @ np.array([(1.0, 0.0, 0.0), (0.0, cos, sin), (0.0, -sin, cos)])
    turned = solid.corners @ turn.T
    low, high = turned.min(axis=0), turned.max(axis=0)
    middle = (low + high)[:2] / 2 if lean_deg else np.zeros(2)
    return solid.placed(turn, np.array([*(np.asarray(xy_mm) - middle), z_mm - low[2]]))


def _lab(bgr: Sequence[float]) -> Float64s:
    share = np.array(bgr, np.float32)[None, None] / 255
    return np.asarray(cv2.cvtColor(share, cv2.COLOR_BGR2LAB)[0, 0], np.float64)


def _engine(size_mm: tuple[float, float, float], rng: Generator) -> Solid:
    return train_mould(size_mm)


def _boxcar(size_mm: tuple[float, float, float], rng: Generator) -> Solid:
    """Return a wagon with ribbed walls, slanting shoulders and a raised panel on its roof."""
    long, wide, high = size_mm
    shoulder, bevel = rng.uniform(0.6, 0.8) * high, rng.uniform(0.12, 0.25) * wide
    x, y = long / 2 - 0.5, wide / 2 - 0.3
    body = loft(
        [
            _rectangle(x - 0.3, y - 0.2, 0.0),
            _rectangle(x, y, 0.5),
            _rectangle(x, y - 0.15, shoulder),
            _rectangle(x - 0.5 * bevel, y - bevel, 0.92 * high),
        ]
    )
    return fused([body, *_ribs(x, y, shoulder, rng), *_panel(x - bevel, y - 1.3 * bevel, high)])


def _coach(size_mm: tuple[float, float, float], rng: Generator) -> Solid:
    """Return a carriage under an arched roof, its ends rounded, some with a ventilator."""
    long, wide, high = size_mm
    wall, half = rng.uniform(0.5, 0.7) * high, wide / 2 - 0.3
    turn = np.linspace(0, np.pi, 11)
    arch = np.column_stack([half * np.cos(turn), wall + (high - wall) * np.sin(turn)])
    profile = np.vstack([[(half, 0.0)], arch, [(-half, 0.0)]])
    bevel = rng.uniform(0.5, 1.6)
    rings = [
        np.insert(profile * (share, 0.55 + 0.45 * share), 0, x, axis=1)
        for x, share in (
            (-long / 2, 0.86),
            (bevel - long / 2, 1.0),
            (long / 2 - bevel, 1.0),
            (long / 2, 0.86),
        )
    ]
    ridge = box((-0.36 * long, -0.12 * wide, high - 0.8), (0.36 * long, 0.12 * wide, high + 0.5))
    parts = [loft(rings), *_ribs(long / 2 - bevel, half, wall, rng)]
    return fused([*parts, ridge] if rng.random() < 0.6 else parts)


def _tanker(size_mm: tuple[float, float, float], rng: Generator) -> Solid:
    """Return a tank that lies on a flat wagon, with a dome on it."""
    long, wide, high = size_mm
    deck = 0.3 * high
    wagon = box((-long / 2, -wide / 2, 0.0), (long / 2, wide / 2, deck))
    radius = (high - 0.6 * deck) / 2
    turn = (np.arange(14) + 0.5) * 2 * np.pi / 14
    rings = [
        np.column_stack(
            [
                np.full(14, x),
                share * 0.46 * wide * np.cos(turn),
                0.6 * deck + radius + share * radius * np.sin(turn),
            ]
        )
        for x, share in (
            (-0.47 * long, 0.7),
            (-0.42 * long, 1.0),
            (0.42 * long, 1.0),
            (0.47 * long, 0.7),
        )
    ]
    dome = loft([disc((0.0, 0.0, z), r, 10) for z, r in ((high - 1, 1.9), (high + 0.9, 1.5))])
    return fused([wagon, loft(rings), dome])


def _hopper(size_mm: tuple[float, float, float], rng: Generator) -> Solid:
    """Return a wagon of loose goods: walls that widen, a rim, a heap."""
    long, wide, high = size_mm
    x, y = long / 2 - 0.4, wide / 2
    body = loft([_rectangle(x - 1.5, 0.75 * y, 0.0), _rectangle(x, y, 0.8 * high)])
    heap = loft([_rectangle(x - 0.9, y - 0.9, 0.8 * high), _rectangle(0.5 * x, 0.35 * y, high)])
    return fused([body, *_ribs(x - 0.4, 0.92 * y, 0.75 * high, rng), heap])


SHAPES = (_engine, _boxcar, _coach, _boxcar, _tanker, _hopper)


def _tower(rng: Generator) -> Solid:
    """Return a station of another printing: a tapering hall with a pointed tower."""
    side = rng.uniform(6.0, 7.5)
    hall = loft([_rectangle(side, side, 0.0), _rectangle(0.85 * side, 0.8 * side, 8.0)])
    roof = loft([_rectangle(0.9 * side, 0.85 * side, 8.0), _rectangle(0.5 * side, 0.1, 11.5)])
    tower = loft([disc((3.0, 0.0, 0.0), 3.0), disc((3.0, 0.0, 12.0), 2.6), disc((3.0, 0, 16), 0.2)])
    return fused([hall, roof, tower])


def _ribs(x: float, y: float, high: float, rng: Generator) -> list[Solid]:
    """Return what stands out of a wagon's walls."""
    count, out = int(rng.integers(2, 8)), rng.uniform(0.15, 0.4)
    return [
        box(
            (at - 0.4, min(side * y, side * (y + out)), 0.6),
            (at + 0.4, max(side * y, side * (y + out)), 0.95 * high),
        )
        for at in np.linspace(-0.85 * x, 0.85 * x, count)
        for side in (-1.0, 1.0)
    ]


def _panel(x: float, y: float, high: float) -> list[Solid]:
    """Return a roof's raised panel and its rivets."""
    panel = loft([_rectangle(x, y, 0.9 * high), _rectangle(x - 0.4, y - 0.3, high)])
    rivets = [
        loft([disc((at * x, 0.0, z), r, 7) for z, r in ((high - 0.1, 0.7), (high + 0.4, 0.55))])
        for at in (-0.7, 0.0, 0.7)
    ]
    return [panel, *rivets]


def _rectangle(x: float, y: float, z: float) -> Float64s:
    return np.array([(i * x, j * y, z) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
