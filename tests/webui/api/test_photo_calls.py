"""A photo is a game: begun, asked about, added to, counted and gone on with, by calls."""

from pathlib import Path
from typing import Any

from msgspec.structs import replace
from phones import JPEG, Answer, Phone
from photo_tables import form_of, photo_table
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.table.photo_file import Files
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.table.set_up.game_set_up import SetUpWish
from railspotter.webui.served_pages import TablePage
from railspotter.webui.sessions.photo_queue import PhotoReading
from waiting import until

DOUBTED = Spot("route", "portland--seattle--0")
HIDDEN = Spot("route", "denver--helena")


def sent(phone: Phone, *photos: bytes) -> Answer:
    body, media_type = form_of(*(photos or (b"photo",)))
    return phone.post("/photos", body, Content_Type=media_type)


def host_of(page: TablePage) -> Phone:
    return Phone(page.server.port).join(page.services.phone_access.codes.host)


def begun(phone: Phone) -> str:
    until(lambda: phone.get("/table").json["phase"] == "home")
    answer = sent(phone)
    assert answer.status == 200, answer.content
    until(lambda: phone.get("/table").json["game"] == answer.json["id"])
    return str(answer.json["id"])


def first(scored: ScoredPhoto) -> ScoredPhoto:
    """A photo with pictures of what lies there, which does not show one route."""
    held = {spot: colour for spot, colour in scored.held.items() if spot != HIDDEN}
    return replace(scored, held=held, unseen=(HIDDEN,), crops=dict.fromkeys(held, JPEG))


def test_a_photo_is_a_game_to_its_winner(home: Path, scored: ScoredPhoto) -> None:
    read: list[Files] = []

    def score(files: Files) -> ScoredPhoto:
        read.append(files)
        return first(scored) if len(files) == 1 else replace(scored, doubts=())

    with photo_table(home, PhotoReading(score)) as page:
        host = host_of(page)
        game = begun(host)
        state = host.state()
        assert (state["game"]["origin"], state["phase"]) == ("photo", "show_tickets")
        assert {one["colour"]: one["name"] for one in state["players"]} == {"blue": "", "red": ""}
        (question,) = state["questions"]
        assert (question["about"], question["choices"]) == (DOUBTED.id, ["red", None]), (
            "nobody plays black"
        )
        assert host.get(f"/questions/{question['id']}/crop.jpg").content == JPEG
        proof = state["spots"]["route:helena--seattle"]["event"]
        assert host.get(f"/log/{proof}/crop.jpg").content == JPEG
        assert host.post(f"/questions/{question['id']}/answer", {"now": None}).status == 200

        guest = Phone(page.server.port).join(page.services.phone_access.codes.join)
        assert sent(guest).refusal == (403, "not your role"), "who has no seat adds no photo"
        assert guest.post("/stocks").refusal == (403, "not your role")
        assert guest.post("/seat", {"seat": "red"}).status == 200
        assert sent(guest, b"the rest").status == 200
        assert [content for content, _ in read[-1]] == [b"photo", b"the rest"]
        state = host.state()
        assert state["questions"] == []
        assert state["spots"][HIDDEN.key]["colour"] == "blue", "the rest shows it"
        assert state["spots"][DOUBTED.key]["colour"] is None, "what was said stays"

        assert host.post("/stocks").status == 200
        assert host.state()["game"]["stocks_confirmed"]
        assert host.ask("PATCH", "/players/blue", {"name": "Bo"}).status == 200
        assert host.post("/count").status == 200
        assert host.state()["game"]["counted"]
        assert host.post("/again").status == 200, "the next game is another photo"
        until(lambda: host.get("/table").json["phase"] == "home")
        assert host.get(f"/games/{game}").status == 200, "it is among the past games"


def test_a_game_of_a_photo_goes_on_the_next_morning(home: Path, scored: ScoredPhoto) -> None:
    reading = PhotoReading(lambda files: first(scored))
    with photo_table(home, reading) as page:
        game = begun(host_of(page))
    with photo_table(home, reading, SetUpWish(game, is_at_once=True)) as page:
        host = host_of(page)
        until(lambda: host.get("/table").json["game"] == game)
        assert [one["about"] for one in host.state()["questions"]] == [DOUBTED.id]
        assert sent(host).status == 200


def test_who_begins_may_take_a_seat(home: Path, scored: ScoredPhoto) -> None:
    with photo_table(home, PhotoReading(lambda files: first(scored))) as page:
        page.services.phone_access.change_door(is_open=True)
        guest = Phone(page.server.port)
        begun(guest)
        assert guest.post("/seat", {"seat": "red"}).status == 200
        assert Phone(page.server.port).post("/seat", {"seat": "blue"}).status == 401


def test_a_photo_without_trains_or_board_begins_nothing(home: Path, scored: ScoredPhoto) -> None:
    lost = replace(scored, reason=Sentence("none is there"))
    answers = [replace(scored, held={}), lost]

    def score_at(files: Files, corners_px: Any, board: str) -> ScoredPhoto:
        assert (board, len(corners_px)) == ("usa", 4)
        return first(scored)

    reading = PhotoReading(
        lambda files: answers.pop(0),
        upright=lambda content: JPEG,
        score_at=score_at,
        boards=lambda: {"usa": "USA"},
    )
    with photo_table(home, reading) as page:
        host = host_of(page)
        until(lambda: host.get("/table").json["phase"] == "home")
        assert sent(host).refusal == (400, "wrong")
        refused = sent(host)
        assert refused.refusal == (422, "no board")
        assert refused.json["boards"] == {"usa": "USA"}
        path = f"/photos/{refused.json['unfound']}"
        assert host.get(f"{path}/photo.jpg").content == JPEG
        corners = {"corners_px": [[0, 0], [9, 0], [9, 9], [0, 9]], "board": "usa"}
        assert host.post(f"{path}/corners", {**corners, "board": "moon"}).status == 400
        assert host.post("/photos/x/corners", corners).refusal == (404, "unknown")
        assert host.post(f"{path}/corners", corners).status == 200
        until(lambda: host.get("/table").json["phase"] == "game")
