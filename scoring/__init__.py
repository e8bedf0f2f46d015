"""The rules core: boards, editions, claims, points and the longest path.

It knows no pictures, clocks, network or randomness, and reads no files but its own data and the
board file it is handed.
"""

from .board import (
    Board,
    Place,
    PlaceId,
    Route,
    RouteId,
    Site,
    SiteId,
    Space,
    board_names,
    load_board,
    parse_board,
)
from .edition import Colour, Edition, Ticket, edition_names, load_edition
from .errors import BoardError, EditionError, GameError, ScoringError
from .final_score import final_score
from .longest_path import LongestPath, check_path, longest_path
from .position import Position, Seat
from .standing import Line, PlayerStanding, Standing, position_standing, standing

__all__ = [
    "Board",
    "BoardError",
    "Colour",
    "Edition",
    "EditionError",
    "GameError",
    "Line",
    "LongestPath",
    "Place",
    "PlaceId",
    "PlayerStanding",
    "Position",
    "Route",
    "RouteId",
    "ScoringError",
    "Seat",
    "Site",
    "SiteId",
    "Space",
    "Standing",
    "Ticket",
    "board_names",
    "check_path",
    "edition_names",
    "final_score",
    "load_board",
    "load_edition",
    "longest_path",
    "parse_board",
    "position_standing",
    "standing",
]
