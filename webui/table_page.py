"""The page of a running game: one document for all, which asks the programming interface."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec
from flask import Flask, Response, make_response, render_template, request

HERE = Path(__file__).parent
LANGUAGE = "en"
"""For who understands none of the languages that there are."""


def add_table_page(app: Flask) -> None:
    """Add the page at the front; it holds nothing of the game, so it is the same for everyone."""

    @app.get("/")
    def table() -> Response:
        return _page("table.html", modules=modules())

    @app.get("/help")
    def table_help() -> Response:
        return _page("table_help.html")


def _page(template: str, **values: object) -> Response:
    language = request.accept_languages.best_match(languages(), LANGUAGE)
    page = render_template(template, words=words(language), language=language, **values)
    response = make_response(page)
    response.headers["Vary"] = "Accept-Language"
    return response


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that the page has words in."""
    return tuple(sorted(path.stem for path in (HERE / "words").glob("*.json")))


@cache
def words(language: str) -> Mapping[str, str]:
    """Return the page's words in a language, by their names."""
    content = (HERE / "words" / f"{language}.json").read_bytes()
    return msgspec.json.decode(content, type=dict[str, str])


@cache
def modules() -> tuple[str, ...]:
    """Return what the page's script consists of; named in the document, all are fetched at once."""
    return tuple(sorted(path.name for path in (HERE / "static" / "table").glob("*.js")))
