"""The page on which a game is set up: a document without a choice in it, which asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from flask import Flask, Response

from .calibration_page import calibration_words
from .languages import own_words
from .table_page import page

HERE = Path(__file__).parents[1]
SHARED = (
    "colour.",
    "display.",
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


def add_set_up_pages(app: Flask) -> None:
    """Add the page at the front; only the host's phone is told anything there."""

    @app.get("/")
    def set_up() -> Response:
        return page("set_up.html", words_of=set_up_words, modules=set_up_modules())


def set_up_words(language: str) -> Mapping[str, str]:
    """Return the page's words in a language, by their names."""
    return {**calibration_words(language), **own_words("set_up", language, SHARED)}


@cache
def set_up_modules() -> tuple[str, ...]:
    """Return what the page's script consists of."""
    return tuple(sorted(path.name for path in (HERE / "static" / "set_up").glob("*.js")))
