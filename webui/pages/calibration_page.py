"""The page on which the host of a running game sees, and says, where the board is."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Flask, Response

from .languages import own_words
from .table_page import page

SHARED = (
    "colour.",
    "error.",
    "page.footer",
    "page.name",
    "page.no_script",
    "phone.language",
    "sheet.",
    "toast.",
    "undo.button",
)
"""Beginnings of the names of words that it has from the page at the table."""


def add_calibration_page(app: Flask) -> None:
    """Add the page; what it shows is asked for by the host's phone only."""

    @app.get("/calibration")
    def calibration() -> Response:
        return page("calibration.html", words_of=calibration_words)


def calibration_words(language: str) -> Mapping[str, str]:
    """Return the page's words in a language, by their names."""
    return own_words("calibration", language, SHARED)
