"""Random moulds: the shapes and the plastic of one box's trains, taxis and stations."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from railspotter.calibration.arrays import Float64s
from railspotter.scoring.edition import Edition
from railspotter.simulation.virtual_board.pieces import (
    rotation_about_z,
    station_mould,
    taxi_mould,
    train_mould,
)
from railspotter.simulation.virtual_board.solids import Solid, box, circle, fused, loft
from railspotter.vision.colours.train_colours import plastic

from rendered.plastic import PLASTICS

MOULDS = 12  # boxes there are: their numbers name them
SIZE_SPREAD_MM = (0.5, 0.35, 0.45)  # of trains of one box about those of others
SHADE_SPREAD = 4.0  # of one box's plastic about another's, in CIE Lab

Size = tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Moulds:
    """The shapes and colours of one box's pieces."""

    name: str
    train: Solid
    train_size_mm: Size
    station: Solid
    roughness: float  # of the plastic: 0.05 shines, 0.4 is dull
    shade: Float64s  # (3,) float64: how its plastic differs, in CIE Lab

    @classmethod
    def of(cls, number: int, edition: Edition) -> "Moulds":
        """Return the pieces of a box."""
        rng = np.random.default_rng([number, 101])
        long, wide, high = np.array(edition.train_size_mm) + rng.normal(0, SIZE_SPREAD_MM)
        size = float(long), float(wide), float(high)
        is_car = edition.train_word == "taxi"
        train = taxi_mould(size) if is_car else SHAPES[number % len(SHAPES)](size, rng)
        # Stations differ between printings: lower, wider, or near to a tower.
        sides = np.diag([*rng.uniform(0.8, 1.05, 2), rng.uniform(0.85, 1.25)])
        station = station_mould().placed(sides, np.zeros(3))
        shade = rng.normal(0, SHADE_SPREAD, 3)
        return cls(f"moulds-{number}", train, size, station, rng.uniform(0.06, 0.35), shade)

    def ink(self, colour: str, edition: Edition) -> Float64s:
        """Return the BGR, 0 to 255, of a colour's plastic: of the edition's box, or of no box."""
        labs = {train.name: np.array(train.lab) for train in plastic(edition.plastic)}
        share = np.array(PLASTICS[colour], np.float32)[None, None] / np.float32(255)
        lab = labs.get(colour, cv2.cvtColor(share, cv2.COLOR_BGR2LAB)[0, 0])
        lab = np.clip(lab + self.shade * (0.5 + 0.01 * lab[0]), (6, -90, -90), (96, 90, 90))
        bgr = cv2.cvtColor(lab.astype(np.float32)[None, None], cv2.COLOR_LAB2BGR)[0, 0]
        return np.asarray(np.clip(bgr * 255, 3, 245), np.float64)


def stand(
    solid: Solid,
    xy_mm: Sequence[float] | Float64s,
    angle_deg: float,
    z_mm: float = 0.0,
    lean_deg: float = 0.0,
) -> Solid:
    """Return a piece at its position, on its side if it leans by 90 degrees."""
    cos, sin = np.cos(np.deg2rad(lean_deg)), np.sin(np.deg2rad(lean_deg))
    turn = rotation_about_z(angle_deg) @ np.array(
        [(1.0, 0.0, 0.0), (0.0, cos, sin), (0.0, -sin, cos)]
    )
    turned = solid.corners @ turn.T
    low, high = turned.min(axis=0), turned.max(axis=0)
    middle = (low + high)[:2] / 2 if lean_deg else np.zeros(2)
    return solid.placed(turn, np.array([*(np.asarray(xy_mm) - middle), z_mm - low[2]]))


def _engine(size_mm: Size, rng: Generator) -> Solid:
    return train_mould(size_mm)


def _boxcar(size_mm: Size, rng: Generator) -> Solid:
    """Return a wagon with ribbed walls, slanting shoulders and a raised, riveted roof."""
    long, wide, high = size_mm
    shoulder, bevel = rng.uniform(0.6, 0.8) * high, rng.uniform(0.12, 0.25) * wide
    x, y, foot = long / 2 - 0.5, wide / 2 - 0.3, rng.choice([1.0, 1.0, 0.8])
    levels = (
        (foot * x, foot * y, 0.0),
        (x, y, 0.5 + 3 * (1 - foot)),
        (x, y - 0.15, shoulder),
        (x - 0.5 * bevel, y - bevel, 0.92 * high),
        (x - bevel, y - 1.3 * bevel, 0.92 * high),
        (x - bevel - 0.4, y - 1.3 * bevel - 0.3, high),
    )
    rivets = [
        loft([circle((at * x, 0.0, z), r, 7) for z, r in ((high - 0.1, 0.7), (high + 0.4, 0.55))])
        for at in (-0.65, 0.0, 0.65)
    ]
    body = loft([_rectangle(*level) for level in levels])
    return fused([body, *_ribs(x, y, shoulder, rng), *rivets])


def _coach(size_mm: Size, rng: Generator) -> Solid:
    """Return a carriage with an arched roof and rounded ends, some with a ventilator."""
    long, wide, high = size_mm
    wall, half, bevel = rng.uniform(0.5, 0.7) * high, wide / 2 - 0.3, rng.uniform(0.5, 1.6)
    turn = np.linspace(0, np.pi, 11)
    arch = np.column_stack([half * np.cos(turn), wall + (high - wall) * np.sin(turn)])
    profile = np.vstack([[(half, 0.0)], arch, [(-half, 0.0)]])
    ends = (-long / 2, 0.86), (bevel - long / 2, 1.0), (long / 2 - bevel, 1.0), (long / 2, 0.86)
    rings = [np.insert(profile * (s, 0.55 + 0.45 * s), 0, x, axis=1) for x, s in ends]
    ridge = box((-0.36 * long, -0.12 * wide, high - 0.8), (0.36 * long, 0.12 * wide, high + 0.5))
    parts = [loft(rings), *_ribs(long / 2 - bevel, half, wall, rng)]
    return fused([*parts, ridge] if rng.random() < 0.6 else parts)


SHAPES = (_engine, _boxcar, _coach, _boxcar)


def _ribs(x: float, y: float, high: float, rng: Generator) -> list[Solid]:
    """Return the ribs of a wagon's walls."""
    out = y + rng.uniform(0.15, 0.4)
    return [
        box((at - 0.4, -out, 0.6), (at + 0.4, out, 0.95 * high))
        for at in np.linspace(-0.85 * x, 0.85 * x, rng.integers(2, 8))
    ]


def _rectangle(x: float, y: float, z: float) -> Float64s:
    return np.array([(i * x, j * y, z) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
