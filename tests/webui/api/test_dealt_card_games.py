"""The Card Game on phones over HTTP: whole games, seats, secrets, and a program that is killed."""

import json
import random
import re
import threading
import time
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest
from card_phones import CITY, DEALT, PLAYERS, choice, dealt, moved, on_turn
from killable import KillableServe
from phones import Phone
from railspotter.scoring.answer import answer, parse_game, to_json
from railspotter.webui.serving.server import Server
from resting_pages import resting_app
from score_oracle import Score, card_game_score, is_paid
from served_play import free_port

KILLS = 3  # of the program, in one game


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    with Server(resting_app(tmp_path, is_open=True)[0], "127.0.0.1", 0) as server:
        yield int(server.url.rstrip("/").rpartition(":")[2])


@pytest.mark.parametrize("players", [2, 4])
def test_phones_play_a_whole_game_and_learn_only_what_is_theirs(
    port: int, players: int, tmp_path: Path
) -> None:
    phones, path = dealt(port, players)
    may_know: dict[str, set[str]] = {}
    for phone in phones:
        offered = phone.get(f"{path}/view").json["view"]["own"]["offered"]
        may_know[phone.cookie] = {ticket["cities"][0] for ticket in offered}
    while (turn := on_turn(phones, path)) is not None:
        phone, view = turn
        assert view["round"] == 1 or players == 4
        after = moved(phone, path, view)["view"]
        shown = [
            t for seen in (view, after) for t in seen["own"]["offered"] + seen["own"]["tickets"]
        ]
        may_know[phone.cookie] |= {ticket["cities"][0] for ticket in shown}
        completed = {one["ticket"]["cities"][0] for p in after["players"] for one in p["completed"]}
        for known in may_know.values():
            known |= completed
        if not after["final"]:
            for other in phones:
                heard = set(re.findall(r"Ticket\d\d", other.heard.decode()))
                assert heard <= may_know[other.cookie]
    over = phones[0].get(f"{path}/view").json
    assert over["view"]["round"] == (2 if players == 4 else 1)
    assert over["answer"]["winners"]
    totals = {player["colour"]: player["total"] for player in over["answer"]["players"]}
    for player in over["view"]["players"]:
        counted = sum(one["ticket"]["points"] for one in player["completed"])
        counted -= sum(ticket["points"] for ticket in player["missed"])
        assert totals[player["colour"]] - counted in (0, 9)
    exported = phones[0].get(f"{path}/export")
    again = to_json(answer(parse_game(exported.content)))
    assert {player["colour"]: player["total"] for player in again["players"]} == totals
    assert phones[0].get(f"{path}/export/bgstats").status == 200
    ends_as_an_oracle_counts(phones[0], path)


def test_a_seat_is_one_phones_until_it_leaves_it(port: int) -> None:
    (red, blue), path = dealt(port)
    stranger = Phone(port)
    assert stranger.post(f"{path}/seat", {"colour": "red"}).refusal == (409, "refused")
    assert stranger.post(f"{path}/seat", {"colour": "white"}).status == 409
    watching = stranger.get(f"{path}/view").json["view"]
    assert (watching["city_bonuses"], watching["own"]) == ({CITY: 9}, None)
    for answered in (
        stranger.post(f"{path}/moves", {"seen": 0, "move": {"move": "draw_card"}}),
        stranger.ask("DELETE", f"{path}/seat"),
        stranger.ask("DELETE", path, X_Forwarded_For="192.0.2.7"),
    ):
        assert answered.refusal == (403, "not yours")
    hand = red.get(f"{path}/view").json["view"]["own"]["hand"]
    assert red.ask("DELETE", f"{path}/seat").json["seated"] == ["blue"]
    assert red.get(f"{path}/view").json["view"]["own"] is None
    taken = stranger.post(f"{path}/seat", {"colour": "red"})
    assert (taken.json["view"]["own"], taken.json["hidden"]) == (None, ["red"])
    assert blue.post(f"{path}/vouch", {"colour": "red"}).status == 200
    assert stranger.get(f"{path}/view").json["view"]["own"]["hand"] == hand
    cookie = taken.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert f"Path=/api/v1{path}" in cookie
    assert blue.get(f"{path}/view").json["view"]["own"]["colour"] == "blue"
    assert blue.ask("DELETE", path).status == 200
    assert blue.get(f"{path}/view").status == 410


