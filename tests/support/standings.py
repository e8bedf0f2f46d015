"""Standings of some claims, without tickets."""

from collections.abc import Iterable, Mapping

from railspotter.scoring.board import Board
from railspotter.scoring.edition import Edition
from railspotter.scoring.points.standing import Standing, position_standing
from railspotter.scoring.position import Position, seats_of


def standing(
    edition: Edition, board: Board, claims: Mapping[str, str], colours: Iterable[str] = ()
) -> Standing:
    """Return everyone's score for the routes on the board, of these colours or all."""
    return position_standing(
        Position(edition, board, seats_of(colours or edition.colours), dict(claims))
    )
