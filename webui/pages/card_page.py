"""The page of The Card Game: a document without a game in it, which asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from flask import Flask, Response

from .languages import own_words
from .table_page import page

HERE = Path(__file__).parents[1]
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
"""Beginnings of the names of words that it has from the page at the table."""


def add_card_page(app: Flask) -> None:
    """Add the page; what stands behind the # of its address opens a game."""

    @app.get("/card-game")
    def card_game() -> Response:
        return page("card_game.html", words_of=card_words, modules=card_modules())


def card_words(language: str) -> Mapping[str, str]:
    """Return the page's words in a language, by their names."""
    return own_words("cards", language, SHARED)


@cache
def card_modules() -> tuple[str, ...]:
    """Return what the page's script consists of."""
    return tuple(sorted(path.name for path in (HERE / "static" / "cards").glob("*.js")))
