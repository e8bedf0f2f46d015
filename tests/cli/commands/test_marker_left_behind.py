"""A drawn game that `railspotter play` watches, and in which a marker is moved too short."""

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import drawn
import pytest
from at_once import AtOnce
from kept_readings import kept_readings
from railspotter.calibration.arrays import Picture
from railspotter.cli import table_service
from railspotter.cli.command import main
from railspotter.cli.commands import play
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.pieces import place_markers, place_trains
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera
from railspotter.table.game_log.public_log import PublicLog
from railspotter.table.home import ProfileStore, home
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.live_table.table_view import TableView
from railspotter.vision.sources.photos import VirtualBoard
from railspotter.webui.access.roles import Devices
from railspotter.webui.feed.public_state import PublicGame, public_state

CAMERA = VirtualCamera(
    drawn.usa(), view=CameraSetup((960, 720), tilt_deg=12, heading_deg=10), sensor=drawn.SENSOR
)
FRAME_S = 2.0  # between two frames
TURN, REST = 5, 30  # frames in which nobody moves


class Turn(NamedTuple):
    """What lies on the board for some frames."""

    red_routes: tuple[str, ...]
    blue_routes: tuple[str, ...]
    red_marker: int
    blue_marker: int
    frames: int


FIRST = ("helena--seattle",)
MOST = (*FIRST, "calgary--winnipeg", "helena--winnipeg")
ALL = (*MOST, "los-angeles--phoenix")
BLUE = ("miami--new-orleans",)
GAME = (
    Turn((), (), 0, 0, TURN),
    Turn(MOST, BLUE, 37, 15, TURN),
    Turn(ALL, BLUE, 38, 15, REST),  # three trains are four points, not one
    Turn(ALL, BLUE, 41, 15, REST // 2),
)
LEFT_BEHIND = (GAME[0], Turn(FIRST, (), 12, 0, REST))


def shown(game: tuple[Turn, ...]) -> tuple[Picture, ...]:
    """What the camera sees of a game, frame by frame."""
    frames: list[Picture] = []
    for turn in game:
        claims = dict.fromkeys(turn.red_routes, "red") | dict.fromkeys(turn.blue_routes, "blue")
        scores = {"red": turn.red_marker, "blue": turn.blue_marker}
        markers = place_markers(CAMERA.printed, scores)
        pieces = (*place_trains(CAMERA.printed, claims), *markers)
        frames += [CAMERA.take(Scene(pieces)).picture] * turn.frames
    return tuple(frames)


class Screen:
    """What the page of a game shows of markers, one after the other."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.said: list[Any] = []
        self.scores: dict[str, int] = {}
        self._monkeypatch = monkeypatch
        monkeypatch.setattr(table_service, "LiveTable", self._table)

    def watch(self, game: tuple[Turn, ...], *options: str) -> None:
        """Have `railspotter play` watch a game."""
        pictures = shown(game)
        camera = VirtualBoard(
            lambda t_s: pictures[round(t_s / FRAME_S)],
            FRAME_S * (len(pictures) - 1),
            1 / FRAME_S,
            as_fast_as_read=True,
        )
        ProfileStore(home()).save(drawn.profile())
        self._monkeypatch.setattr(play, "parse_source", lambda text, named: camera)
        self._monkeypatch.setattr(sys, "stdin", io.StringIO())
        players = ("--board", "usa", "--players", "Ann:red", "Bo:blue")
        assert main(["play", "--source", "drawn", "--no-page", *players, *options]) == 0

    def _table(self, *of_a_table: Any, **more: Any) -> LiveTable:
        # Readings end before the next frame comes, so that the clock of the pictures is all.
        table = LiveTable(*of_a_table, **more, work=AtOnce())
        table.subscribe(self._show)
        return table

    def _show(self, view: TableView, events: object) -> None:
        game = PublicGame("drawn", PublicLog.of(view.game))
        state = public_state(view, game, Devices())
        self.scores = {player["seat"]: player["points"] for player in state["players"]}
        markers = state["table"]["markers"]
        if not self.said or self.said[-1] != markers:
            self.said.append(markers)


@pytest.fixture
def screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Screen]:
    monkeypatch.setenv("RAILSPOTTER_HOME", str(tmp_path))
    with kept_readings():
        yield Screen(monkeypatch)


def test_a_marker_that_stands_too_low_is_told_of_until_it_is_moved(screen: Screen) -> None:
    screen.watch(GAME)
    assert screen.scores == {"ann": 41, "bo": 15}
    assert screen.said == [[], [{"seat": "ann", "at": 38, "should_be": 41}], []]


def test_markers_in_the_box_are_not_told_of(screen: Screen) -> None:
    screen.watch(LEFT_BEHIND, "--no-markers")
    assert screen.scores == {"ann": 15, "bo": 0}
    assert screen.said == [[]]
