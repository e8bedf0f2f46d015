"""Whoever plays with cards on phones may be killed at any moment: no card is lost, none twice."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import card_writer
import pytest
from dealt_games import cards_are_whole, started
from railspotter.table.game_log.game_state import fold
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import read_log

# After its first word a writer lives no longer, times how many were killed: on a fast machine some
# are killed, and on a slow one the game ends.
MOST_S = 0.01
KILLS = 60  # more than a game needs


@pytest.mark.parametrize("edition", ["usa", pytest.param("newyork", marks=pytest.mark.long)])
def test_what_phones_were_shown_is_there_after_a_kill(edition: str, tmp_path: Path) -> None:
    with GameStore(tmp_path).create(started(edition, 3), 0.0) as log:
        path = log.path
    rng = random.Random(7)
    for killed in range(KILLS):
        words = [sys.executable, card_writer.__file__, str(path)]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            first = writer.stdout.readline()
            time.sleep(rng.uniform(0.0, MOST_S * (killed + 1)))
            writer.kill()
            said = (first + writer.stdout.read()).split("\n")[:-1]
        state = read_log(path)
        for line in said:
            if line == "ended":
                assert state.table.ended
                assert killed > 1
                return
            number, _, hands = line.partition(" ")
            assert len(state.events) >= int(number)
            then = fold(state.events[: int(number)]).table
            assert card_writer.hands_text(then) == hands
            assert cards_are_whole(then, is_between=True)
    pytest.fail("the game came to no end")
