"""The pages: their templates, their words in every language, what they are filled with."""

from . import texts
from .board_page import add_board_pages
from .calibration_page import add_calibration_page
from .camera_page import add_camera_page, camera_words
from .card_page import add_card_page
from .history_page import add_history_pages
from .installed import add_installed
from .languages import language_of, said_in
from .result_view import FREE, players, result_view
from .set_up_pages import add_set_up_pages
from .table_page import add_table_page, page

__all__ = [
    "FREE",
    "add_board_pages",
    "add_calibration_page",
    "add_camera_page",
    "add_card_page",
    "add_history_pages",
    "add_installed",
    "add_set_up_pages",
    "add_table_page",
    "camera_words",
    "language_of",
    "page",
    "players",
    "result_view",
    "said_in",
    "texts",
]
