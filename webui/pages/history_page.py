"""The pages of the past games: documents without a game in them, which ask for it."""

from __future__ import annotations

from flask import Flask, Response

from .table_page import page


def add_history_pages(app: Flask) -> None:
    """Add the list of all past games, and the page of one."""

    @app.get("/history")
    def history() -> Response:
        return page("history.html")

    @app.get("/history/<game>")
    def history_game(game: str) -> Response:
        return page("history_game.html")
