"""The live table: a game that runs before a camera, frames in, events out."""

from railspotter.vision.watching import Occasion, Question, Questions

from .board_differences import Difference, DifferenceKind
from .board_keeper import BoardKeeper
from .card_desk import CardDesk
from .card_play import dealing_facts, move_facts, seat_view
from .computers import Computers
from .course import claimants, likely_turn
from .display_feed import DisplayFeed
from .laying import Laying
from .live_table import LiveTable
from .marker_watch import MarkerRemark
from .phone_camera import PhoneCamera, PhoneView, shares
from .rebuilding import pack_away
from .spot_picture import Area, area_around
from .table_camera import TableCamera
from .table_view import RebuildingView, TableView
from .taking_back import turn_fact

__all__ = [
    "Area",
    "BoardKeeper",
    "CardDesk",
    "Computers",
    "Difference",
    "DifferenceKind",
    "DisplayFeed",
    "Laying",
    "LiveTable",
    "MarkerRemark",
    "Occasion",
    "PhoneCamera",
    "PhoneView",
    "Question",
    "Questions",
    "RebuildingView",
    "TableCamera",
    "TableView",
    "area_around",
    "claimants",
    "dealing_facts",
    "likely_turn",
    "move_facts",
    "pack_away",
    "seat_view",
    "shares",
    "turn_fact",
]
