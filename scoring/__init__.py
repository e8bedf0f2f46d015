"""The rules core: boards, editions, claims, points and the longest path.

It knows no pictures, clocks, network or randomness, and reads no files but its own data and the
board and deck files it is handed.
"""

from .answer import GameScore, answer, board_answer, board_of, parse_game, to_json
from .board import (
    Board,
    BoardTicket,
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
from .ending import last_turns, low_stocks
from .errors import BoardError, EditionError, GameError, ScoringError
from .final_score import final_score
from .game import BoardGame, edition_of, game_text, position_of
from .legality import (
    Problem,
    change_problems,
    number_problem,
    number_rule,
    position_problems,
    space_problems,
)
from .longest_path import (
    LongestHolders,
    LongestPath,
    check_path,
    longest_holders,
    longest_path,
    path_text,
)
from .network import board_network, route_network
from .outlook import Outlook, TicketOutlook, outlook
from .position import Position, Seat
from .spot import Kind, Spot
from .standing import PlayerStanding, ScoreLine, Standing, position_standing, standing
from .ticket_deck import ticket_deck

__all__ = [
    "Board",
    "BoardError",
    "BoardGame",
    "BoardTicket",
    "Colour",
    "Edition",
    "EditionError",
    "GameError",
    "GameScore",
    "Kind",
    "LongestHolders",
    "LongestPath",
    "Outlook",
    "Place",
    "PlaceId",
    "PlayerStanding",
    "Position",
    "Problem",
    "Route",
    "RouteId",
    "ScoreLine",
    "ScoringError",
    "Seat",
    "Site",
    "SiteId",
    "Space",
    "Spot",
    "Standing",
    "Ticket",
    "TicketOutlook",
    "answer",
    "board_answer",
    "board_names",
    "board_network",
    "board_of",
    "change_problems",
    "check_path",
    "edition_names",
    "edition_of",
    "final_score",
    "game_text",
    "last_turns",
    "load_board",
    "load_edition",
    "longest_holders",
    "longest_path",
    "low_stocks",
    "number_problem",
    "number_rule",
    "outlook",
    "parse_board",
    "parse_game",
    "path_text",
    "position_of",
    "position_problems",
    "position_standing",
    "route_network",
    "space_problems",
    "standing",
    "ticket_deck",
    "to_json",
]
