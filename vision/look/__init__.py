"""A look at a found board: what is seen of every space, beside what its print would show."""

from .evidence import CAP, SeenBoard, see_board
from .first_look import (
    FirstLook,
    light_up,
    look,
    per_route_median,
    top_colours,
    visible_routes,
    visible_spaces,
)
from .placement import Placements, PlacementSettings, StandingTrains, TrainPlacer
from .print_as_seen import CopyPrints, prints_seen
from .print_match import part_mm, print_in_sight
from .shape_look import CELL_MM, SEEN, SEEN_HEIGHT, ShapeLook, plastic_map
from .stations import SeenStations
from .track_look import Outline, Patch, track_patches
from .view import Pieces, View

__all__ = [
    "CAP",
    "CELL_MM",
    "SEEN",
    "SEEN_HEIGHT",
    "CopyPrints",
    "FirstLook",
    "Outline",
    "Patch",
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
    "track_patches",
    "visible_routes",
    "visible_spaces",
]
