"""Timeouts of a table: a hindrance that lasts, a long turn, a host who does not answer.

Users must be told when the camera is gone, or claims are lost; but not of what passes within
seconds, such as a hand or a nudge.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from railspotter.scoring.sentence import Sentence
from railspotter.vision.sources.grabber import FROZEN_S, duration_of
from railspotter.vision.sources.phone import PostedFrames
from railspotter.vision.sources.source import NoCamera, Source
from railspotter.vision.watching.settling import WatchState

from ..game_log.facts import SeatId
from ..game_log.game_state import GameState
from ..game_log.turn_times import LONGEST_TURN_S, RunningTurn, turn_times
from ..whole_file import KeptFile
from .table_view import Hindrance, TableView

DELAY_S = 4.0  # how long a hindrance must last, so that it is shown within five seconds
LONGEST_GAP_S = 40.0  # between two pictures; longer ones are outages, not the source's interval
GAP_WEIGHT = 0.2  # of each gap in the moving average
USUAL_GAPS = 3.0  # a source with slow pictures is lost after so many of its usual gaps
# The states in which the board's position is unknown.
BOARD_LOST = frozenset({WatchState.SEARCHING, WatchState.MOVED})
# A camera at the computer, a phone that films, a phone that sends single photos and so is silent in
# between, and no camera.
CameraKind = Literal["camera", "phone", "photos", "none"]
FILE = "reminder.json"  # the saved choice, in the data directory
MINUTE_S = 60.0
# Seconds after which any player may confirm the initial board: the host may be away, and nothing is
# scored before.
HOST_TIMEOUT_S = 60.0


def kind_of(source: Source | None) -> CameraKind:
    """Return the kind of camera of a source."""
    if isinstance(source, NoCamera):
        return "none"
    if not isinstance(source, PostedFrames):
        return "camera"
    return "photos" if source.are_photos else "phone"


class Hindrances:
    """Detects why the table does not see its board, from frame to frame."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._pictured_s = self._seen_s = clock()
        self._usual_gap_s = self._same_for_s = 0.0

    def update(
        self, view: TableView, kind: CameraKind, *, is_new: bool, same_for_s: float = 0.0
    ) -> Hindrance | None:
        """Return why the table does not see, or None.

        `is_new` is whether a new frame came, `same_for_s` for how long its picture has been sent.
        """
        now_s = self._clock()
        if is_new:
            self._same_for_s = same_for_s
            gap_s = min(now_s - self._pictured_s, LONGEST_GAP_S)
            self._usual_gap_s += GAP_WEIGHT * (gap_s - self._usual_gap_s)
            self._pictured_s = now_s
        table, sight = view.game.table, view.sight
        is_idle = table.ended or (table.paused and not sight.rebuilding)
        if is_idle or sight.state not in BOARD_LOST:
            self._seen_s = now_s
        if table.ended:
            return None
        if table.paused and sight.rebuilding is None:
            return Hindrance("paused", table.standstill)
        if kind == "none":
            return None
        timeout_s = max(DELAY_S, USUAL_GAPS * self._usual_gap_s)
        if view.is_over or (kind != "photos" and now_s - self._pictured_s >= timeout_s):
            self._seen_s = now_s  # without pictures the board is not lost
            return Hindrance("camera", _without_camera(view, kind))
        if self._same_for_s >= FROZEN_S:
            self._seen_s = now_s
            return Hindrance("camera", _frozen(kind, self._same_for_s))
        if now_s - self._seen_s >= DELAY_S:
            return Hindrance("board", sight.board)
        return Hindrance("covered", sight.obstacle) if sight.obstacle else None


def _without_camera(view: TableView, kind: CameraKind) -> Sentence:
    if view.is_over:
        return Sentence(
            "no more pictures come ({doing}): the game goes on by hand, tap a route to claim it",
            doing=view.camera,
        )
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


def _frozen(kind: CameraKind, same_for_s: float) -> Sentence:
    if kind == "camera":
        return Sentence(
            "the camera hangs: it has sent the very same picture for {time}; restart it, and"
            " meanwhile tap a route to claim it",
            time=duration_of(same_for_s),
        )
    return Sentence(
        "the phone's camera hangs: it has sent the very same picture for {time}; open its camera"
        " page again, and meanwhile tap a route to claim it",
        time=duration_of(same_for_s),
    )


@dataclass(frozen=True, slots=True)
class ReminderChoice:
    """The setting of the reminder: minutes of one turn; 0 for off."""

    minutes: int = 0


class Reminder:
    """Reminds a player of a long turn; only in games in which turns are marked.

    Its setting is kept in the data directory of the game's log file.
    """

    def __init__(self, log: Path, clock: Callable[[], float]) -> None:
        self._file, self._clock = KeptFile(log.parent.parent / FILE, ReminderChoice()), clock
        self.minutes = self._file.load_or_default().minutes
        self._game: GameState | None = None
        self._running: RunningTurn | None = None

    def choose(self, minutes: int) -> None:
        """Set and save the minutes; raises `HomeError`."""
        self._file.save(ReminderChoice(minutes))
        self.minutes = minutes

    def due(self, game: GameState) -> SeatId | None:
        """Return the seat whose turn takes too long, or None."""
        if not self.minutes:
            return None
        if game is not self._game:
            self._game, self._running = game, turn_times(game).running
        turn = self._running
        if turn is None or turn.since_s is None:
            return None
        # More than an hour too long: a clock was set, or the program was off.
        over_s = turn.at(self._clock()) - self.minutes * MINUTE_S
        return turn.seat if 0 <= over_s < LONGEST_TURN_S else None
