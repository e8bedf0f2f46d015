"""What happens to pieces that stand already: a route is pushed and turned.

It takes pieces and returns the same pieces, some of them elsewhere. A piece keeps the route and
space that its owner means it to count on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from railspotter.scoring.board import RouteId

from ..arrays import Float64s
from .errors import SceneError
from .pieces import Piece


def push_route(
    pieces: Sequence[Piece],
    route: RouteId,
    along_mm: float = 0.0,
    across_mm: float = 0.0,
    turn_deg: float = 0.0,
) -> tuple[Piece, ...]:
    """Push a whole route, every train in its own direction, and turn it about its middle.

    Parameters
    ----------
    along_mm, across_mm : float
        Towards the route's `b`, and to its right; half a space is about 15 and 6.
    turn_deg : float
        Clockwise.

    Examples
    --------
    >>> row = [Piece("train", "red", (x, 0.0), route="a--b", space=0) for x in (0.0, 30.0)]
    >>> [train.xy_mm for train in push_route(row, "a--b", across_mm=6.0)]
    [(0.0, 6.0), (30.0, 6.0)]
    """
    middle = np.mean([piece.xy_mm for piece in _of(pieces, route)], axis=0)
    turn = _turn(turn_deg)
    pushed = []
    for piece in pieces:
        if piece.route == route:
            off = _turn(piece.angle_deg) @ (along_mm, across_mm)
            x, y = middle + turn @ (piece.xy_mm + off - middle)
            angle = piece.angle_deg + turn_deg
            piece = replace(piece, xy_mm=(float(x), float(y)), angle_deg=angle)
        pushed.append(piece)
    return tuple(pushed)


def _of(pieces: Sequence[Piece], route: RouteId) -> list[Piece]:
    standing = [piece for piece in pieces if piece.route == route]
    if not standing:
        raise SceneError(f"no train stands on {route!r}")
    return standing


def _turn(degrees: float) -> Float64s:
    cos, sin = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    return np.array([(cos, -sin), (sin, cos)])
