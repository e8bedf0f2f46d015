"""What is on and over the table at one moment."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import cos, radians, sin

import numpy as np

from ..arrays import Float64s, Point
from .light import Light
from .pieces import Piece
from .things import Thing


@dataclass(frozen=True)
class BoardShift:
    """How far the board was pushed under a camera that stayed where it is."""

    dx_mm: float = 0.0  # along the board's own axes, up to 500 either way
    dy_mm: float = 0.0
    turn_deg: float = 0.0  # about the board's middle, clockwise

    def table_from_board(self, xy_mm: Point, size_mm: tuple[float, float]) -> Point:
        """Return where on the table a spot of the board is.

        Examples
        --------
        >>> x, y = BoardShift(dx_mm=5, turn_deg=180).table_from_board((200.0, 50.0), (200.0, 100.0))
        >>> round(x, 6), round(y, 6)
        (5.0, 50.0)
        """
        if self == BoardShift():
            return xy_mm
        middle_x, middle_y = size_mm[0] / 2, size_mm[1] / 2
        x, y = _turned((xy_mm[0] - middle_x, xy_mm[1] - middle_y), self.turn_deg)
        return x + middle_x + self.dx_mm, y + middle_y + self.dy_mm

    def board_from_table(self, xy_mm: Point, size_mm: tuple[float, float]) -> Point:
        """Return which spot of the board is at a spot of the table."""
        if self == BoardShift():
            return xy_mm
        middle_x, middle_y = size_mm[0] / 2, size_mm[1] / 2
        from_middle = xy_mm[0] - self.dx_mm - middle_x, xy_mm[1] - self.dy_mm - middle_y
        x, y = _turned(from_middle, -self.turn_deg)
        return x + middle_x, y + middle_y

    def table_from_board_3d(self, size_mm: tuple[float, float]) -> Float64s:
        """Return the (4, 4) move of the board's points.

        Examples
        --------
        >>> move = BoardShift(dx_mm=5, turn_deg=90).table_from_board_3d((200.0, 100.0))
        >>> (move @ [200.0, 50.0, 9.0, 1.0]).round(6).tolist()
        [105.0, 150.0, 9.0, 1.0]
        """
        middle = np.array(size_mm) / 2
        c, s = np.cos(np.deg2rad(self.turn_deg)), np.sin(np.deg2rad(self.turn_deg))
        turn = np.array([(c, -s), (s, c)])
        move = np.eye(4)
        move[:2, :2] = turn
        move[:2, 3] = middle - turn @ middle + np.array([self.dx_mm, self.dy_mm])
        return move


@dataclass(frozen=True)
class Scene:
    """What is on and over the table at one moment, and in what light."""

    pieces: tuple[Piece, ...] = ()  # what of the game stands on the board
    things: tuple[Thing, ...] = ()  # what lies on it or passes over it, the lowest first
    light: Light = field(default_factory=Light)
    # the board is moved, its pieces and the things over it with it
    nudge: BoardShift = field(default_factory=BoardShift)
    moment: int = 0  # seeds the noise: the same scene at another moment is another picture


def _turned(xy_mm: Point, turn_deg: float) -> Point:
    c, s = cos(radians(turn_deg)), sin(radians(turn_deg))
    return xy_mm[0] * c - xy_mm[1] * s, xy_mm[0] * s + xy_mm[1] * c
