"""The virtual board: pictures of a game that never was, with the exact truth beside them.

It knows nothing of the reader, so that what it shows is not what the reader expects to see.
"""

from .camera import Projection, View
from .errors import SceneError
from .frame import Frame
from .ground import Table
from .light import Light
from .pieces import Piece
from .placing import stand_trains
from .printed_copy import Copy
from .printed_map import draw_board
from .scene import Nudge, Scene
from .sensor import Sensor
from .things import Thing
from .virtual_camera import VirtualCamera, render

__all__ = [
    "Copy",
    "Frame",
    "Light",
    "Nudge",
    "Piece",
    "Projection",
    "Scene",
    "SceneError",
    "Sensor",
    "Table",
    "Thing",
    "View",
    "VirtualCamera",
    "draw_board",
    "render",
    "stand_trains",
]
