"""Making a board file from a picture of a board, empty: spaces, routes, and a person's edits."""

from .edits import (
    EditHistory,
    accept,
    accept_certain,
    add_route,
    add_space,
    move_space,
    reject,
    remove_space,
    set_colour,
    set_double,
    set_ends,
    set_length,
    set_name,
)
from .errors import BoardMakingError, EditError, PictureTooCoarseError, PlacesError
from .growing import GrownBoard, board_text, grow, places_of, routes_of, with_places
from .outlines import SizeMm
from .place_edits import add_place, lay_route, move_place, remove_place
from .places import parse_places, place_id
from .print_colours import NAMES
from .printed_spaces import FoundSpace, find_spaces
from .proposal import proposal_of, propose
from .proposal_picture import draw_proposal
from .proposal_values import BoardProposal, ProposedRoute, ProposedSpace
from .stringing import FoundRoute, PlaceOnBoard, string_routes

__all__ = [
    "NAMES",
    "BoardMakingError",
    "BoardProposal",
    "EditError",
    "EditHistory",
    "FoundRoute",
    "FoundSpace",
    "GrownBoard",
    "PictureTooCoarseError",
    "PlaceOnBoard",
    "PlacesError",
    "ProposedRoute",
    "ProposedSpace",
    "SizeMm",
    "accept",
    "accept_certain",
    "add_place",
    "add_route",
    "add_space",
    "board_text",
    "draw_proposal",
    "find_spaces",
    "grow",
    "lay_route",
    "move_place",
    "move_space",
    "parse_places",
    "place_id",
    "places_of",
    "proposal_of",
    "propose",
    "reject",
    "remove_place",
    "remove_space",
    "routes_of",
    "set_colour",
    "set_double",
    "set_ends",
    "set_length",
    "set_name",
    "string_routes",
    "with_places",
]
