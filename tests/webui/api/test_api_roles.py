"""Who is who: tokens, seats and cookies; what the calls themselves refuse."""

import socket
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from phones import Table, table
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.game_store import PAIRING
from railspotter.webui.access.phone_access import new_word, qr_terminal
from railspotter.webui.serving.system_network import phone_addresses


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with table(tmp_path_factory.mktemp("home")) as running:
        yield running


def test_an_answer_names_the_event_that_takes_it_back(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        ann = running.player("ann")
        claimed = ann.correct("helena--seattle", "red")
        event = claimed.json["undo"]["event"]
        assert ann.state()["undo"] == {"event": event}
        assert ann.post("/undo", {"event": event}).json["undo"] is None
        assert ann.state()["spots"].get("route:helena--seattle", {}).get("colour") is None
        assert ann.post("/pause").json["undo"] is not None
        assert ann.post("/pause").json["undo"] is None, "it was paused already"
        secret = {"a": "denver", "b": "el-paso"}
        assert "undo" not in ann.post("/hand", secret).json


def test_what_people_read_is_in_the_language_of_their_phone(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        ann = running.player("ann")
        german = {"Accept_Language": "de-AT,de;q=0.9,en;q=0.5"}
        wrong = {"kind": "route", "about": "nowhere", "was": None, "now": "red"}
        for more, says in ((german, "Der Spielplan hat nichts"), ({}, "The board has no")):
            told = ann.post("/corrections", wrong, **more).json["error"]
            assert (told["code"], told["message"][: len(says)]) == ("unknown", says)
        running.live.ask(Spot("route", "helena--seattle"), "blue", "red")
        (question,) = ann.get("/state", **german).json["questions"]
        assert (question["why"], question["said"]) == ("ein Lichtreflex liegt darüber", "blue")
        assert ann.state()["questions"][0]["why"] == "glare lies over it"


def test_the_hosts_link_works_once(running: Table) -> None:
    token = running.codes.host
    host = running.phone().join(token)
    assert host.get("/you").json["role"] == "host"
    again = running.phone().post("/join", {"token": token})
    assert again.refusal == (403, "used")
    assert "scan the join code" in again.json["error"]["message"]
    assert "Set-Cookie" not in again.headers
    assert running.phone().post("/join", {"token": "another"}).code == "old"
    assert any(running.codes.host in line for line in running.said), "the next is said"


def test_a_cookie_is_for_the_page_alone(running: Table) -> None:
    answer = running.phone().post("/join", {"token": running.codes.join})
    (cookie,) = answer.headers.get_all("Set-Cookie", [])
    for part in ("HttpOnly", "SameSite=Strict", "Path=/"):
        assert part in cookie
    value = cookie.partition("=")[2].partition(";")[0]
    assert len(value) >= 22, "128 bits"
    kept = running.log.path.with_suffix(PAIRING)
    assert value not in kept.read_text(), "only its hash is kept"
    assert kept.stat().st_mode & 0o077 == 0


def test_a_seat_belongs_to_one_phone_until_it_is_freed(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        ann, other = (
            running.player("ann"),
            running.joined(),
        )
        assert other.post("/seat", {"seat": "ann"}).refusal == (409, "taken")
        assert other.ask("DELETE", "/seat/ann").status == 403
        assert other.post("/seat", {"seat": "atlantis"}).status == 404
        assert other.post("/seat", {"seat": "bob"}).json["seat"] == "bob"
        paired = {p["seat"]: p["is_paired"] for p in other.state()["players"]}
        assert paired == {"ann": True, "bob": True, "cleo": False}

        word = running.codes.join
        assert running.host().ask("DELETE", "/seat/ann").status == 200
        assert running.codes.join == word, "the code on the wall stays"
        assert ann.get("/you").json["role"] == "guest"
        assert ann.post("/seat", {"seat": "ann"}).status == 401, "it was sent away"
        running.page.services.phone_access.change_door(word=new_word())
        assert ann.post("/join", {"token": word}).status == 403, "by another word for good"
        assert other.get("/you").json["seat"] == "bob", "the others stay"

        assert other.ask("DELETE", "/seat/bob").status == 200
        assert other.post("/seat", {"seat": "bob"}).status == 200, "who left may come back"


def test_a_host_may_play_too(running: Table) -> None:
    host = running.host()
    assert host.post("/seat", {"seat": "ann"}).json["role"] == "host"
    assert host.get("/hand").status == 200, "a host may play too"
    assert host.ask("DELETE", "/seat/ann").status == 200


def test_a_player_mends_the_own_name_only(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        ann, host = running.player("ann"), running.host()
        assert ann.ask("PATCH", "/players/ann", {"name": "Anna"}).status == 200
        assert ann.ask("PATCH", "/players/bob", {"name": "Bert"}).status == 403
        assert ann.ask("PATCH", "/players/ann", {"colour": "black"}).status == 403
        assert host.ask("PATCH", "/players/bob", {"name": "Bert", "colour": "black"}).status == 200
        assert host.ask("PATCH", "/players/bob", {"colour": "red"}).status == 409
        assert host.ask("PATCH", "/players/bob", {"colour": "mauve"}).status == 400
        players = {p["seat"]: (p["name"], p["colour"]) for p in host.state()["players"]}
        assert players["ann"] == ("Anna", "red")
        assert players["bob"] == ("Bert", "black")


def test_people_come_in_swap_and_leave(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        host = running.host()
        came = host.post("/players", {"name": "Dan D.", "colour": "yellow", "place": 0})
        assert came.json["seat"] == "dan-d"
        assert host.post("/players", {"name": "Eve", "colour": "yellow"}).status == 409
        assert host.state()["players"][0]["name"] == "Dan D."
        assert host.post("/players/swap", {"seat": "ann", "other": "bob"}).status == 200
        colours = {p["seat"]: p["colour"] for p in host.state()["players"]}
        assert (colours["ann"], colours["bob"]) == ("blue", "red")
        assert host.ask("DELETE", "/players/dan-d").status == 200
        assert host.ask("DELETE", "/players/dan-d").status == 409
        assert host.state()["players"][0]["has_left"]
        back = {"name": "Dan", "colour": "yellow", "seat": "dan-d"}
        assert host.post("/players", back).status == 200
        assert not host.state()["players"][0]["has_left"]


def test_a_seat_that_the_game_has_no_more_is_nobodys(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        host = running.host()
        came = host.post("/players", {"name": "Dan", "colour": "yellow"}).json["seat"]
        dan = running.player(came)
        assert dan.get("/hand").status == 200
        assert host.post("/undo").status == 200
        assert dan.get("/you").json["role"] == "guest"
        assert dan.get("/hand").status == 403
        assert dan.post("/pause").status == 403
        assert host.post("/redo").status == 200
        assert dan.get("/you").json["seat"] == came


def test_codes_are_the_hosts_and_can_be_scanned(running: Table) -> None:
    host = running.host()
    codes = host.get("/codes").json
    assert codes["join"]["url"].endswith(f"/#join={running.codes.join}")
    assert codes["join"]["svg"].startswith("<svg")
    assert "script" not in codes["join"]["svg"]
    assert codes["host"]["url"].endswith(f"/#host={running.codes.host}")


def test_the_terminals_code_is_read_by_a_phone() -> None:
    url = "http://192.0.2.7:8000/#join=vPlB88TqCPkYPThFqkEDAA"
    rows = qr_terminal(url).splitlines()
    picture = np.zeros((2 * len(rows), len(rows[0])), np.uint8)
    for i, row in enumerate(rows):
        for j, letter in enumerate(row):
            picture[2 * i, j] = 255 * (letter in "█▀")
            picture[2 * i + 1, j] = 255 * (letter in "█▄")
    large = cv2.copyMakeBorder(
        np.kron(picture, np.ones((8, 8), np.uint8)), 32, 32, 32, 32, cv2.BORDER_CONSTANT, value=255
    )
    read, _, _ = cv2.QRCodeDetectorAruco().detectAndDecode(large)
    assert read == url


@pytest.mark.skipif(not phone_addresses(), reason="this computer is in no network")
def test_the_host_lets_phones_in(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        host, address = running.host(), phone_addresses()[0]

        def opens() -> bool:
            try:
                socket.create_connection((address, running.page.server.port), 5).close()
            except ConnectionRefusedError:
                return False
            return True

        before = host.get("/codes").json
        assert (before["is_local"], before["can_let_in"], opens()) == (True, True, False)
        after = host.post("/let-in").json
        assert (after["is_local"], after["can_let_in"], opens()) == (False, False, True)
        assert after["join"]["url"].startswith(
            f"http://{address}:{running.page.server.port}/#join="
        )
        assert host.post("/let-in").json == after, "a second tap changes nothing"
        assert any(f"http://{address}" in line for line in running.said)
