"""The virtual board: pictures of a game that never was, with the exact truth beside them.

It knows nothing of the reader, so that what it shows is not what the reader expects to see.
"""

from .camera import Projection, View
from .errors import SceneError
from .exposure import Exposure
from .frame import Frame
from .ground import Ground, Table, covered, darken
from .light import Light
from .mishaps import push_route
from .pieces import KINDS, Piece
from .placing import spare_trains, stand_markers, stand_stations, stand_trains
from .printed_copy import Copy
from .printed_map import draw_board
from .scene import Nudge, Scene
from .sensor import Recorder, Sensor
from .solids import Solid
from .standing import Standing
from .things import Thing, thing_solids
from .virtual_camera import VirtualCamera, render

__all__ = [
    "KINDS",
    "Copy",
    "Exposure",
    "Frame",
    "Ground",
    "Light",
    "Nudge",
    "Piece",
    "Projection",
    "Recorder",
    "Scene",
    "SceneError",
    "Sensor",
    "Solid",
    "Standing",
    "Table",
    "Thing",
    "View",
    "VirtualCamera",
    "covered",
    "darken",
    "draw_board",
    "push_route",
    "render",
    "spare_trains",
    "stand_markers",
    "stand_stations",
    "stand_trains",
    "thing_solids",
]
