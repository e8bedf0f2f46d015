"""The page of the phone that is the camera: a document that films, and sends what it films."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Flask, Response

from .languages import own_words
from .table_page import page

SHARED = ("error.", "page.name", "page.footer", "page.no_script")
"""Beginnings of the names of words that it has from the page at the table."""


def add_camera_page(app: Flask) -> None:
    """Add the page; what stands behind the # of its address lets a phone be the camera."""

    @app.get("/camera")
    def camera() -> Response:
        return page("camera.html", words_of=camera_words)


def camera_words(language: str) -> Mapping[str, str]:
    """Return the page's words in a language, by their names; also those of the trust page."""
    return own_words("camera", language, SHARED)
