"""The size of one copy: some printings are larger than the board file's.

Trains are not larger, so the copy's size is needed for true millimetres.
"""

from __future__ import annotations

import math

import msgspec
from railspotter.scoring.board import Board, Space

from ..errors import CopySizeError
from .profile import SCALES, Profile


def scale_of_width(board: Board, width_mm: float) -> float:
    """Return the scale of a copy from the measured width of its printed picture.

    Raises
    ------
    CopySizeError
        When the scale is beyond `SCALES`.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> scale_of_width(load_board("usa"), 874.5)
    1.1
    """
    usual = board.size_mm[0]
    scale = width_mm / usual
    if not (math.isfinite(scale) and SCALES[0] <= scale <= SCALES[1]):
        raise CopySizeError(
            "a board {board!r} {wide} mm wide is hard to believe: the usual one is {usual} mm;"
            " measure the printed picture from its left to its right edge, in millimetres",
            board=board.id,
            wide=f"{width_mm:g}",
            usual=f"{usual:g}",
        )
    return round(scale, 6)


def size_of_copy(board: Board, scale: float | None) -> tuple[float, float]:
    """Return the width and height of a copy of this scale, in its own millimetres."""
    width, height = board.size_mm
    return (width, height) if scale is None else _scaled((width, height), scale)


def is_of_board(profile: Profile, board: Board) -> bool:
    """Tell whether a profile was made for a board at its present size."""
    return profile.board == board.id and profile.size_mm == size_of_copy(board, profile.scale)


def board_of_copy(board: Board, scale: float | None) -> Board:
    """Return the board scaled to the millimetres of a copy: places, spaces, sites and track.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> usa = load_board("usa")
    >>> board_of_copy(usa, None) is usa
    True
    >>> board_of_copy(usa, 1.1).size_mm
    (874.5, 577.5)
    """
    if scale is None or scale == 1:
        return board

    def space_of_copy(space: Space) -> Space:
        middle, size = _scaled(space.xy_mm, scale), _scaled(space.size_mm, scale)
        return msgspec.structs.replace(space, xy_mm=middle, size_mm=size)

    replaced = msgspec.structs.replace
    return replaced(
        board,
        size_mm=_scaled(board.size_mm, scale),
        places=tuple(replaced(p, xy_mm=_scaled(p.xy_mm, scale)) for p in board.places),
        routes=tuple(replaced(r, spaces=tuple(map(space_of_copy, r.spaces))) for r in board.routes),
        sites=tuple(
            s if s.space is None else replaced(s, space=space_of_copy(s.space)) for s in board.sites
        ),
        score_track=tuple(_scaled(step, scale) for step in board.score_track),
    )


def _scaled(xy_mm: tuple[float, float], scale: float) -> tuple[float, float]:
    return round(xy_mm[0] * scale, 4), round(xy_mm[1] * scale, 4)
