"""Parts of a board in words: maps lie with their north up."""

from __future__ import annotations

ROWS, COLUMNS = ("north", "", "south"), ("west", "", "east")
Area = tuple[float, float]
"""The middle of a part of the board, as shares of its width and height."""


def corner_name(index: int) -> str:
    """Return the name of one of a board's corners: top left, top right, bottom right, bottom left.

    Examples
    --------
    >>> [corner_name(index) for index in range(4)]
    ['north-west', 'north-east', 'south-east', 'south-west']
    """
    return ("north-west", "north-east", "south-east", "south-west")[index]


def part_name(area: Area) -> str:
    """Return what to call a part of a board.

    Examples
    --------
    >>> part_name((0.9, 0.1)), part_name((0.5, 0.9)), part_name((0.1, 0.5)), part_name((0.5, 0.5))
    ('north-east', 'south', 'west', 'middle')
    """
    column, row = (min(2, int(share * 3)) for share in area)
    return "-".join(filter(None, (ROWS[row], COLUMNS[column]))) or "middle"


def cell_name(row: int, column: int, rows: int, columns: int) -> str:
    """Return what to call a cell of a grid over the board.

    Examples
    --------
    >>> cell_name(0, 5, 4, 6)
    'north-east'
    """
    return part_name(((column + 0.5) / columns, (row + 0.5) / rows))
