"""The virtual board: pictures of a game that never was, with the exact truth beside them.

It knows nothing of the reader, so that what it shows is not what the reader expects to see.
"""

from .camera import SceneError, View
from .frame import Frame, render
from .printed_map import draw_board
from .trains import Train

__all__ = ["Frame", "SceneError", "Train", "View", "draw_board", "render"]
