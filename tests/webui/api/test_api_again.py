"""`railspotter play` as it is: codes in the terminal, a whole game's course, and the next game."""

from dataclasses import replace
from pathlib import Path

import drawn
import pytest
from phones import Phone
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.home import ProfileStore
from served_play import asked, free_port, serving_play
from waiting import until

PLAY = ["--board", "usa", "--source", "phone", "--players", "Ann:red", "Bo:blue"]
ROUTE = "helena--seattle"


def game_on(phone: Phone, *, but: str = "") -> str:
    """The id of the game that the page shows, once it shows another one than that."""

    def shown() -> str:
        state = asked(phone, "/state")
        game = state["game"]["id"] if state else ""
        return game if game != but else ""

    return str(until(shown))


def test_the_next_game_has_the_same_phones_and_what_was_moved(home: Path) -> None:
    ProfileStore(home).save(replace(drawn.profile(), name="mine"))
    with serving_play(free_port(), *PLAY) as play:
        player = Phone(play.port).join(play.link("join"))
        host = play.host()
        seat = player.state()["players"][0]["seat"]
        assert player.post("/seat", {"seat": seat}).status == 200
        assert host.get("/calibration").json["nudged"] == 0
        moved = host.ask("PUT", "/calibration/nudges", {"key": ROUTE, "dxy_mm": [1.5, 0.0]})
        assert moved.json["nudged"] == 1
        first = game_on(host)
        assert host.post("/again").refusal == (409, "not over")
        assert host.post("/end").status == 200
        with player.stream() as stream:
            stream.next("state")
            assert host.post("/again").status == 200
            with pytest.raises((AssertionError, ConnectionError)):
                stream.next("nothing")
        second = game_on(player, but=first)
        assert player.get("/you").json["seat"] == seat
        assert host.get("/you").json["is_host"]
        state = player.state()
        assert not state["game"]["ended"]
        assert [entry["kind"] for entry in state["log"]] == ["game_started"]
        assert host.get("/calibration").json["nudged"] == 1
        assert player.correct(ROUTE, "red").status == 200
        assert set(GameStore(home).ids()) == {first, second}
        assert play.ended() == 0
    assert f"--resume {second[:8]}" in play.said
    assert ProfileStore(home).load("mine").nudges_mm == {ROUTE: (1.5, 0.0)}
