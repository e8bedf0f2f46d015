"""The running demonstration, with a clock that the test turns."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import drawn
import pytest
from railspotter.table.demo import HABITS, demo_game
from railspotter.table.live_demo import FRAME_S, REST_S, UNWATCHED_S, LiveDemo
from railspotter.table.photo_file import parse_photo
from railspotter.table.virtual_game import VirtualGame

PATIENCE_S = 30.0


@dataclass
class Clock:
    now_s: float = 1000.0

    def __call__(self) -> float:
        return self.now_s


@dataclass
class Table:
    """The demonstration, and what it was asked to begin."""

    clock: Clock = field(default_factory=Clock)
    begun: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.demo = LiveDemo(drawn.scorer(), self.begin, seed=4, clock=self.clock)

    def begin(self, seed: int) -> VirtualGame:
        self.begun.append(seed)
        return demo_game(seed, replace(HABITS, pace=20.0), (800, 530))

    def wait_for(self, condition: Callable[[], object]) -> None:
        give_up = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < give_up, "nothing happened"
            time.sleep(0.02)


@pytest.fixture
def table() -> Table:
    return Table()


def test_a_picture_is_drawn_for_all_who_look_and_then_a_new_one(table: Table) -> None:
    with table.demo as demo:
        first = demo.picture()
        assert parse_photo(first).shape == (530, 800, 3)
        table.clock.now_s += FRAME_S / 2
        assert demo.picture() is first
        table.clock.now_s += FRAME_S
        assert demo.picture() != first


def test_the_game_is_read_to_its_end_and_another_begins(table: Table) -> None:
    with table.demo as demo:
        table.wait_for(lambda: demo.state().photo)
        start = demo.state()
        assert start.photo is not None
        assert (start.game, start.is_over, start.final) == (4, False, None)
        assert start.photo.claims == {}

        table.clock.now_s += start.duration_s + 1
        table.wait_for(lambda: demo.state().final)
        end = demo.state()
        assert end.is_over
        assert end.number > start.number
        assert end.photo is not None
        assert end.photo.claims
        assert end.final == demo_game(4).enactment.played.standing

        table.clock.now_s += REST_S
        table.wait_for(lambda: demo.state().game == 5)
        assert demo.state().final is None
    assert table.begun == [4, 5]


def test_nothing_is_done_while_nobody_looks(table: Table) -> None:
    table.clock.now_s += 10_000 + UNWATCHED_S
    with table.demo as demo:
        time.sleep(0.3)
        assert table.begun == [4]
        demo.state()
        table.wait_for(lambda: table.begun == [4, 5])
