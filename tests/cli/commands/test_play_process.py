"""The whole program before a served camera: killed in the middle, it goes on; Ctrl-C ends it."""

import os
import signal
from itertools import cycle
from pathlib import Path

import pytest
from browser_driver import with_noise
from camera_server import serving
from enacted_events import claims_at
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_game import plain_game
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.home import ProfileStore
from railspotter.table.photo_file import to_jpeg
from served_play import free_port, serving_play
from waiting import until

PATIENCE_S = 150.0  # for a busy machine: alone, it takes some seconds


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_killed_game_goes_on(home: Path) -> None:
    game = plain_game(load_edition("usa"), load_board("usa"), 3, (960, 640))
    blank = game.camera.take(Scene(light=game.enactment.lamps[0].light))
    profile = make_profile(blank.picture, load_board("usa"), blank.corners_px, "drawn", "")
    ProfileStore(home).save(profile)
    first_s, later_s = game.still_after(12.0), game.still_after(45.0)
    pictures = {
        t_s: cycle([to_jpeg(one, 92) for one in with_noise(game.frame_at(t_s).picture, 4)])
        for t_s in (first_s, later_s)
    }
    truth = {t_s: claims_at(game.enactment, t_s) for t_s in pictures}
    assert truth[first_s].keys() < truth[later_s].keys()
    now = [first_s]
    store = GameStore(home)
    seats = [f"{seat.colour}:{seat.colour}" for seat in game.enactment.played.start.seats]
    with serving(lambda request: request.picture(next(pictures[now[0]]))) as server:
        begin = ("--board", "usa", "--source", server.url, "--players", *seats, "--name", "Friday")
        with serving_play(free_port(), *begin) as served:
            host = served.host()
            until(lambda: host.get("/state").json["table"]["joining"])
            assert host.post("/joining").status == 200
            assert served.ended(by=signal.SIGKILL) == -signal.SIGKILL
        assert "there are trains on the board already" in served.said
        (game_id,) = store.ids()
        assert store.read(game_id).table.claims == truth[first_s]

        now[0] = later_s
        with serving_play(free_port(), "--source", server.url) as play:
            until(lambda: store.read(game_id).table.claims == truth[later_s], PATIENCE_S)
            assert play.ended(by=signal.SIGINT) == 0
        assert f"'railspotter play --resume {game_id[:8]}'" in play.said.splitlines()[-1]
