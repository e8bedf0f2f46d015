"""Where the players sit: the side of the board that each one's hand comes from."""

from __future__ import annotations

from dataclasses import dataclass

from ..arrays import Point

BESIDE_MM = 320.0  # How far from the board's edge a resting hand is: out of the picture. Chosen.
ARM_MM = 620.0  # How far from the board's edge its shoulder is. Chosen.

# For each side a spot on the board's edge, as shares of its size, and the way off from there.
SIDES = {
    "bottom": ((0.5, 1.0), (0.0, 1.0)),
    "bottom left": ((0.25, 1.0), (-0.2, 1.0)),
    "bottom right": ((0.75, 1.0), (0.2, 1.0)),
    "left": ((0.0, 0.5), (-1.0, 0.0)),
    "top": ((0.5, 0.0), (0.0, -1.0)),
    "right": ((1.0, 0.5), (1.0, 0.0)),
}

# Clockwise, as turns go.
CHAIRS = {
    1: ("bottom",),
    2: ("bottom", "top"),
    3: ("bottom", "left", "top"),
    4: ("bottom", "left", "top", "right"),
    5: ("bottom right", "bottom left", "left", "top", "right"),
}


@dataclass(frozen=True)
class Chair:
    """One player's place at the table, in the table's millimetres."""

    # where the arm comes from, where the hand rests, and where it meets the board
    shoulder_mm: Point
    rest_mm: Point
    edge_mm: Point


def chairs_around(size_mm: tuple[float, float], players: int) -> tuple[Chair, ...]:
    """Return the players' chairs around a board, in turn order.

    Examples
    --------
    >>> near, far = chairs_around((800.0, 500.0), 2)
    >>> near.edge_mm, near.rest_mm, far.shoulder_mm
    ((400.0, 500.0), (400.0, 820.0), (400.0, -620.0))
    """
    chairs = []
    for side in CHAIRS[players]:
        share, off = SIDES[side]
        edge = share[0] * size_mm[0], share[1] * size_mm[1]

        def beside(far_mm: float, edge: Point = edge, off: Point = off) -> Point:
            return edge[0] + far_mm * off[0], edge[1] + far_mm * off[1]

        chairs.append(Chair(beside(ARM_MM), beside(BESIDE_MM), edge))
    return tuple(chairs)
