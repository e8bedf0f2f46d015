"""From the board's millimetres to the table's and back, wherever the board was pushed.

They are the same until somebody pushes the board: hands move over the table, and trains on the
board.
"""

from __future__ import annotations

from math import cos, radians, sin

from ..arrays import Point
from ..virtual_board.scene import BoardShift


def table_from_board(xy_mm: Point, nudge: BoardShift, size_mm: tuple[float, float]) -> Point:
    """Return where on the table a spot of the board is.

    Examples
    --------
    >>> x, y = table_from_board((200.0, 50.0), BoardShift(dx_mm=5, turn_deg=180), (200.0, 100.0))
    >>> round(x, 6), round(y, 6)
    (5.0, 50.0)
    """
    if nudge == BoardShift():
        return xy_mm
    middle_x, middle_y = size_mm[0] / 2, size_mm[1] / 2
    x, y = _turned((xy_mm[0] - middle_x, xy_mm[1] - middle_y), nudge.turn_deg)
    return x + middle_x + nudge.dx_mm, y + middle_y + nudge.dy_mm


def board_from_table(xy_mm: Point, nudge: BoardShift, size_mm: tuple[float, float]) -> Point:
    """Return which spot of the board is at a spot of the table.

    Examples
    --------
    >>> x, y = board_from_table((5.0, 50.0), BoardShift(dx_mm=5, turn_deg=180), (200.0, 100.0))
    >>> round(x, 6), round(y, 6)
    (200.0, 50.0)
    """
    if nudge == BoardShift():
        return xy_mm
    middle_x, middle_y = size_mm[0] / 2, size_mm[1] / 2
    from_middle = xy_mm[0] - nudge.dx_mm - middle_x, xy_mm[1] - nudge.dy_mm - middle_y
    x, y = _turned(from_middle, -nudge.turn_deg)
    return x + middle_x, y + middle_y


def _turned(xy_mm: Point, turn_deg: float) -> Point:
    c, s = cos(radians(turn_deg)), sin(radians(turn_deg))
    return xy_mm[0] * c - xy_mm[1] * s, xy_mm[0] * s + xy_mm[1] * c
