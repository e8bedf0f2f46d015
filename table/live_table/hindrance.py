"""What keeps a table from seeing its board: said when it lasts, with what to do, and taken back.

A calm "watching" over a camera that is gone loses claims, and trust with them. What passes by
itself within seconds, as a hand or a nudge does, is not worth a word.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

from railspotter.scoring.sentence import Sentence
from railspotter.vision.sources.phone import PostedFrames
from railspotter.vision.sources.source import NoCamera, Source
from railspotter.vision.watching.settling import WatchState

from .table_view import Hindrance, TableView

LASTS_S = 4.0  # so long it must last: then people read it within five seconds
# Between two pictures; a longer one is no source's habit, but a camera that was away.
LONGEST_GAP_S = 40.0
LEARNED = 0.2  # what each gap weighs in what is usual
USUAL_GAPS = 3.0  # a source that gives a picture now and then is not lost until so many are missing
# While the watching is at these, nobody knows where the board is.
UNSEEN = frozenset({WatchState.SEARCHING, WatchState.MOVED})
PACKED_AWAY = Sentence("the game is packed away: go on with it when you lay the board out again")
# A camera at the computer, a phone that films, a phone that sends a photo when somebody takes one:
# that falls silent in between. And no camera, which nobody misses.
CameraKind = Literal["camera", "phone", "photos", "none"]


def kind_of(source: Source | None) -> CameraKind:
    """Return what gives the pictures of a source."""
    if isinstance(source, NoCamera):
        return "none"
    if not isinstance(source, PostedFrames):
        return "camera"
    return "photos" if source.are_photos else "phone"


class Hindrances:
    """Tells from frame to frame what keeps the table from seeing."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._pictured_s = self._seen_s = clock()
        self._usual_gap_s = 0.0

    def take_in(self, view: TableView, kind: CameraKind, *, is_new: bool) -> Hindrance | None:
        """Return what keeps the table from seeing; None when nothing does."""
        now_s = self._clock()
        if is_new:
            gap_s = min(now_s - self._pictured_s, LONGEST_GAP_S)
            self._usual_gap_s += LEARNED * (gap_s - self._usual_gap_s)
            self._pictured_s = now_s
        table, sight = view.game.table, view.sight
        is_at_rest = table.ended or (table.paused and not sight.rebuilding)
        if is_at_rest or sight.state not in UNSEEN:
            self._seen_s = now_s
        if table.ended:
            return None
        if table.packed_away and sight.rebuilding is None:
            return Hindrance("paused", PACKED_AWAY)
        if table.paused and sight.rebuilding is None:
            return Hindrance("paused", Sentence("the game is paused: no claim counts meanwhile"))
        if kind == "none":
            return None
        patience_s = max(LASTS_S, USUAL_GAPS * self._usual_gap_s)
        if view.is_over or (kind != "photos" and now_s - self._pictured_s >= patience_s):
            self._seen_s = now_s  # nobody can say where the board is
            return Hindrance("camera", _without_camera(view, kind))
        if now_s - self._seen_s >= LASTS_S:
            return Hindrance("board", sight.board)
        return Hindrance("covered", sight.obstacle) if sight.obstacle else None


def _without_camera(view: TableView, kind: CameraKind) -> Sentence:
    if kind == "camera":
        return Sentence(
            "no picture comes from the camera ({doing}): check that it is on and plugged in;"
            " meanwhile tap a route to claim it",
            doing=view.camera,
        )
    return Sentence(
        "no picture comes from the phone's camera: wake that phone and open its camera page again,"
        " or let another phone be the camera; meanwhile tap a route to claim it"
    )
