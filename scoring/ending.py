"""The end of the game: when the last turns begin, and who still has one.

"When one player's stock of colored plastic trains gets down to only 0, 1 or 2 trains left at the
end of his turn, each player, including that player, gets one final turn."
"""

from __future__ import annotations

from collections.abc import Sequence

from .edition import Colour
from .position import Position


def low_stocks(position: Position) -> tuple[Colour, ...]:
    """Return the players whose stock brings the last turns, in turn order.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> from railspotter.scoring.edition import load_edition
    >>> from railspotter.scoring.position import Position, Seat
    >>> seats = Seat("red"), Seat("blue")
    >>> low_stocks(Position(load_edition("usa"), load_board("usa"), seats))
    ()
    """
    low = position.edition.last_round_at
    return tuple(colour for colour in position.colours if position.trains_left(colour) <= low)


def last_turns(order: Sequence[Colour], by: Colour, turns_since: int = 0) -> tuple[Colour, ...]:
    """Return who still has a last turn, next one first.

    Parameters
    ----------
    order : sequence of str
        The players in turn order.
    by : str
        Whose turn brought the last turns; that player has the very last one.
    turns_since : int
        How many turns were taken after that one.

    Examples
    --------
    >>> last_turns(["red", "blue", "black"], by="blue")
    ('black', 'red', 'blue')
    >>> last_turns(["red", "blue", "black"], by="blue", turns_since=2)
    ('blue',)
    """
    start = list(order).index(by) + 1
    return (*order[start:], *order[:start])[turns_since:]
