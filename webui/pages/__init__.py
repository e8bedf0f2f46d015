"""The pages: their templates and what they are filled with."""

from . import texts
from .installed import add_installed
from .page_rate import refuse_haste
from .page_table import CAMERA_WORDS, HALL_WORDS, add_pages, render
from .result_view import FREE, players, result_view

__all__ = [
    "CAMERA_WORDS",
    "FREE",
    "HALL_WORDS",
    "add_installed",
    "add_pages",
    "players",
    "refuse_haste",
    "render",
    "result_view",
    "texts",
]
