"""Single trains knocked off their spaces: bumped onto the next route, tipped over.

Both take pieces and return the same pieces, one of them elsewhere. It keeps the route and space
that its owner means it to count on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from railspotter.scoring.board import Board, RouteId
from railspotter.simulation.virtual_board import Piece, SceneError


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
    for piece in pieces:
        if (piece.route, piece.space) == (route, space):
            return piece
    raise SceneError(f"no train stands on space {space!r} of {route!r}")
