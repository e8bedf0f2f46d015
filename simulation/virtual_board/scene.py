"""The scene at one moment: pieces, things, light and the board's position."""

from dataclasses import dataclass, field

import numpy as np

from ..arrays import Float64s, Point
from .light import Light
from .pieces import Piece
from .things import Thing


@dataclass(frozen=True)
class BoardShift:
    """The board's displacement on the table, below a fixed camera."""

    dx_mm: float = 0.0  # along the board's original axes, up to 500 either way
    dy_mm: float = 0.0
    turn_deg: float = 0.0  # about the board's middle, clockwise

    def table_from_board(self, xy_mm: Point, size_mm: tuple[float, float]) -> Point:
        """Transform a point from board to table coordinates.

        >>> x, y = BoardShift(dx_mm=5, turn_deg=180).table_from_board((200.0, 50.0), (200.0, 100.0))
        >>> round(x, 6), round(y, 6)
        (5.0, 50.0)
        """
        x, y, _, _ = self.table_from_board_3d(size_mm) @ (*xy_mm, 0.0, 1.0)
        return float(x), float(y)

    def board_from_table(self, xy_mm: Point, size_mm: tuple[float, float]) -> Point:
        """Transform a point from table to board coordinates."""
        x, y, _, _ = np.linalg.solve(self.table_from_board_3d(size_mm), (*xy_mm, 0.0, 1.0))
        return float(x), float(y)

    def table_from_board_3d(self, size_mm: tuple[float, float]) -> Float64s:
        """Return the (4, 4) transformation from board to table coordinates.

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
    """Everything that a camera sees at one moment: pieces, things and light."""

    pieces: tuple[Piece, ...] = ()
    things: tuple[Thing, ...] = ()  # on or over the board, the lowest first
    light: Light = field(default_factory=Light)
    shift: BoardShift = field(default_factory=BoardShift)  # moves pieces and things, too
    moment: int = 0  # seeds the noise
