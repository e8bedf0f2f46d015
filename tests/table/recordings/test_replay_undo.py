"""A game in which people corrected, undid and put back: watched once more, it ends the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from at_once import AtOnce
from railspotter.calibration.profiles.reference import make_profile
from railspotter.cli.commands.replay import _due_in
from railspotter.scoring import Spot, load_board, load_edition
from railspotter.simulation.virtual_board import Scene
from railspotter.simulation.virtual_game import plain_game
from railspotter.table.game_log import GameStarted, GameStore, Player
from railspotter.table.live_table import LiveTable
from railspotter.table.recordings.recorder import Recorder
from railspotter.table.recordings.recording import RecordedFrames, Recording
from railspotter.table.recordings.replay import replay
from railspotter.vision.sources import Grabber, VirtualBoard

CLAIMED = "dallas--oklahoma-city--0"
SAID: tuple[tuple[float, Callable[[LiveTable], object]], ...] = (
    (3.0, LiveTable.pause),
    (3.4, LiveTable.undo),
    (3.6, LiveTable.end),
    (3.8, LiveTable.undo),
    (12.0, LiveTable.undo),
    (13.2, LiveTable.redo),
    (14.4, partial(LiveTable.correct, spot=Spot("route", "helena--seattle"), colour="red")),
    (14.6, LiveTable.undo),
    (14.8, LiveTable.redo),
    (15.0, partial(LiveTable.correct, spot=Spot("route", "duluth--helena"), colour="blue")),
    (15.2, LiveTable.undo),
)
"""The claim is made at 10.6 s."""
FROM_S, LAST_S = 2.0, 16.4


@pytest.fixture(scope="module")
def home_of_it(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the log of a game with second thoughts, and its recording in `recorded`."""
    home = tmp_path_factory.mktemp("home")
    game = plain_game(load_edition("usa"), load_board("usa"), 3, (960, 640))
    blank = game.camera.take(Scene(light=game.enactment.timeline.lamps[0].light))
    profile = make_profile(blank.picture, load_board("usa"), blank.corners_px, "drawn", "")
    players = tuple(Player(s.colour, s.colour) for s in game.enactment.played.seats)
    source = VirtualBoard(
        lambda t_s: game.frame_at(FROM_S + t_s).picture, LAST_S - FROM_S, 5.0, as_fast_as_read=True
    )
    with (
        GameStore(home).create(GameStarted("usa", players, "Friday"), 1.0) as log,
        Grabber(source) as grabber,
    ):
        table = LiveTable(log, grabber, profile, work=AtOnce())
        with Recorder(
            home / "recorded", log.id, log.state.table.started, profile, say=print, least_free=0
        ) as recorder:
            table.look_on(recorder.looked)
            to_say = list(SAID)
            first_s: float | None = None
            while not table.view.is_over:
                table.turn()
                if table.frame is None:
                    continue
                first_s = table.frame.taken_at_s if first_s is None else first_s
                t_s = FROM_S + table.frame.taken_at_s - first_s
                while to_say and to_say[0][0] <= t_s:
                    to_say.pop(0)[1](table)
            assert not to_say
        assert log.state.table.claims == {CLAIMED: "yellow", "helena--seattle": "red"}
    return home


def test_it_ends_as_it_ended_then(home_of_it: Path) -> None:
    recording = Recording.load(home_of_it / "recorded")
    then = GameStore(home_of_it).read(recording.head.game)
    again = replay(
        RecordedFrames(recording),
        recording.profile(),
        recording.head.started,
        then,
        _due_in(recording),
    )
    assert again.is_same
    kinds = [[event.fact.kind for event in game.events] for game in (then, again.game)]
    assert kinds[1] == kinds[0], "what was taken back is taken back, and not corrected by hand"
    assert not again.game.table.paused
    assert not again.game.table.ended
