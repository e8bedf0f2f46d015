"""Reports of what the camera misread: made by a tap, kept for the host, sent nowhere."""

from base64 import b64decode
from pathlib import Path

import pytest
from phones import JPEG, Table, table
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.live_table.claim_films import Film
from railspotter.table.recordings import reports
from table_pages import claim
from waiting import until

SEATTLE = Spot("route", "helena--seattle")
ABOUT = {"kind": "route", "about": SEATTLE.id}


def test_an_answered_question_is_reported_with_its_picture_and_its_doubt(running: Table) -> None:
    bob, host = running.player("bob"), running.host()
    assert bob.post("/reports", ABOUT).refusal == (409, "changed")
    running.live.ask(SEATTLE, "blue", None)
    (question,) = bob.state()["questions"]
    assert bob.post(f"/questions/{question['id']}/answer", {"now": "red"}).status == 200
    assert bob.post("/reports", {**ABOUT, "question": question["id"]}).status == 200
    (head,) = host.get("/reports").json["reports"]
    assert (head["said"], head["true"], head["is_misread"]) == ("blue", "red", True)
    assert (head["name"], head["why"]) == ("Helena - Seattle", "glare lies over it")
    film = host.get(f"/reports/{head['id']}").json["film"]
    assert [b64decode(one) for one in film["pictures"]] == [JPEG]
    assert bob.get("/reports").refusal == (403, "not your role")
    assert running.phone().post("/reports", ABOUT).status == 401


def test_films_end_with_the_counting_also_where_no_camera_sees_it(tmp_path: Path) -> None:
    with table(tmp_path, has_camera=False) as running:
        claim(running, helena__seattle="blue")
        ann, host = running.player("ann"), running.host()
        seq = running.log.state.events[-1].seq
        running.live.films.films = {seq: Film((0.0, 0.0, 9.0, 9.0), (0.0,), (JPEG,))}
        film = f"/log/{running.session.feed.now().game.log.number_by_seq[seq]}/film"
        assert (ann.get(film).status, running.joined().get(film).status) == (200, 403)
        assert (host.post("/end").status, ann.get(film).status) == (200, 200)
        assert host.post("/count").status == 200
        until(lambda: ann.get(film).status == 404)
        assert not ann.state().get("films")


def test_reports_have_room_for_so_many_and_go_with_their_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "MOST_REPORTS", 1)
    toronto = {"kind": "route", "about": "chicago--toronto"}
    with table(tmp_path) as running:
        claim(running, helena__seattle="blue", chicago__toronto="red")
        ann, host = running.player("ann"), running.host()
        ann.correct(SEATTLE.id, None, "blue")
        for _ in range(2):
            assert ann.post("/reports", ABOUT).status == 200
        (head,) = host.get("/reports").json["reports"]
        assert (head["said"], head["true"], head["sure"]) == ("blue", None, 1.0)
        ann.correct("chicago--toronto", None, "red")
        assert ann.post("/reports", toronto).refusal == (503, "not written")
        assert host.ask("DELETE", f"/reports/{head['id']}").status == 200
        assert ann.post("/reports", toronto).status == 200
        (tmp_path / "reports" / f"{'0' * 32}-1.json").write_text("{")
        assert len(host.get("/reports").json["reports"]) == 1, "a damaged one hides no other"
    GameStore(tmp_path).delete(running.log.id)
    assert [path.name[:1] for path in (tmp_path / "reports").iterdir()] == ["0"]
