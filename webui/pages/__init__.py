"""The pages: their templates, their words in every language, what they are filled with."""

from . import texts
from .installed import add_installed
from .languages import language_of, translator_to
from .page_table import CAMERA_WORDS, add_pages, render
from .result_view import FREE, players, result_view

__all__ = [
    "CAMERA_WORDS",
    "FREE",
    "add_installed",
    "add_pages",
    "language_of",
    "players",
    "render",
    "result_view",
    "texts",
    "translator_to",
]
