"""The accessible USA edition over HTTP: one shape on a route's pin, the others back in the box."""

from collections import Counter
from pathlib import Path
from typing import Any

from board_phones import turn
from dealt_tables import dealt_table
from phones import Phone, Table, table
from railspotter.scoring.answer import answer, parse_game
from railspotter.scoring.board import load_board
from railspotter.scoring.game import BoardGame
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.people_facts import Player

SHAPES = 15  # what each player begins with: fewer, so that it is over sooner
PLAYERS = (
    Player("ann", "red", "Ann", shape="circle"),
    Player("bob", "blue", "Bob", shape="star"),
)
USA = load_board("usa")


def players_of(state: Any) -> dict[str, Any]:
    return {player["seat"]: player for player in state["players"]}


def lay(phone: Phone, state: Any) -> Counter[str]:
    """Put a shape on each pin that waits for one; return how many spaces its owner has filled."""
    filled: Counter[str] = Counter()
    for one in state["cards"]["to_lay"]:
        assert one["pieces"] == 1, "one shape is all that stands on a route"
        kind, _, name = one["spot"].partition(":")
        assert phone.post("/cards/laid", {"kind": kind, "about": name}).status == 200
        filled[one["seat"]] += USA.route_by_id[name].length
    return filled


def free_routes(phone: Phone, place: str) -> set[str]:
    """Return what a phone is told to be free from a city."""
    told = phone.get(f"/places/{place}/routes").json
    return {one["route"] for one in told if one["is_open"]}


def test_a_whole_game_is_played_by_phones(tmp_path: Path) -> None:
    hands = ("red red red red", "blue blue green green")
    with dealt_table(
        tmp_path, players=PLAYERS, edition="usa-accessible", hands=hands, trains=SHAPES
    ) as running:
        host = running.host()
        phones = {seat: running.player(seat) for seat in ("ann", "bob")}
        for phone in phones.values():
            turn(phone, phone.get("/cards").json)
        filled: Counter[str] = Counter()
        while not (state := host.state())["game"]["ended"]:
            seat = state["cards"]["turn"]
            cards = phones[seat].get("/cards").json
            is_claiming = bool(cards["payable"] and not cards["offered"])
            if is_claiming:
                first = cards["payable"][0].partition(":")[2]
                assert first in free_routes(phones[seat], USA.route_by_id[first].a)
            turn(phones[seat], cards)
            if is_claiming:
                filled += lay(phones[seat], host.state())
                left = {s: p["trains_left"] for s, p in players_of(host.state()).items()}
                assert left == {s: SHAPES - filled[s] for s in phones}
        assert state["game"]["last_turns_by"] in phones
        assert free_routes(phones["ann"], "denver") == set()
        for phone in phones.values():
            assert phone.post("/hand/reveal").status == 200
        assert host.post("/count").status == 200
        told = players_of(host.state())
        score = answer(parse_game(host.get("/export/game").content)).standing
        assert [p.total for p in score.players] == [told[s]["points"] for s in phones]
        winners = [p["colour"] for p in told.values() if p["is_winner"]]
        assert winners == list(score.winners)


def test_free_routes_are_those_that_the_rules_leave(tmp_path: Path) -> None:
    started = GameStarted("usa-accessible", PLAYERS)
    with table(tmp_path, started=started, has_camera=False) as running:
        host, bob, guest = running.host(), running.player("bob"), running.phone()
        assert host.correct("portland--seattle--0", "red").status == 200
        told = {one["route"]: one for one in bob.get("/places/portland/routes").json}
        assert told["portland--seattle--0"] == {
            "route": "portland--seattle--0",
            "to": "seattle",
            "holder": "red",
            "is_open": False,
        }
        other = told["portland--seattle--1"]
        assert (other["holder"], other["is_open"]) == (None, False), "two players, one lane"
        assert "portland--salt-lake-city" in free_routes(bob, "portland")
        assert guest.get("/places/portland/routes").json == bob.get("/places/portland/routes").json
        use_up(host, "blue")
        assert free_routes(bob, "denver") == {"denver--santa-fe"}
        assert len(free_routes(guest, "denver")) > 1, "others have shapes for longer ones"
        assert guest.get("/places/atlantis/routes").status == 404


def use_up(host: Phone, colour: str) -> None:
    """Claim so much that two shapes are left."""
    for route in (
        "calgary--seattle",
        "calgary--vancouver",
        "calgary--winnipeg",
        "helena--seattle",
        "duluth--helena",
        "duluth--winnipeg",
        "duluth--toronto",
        "chicago--toronto",
        "chicago--duluth",
        "seattle--vancouver--0",
    ):
        assert host.correct(route, colour).status == 200


def test_players_say_which_shape_is_theirs(tmp_path: Path) -> None:
    started = GameStarted("usa-accessible", (Player("ann", "red", "Ann"), PLAYERS[1]))
    with table(tmp_path, started=started, has_camera=False) as running:
        host, ann = running.host(), running.player("ann")
        assert (host.state()["game"]["one_piece_a_route"], shapes(running)) == (
            True,
            {"ann": "", "bob": "star"},
        )
        assert ann.ask("PATCH", "/players/ann", {"shape": "circle"}).status == 200
        assert shapes(running) == {"ann": "circle", "bob": "star"}
        assert ann.ask("PATCH", "/players/bob", {"shape": "cube"}).status == 403
        assert ann.ask("PATCH", "/players/ann", {"shape": "a\nb"}).status == 400
        assert host.ask("PATCH", "/players/bob", {"shape": ""}).status == 200
        assert shapes(running) == {"ann": "circle", "bob": ""}
        game = parse_game(host.get("/export/game").content)
        assert isinstance(game, BoardGame)
        assert [player.shape for player in game.players] == ["circle", ""]
        assert host.ask("PATCH", "/players/ann", {"colour": "green"}).status == 200
        assert shapes(running)["ann"] == "", "the new colour's pieces may be of another shape"


def shapes(running: Table) -> dict[str, str]:
    return {seat: one["shape"] for seat, one in players_of(running.phone().state()).items()}
