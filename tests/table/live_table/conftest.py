"""The log of the small drawn game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from railspotter.table.game_log.log import GameLog
from small_game import small_log


@pytest.fixture
def log(tmp_path: Path) -> Iterator[GameLog]:
    with small_log(tmp_path) as log:
        yield log