def test_a_move_is_made_once_and_refused_in_a_sentence(port: int) -> None:
    phones, path = dealt(port)
    for phone in phones:
        view = phone.get(f"{path}/view").json["view"]
        none = phone.post(
            f"{path}/moves", {"seen": 0, "move": {"move": "keep_offered", "places": []}}
        )
        assert (none.status, none.json["error"]["message"]) == (
            400,
            "Keep at least 1 of these tickets.",
        )
        moved(phone, path, view)
    red, blue = phones
    view = red.get(f"{path}/view").json["view"]
    draw = {"seen": view["moves"], "move": {"move": "draw_card"}}
    early = blue.post(f"{path}/moves", draw)
    assert (early.status, early.json["error"]["message"]) == (400, "Wait until it is your turn.")
    assert red.post(f"{path}/moves", draw).status == 200
    # Its answer was lost, and it comes again.
    assert red.post(f"{path}/moves", draw).refusal == (409, "changed")
    assert red.get(f"{path}/view").json["view"]["moves"] == view["moves"] + 1
    german = red.post(
        f"{path}/moves", {**draw, "seen": 3, "move": {"move": "draw_tickets"}}, Accept_Language="de"
    )
    assert german.json["error"]["message"] == "Zieh eine zweite Karte oder beende den Zug."


def ends_as_an_oracle_counts(phone: Phone, path: str) -> None:
    """The last score is that of one that shares no code with the program, and all is paid for."""
    over, game = (phone.get(f"{path}/{what}").json for what in ("view", "export"))
    totals = {player["colour"]: player["total"] for player in over["answer"]["players"]}
    assert Score(totals, set(over["answer"]["winners"])) == card_game_score(game)
    for player in over["view"]["players"]:
        assert all(is_paid(one["ticket"], one["paid"]) for one in player["completed"])


def test_what_cannot_be_dealt_is_refused(port: int) -> None:
    here = Phone(port)
    for players, status in (
        ([{"colour": "red"}], 400),
        ([{"colour": "red"}, {"colour": "red"}], 400),
        ([{"colour": "red"}, {"colour": "blue"}], 400),  # there is no deck yet
    ):
        assert here.post(DEALT, {"players": players}).status == status
    few = here.post(DEALT, {"players": [{"colour": "red"}, {"colour": "blue"}]})
    assert few.json["error"]["message"].startswith("The deck has 0 tickets; 12 are dealt")
    (red, _), path = dealt(port, may_look=True)
    assert red.get(f"{path}/view").json["view"]["own"]["track"] == {}
    assert red.get(f"{path}/export").code == "not over"
    assert red.get(f"{path}/export/bgg").code == "not over"


def test_a_program_that_is_killed_loses_no_move_that_it_answered(tmp_path: Path) -> None:
    rng, served = random.Random(3), KillableServe(tmp_path, free_port())
    try:
        phones, path = dealt(served.port, 3)
        answered = killed = 0
        while (turn := on_turn(phones, path)) is not None:
            phone, view = turn
            if killed == KILLS or answered < 12 * (killed + 1):
                after = moved(phone, path, view)
                answered += 1
                assert phone.get(f"{path}/view").json == after
                continue
            # This move is on its way as the program is killed: it is made, or not, and never half.
            told: list[Any] = []
            body = {"seen": view["moves"], "move": choice(view)}
            sender = threading.Thread(target=send, args=(phone, path, body, told))
            sender.start()
            time.sleep(rng.uniform(0, 0.02))
            served.kill()
            sender.join()
            served.begin()
            killed += 1
            now = phone.get(f"{path}/view").json
            if told:
                assert now == told[0]
            assert now["view"]["moves"] - view["moves"] in (0, 1)
            if now["view"]["moves"] == view["moves"]:
                assert now["view"] == view
            assert all(other.get(f"{path}/view").json["view"]["own"] for other in phones)
        ends_as_an_oracle_counts(phones[0], path)
    finally:
        served.kill()
    assert killed == KILLS
    (file,) = (tmp_path / "card-game" / "dealt").glob("*.json")
    assert file.stat().st_mode & 0o077 == 0, "it has everybody's cards"
    kept = json.loads(file.read_text())
    assert all(re.fullmatch("[0-9a-f]{64}", token) for token in kept["seats"].values())


def send(phone: Phone, path: str, body: Any, told: list[Any]) -> None:
    try:
        answered = phone.post(f"{path}/moves", body)
    except (OSError, HTTPException):
        return
    if answered.status == 200:
        told.append(answered.json)


def test_computers_play_along_and_nobody_sits_down_in_their_seats(port: int) -> None:
    (red,), path = dealt(port, 1, computers={"blue": "easy", "green": "medium", "black": "hard"})
    assert red.get(f"{path}/view").json["seated"] == ["red"]
    other = Phone(port).post(f"{path}/seat", {"colour": "blue"})
    assert other.json["error"]["message"] == "A computer plays here."
    while (turn := on_turn([red], path)) is not None:
        answered = moved(red, path, turn[1])
        hidden = [player["missed"] for player in answered["view"]["players"]]
        assert answered["view"]["final"] or not any(hidden)
    ends_as_an_oracle_counts(red, path)
    over = red.get(f"{path}/view").json
    assert over["view"]["round"] == 2
    assert any(player["completed"] for player in over["view"]["players"][1:])
    alone = [{"colour": colour, "computer": "easy"} for colour in PLAYERS[:2]]
    refused = red.post(DEALT, {"players": alone})
    assert refused.json["error"]["message"] == "Somebody has to play with the computers."
