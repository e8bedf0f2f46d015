"""A running game on the page: what its camera sees, and the score as it is read."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from flask import Flask, Response, jsonify, render_template
from railspotter.scoring import Standing
from railspotter.table.live import Live, LiveState

from . import texts
from .kept_photos import KeptPhoto, KeptPhotos
from .paint import Paint, paint_of
from .result_view import ResultView, result_view

MOST_KEPT = 3
"""Readings: a phone may still ask for the picture of the one before."""


@dataclass(frozen=True)
class FinalRow:
    """One player's row of the final score."""

    colour: str
    paint: Paint
    total: int
    route_points: int
    ticket_points: int
    is_winner: bool


@dataclass(frozen=True)
class LiveView:
    """What the page shows of a running game.

    Attributes
    ----------
    number : int
        Rises whenever there is something new beside the picture.
    said : str
        How far the game is.
    kept : KeptPhoto or None
        The newest reading; None before the first.
    result : ResultView or None
        What it shows, when the board was found.
    problem : str or None
        Why it was not.
    final : tuple of FinalRow
        Most points first; none while the game is played.
    """

    number: int
    said: str
    kept: KeptPhoto | None
    result: ResultView | None
    problem: str | None
    final: tuple[FinalRow, ...]


class LivePage:
    """A running game, its newest readings packed for the page.

    Several threads may use it at once.
    """

    def __init__(self, live: Live) -> None:
        self._live = live
        self._lock = threading.Lock()
        self._kept = KeptPhotos(MOST_KEPT)
        self._newest: KeptPhoto | None = None
        self._packed_number = -1

    def picture(self) -> bytes:
        """Return what the camera sees, as JPEG."""
        return self._live.picture()

    def find(self, name: str) -> KeptPhoto | None:
        """Return a reading that is still kept, by its id."""
        return self._kept.get(name)

    def now(self) -> LiveView:
        """Return what is to be shown."""
        state = self._live.state()
        kept = self._packed(state)
        photo = kept.photo if kept else None
        return LiveView(
            number=state.number,
            said=texts.live_said(state.game, state.t_s, state.duration_s, is_over=state.is_over),
            kept=kept,
            result=result_view(photo) if photo and photo.found else None,
            problem=texts.sentence(photo.reason) if photo and photo.reason else None,
            final=_final_rows(state.final) if state.final else (),
        )

    def _packed(self, state: LiveState) -> KeptPhoto | None:
        with self._lock:
            # Who comes late with an older state gets the newest reading all the same.
            if state.number > self._packed_number:
                self._packed_number = state.number
                self._newest = KeptPhoto.of(state.photo) if state.photo else None
                if self._newest:
                    self._kept.add(self._newest)
            return self._newest


def _final_rows(final: Standing) -> tuple[FinalRow, ...]:
    rows = [
        FinalRow(
            player.colour,
            paint_of(player.colour),
            player.total,
            player.route_points,
            player.ticket_points,
            player.colour in final.winners,
        )
        for player in final.players
    ]
    return tuple(sorted(rows, key=lambda row: (not row.is_winner, -row.total)))


def add_live(app: Flask, page: LivePage) -> None:
    """Add what the page asks for while a game runs."""

    @app.get("/live/board.jpg")
    def live_picture() -> Response:
        return Response(page.picture(), mimetype="image/jpeg")

    @app.get("/live/state")
    def live_state() -> Response:
        view = page.now()
        return jsonify(number=view.number, said=view.said)

    @app.get("/live/scores")
    def live_scores() -> str:
        view = page.now()
        return render_template("live_scores.html", live=view, kept=view.kept, result=view.result)
