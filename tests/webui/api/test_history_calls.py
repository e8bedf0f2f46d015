"""Past games, asked for: what everyone may see, and what the host alone may do."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from logged_games import SEATTLE, STARTED, TICKET, played
from past_games import DAY_S, events_of, facts_of, id_of, put, some_games
from phones import Answer, Phone, Table, never, table
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.course_facts import GameEnded, GameRenamed, Undone
from railspotter.table.game_log.exports import write_bundle
from railspotter.table.game_log.facts import Event, Fact
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import TicketDropped, TicketRevealed, TicketTaken
from railspotter.webui.access.gate import MOST_BYTES
from railspotter.webui.served_pages import ServingOptions, TablePage
from railspotter.webui.serving.server import Server
from railspotter.webui.sessions.photo_queue import PhotoReading
from resting_pages import resting_app

OCTETS = "application/octet-stream"
PARTS = ("", "/board", "/moments", *(f"/export/{kind}" for kind in ("jsonl", "csv", "game")))
CLAIM = Placed.on(Spot("route", SEATTLE), colour="red", by="camera")


@dataclass(frozen=True)
class Past:
    """A running table with games beside it."""

    table: Table
    store: GameStore
    names: dict[str, str]

    @property
    def phone(self) -> Phone:
        return self.table.phone()

    def everything(self, name: str) -> list[bytes]:
        """All that a guest can ask of a game, with the time of the answer left out."""
        answers = [self.phone.get(f"/games/{name}{part}") for part in PARTS]
        assert [answer.status for answer in answers] == [200] * len(PARTS)
        listed = [game for game in self.phone.get("/games").json["games"] if game["id"] == name]
        return [json.dumps(listed).encode(), *(answer.content for answer in answers)]

    def take_in(self, phone: Phone, content: bytes) -> Answer:
        return phone.post("/games", content, Content_Type=OCTETS)


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Past]:
    folder = tmp_path_factory.mktemp("home")
    store = GameStore(folder)
    names = some_games(store)
    with table(folder) as running:
        while running.phone().get("/games").json["unread"]:
            pass
        yield Past(running, store, names)


def test_the_list_says_who_played_and_who_won(past: Past) -> None:
    told = past.phone.get("/games").json
    assert (told["count"], told["page"], told["pages"]) == (5, 1, 1)
    assert [game["id"] for game in told["games"][:4]] == list(past.names.values())[::-1]
    running = told["games"][-1]
    assert (running["name"], running["ended"]) == ("Friday", False), "the one that runs is there"
    winners = [one for one in told["games"][1]["players"] if one["is_winner"]]
    assert [one["points"] for one in winners] == [
        max(one["points"] for one in told["games"][1]["players"])
    ]
    assert [best["edition"] for best in told["bests"]] == ["europe", "philly", "usa"]
    assert told["head_to_head"] == []


def test_the_list_is_filtered(past: Past) -> None:
    usa = past.phone.get("/games?edition=usa").json
    assert {game["edition"] for game in usa["games"]} == {"usa"}
    assert len(usa["games"]) == 3
    cleo = past.phone.get("/games?edition=usa&player=%20CLEO").json
    assert [game["id"] for game in cleo["games"]] == [past.names["usa"]]
    assert {one["name"] for one in cleo["head_to_head"]} == {"Ann", "Bob"}
    assert cleo["bests"][0]["games"] == 1
    nobody = past.phone.get("/games?edition=mars&player=%00&page=99").json
    assert (nobody["games"], nobody["count"], nobody["pages"]) == ([], 0, 1)


def test_fifty_games_are_a_page(tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    for number in range(51):
        put(store, number, [STARTED], number * DAY_S)
    app, _ = resting_app(tmp_path, patience_s=1e9)
    pages = [app.test_client().get(f"/api/v1/games?page={n}").get_json() for n in (1, 2, 3, 0)]
    assert [len(page["games"]) for page in pages] == [50, 1, 0, 50]
    assert pages[1]["games"][0]["id"] == id_of(0)
    assert pages[0]["pages"] == 2


@pytest.mark.parametrize("edition", ["usa", "europe", "philly", "unfinished"])
def test_a_game_is_told_like_a_running_one(past: Past, edition: str) -> None:
    name = past.names[edition]
    game = past.phone.get(f"/games/{name}").json
    table = past.store.read(name).table
    assert (game["game"]["id"], game["game"]["ended"]) == (name, table.ended)
    for player in game["players"]:
        assert sum(line["points"] for line in player["lines"]) == player["points"]
    routes = {key.partition(":")[2] for key in game["spots"] if key.startswith("route:")}
    assert routes == set(table.claims)
    board = past.phone.get(f"/games/{name}/board")
    assert {route["id"] for route in board.json["routes"]} >= routes
    tag = board.headers["ETag"]
    assert past.phone.get(f"/games/{name}/board", If_None_Match=tag).status == 304
    lines = past.phone.get(f"/games/{name}/export/jsonl").content.splitlines()
    assert len(lines) == len(past.phone.get(f"/games/{name}/moments").json["moments"])


def test_nothing_tells_of_a_ticket_that_is_not_shown(past: Past) -> None:
    """Two games that differ in secrets alone are told alike, to the byte."""
    other = Placed.on(Spot("route", "duluth--helena"), colour="blue", by="camera")
    secrets: list[Fact] = [TicketTaken("ann", TICKET), TicketDropped("ann", TICKET)]
    briefly: list[Fact] = [
        TicketTaken("bob", TICKET),
        TicketRevealed("bob", TICKET),
    ]
    with_them = [STARTED, CLAIM, *secrets, other, *briefly, Undone(7), GameEnded(), *briefly[:1]]
    public = [events_of(with_them)[i] for i in (0, 1, 4, 8)]
    without = [Event(i, one.at_s, one.fact) for i, one in enumerate(public, 1)]
    pairs = ((id_of(20), events_of(with_them)), (id_of(21), without))
    for name, events in pairs:
        past.store.add(name, [(event, ()) for event in events])
    told = [b"\n".join(past.everything(name)).replace(name.encode(), b"ID") for name, _ in pairs]
    assert told[0] == told[1]
    assert not re.search(rb"ticket_(taken|dropped)|calgary.{1,12}phoenix", told[0])
    for name, _ in pairs:
        past.store.delete(name)


@pytest.mark.parametrize(
    "name",
    [
        "..%2f..%2fetc%2fpasswd",
        id_of(1) + ".sqlite3",
        id_of(1) + "%00",
        id_of(77),
        "a" * 5000,
    ],
)
def test_what_is_no_game_is_not_there(past: Past, name: str) -> None:
    host = past.table.host()
    for part in (*PARTS, "/bundle"):
        assert host.get(f"/games/{name}{part}").status in (404, 414)
    assert host.ask("DELETE", f"/games/{name}").status in (404, 414)
    assert len(past.store.ids()) == 5


def test_a_damaged_game_names_no_file(past: Past) -> None:
    path = past.store.folder / f"{id_of(8)}.sqlite3"
    path.write_bytes(b"no game at all")
    for part in PARTS:
        answer = past.phone.get(f"/games/{id_of(8)}{part}")
        assert answer.refusal == (503, "damaged")
        assert str(path.parent).encode() not in answer.content
    assert past.phone.get("/games").json["games"][-1]["is_damaged"]
    path.unlink()


def test_the_host_takes_games_in_and_out(past: Past) -> None:
    name = put(past.store, 30, facts_of(played("usa", 2)))
    bundle = b"".join(write_bundle(past.store.path(name)))
    host = past.table.host()
    saved = host.get(f"/games/{name}/bundle")
    assert saved.content == bundle
    assert past.take_in(host, bundle).refusal == (409, "here")
    assert host.ask("DELETE", f"/games/{name}").status == 200
    assert not past.store.path(name).exists()
    assert past.phone.get(f"/games/{name}").status == 404
    assert past.phone.get(f"/games/{name}/moments").status == 404
    assert past.take_in(host, bundle).json == {"id": name}
    assert b"".join(write_bundle(past.store.path(name))) == bundle
    past.store.delete(name)


def test_a_game_that_is_played_stays(past: Past) -> None:
    host = past.table.host()
    assert host.ask("DELETE", f"/games/{past.table.log.id}").refusal == (409, "in use")
    assert past.table.log.path.exists()


def test_a_host_reads_no_hand_in_the_bundle_of_a_game_that_is_played(past: Past) -> None:
    bob, host = past.table.player("bob"), past.table.host()
    assert bob.post("/hand", {"a": "calgary", "b": "salt-lake-city"}).status == 200
    assert host.get(f"/games/{past.table.log.id}/bundle").refusal == (409, "in use")
    assert b"ticket_taken" not in host.heard
    assert bob.ask("DELETE", "/hand", {"a": "calgary", "b": "salt-lake-city"}).status == 200
    assert bob.ask("DELETE", "/seat/bob").status == 200


def bundle_of(*lines: object) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


HEAD = {"railspotter": "game", "format": 1, "id": id_of(40), "events": 2}
START = {
    "seq": 1,
    "at_s": 0,
    "fact": {"kind": "game_started", "edition": "usa", "players": [{"seat": "a", "colour": "red"}]},
}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"PK\x03\x04", "line 1"),
        (bundle_of({**HEAD, "id": "../../" + "a" * 26}, START), "line 1"),
        (bundle_of({**HEAD, "format": 10**6}, START), "newer"),
        (bundle_of(HEAD, START), "cut short"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_a_bundle_that_is_none_leaves_nothing(past: Past, content: bytes, says: str) -> None:
    before = sorted(path.name for path in past.store.folder.iterdir())
    answer = past.take_in(past.table.host(), content)
    assert answer.refusal == (400, "wrong")
    assert says in answer.json["error"]["message"]
    assert sorted(path.name for path in past.store.folder.iterdir()) == before


def test_a_bundle_comes_as_a_file_and_not_too_large(past: Past) -> None:
    host = past.table.host()
    assert host.post("/games", {}).status == 415
    assert past.take_in(host, bytes(MOST_BYTES + 1)).status == 413


def test_a_page_without_a_game_has_them_too(tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    said: list[str] = []
    name = put(store, 1, [STARTED, CLAIM, GameRenamed("Sunday")])
    app, phone_access = resting_app(tmp_path)
    phone_access.on_codes = said.append
    guest, host = app.test_client(), app.test_client()
    assert guest.get("/").status_code == 200
    assert b"home/main.js" in guest.get("/").data
    for path in ("/history", f"/history/{name}"):
        page = guest.get(path)
        assert page.status_code == 200
        assert b"Sunday" not in page.data, "the page itself holds no game"
    assert guest.get("/api/v1/games").get_json()["games"][0]["name"] == "Sunday"
    assert guest.get("/api/v1/state").status_code == 404, "no game runs here"
    assert guest.post("/api/v1/join", json={"token": "guess"}).status_code == 403
    token = phone_access.codes.host
    assert host.post("/api/v1/join", json={"token": token}).status_code == 200
    assert said == ["host"], "the next link is told"
    assert guest.post("/api/v1/join", json={"token": token}).status_code == 403, "it worked once"
    assert host.get("/api/v1/you").get_json()["is_host"]
    assert host.delete(f"/api/v1/games/{name}", json={}).status_code == 200
    assert guest.get("/api/v1/games").get_json()["games"] == []
    paths = guest.get("/api/v1/openapi.json").get_json()["paths"]
    assert "/games/{id}/moments" in paths


def test_serve_says_how_one_becomes_its_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    put(GameStore(home), 1, [STARTED])
    said: list[str] = []
    phones: list[Phone] = []

    def wait(server: Server) -> None:
        (found,) = filter(None, (re.search(r"/#host=(\S+)$", line) for line in said))
        phones.append(Phone(server.port).join(found[1]))
        assert phones[0].ask("DELETE", f"/games/{id_of(1)}").status == 200

    monkeypatch.setattr(Server, "wait", wait)
    with TablePage(home, ServingOptions(say=said.append), PhotoReading(never)) as page:
        page.server.wait()
    assert said[0].startswith("the page is at http://127.0.0.1:")
    assert "#host=" in said[-1], "the next link is said, for this one worked"
    assert GameStore(home).ids() == ()
    kept = (home / "page.pairing").read_text("utf-8")
    assert phones[0].cookie.partition("=")[2] not in kept
