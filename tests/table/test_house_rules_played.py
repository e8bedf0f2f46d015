"""House rules of a running game: its score, its end, its display and what the camera looks for."""

from collections.abc import Mapping
from pathlib import Path

import drawn
import numpy as np
import pytest
from at_once import AtOnce
from railspotter.scoring.game import position_of
from railspotter.scoring.points.final_score import final_score
from railspotter.scoring.spot import Spot
from railspotter.table.display_control import DisplayFeed
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import Player
from railspotter.table.game_log.table_state import TableState
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.live_table.watched_board import WatchedBoard
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.photos import VirtualBoard
from railspotter.vision.watching.questions import Questions
from told_lights import ToldLights
from waiting import until

PLAYERS = (Player("ann", "red", "Ann"), Player("bo", "blue", "Bo"))
CLAIMS = {"helena--seattle": "red", "calgary--seattle": "red", "duluth--helena": "blue"}


def played(
    folder: Path, rules: Mapping[str, int], claims: Mapping[str, str]
) -> tuple[TableState, ToldLights]:
    """Watch a game in which people say what was claimed; return its state and its display."""
    store, display = GameStore(folder), ToldLights()
    with store.create(GameStarted("usa", PLAYERS, house_rules=dict(rules)), 1.0) as log:
        log.append(
            [
                Placed.on(Spot("route", route), colour=colour, by="person")
                for route, colour in claims.items()
            ],
            2.0,
        )
        grey = np.full((120, 160, 3), 128, np.uint8)
        with Grabber(VirtualBoard(lambda t_s: grey, 1.0, 5.0, as_fast_as_read=True)) as grabber:
            table = LiveTable(log, grabber, drawn.profile())
            table.subscribe(DisplayFeed(display).update)
            with table:
                until(lambda: table.view.is_over)
    return store.read(log.id).table, display


def test_points_trains_and_the_display_go_by_the_house_rules(tmp_path: Path) -> None:
    usual, _ = played(tmp_path / "usual", {}, CLAIMS)
    table, display = played(tmp_path, {"longest_path_bonus": 0, "trains": 30}, CLAIMS)
    totals = [
        final_score(position_of(one.as_game(), one.board))["red"].total for one in (usual, table)
    ]
    assert totals[0] - totals[1] == 10
    assert (table.edition.trains, table.edition.longest_path_bonus) == (30, 0)
    standing, edition = display.shown[-1]
    assert (edition.trains, edition.longest_path_bonus) == (30, 0)
    assert standing["red"].trains_left == 30 - 6 - 4


def test_the_last_turns_come_when_fewer_trains_are_used_up(tmp_path: Path) -> None:
    table, _ = played(tmp_path, {"trains": 12}, CLAIMS)
    assert table.last_turns_by is not None
    table, _ = played(tmp_path / "usual", {}, CLAIMS)
    assert table.last_turns_by is None


@pytest.mark.parametrize("stations", [0, 3])
def test_stations_that_nobody_plays_with_are_not_looked_for(tmp_path: Path, stations: int) -> None:
    started = GameStarted("europe", PLAYERS, house_rules={"stations": stations})
    with GameStore(tmp_path).create(started, 1.0) as log:
        board = WatchedBoard(log.state.table, drawn.profile(), AtOnce(), Questions())
    pieces = board.pieces()
    assert pieces.stations_each == stations
    assert (pieces.station_size_mm is not None) == bool(stations)
