"""A game without any camera: people say what lies there, and nothing is missed."""

from pathlib import Path

from dealt_tables import dealt_table, keep_first, move
from phones import PLAYERS, table
from railspotter.scoring.dealing.moves import Pay
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.live_table.commands import Action, Correct, Resume
from railspotter.table.live_table.live_table import LiveTable
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.source import NoCamera
from waiting import until

SEATTLE = Spot("route", "portland--seattle--0")


def test_what_is_tapped_and_paid_lies_there_and_nobody_is_alarmed(tmp_path: Path) -> None:
    with dealt_table(tmp_path, has_camera=False) as running:
        live, host = running.live, running.host()
        keep_first(running)
        move(running, "ann", Pay("route", SEATTLE.id, {"red": 1}))
        assert running.log.state.table.held == {SEATTLE: "red"}
        assert running.log.state.table.turn == "bob"
        live.away_s += 3600.0
        live.execute(Correct(Spot("route", "boston--montreal--0"), "blue"))
        until(lambda: live.view.camera)
        told = host.state()["table"]
        assert told["has_camera"] is False
        assert told["hindrance"] is None
        assert "no camera" in told["camera"]
        refused = host.get("/calibration")
        assert refused.status == 404
        assert "No camera sees this game's board" in refused.json["error"]["message"]
        assert host.get("/camera.jpg").status in (404, 503)


def test_cards_are_dealt_before_anybody_can_ask_for_them(tmp_path: Path) -> None:
    started = GameStarted("usa", PLAYERS, cards="phones")
    with GameStore(tmp_path).create(started, 1.0) as log, Grabber(NoCamera()) as grabber:
        view = LiveTable(log, grabber, None).view
        assert view.game.table.dealing is not None


def test_a_game_that_is_packed_away_goes_on_at_once(tmp_path: Path) -> None:
    with dealt_table(tmp_path, has_camera=False) as running:
        live = running.live
        (packed,) = live.execute(Action.PACK_AWAY)
        assert running.log.crops(packed.seq) == ()
        assert live.view.sight.rebuilding is None
        live.execute(Resume())
        assert not running.log.state.table.paused
        live.execute(Action.PACK_AWAY)
        game = running.log.id
    with table(tmp_path, game, has_camera=False) as again:
        assert again.live.view.sight.rebuilding is None
        until(lambda: again.live.view.hindrance is not None)
        assert again.host().post("/resume").status == 200
        until(lambda: again.live.view.hindrance is None)
        assert not again.log.state.table.paused
