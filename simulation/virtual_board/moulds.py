"""The moulds of a game's plastic and wood: what a train, a taxi or a station looks like.

A piece stands in the middle of its mould, x ahead, z up from its foot. Small details have no part
of their own: they cast no shadow that anyone would see.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from ..arrays import Float64s
from .bodies import box, disc, loft, prism
from .solids import Solid, fused

# Grey levels of the highlight on plastic; chosen near what photos of trains show.
PLASTIC_GLOSS = 90.0
WOOD_GLOSS = 8.0
PIN_INK = (176, 182, 184)

# The accessible edition tells colours by touch: how many corners a colour's shape has; chosen.
SHAPE_CORNERS = {"red": 3, "blue": 4, "green": 6, "yellow": 16}
OTHER_CORNERS = 5


@cache
def train_mould(size_mm: tuple[float, float, float]) -> Solid:
    """Return a boxy engine: pillared sides, a shouldered roof, a raised one on it, a chimney."""
    length, width, height = size_mm
    x, y = length / 2 - 0.8, width / 2 - 0.35
    profile = [
        (y, 0.0),
        (y, 0.7 * height),
        (0.36 * width, 0.85 * height),
        (0.25 * width, 0.9 * height),
    ]
    mirrored = [(-across, up) for across, up in reversed(profile)]
    buffers = box(
        (-length / 2, -0.3 * width, 0.1 * height), (length / 2, 0.3 * width, 0.35 * height)
    )
    body = prism([*profile, *mirrored], -x, x, axis=0)
    pillars = [
        _on_side(_frustum((at, 0.0), (1.5, 0.35), 0.3, 1.0, 0.69 * height), side * y)
        for at in (-0.3 * length, 0.0, 0.3 * length)
        for side in (-1, 1)
    ]
    roof = _frustum((0.0, 0.0), (0.41 * length, 0.2 * width), 0.5, 0.88 * height, height)
    rivets = [
        _detail(_drum(at * length, 0.75, height, height + 0.45, corners=6)) for at in (-0.26, 0.0)
    ]
    chimney = _drum(0.28 * length, 1.35, height, height + 1.7)
    return fused([buffers, body, *pillars, roof, *rivets, chimney])


@cache
def taxi_mould(size_mm: tuple[float, float, float]) -> Solid:
    """Return a car: a long body on four wheels, a cabin and the sign on its roof."""
    length, width, height = size_mm
    x, y = length / 2, width / 2
    belt, roof = 0.5 * height, 0.86 * height
    wheels = [
        _on_side(prism(_upright_disc(at, 1.9), -0.15, 0.15, axis=1), side * (y - 0.15))
        for at in (-0.3 * length, 0.3 * length)
        for side in (-1, 1)
    ]
    body = loft(
        [
            _rectangle((0.0, 0.0), (x - 0.4, y - 0.4), 0.9),
            _rectangle((0.0, 0.0), (x, y - 0.15), 0.32 * height),
            _rectangle((0.0, 0.0), (x - 0.9, y - 0.8), belt),
        ]
    )
    cabin = loft(
        [
            _rectangle((-0.05 * length, 0.0), (0.28 * length, y - 0.9), belt),
            _rectangle((-0.06 * length, 0.0), (0.17 * length, y - 1.9), roof),
        ]
    )
    sign = _frustum((-0.06 * length, 0.0), (1.0, 2.0), 0.2, roof, height)
    return fused([body, *wheels, cabin, sign])


@cache
def station_mould() -> Solid:
    """Return Europe's station: a house with a gable roof and a tower at one end."""
    house = box((-7.0, -7.0, 0.0), (7.0, 7.0, 8.0))
    roof = prism([(-7.5, 8.0), (7.5, 8.0), (0.0, 12.0)], -7.5, 7.5, axis=0)
    tower = box((2.0, -2.5, 9.0), (7.0, 2.5, 13.5))
    return fused([house, roof, tower])


@cache
def shape_mould(colour: str) -> Solid:
    """Return the accessible edition's token."""
    corners = SHAPE_CORNERS.get(colour, OTHER_CORNERS)
    rings = ((0.0, 6.5), (4.0, 6.5), (5.0, 5.8))
    return loft([disc((0.0, 0.0, z), radius, corners) for z, radius in rings])


@cache
def pin_mould() -> Solid:
    """Return the top of the board's pin that sticks out of a token."""
    return _drum(0.0, 1.6, 5.0, 8.0).dyed(PIN_INK, 0.0)


@cache
def marker_mould() -> Solid:
    """Return the wooden disc that walks the score track."""
    return loft([disc((0.0, 0.0, z), radius, 20) for z, radius in ((0, 6.5), (4.4, 6.5), (5, 6.0))])


def _detail(solid: Solid) -> Solid:
    return replace(solid, parts=())


def _on_side(solid: Solid, y: float) -> Solid:
    """Put a detail on a body's side: the face that touches it is never seen."""
    moved = _detail(solid).placed(np.eye(3), np.array([0.0, y, 0.0]))
    is_seen = moved.normals[:, 1] * np.sign(y) > -0.5
    return replace(
        moved,
        faces=moved.faces[is_seen],
        groups=moved.groups[is_seen],
        normals=moved.normals[is_seen],
        inks=moved.inks[is_seen],
        gloss=moved.gloss[is_seen],
    )


def _rectangle(middle: Sequence[float], half: Sequence[float], z: float) -> Float64s:
    (x, y), (along, across) = middle, half
    signs = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    return np.array([(x + i * along, y + j * across, z) for i, j in signs])


def _frustum(
    middle: Sequence[float], half: Sequence[float], bevel: float, low: float, high: float
) -> Solid:
    top = [side - bevel for side in half]
    return loft([_rectangle(middle, half, low), _rectangle(middle, top, high)])


def _drum(x: float, radius: float, low: float, high: float, corners: int = 8) -> Solid:
    return loft(
        [disc((x, 0.0, low), radius, corners), disc((x, 0.0, high), 0.88 * radius, corners)]
    )


def _upright_disc(x: float, radius: float) -> Float64s:
    ring = disc((x, 0.0, 0.0), radius)[:, :2]
    return np.asarray(ring - (0.0, ring[:, 1].min()), np.float64)
