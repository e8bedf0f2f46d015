"""What keeps a table from seeing, and who takes long: said in time, and taken back by itself."""

from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.table.errors import HomeError
from railspotter.table.game_log.course_facts import GameEnded, GamePaused, GameStarted, TurnMarked
from railspotter.table.game_log.facts import Event
from railspotter.table.game_log.game_state import GameState, begin, fold
from railspotter.table.game_log.people_facts import Player
from railspotter.table.live_table.table_view import BoardSight, TableView
from railspotter.table.live_table.timeouts import (
    DELAY_S,
    USUAL_GAPS,
    CameraKind,
    Hindrances,
    Reminder,
)
from railspotter.vision.watching.settling import WatchState

STARTED = Event(1, 0.0, GameStarted("usa", (Player("ann", "red"), Player("bob", "blue"))))
MOVED = Sentence("the board was moved, or something hides it")
WATCHED = TableView(
    fold([STARTED]), BoardSight(WatchState.SETTLED), camera=Sentence("watching the camera")
)
LOST = replace(WATCHED, sight=BoardSight(WatchState.MOVED, MOVED))


@dataclass
class Watched:
    """A table that is looked at every so often."""

    kind: CameraKind = "camera"
    now_s: float = 0.0
    hindrances: Hindrances = field(init=False)

    def __post_init__(self) -> None:
        self.hindrances = Hindrances(lambda: self.now_s)

    def seen(self, view: TableView, for_s: float, *, gap_s: float = 0.2) -> list[str]:
        """The kinds of what is in the way; a picture comes each `gap_s`, infinite for none."""
        until_s, next_s = self.now_s + for_s, self.now_s + gap_s
        kinds: list[str] = []
        while self.now_s < until_s:
            self.now_s += 0.1
            is_new = self.now_s >= next_s
            next_s += gap_s if is_new else 0
            found = self.hindrances.update(view, self.kind, is_new=is_new)
            kinds.append(found.kind if found else "")
        return kinds


def test_a_camera_that_is_gone_is_said_within_five_seconds_and_taken_back() -> None:
    table = Watched()
    assert set(table.seen(WATCHED, 30)) == {""}
    kinds = table.seen(WATCHED, 10, gap_s=float("inf"))
    assert kinds.index("camera") <= 50
    assert kinds[-1] == "camera"
    assert set(table.seen(WATCHED, 5)[2:]) == {""}


@pytest.mark.parametrize("gap_s", [2.0, 10.0])
def test_a_camera_that_is_slow_is_not_gone(gap_s: float) -> None:
    table = Watched()
    table.seen(WATCHED, 20 * gap_s, gap_s=gap_s)
    assert set(table.seen(WATCHED, 20 * gap_s, gap_s=gap_s)) == {""}
    kinds = table.seen(WATCHED, USUAL_GAPS * gap_s + DELAY_S + 1, gap_s=float("inf"))
    assert kinds[-1] == "camera"


def test_a_phone_that_sends_single_photos_may_be_silent() -> None:
    table = Watched("photos")
    assert set(table.seen(WATCHED, 120, gap_s=float("inf"))) == {""}
    table.kind = "phone"
    assert table.seen(WATCHED, 5, gap_s=float("inf"))[-1] == "camera"


def test_a_board_that_is_lost_is_said_with_the_reason_but_no_nudge() -> None:
    table = Watched()
    assert set(table.seen(LOST, DELAY_S - 1)) == {""}
    assert set(table.seen(WATCHED, 1)) == {""}
    kinds = table.seen(LOST, 10)
    assert kinds.index("board") <= 50
    said = table.hindrances.update(LOST, "camera", is_new=True)
    assert said is not None
    assert said.said == MOVED
    assert set(table.seen(WATCHED, 1)) == {""}


def test_what_is_in_the_way_is_said_once_the_camera_first() -> None:
    there = Sentence("something lies there")
    covered = replace(WATCHED, sight=replace(WATCHED.sight, obstacle=there))
    assert Watched().seen(covered, 0.1) == ["covered"]
    gone = Watched()
    assert gone.seen(LOST, 10, gap_s=float("inf"))[-1] == "camera"
    # And when it is back the board has its own seconds to be found.
    assert set(gone.seen(LOST, DELAY_S - 1)[2:]) == {""}


def test_a_pause_is_said_and_the_end_of_the_game_ends_it_all() -> None:
    paused = replace(LOST, game=fold([STARTED, Event(2, 1.0, GamePaused())]))
    table = Watched()
    assert set(table.seen(paused, 10)) == {"paused"}
    ended = replace(LOST, game=fold([STARTED, Event(2, 1.0, GameEnded())]), is_over=True)
    assert set(table.seen(ended, 10, gap_s=float("inf"))) == {""}
    assert ended.sight.obstacle == NOTHING


def marked(at_s: float) -> GameState:
    return begin(STARTED).after(Event(2, at_s, TurnMarked("ann")))


def test_it_reminds_after_the_minutes_that_were_chosen_and_not_before(tmp_path: Path) -> None:
    log, now_s = tmp_path / "games" / "x.sqlite3", [1000.0]
    reminder = Reminder(log, lambda: now_s[0])
    game = marked(1000.0)
    now_s[0] = 9000.0
    assert reminder.due(game) is None, "off by default"
    reminder.choose(3)
    now_s[0] = 1179.0
    assert reminder.due(game) is None
    now_s[0] = 1180.0
    assert reminder.due(game) == "ann"
    assert reminder.due(game.after(Event(3, 1180.0, TurnMarked("bob")))) is None
    assert reminder.due(begin(STARTED)) is None, "nobody marked a turn"
    now_s[0] += 56 * 365 * 86400.0
    assert reminder.due(game) is None, "the clock was set"
    assert Reminder(log, lambda: 0.0).minutes == 3


def test_a_choice_that_cannot_be_kept_does_not_hold(tmp_path: Path) -> None:
    (tmp_path / "reminder.json").mkdir()
    reminder = Reminder(tmp_path / "games" / "x.sqlite3", lambda: 0.0)
    with pytest.raises(HomeError, match="cannot write"):
        reminder.choose(3)
    assert reminder.minutes == 0
