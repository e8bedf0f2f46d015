"""What happens to pieces that stand already: pushed, turned, tipped, bumped onto the next route.

Every function takes pieces and returns the same pieces, some of them elsewhere. A piece keeps the
route and space that its owner means it to count on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from railspotter.scoring.board import Board, RouteId

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


def bump(
    pieces: Sequence[Piece],
    board: Board,
    route: RouteId,
    space: int,
    onto: RouteId,
    far: float = 1.0,
    turn_deg: float = 25.0,
) -> tuple[Piece, ...]:
    """Knock one train off its space, onto the nearest space of another route.

    Parameters
    ----------
    far : float
        How far it goes: 0 it stays, 1 it lies in the middle of the other space.
    turn_deg : float
        How much it is turned from its own direction.
    """
    if onto not in board.route_by_id:
        raise SceneError(f"board {board.id!r} has no route {onto!r}")
    ends = [np.array(space.xy_mm) for space in board.route_by_id[onto].spaces]
    piece = _on(pieces, route, space)
    start = np.array(piece.xy_mm)
    end = min(ends, key=lambda xy: float(np.hypot(*(xy - start))))
    x, y = start + far * (end - start)
    angle = piece.angle_deg + turn_deg
    bumped = replace(piece, xy_mm=(float(x), float(y)), angle_deg=angle)
    return tuple(bumped if one is piece else one for one in pieces)


def tip(pieces: Sequence[Piece], route: RouteId, space: int, lean_deg: float) -> tuple[Piece, ...]:
    """Tip one train to its right, against its neighbour or, at 90, onto its side."""
    piece = _on(pieces, route, space)
    return tuple(replace(one, lean_deg=lean_deg) if one is piece else one for one in pieces)


def _on(pieces: Sequence[Piece], route: RouteId, space: int) -> Piece:
    for piece in _of(pieces, route):
        if piece.space == space:
            return piece
    raise SceneError(f"no train stands on space {space!r} of {route!r}")


def _of(pieces: Sequence[Piece], route: RouteId) -> list[Piece]:
    standing = [piece for piece in pieces if piece.route == route]
    if not standing:
        raise SceneError(f"no train stands on {route!r}")
    return standing


def _turn(degrees: float) -> Float64s:
    cos, sin = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    return np.array([(cos, -sin), (sin, cos)])
