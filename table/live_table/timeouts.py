"""What is said once it lasts: what keeps the table from seeing, a long turn, a host who is awaited.

A calm "watching" over a camera that is gone loses claims, and trust with them. What passes by
itself within seconds, as a hand or a nudge does, is not worth a word.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from railspotter.scoring.sentence import Sentence
from railspotter.vision.sources.phone import PostedFrames
from railspotter.vision.sources.source import NoCamera, Source
from railspotter.vision.watching.settling import WatchState

from ..game_log.facts import SeatId
from ..game_log.game_state import GameState
from ..game_log.turn_times import RunningTurn, turn_times
from ..whole_file import KeptFile
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
FILE = "reminder.json"  # where the choice is kept, in the data directory
MINUTE_S = 60.0
# Seconds after which any player may say what lay on the board when watching began: the host may be
# away, and nothing is scored until somebody does.
OPEN_S = 60.0


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


@dataclass(frozen=True, slots=True)
class ReminderChoice:
    """After how many minutes of one turn people are reminded; 0 is never."""

    minutes: int = 0


class Reminder:
    """Reminds a table, where turns are marked: a guess of whose turn it is reminds nobody."""

    def __init__(self, file: KeptFile[ReminderChoice], clock: Callable[[], float]) -> None:
        self._file, self._clock = file, clock
        self.minutes = file.load_or_default().minutes
        self._game: GameState | None = None
        self._running: RunningTurn | None = None

    @classmethod
    def beside(cls, log: Path, clock: Callable[[], float]) -> Reminder:
        """Return the reminder of a game, by the file of its log in the data directory."""
        return cls(KeptFile(log.parent.parent / FILE, ReminderChoice()), clock)

    def choose(self, minutes: int) -> None:
        """Remind after so many minutes from now on; raises `HomeError` when it cannot be kept."""
        self._file.save(ReminderChoice(minutes))
        self.minutes = minutes

    def due(self, game: GameState) -> SeatId | None:
        """Return the seat whose turn has lasted for so long; None while nobody is reminded."""
        if not self.minutes:
            return None
        if game is not self._game:
            self._game, self._running = game, turn_times(game).running
        turn = self._running
        if turn is None or turn.since_s is None:
            return None
        return turn.seat if turn.at(self._clock()) >= self.minutes * MINUTE_S else None


class HostTimeout:
    """Tells when what lies on the board has waited for the host to confirm it long enough."""

    def __init__(self) -> None:
        self._since_s = time.monotonic()

    def is_late(self, *, is_awaited: bool) -> bool:
        """Tell whether others may say it by now; asked again and again."""
        now_s = time.monotonic()
        if not is_awaited:
            self._since_s = now_s
        return now_s - self._since_s >= OPEN_S
