"""What cannot be on a board: every phone is told, in its language, and so is who looks back."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from logged_games import BOTH_LANES, IMPOSSIBLE, NEW_YORK, TOO_MANY
from phones import Table, table
from railspotter.table.game_log.course_facts import GameEnded, PointsCounted
from railspotter.table.live_table.commands import AddFacts

FIRST, SECOND = "route:brooklyn--chinatown--0", "route:brooklyn--chinatown--1"


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Table]:
    with table(tmp_path, started=NEW_YORK, has_camera=False) as running:
        yield running


def test_the_state_tells_what_is_wrong_until_it_is_put_right(running: Table) -> None:
    ann = running.player("ann")
    assert ann.state()["problems"] == []
    for fact in IMPOSSIBLE:
        assert ann.correct(fact.spot.id, fact.colour).status == 200
    lanes, stock = ann.state()["problems"]
    assert (lanes["kind"], lanes["what"]) == ("double_routes_open_from", BOTH_LANES)
    assert lanes["spots"] == [SECOND, FIRST], "the newest claim first"
    assert (stock["kind"], stock["what"]) == ("stock", TOO_MANY)
    assert (stock["colours"], stock["spots"][0]) == (["red"], FIRST)
    in_german = ann.get("/state", Accept_Language="de").json["problems"]
    assert [problem["what"] for problem in in_german] == [
        "beide Spuren von Brooklyn - Chinatown sind gebaut, zu 2",
        "Rot hat 16 Taxis verbraucht, von 15",
    ]
    assert ann.correct(FIRST.partition(":")[2], None, "red").status == 200
    assert ann.state()["problems"] == []


def test_a_past_game_tells_it_too(running: Table) -> None:
    running.live.execute(AddFacts([*IMPOSSIBLE, GameEnded(), PointsCounted()]))
    game = running.host().get(f"/games/{running.log.id}").json
    assert [problem["what"] for problem in game["problems"]] == [BOTH_LANES, TOO_MANY]
