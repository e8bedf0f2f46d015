"""The page of a running game: one document for all, which asks the programming interface."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from flask import Flask, Response, make_response, render_template, request

from .languages import COOKIE, language_of, languages, said_words, words

HERE = Path(__file__).parents[1]


def add_table_page(app: Flask) -> None:
    """Add the page at the front; it holds nothing of the game, so it is the same for everyone."""

    @app.get("/")
    def table() -> Response:
        return page("table.html", modules=modules())

    @app.get("/help")
    def table_help() -> Response:
        return page("table_help.html")


def page(
    template: str, words_of: Callable[[str], Mapping[str, str]] = words, **values: object
) -> Response:
    """Return a page in the reader's language; it carries all its words.

    Parameters
    ----------
    template : str
    words_of : callable
        Gives the page's words in a language.
    """
    language = language_of(request)
    text = render_template(
        template,
        words=words_of(language),
        said_words=said_words(language),
        language=language,
        languages=languages(),
        language_cookie=COOKIE,
        **values,
    )
    response = make_response(text)
    response.headers["Vary"] = "Accept-Language, Cookie"
    return response


@cache
def modules() -> tuple[str, ...]:
    """Return what the page's script consists of; named in the document, all are fetched at once."""
    return tuple(sorted(path.name for path in (HERE / "static" / "table").glob("*.js")))
