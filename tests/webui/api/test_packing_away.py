"""Packing a game away over the programming interface, and what lists of games say of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from dealt_tables import dealt_table, keep_first
from phones import JPEG, AskingTable, Table, table
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import GameEnded, GamePackedAway
from railspotter.table.live_table import live_table
from railspotter.table.live_table.commands import AddFacts
from railspotter.table.live_table.table_view import Difference, RebuildingView
from waiting import until

SEATTLE = Spot("route", "helena--seattle")
SEATTLE_LANE = "portland--seattle--0"  # one space, gray
LANE, OTHER_LANE = (Spot("route", f"portland--seattle--{lane}") for lane in (0, 1))


@pytest.fixture
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """A table that sees its board, as far as packing away goes."""
    monkeypatch.setattr(live_table, "picture_of_board", lambda frame, pose: JPEG)
    monkeypatch.setattr(
        AskingTable, "sighted", property(lambda _: (None, None), lambda *_: None), raising=False
    )
    with table(tmp_path) as running:
        yield running


def test_the_host_packs_away_and_everyone_sees_the_board_as_it_lay(running: Table) -> None:
    ann, host, guest = running.player("ann"), running.host(), running.phone()
    running.live.execute(AddFacts([Placed.on(SEATTLE, colour="red", by="camera")]))
    answer = host.post("/pack-away")
    assert answer.status == 200
    event = running.log.state.events[-1]
    assert isinstance(event.fact, GamePackedAway)
    assert running.log.crops(event.seq) == (JPEG,)
    state = guest.state()
    assert (state["game"]["paused"], state["game"]["packed_away"]) == (True, True)
    assert state["table"].get("rebuilding") is None
    (game,) = guest.get("/games").json["games"]
    assert game["packed_away"]
    picture = guest.get(f"/games/{running.log.id}/packed.jpg")
    assert (picture.status, picture.content) == (200, JPEG)
    assert host.post("/pack-away").json["undo"] is None, "it is packed away already"

    assert ann.post("/resume").status == 200
    view = RebuildingView(
        (
            Difference("lane", LANE, "blue", None, OTHER_LANE),
            Difference("missing", SEATTLE, "red", None),
        ),
        is_read=True,
    )
    running.live.see(rebuilding=view)
    until(lambda: running.live.view.sight.rebuilding is view)
    told = guest.state()["table"]["rebuilding"]
    assert told["missing"] == [{"spot": SEATTLE.key, "colour": "red", "seen": None, "spaces": 6}]
    assert told["lane"][0]["lies_on"] == OTHER_LANE.key
    assert told["extra"] == []
    assert guest.get(told["picture"].removeprefix("/api/v1")).content == JPEG
    assert ann.post("/rebuilt").status == 200
    assert guest.state()["game"]["packed_away"] is False
    assert guest.get(f"/games/{running.log.id}/packed.jpg").status == 404
    assert running.log.state.table.claims == {SEATTLE.id: "red"}


@pytest.mark.parametrize(
    ("path", "why"),
    [("/pause", "the game is paused"), ("/pack-away", "the game is packed away")],
)
def test_nobody_moves_until_the_game_goes_on(tmp_path: Path, path: str, why: str) -> None:
    with dealt_table(tmp_path, has_camera=False) as running:
        host, ann = running.host(), running.player("ann")
        kept = {"move": "keep_tickets", "tickets": ann.get("/cards").json["offered"]}
        host.post(path)
        refusals = [ann.post("/cards/moves", {"move": kept})]
        host.post("/resume")
        keep_first(running)
        paid = {"move": "pay", "kind": "route", "id": SEATTLE_LANE, "cards": {"red": 1}}
        host.post(path)
        for made in ({"move": "draw_card"}, {"move": "draw_tickets"}, paid):
            refusals.append(ann.post("/cards/moves", {"move": made}))
        assert [one.refusal for one in refusals] == [(409, "refused")] * 4
        assert all(one.json["error"]["message"].lower().startswith(why) for one in refusals)
        told = ann.get("/cards").json
        assert told["can_draw"] == {"deck": False, "places": [False] * 5}
        assert (told["can_draw_tickets"], told["can_pass"], told["payable"]) == (False, False, [])
        asked = ann.get(f"/cards/payments?kind=route&about={SEATTLE_LANE}").json
        assert asked["payments"] == []
        assert asked["why"].startswith(why)
        host.post("/resume")
        assert ann.get("/cards").json["payable"]
        assert ann.post("/cards/moves", {"move": paid}).status == 200


def test_a_game_that_is_over_is_not_packed_away(running: Table) -> None:
    running.live.execute(AddFacts([GameEnded()]))
    assert running.host().post("/pack-away").refusal == (409, "over")
    assert running.phone().get(f"/games/{'f' * 32}/packed.jpg").status == 404
