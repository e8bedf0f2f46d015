"""The pieces of a game, as bodies: trains, taxis, shapes, stations and score markers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from railspotter.scoring.board import RouteId

from ..arrays import Float64s
from .errors import SceneError
from .inks import Ink, varied
from .moulds import (
    PLASTIC_GLOSS,
    WOOD_GLOSS,
    marker_mould,
    pin_mould,
    shape_mould,
    station_mould,
    taxi_mould,
    train_mould,
)
from .solids import Solid

# BGR of each plastic in full light; chosen near what photos of trains show.
PLASTIC_INKS: dict[str, Ink] = {
    "black": (42, 40, 40),
    "blue": (176, 92, 20),
    "green": (70, 104, 24),
    "red": (38, 36, 190),
    "yellow": (34, 200, 236),
    "white": (232, 236, 236),
    "purple": (104, 40, 100),
}

TAXI_INKS = {**PLASTIC_INKS, "blue": (140, 148, 44)}  # New York's blue is a teal

TRAIN_SIZE_MM = (26.0, 9.0, 9.0)
KINDS = ("train", "taxi", "shape", "station", "marker")


@dataclass(frozen=True)
class Piece:
    """One piece of a game on the table.

    Examples
    --------
    >>> spare = Piece("train", "red", (-40.0, 60.0), lean_deg=90.0)
    >>> spare.colour, spare.route
    ('red', None)
    """

    kind: str  # one of `KINDS`; the first three are the words that editions have for a train
    colour: str  # whose it is
    xy_mm: tuple[float, float]  # where its middle really is, and its direction, clockwise from +x
    angle_deg: float = 0.0
    z_mm: float = 0.0  # how high above the board its lowest point is
    # how far it is tipped to its right; 90 or -90 lies on its side, 180 upside down
    lean_deg: float = 0.0
    route: RouteId | None = None  # on which space of which route it counts, the first being 0
    space: int | None = None
    place: str | None = None  # at which place or on which site it counts instead

    def __post_init__(self) -> None:
        """Refuse what no game has."""
        if self.kind not in KINDS:
            raise SceneError(f"no piece is a {self.kind!r}; there are {', '.join(KINDS)}")
        plastic_ink(self.colour)  # refuses an unknown one


def plastic_ink(colour: str, spread: float = 0.0, seed: int = 0, kind: str = "train") -> Ink:
    """Return the BGR of a colour's plastic in full light.

    Examples
    --------
    >>> plastic_ink("red")
    (38, 36, 190)
    """
    if colour not in PLASTIC_INKS:
        raise SceneError(f"no train is {colour!r}; there are {', '.join(sorted(PLASTIC_INKS))}")
    inks = TAXI_INKS if kind == "taxi" else PLASTIC_INKS
    return varied(inks[colour], spread, seed, f"plastic {colour}")


def piece_solids(
    piece: Piece,
    size_mm: tuple[float, float, float] = TRAIN_SIZE_MM,
    ink: Sequence[float] | None = None,
) -> tuple[Solid, ...]:
    """Return the bodies of a piece, where it is.

    Examples
    --------
    >>> train = Piece("train", "red", (100.0, 50.0), angle_deg=90.0, lean_deg=90.0)
    >>> (body,) = piece_solids(train)
    >>> float(body.corners[:, 2].min())
    0.0
    """
    mould = _mould(piece, size_mm)
    if abs(piece.lean_deg) > 90:
        mould = mould.backwards()
    turn = about_z(piece.angle_deg) @ _about_x(piece.lean_deg)
    turned = mould.corners @ turn.T
    low, high = turned.min(axis=0), turned.max(axis=0)
    # Upright its mould's middle stands on the spot; tipped, the box around it does.
    middle = (low + high) / 2 if piece.lean_deg else np.zeros(3)
    to_mm = np.array([*(piece.xy_mm - middle[:2]), piece.z_mm - low[2]])
    gloss = WOOD_GLOSS if piece.kind == "marker" else PLASTIC_GLOSS
    dyed = mould.dyed(plastic_ink(piece.colour, kind=piece.kind) if ink is None else ink, gloss)
    body = dyed.placed(turn, to_mm)
    if piece.kind == "shape" and piece.z_mm == piece.lean_deg == 0:  # it stands on the board's pin
        return body, pin_mould().placed(turn, to_mm)
    return (body,)


def _mould(piece: Piece, size_mm: tuple[float, float, float]) -> Solid:
    if piece.kind == "train":
        return train_mould(size_mm)
    if piece.kind == "taxi":
        return taxi_mould(size_mm)
    if piece.kind == "station":
        return station_mould()
    if piece.kind == "shape":
        return shape_mould(piece.colour)
    return marker_mould()


def about_z(degrees: float) -> Float64s:
    """Turn clockwise as seen from above, y being down."""
    cos, sin = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    return np.array([(cos, -sin, 0.0), (sin, cos, 0.0), (0.0, 0.0, 1.0)])


def _about_x(degrees: float) -> Float64s:
    """Tip what is ahead of x to its right."""
    cos, sin = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    return np.array([(1.0, 0.0, 0.0), (0.0, cos, sin), (0.0, -sin, cos)])
