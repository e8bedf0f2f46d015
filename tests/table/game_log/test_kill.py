"""A program that is killed in the middle of writing loses nothing that it has acknowledged."""

from __future__ import annotations

from pathlib import Path

from logged_games import STARTED
from railspotter.table.game_log.game_store import GameStore

from break_the_log import fact_of, kill, lost_of


def test_twenty_writers_killed_at_random_moments(tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    killed = kill(store, times=20)
    assert killed.lost == ()
    assert killed.acknowledged > 20
    for game in store.ids():
        with store.open(game) as log:
            log.append([fact_of(0)], 0.0)


def test_a_lost_event_is_seen(tmp_path: Path) -> None:
    with GameStore(tmp_path).create(STARTED, 0.0) as log:
        log.append([fact_of(2), fact_of(4)], 2.0)
        assert lost_of(log.path, [2, 3, 4]) == (2, 3, 4), "no crops, another fact, not there"
