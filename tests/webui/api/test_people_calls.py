"""People, asked for: everyone may look, and the host alone names, joins, forgets and marks."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from past_games import id_of as game_of
from past_games import put, some_games
from phones import Phone, Table, table
from railspotter.table.game_log.course_facts import GameEnded, GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.people_facts import Player
from railspotter.table.past_games.people import id_of
from railspotter.table.set_up.planned_game import Choices, ChosenPlayer, choices_file

OCTETS = "application/octet-stream"
ANN, BOB, CLEO = map(id_of, ("ann", "bob", "cleo"))


@dataclass(frozen=True)
class Home:
    table: Table
    store: GameStore
    host: Phone
    guest: Phone

    def people(self) -> dict[str, int]:
        return {one["name"]: one["games"] for one in self.told(self.guest, "/people")["people"]}

    def told(self, phone: Phone, path: str) -> dict[str, Any]:
        told: dict[str, Any] = phone.get(path).json
        while told["unread"]:
            told = phone.get(path).json
        return told


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    store = GameStore(tmp_path)
    some_games(store)
    with table(tmp_path) as running:
        yield Home(running, store, running.host(), running.phone())


def test_a_person_has_one_name_in_all_games(home: Home) -> None:
    games = home.people()
    assert next(iter(games)) == "Ann"
    name = game_of(1)
    assert home.host.ask("PATCH", f"/people/{ANN}", {"name": " Anna "}).status == 200
    assert home.people() == {"Anna" if one == "Ann" else one: n for one, n in games.items()}
    told = home.told(home.guest, f"/games?player={ANN}")
    assert told == home.told(home.guest, "/games?player=anna")
    assert {one["name"] for game in told["games"] for one in game["players"]} > {"Anna"}
    for part in ("", "/export/csv", "/export/jsonl", "/moments"):
        content = home.guest.get(f"/games/{name}{part}").content
        assert b'"Anna"' in content or part in ("/moments", "/export/csv")
        assert b'"Ann"' not in content
    assert b"Ann" in home.host.get(f"/games/{name}/bundle").content, "the log stays as it is"
    assert home.host.ask("PATCH", f"/people/{BOB}", {"name": "ANNA"}).refusal == (409, "taken")
    assert home.host.ask("PATCH", f"/people/{BOB}", {"name": "green"}).refusal == (400, "wrong")
    assert home.host.ask("PATCH", f"/people/{BOB}", {"also": id_of("x")}).refusal[0] == 404
    assert home.host.ask("PATCH", f"/people/{BOB}", {"name": "Anna", "also": ANN}).status == 200
    assert "Bob" not in home.people()


def test_who_is_forgotten_is_told_nowhere(home: Home) -> None:
    assert "Cleo" in home.people()
    last = choices_file(home.store.folder.parent)
    players = (ChosenPlayer("cleo", "red"), ChosenPlayer("Ann", "blue"))
    last.save(Choices(edition="usa", players=players))
    assert home.host.ask("DELETE", f"/people/{CLEO}").status == 200
    assert [one.name for one in last.load().players] == ["", "Ann"]
    assert "Cleo" not in home.people()
    for path in ("/games", "/people", f"/games/{game_of(1)}", f"/games/{game_of(1)}/export/jsonl"):
        assert b"Cleo" not in home.guest.get(path).content
    assert b"Cleo" not in home.host.get("/people/games").content
    assert home.host.ask("DELETE", f"/people/{CLEO}").refusal[0] == 404
    # Who sits down by that name is somebody new, also after the game.
    phone = home.table.player("bob")
    assert phone.ask("PATCH", "/players/bob", {"name": "Cleo"}).status == 200
    assert home.table.log.state.table.player("bob") == Player(
        "bob", "blue", "Cleo", person=id_of("cleo", 1)
    )


def test_the_host_says_which_games_count(home: Home) -> None:
    wins = {one["key"]: one["wins"] for one in home.told(home.guest, "/people")["people"]}
    games = home.told(home.guest, "/games")["games"]
    game = next(game for game in games if game["id"] == game_of(1))
    (winner,) = [one["key"] for one in game["players"] if one["is_winner"]]
    for counts in (False, True):
        path = f"/games/{game['id']}/counts"
        assert home.host.ask("PUT", path, {"counts": counts}).status == 200
        now = {one["key"]: one["wins"] for one in home.told(home.guest, "/people")["people"]}
        assert now == wins | {winner: wins[winner] - (not counts)}
        assert home.guest.get(f"/games/{game['id']}").json["counts"] is counts
    running = home.table.log
    assert home.host.ask("PUT", f"/games/{running.id}/counts", {"counts": False}).status == 200
    assert not running.state.table.counts, "the game that is played is marked by its table"


def test_only_the_host_changes_people(home: Home) -> None:
    for phone, status in ((home.guest, 401), (home.table.player("ann"), 403)):
        for method, path, body in (
            ("PATCH", f"/people/{ANN}", {"name": "X"}),
            ("DELETE", f"/people/{ANN}", None),
            ("PUT", f"/games/{game_of(1)}/counts", {"counts": False}),
            ("GET", "/people/games", None),
        ):
            assert phone.ask(method, path, body).status == status
    assert "Ann" in home.people()


def test_everybody_comes_to_another_table_once(home: Home, tmp_path: Path) -> None:
    content = home.host.get("/people/games").content
    store = GameStore(tmp_path / "there")
    put(store, 50, [GameStarted("usa", (Player("a", "red", "Dan"),)), GameEnded()])
    with table(store.folder.parent) as there:
        host = there.host()
        assert host.post("/games", content, Content_Type=OCTETS).status == 200
        assert host.post("/games", content, Content_Type=OCTETS).refusal == (409, "here")
        other = Home(there, store, host, there.phone())
        over = {one: n - (one in ("Ann", "Bob")) for one, n in home.people().items()}
        assert other.people().keys() == over.keys() | {"Dan"}
