"""The virtual board: pictures of a game that never was, with the exact truth beside them.

It knows nothing of the reader, so that what it shows is not what the reader expects to see.
"""

from .camera import CameraSetup, Projection
from .errors import SceneError
from .frame import RenderedFrame
from .ground import Ground, Table, covered, darken
from .light import Exposure, Light
from .pieces import KINDS, Piece
from .placing import push_route, spare_trains, stand_markers, stand_stations, stand_trains
from .printed_copy import Copy
from .printed_map import draw_board
from .scene import BoardShift, Scene
from .sensor import Sensor, SensorRecorder
from .solids import Solid
from .standing import OccupiedGround
from .things import Thing, thing_solids
from .virtual_camera import VirtualCamera, render

__all__ = [
    "KINDS",
    "BoardShift",
    "CameraSetup",
    "Copy",
    "Exposure",
    "Ground",
    "Light",
    "OccupiedGround",
    "Piece",
    "Projection",
    "RenderedFrame",
    "Scene",
    "SceneError",
    "Sensor",
    "SensorRecorder",
    "Solid",
    "Table",
    "Thing",
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
