"""The live table: a game that runs before a camera, frames in, events out."""

from railspotter.vision.watching import Occasion, Question, Questions

from .board_keeper import BoardKeeper
from .course import claimants, likely_turn
from .live_table import LiveTable
from .marker_check import MarkerCheck, check_marker
from .phone_camera import PhoneCamera, PhoneView, shares
from .spot_picture import Area, area_around
from .table_camera import TableCamera
from .table_view import TableView

__all__ = [
    "Area",
    "BoardKeeper",
    "LiveTable",
    "MarkerCheck",
    "Occasion",
    "PhoneCamera",
    "PhoneView",
    "Question",
    "Questions",
    "TableCamera",
    "TableView",
    "area_around",
    "check_marker",
    "claimants",
    "likely_turn",
    "shares",
]
