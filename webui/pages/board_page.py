"""The pages of the user's boards: documents without a board in them, which ask for it."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Flask, Response

from .languages import own_words
from .table_page import page

SHARED = (
    "colour.",
    "error.",
    "sheet.",
    "toast.",
    "undo.button",
    "page.name",
    "page.footer",
    "page.no_script",
)
"""Beginnings of the names of words that they have from the page at the table."""


def add_board_pages(app: Flask) -> None:
    """Add the list of boards, and the page on which one is made."""

    @app.get("/boards")
    def boards() -> Response:
        return page("boards.html", words_of=board_words, script="boards/list.js")

    @app.get("/boards/<board>/edit")
    def board_edit(board: str) -> Response:
        return page("boards.html", words_of=board_words, script="boards/edit.js")


def board_words(language: str) -> Mapping[str, str]:
    """Return the pages' words in a language, by their names."""
    return own_words("boards", language, SHARED)
