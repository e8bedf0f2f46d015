"""The reminder: off by default, only of turns that are marked, kept for the next game."""

from __future__ import annotations

from pathlib import Path

import pytest
from railspotter.table.errors import HomeError
from railspotter.table.game_log.course_facts import GameStarted, TurnMarked
from railspotter.table.game_log.facts import Event
from railspotter.table.game_log.game_state import GameState, begin
from railspotter.table.game_log.people_facts import Player
from railspotter.table.live_table.timeouts import Reminder

STARTED = GameStarted("usa", (Player("ann", "red"), Player("bob", "blue")))


def marked(at_s: float) -> GameState:
    return begin(Event(1, 0.0, STARTED)).after(Event(2, at_s, TurnMarked("ann")))


def test_it_reminds_after_the_minutes_that_were_chosen_and_not_before(tmp_path: Path) -> None:
    log, now_s = tmp_path / "games" / "x.sqlite3", [1000.0]
    reminder = Reminder.beside(log, lambda: now_s[0])
    game = marked(1000.0)
    now_s[0] = 9000.0
    assert reminder.due(game) is None, "off by default"
    reminder.choose(3)
    now_s[0] = 1179.0
    assert reminder.due(game) is None
    now_s[0] = 1180.0
    assert reminder.due(game) == "ann"
    assert reminder.due(game.after(Event(3, 1180.0, TurnMarked("bob")))) is None
    assert reminder.due(begin(Event(1, 0.0, STARTED))) is None, "nobody marked a turn"
    assert Reminder.beside(log, lambda: 0.0).minutes == 3


def test_a_choice_that_cannot_be_kept_does_not_hold(tmp_path: Path) -> None:
    (tmp_path / "reminder.json").mkdir()
    reminder = Reminder.beside(tmp_path / "games" / "x.sqlite3", lambda: 0.0)
    with pytest.raises(HomeError, match="cannot write"):
        reminder.choose(3)
    assert reminder.minutes == 0
