"""A look at a found board: what is seen of every space, beside what its print would show."""

from .evidence import CAP, SeenBoard, see_board
from .first_look import FirstLook, light_up, look, per_route_median
from .placement import Placements, PlacementSettings, StandingTrains, TrainPlacer
from .plastic_map import CELL_MM, SEEN, plastic_map
from .print_as_seen import CopyPrints, prints_seen
from .print_match import part_mm, print_in_sight
from .shape_look import ShapeLook
from .space_looks import SEEN_HEIGHT
from .stations import SeenStations
from .train_tops import top_colours
from .view import Pieces, View
from .visibility import visible_routes, visible_spaces

__all__ = [
    "CAP",
    "CELL_MM",
    "SEEN",
    "SEEN_HEIGHT",
    "CopyPrints",
    "FirstLook",
    "Pieces",
    "PlacementSettings",
    "Placements",
    "SeenBoard",
    "SeenStations",
    "ShapeLook",
    "StandingTrains",
    "TrainPlacer",
    "View",
    "light_up",
    "look",
    "part_mm",
    "per_route_median",
    "plastic_map",
    "print_in_sight",
    "prints_seen",
    "see_board",
    "top_colours",
    "visible_routes",
    "visible_spaces",
]
