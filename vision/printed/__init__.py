"""The print of a board as a photo shows it: its spaces and places, its light, its tones."""

from .edges import colour_edges, edges_at
from .kept import kept_with_board
from .light import LightChange, blue_over_red, measure_light
from .print_windows import PrintWindows
from .printed_board import PrintedBoard
from .printed_places import PrintedPlaces, places_of
from .printed_track import PrintedTrack, track_of
from .pushed_lanes import decide_together, double_routes

__all__ = [
    "LightChange",
    "PrintWindows",
    "PrintedBoard",
    "PrintedPlaces",
    "PrintedTrack",
    "blue_over_red",
    "colour_edges",
    "decide_together",
    "double_routes",
    "edges_at",
    "kept_with_board",
    "measure_light",
    "places_of",
    "track_of",
]
