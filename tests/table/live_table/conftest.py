"""The log of the small drawn game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import GameLog
from railspotter.table.game_log.people_facts import Player
from small_game import game


@pytest.fixture
def log(tmp_path: Path) -> Iterator[GameLog]:
    players = tuple(Player(s.colour, s.colour) for s in game().enactment.played.seats)
    with GameStore(tmp_path).create(GameStarted("usa", players), 1.0) as log:
        yield log
