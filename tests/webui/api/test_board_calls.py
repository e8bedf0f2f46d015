"""Making boards on the page, asked for: what is refused, and what a restart finds."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from phone_photos import png_of
from phones import Answer, Phone, Table, table
from railspotter.scoring.board import Board, BoardTicket, load_board
from railspotter.simulation.virtual_board.printed_map import draw_board
from railspotter.table.boards.draft_store import DraftStore
from railspotter.table.boards.own_boards import OwnBoards, load_board_by_name
from small_boards import SIZE, SPACE, small_board
from waiting import until

OCTETS = "application/octet-stream"
PLACES = "name,x_mm,y_mm\nAville,50,60\nBeetown,250,60\nCee,150,200\n"
SMALL: dict[str, Any] = {
    "id": "toy",
    "title": "Toy",
    "size_mm": [300, 300],
    "places": [{"id": "a", "name": "A", "xy_mm": [50, 50]}, {"id": "b", "name": "B"}],
    "routes": [{"id": "a--b", "a": "a", "b": "b", "length": 1, "colour": "red", "spaces": []}],
    "measured": False,
}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with table(tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.fixture(scope="module")
def host(running: Table) -> Phone:
    return running.host()


def home(running: Table) -> Path:
    return running.log.path.parent.parent


def send(phone: Phone, method: str, path: str, content: bytes) -> Answer:
    return phone.ask(method, path, content, Content_Type=OCTETS)


def begun(host: Phone, title: str) -> dict[str, Any]:
    said = {"title": title, "width_mm": 300, "height_mm": 300}
    answer = host.post("/board-drafts", said)
    assert answer.status == 200
    told: dict[str, Any] = answer.json
    return told


def edit(host: Phone, draft: dict[str, Any], kind: str, **more: Any) -> Answer:
    said = {"seen": draft["number"], "kind": kind, **more}
    return host.post(f"/board-drafts/{draft['id']}/edits", said)


def with_route(host: Phone, title: str) -> dict[str, Any]:
    draft = edit(host, begun(host, title), "all places", table=PLACES).json
    said = {"place": "aville", "other_place": "beetown", "colour": "red", "length": 3}
    told: dict[str, Any] = edit(host, draft, "add route", **said).json
    return told


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"", ""),
        (b"\xff\xfe\x00", ""),
        (b"[" * 100_000, ""),
        (json.dumps(SMALL | {"id": "../usa"}).encode(), "id: "),
        (json.dumps(SMALL | {"size_mm": [300, 0]}).encode(), "size_mm[1]: "),
        (json.dumps(SMALL | {"more": 1}).encode(), "more"),
        (json.dumps(SMALL | {"routes": [SMALL["routes"][0] | {"b": "z"}]}).encode(), "routes[0].b"),
        (json.dumps(SMALL | {"title": "\u202etoy"}).encode(), "title: "),
        (json.dumps(SMALL).encode()[:-1] + b', "id": "toy"}', "'id' is written twice"),
    ],
    ids=["empty", "no text", "deep", "path", "size", "unknown", "place", "turned", "twice"],
)
def test_a_bad_board_file_is_refused_with_its_place(
    running: Table, host: Phone, content: bytes, place: str
) -> None:
    before = sorted((home(running) / "boards").rglob("*"))
    answer = send(host, "POST", "/boards", content)
    assert answer.status == 400
    assert place in answer.json["error"]["message"]
    assert sorted((home(running) / "boards").rglob("*")) == before


def test_no_name_of_a_board_turns_text_around(host: Phone) -> None:
    turned, size = "Map \u202epaM", {"width_mm": 300, "height_mm": 200}
    for title, onto in ((turned, None), (turned, "usa")):
        answer = host.post("/board-drafts", {"title": title, "onto": onto, **size})
        assert (answer.status, answer.code) == (400, "wrong")
        assert "signs that are not allowed" in answer.json["error"]["message"]


def test_a_board_file_comes_in_and_goes_out_as_it_is(
    running: Table, host: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = json.dumps(SMALL).encode("utf-16")
    assert send(host, "POST", "/boards", content).json == {"id": "toy"}
    assert send(host, "POST", "/boards", content).code == "here"
    assert send(host, "POST", "/boards", json.dumps(SMALL | {"id": "usa"}).encode()).status == 409
    kept = OwnBoards(home(running)).load("toy")
    monkeypatch.setenv("RAILSPOTTER_HOME", str(home(running)))
    assert load_board_by_name("toy") == kept
    (home(running) / "toy.json").write_bytes(host.get("/boards/toy").content)
    assert load_board(home(running) / "toy.json") == kept
    assert [row["id"] for row in host.get("/boards").json["own"]] == ["toy"]
    assert host.ask("DELETE", "/boards/toy", {}).status == 200
    assert host.get("/boards/toy").status == 404
    assert host.ask("DELETE", "/boards/usa", {}).status == 404


def test_a_draft_is_edited_saved_and_survives_a_restart(running: Table, host: Phone) -> None:
    draft = with_route(host, "My map")
    (route,) = draft["routes"]
    assert route["is_accepted"]
    draft = edit(host, draft, "traits", route=route["number"], tunnel=True).json
    table = "name,station,colours,x_mm,y_mm\nZoo,Cee,red blue,150,230\n"
    draft = edit(host, draft, "sites", table=table).json
    tickets = "from\tto\tpoints\nAville\tcee\t12\n"
    draft = edit(host, draft, "tickets", table=tickets).json
    assert draft["tickets"] == "from,to,points\nAville,Cee,12\n"
    assert draft["problem"] == ""
    assert not draft["is_saved"]
    needed = edit(host, draft, "remove place", place="cee")
    assert needed.status == 400
    again = DraftStore(home(running)).load("my-map")  # as another program would, after this one
    assert again.number == draft["number"]
    assert again.now.sites[0].station == "cee"
    assert host.post("/board-drafts/my-map/save", {"seen": draft["number"]}).status == 200
    board: Board = OwnBoards(home(running)).load("my-map")
    assert board.measured
    assert board.routes[0].tunnel
    assert board.tickets == (BoardTicket("aville", "cee", 12),)
    assert board.routes[0].length == len(board.routes[0].spaces) == 3
    assert host.get("/board-drafts/my-map").json["is_saved"]


def test_edits_are_taken_back_and_done_again(host: Phone) -> None:
    draft = with_route(host, "Back")
    for way, routes in (("undo", 0), ("redo", 1)):
        draft = host.post(f"/board-drafts/back/{way}", {"seen": draft["number"]}).json
        assert len(draft["routes"]) == routes
        assert (draft["can_undo"], draft["can_redo"]) == (True, way == "undo")
    old = {"seen": draft["number"] - 1}
    assert host.post("/board-drafts/back/undo", old).code == "changed"


@pytest.mark.parametrize("kind", ["accept", "no such edit"])
def test_an_edit_that_cannot_be_is_refused_and_changes_nothing(
    running: Table, host: Phone, kind: str
) -> None:
    draft = with_route(host, "Steady")
    before = DraftStore(home(running)).load(draft["id"])
    answer = edit(host, draft, kind)
    assert answer.status == 400
    assert answer.json["error"]["message"].endswith(".")
    assert DraftStore(home(running)).load(draft["id"]) == before
    assert host.ask("DELETE", f"/board-drafts/{draft['id']}", {}).status == 200


def test_a_part_is_completed(host: Phone) -> None:
    said = {"onto": "philly", "title": "Philly", "width_mm": 500, "height_mm": 700}
    assert host.post("/board-drafts", {"onto": "philly"}).status == 400  # nobody measured it
    draft = host.post("/board-drafts", said).json
    assert draft["id"] == "philly-2"
    waiting = len(draft["unplaced"])
    draft = edit(host, draft, "add place", place="30th-st", x_mm=100, y_mm=90).json
    assert len(draft["unplaced"]) == waiting - 1
    assert draft["places"][0]["name"] == "30th St"


def test_pictures_that_are_none_and_corners_that_cannot_be_are_refused(host: Phone) -> None:
    path = f"/board-drafts/{begun(host, 'Seen')['id']}"
    assert host.get(f"{path}/above").status == 404
    assert host.post(f"{path}/propose", {}).status == 404
    assert send(host, "PUT", f"{path}/photo", b"no picture").status == 400
    picture = png_of(np.full((400, 500, 3), 200, np.uint8))
    assert send(host, "PUT", f"{path}/photo", picture).json["photo_px"] == [500, 400]
    crossed = [[10, 10], [400, 390], [400, 10], [10, 390]]
    assert host.ask("PUT", f"{path}/corners", {"corners_px": crossed}).status == 400
    assert host.ask("PUT", f"{path}/corners", {"corners_px": []}).status == 200
    assert host.get(f"{path}/above").headers["Content-Type"] == "image/jpeg"


def test_a_picture_alone_proposes_places_and_routes(host: Phone) -> None:
    said = {"title": "Dots", "width_mm": SIZE[0], "height_mm": SIZE[1]}
    path = f"/board-drafts/{host.post('/board-drafts', said).json['id']}"
    send(host, "PUT", f"{path}/photo", png_of(draw_board(small_board(), 2.0, seed=3)))
    assert host.ask("PUT", f"{path}/corners", {"corners_px": []}).status == 200
    refused = host.post(f"{path}/propose", {"length_mm": SPACE[0], "width_mm": SPACE[1]})
    assert refused.status == 400, "routes run between places"
    sizes = {"length_mm": SPACE[0], "width_mm": SPACE[1], "places": True}
    assert host.post(f"{path}/propose", sizes).status == 200
    until(lambda: not host.get(f"{path}/work").json["step"])
    draft = host.get(path).json
    assert draft["work"]["problem"] == ""
    assert [place["is_proposed"] for place in draft["places"]] == [True] * 3
    assert sorted(len(route["spaces"]) for route in draft["routes"]) == [3, 3, 4, 5]
    assert any("no name yet: ? 1, ? 2, ? 3" in note for note in draft["notes"])
    draft = edit(host, draft, "discard places").json
    assert (draft["places"], draft["routes"]) == ([], [])


def test_what_cannot_be_proposed_is_told(host: Phone) -> None:
    draft = with_route(host, "Blank")
    path = f"/board-drafts/{draft['id']}"
    picture = png_of(np.full((260, 260, 3), 200, np.uint8))  # too coarse for spaces
    send(host, "PUT", f"{path}/photo", picture)
    assert host.ask("PUT", f"{path}/corners", {"corners_px": []}).status == 200
    assert host.post(f"{path}/propose", {}).status == 200
    until(lambda: not host.get(f"{path}/work").json["step"])
    assert host.get(f"{path}/work").json["problem"]
    assert len(host.get(path).json["routes"]) == 1
    host.ask("DELETE", f"/boards/{draft['id']}")
    again = with_route(host, "Blank")
    assert again["id"] == draft["id"]
    assert not host.get(f"{path}/work").json["problem"], "that was the other one's"
