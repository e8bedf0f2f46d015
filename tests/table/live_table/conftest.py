"""The log of the small drawn game, and what was read of its pictures."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from kept_readings import kept_readings
from railspotter.table.game_log.log import GameLog
from small_game import small_log


@pytest.fixture
def log(tmp_path: Path) -> Iterator[GameLog]:
    with small_log(tmp_path) as log:
        yield log


@pytest.fixture(scope="module", autouse=True)
def _pictures_are_read_once() -> Iterator[None]:
    """Let a file's tests, which look at the same moments of the game, share what is read there."""
    with kept_readings():
        yield
