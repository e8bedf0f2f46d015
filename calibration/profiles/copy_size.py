"""The size of one copy: some printings are larger than the board file's.

Trains are not larger, so the copy's size is needed for true millimetres.
"""

import math

from railspotter.scoring.board import Board, scaled_board, scaled_mm

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
    return board.size_mm if scale is None else scaled_mm(board.size_mm, scale)


def is_of_board(profile: Profile, board: Board) -> bool:
    """Tell whether a profile was made for a board at its present size."""
    return profile.board == board.id and profile.size_mm == size_of_copy(board, profile.scale)


def board_of_copy(board: Board, scale: float | None) -> Board:
    """Return the board in the millimetres of a copy of this scale.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> usa = load_board("usa")
    >>> board_of_copy(usa, None) is usa
    True
    """
    return board if scale is None or scale == 1 else scaled_board(board, scale)
