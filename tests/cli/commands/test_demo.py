"""The running demonstration plays game after game before the live table, to the final score."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from railspotter.cli.commands.demo import play_demo
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.set_up.demo import DemoTable
from short_demo import game_of


def test_games_follow_each_other_to_the_final_score(capsys: pytest.CaptureFixture[str]) -> None:
    enough = threading.Event()
    tables: list[LiveTable] = []

    @contextmanager
    def page(table: LiveTable) -> Iterator[str | None]:
        tables.append(table)
        yield f"http://192.0.2.7/{len(tables)}"
        if len(tables) == 2:
            enough.set()

    def make_table(seed: int) -> DemoTable:
        return DemoTable(game_of(0))

    assert play_demo(page, enough, make_table, rest_s=0.0) == 0
    assert len(tables) == 2
    for table in tables:
        state = table.view.game.table
        assert (state.ended, state.counted, state.unrevealed) == (True, True, 0)
        assert {seat for seat, hand in state.tickets.items() if hand} == {
            player.seat for player in state.players
        }
    said = capsys.readouterr().out
    assert "the page is at http://192.0.2.7/1" in said
    assert "watching Game 9" in said
    assert "winner: " in said
