"""The live table: a game that runs before a camera, frames in, events out."""

from .board_keeper import BoardKeeper
from .course import likely_turn
from .live_table import LiveTable
from .table_view import Question, TableView

__all__ = ["BoardKeeper", "LiveTable", "Question", "TableView", "likely_turn"]
