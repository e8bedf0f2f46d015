"""A computer plays on for somebody who leaves, and a person for a computer."""

from pathlib import Path

from dealt_tables import keep_first
from phones import Table, table
from railspotter.scoring.dealing.moves import DrawCard
from railspotter.table.game_log.log import read_log
from railspotter.table.game_log.people_facts import PlayerHandedOver
from railspotter.table.live_table.commands import PlayMove
from railspotter.table.live_table.computers import Computers
from waiting import until


def test_a_computer_plays_on_in_the_middle_of_a_turn_and_a_person_after_it(dealt: Table) -> None:
    host, ann, bob = dealt.host(), dealt.player("ann"), dealt.player("bob")
    keep_first(dealt)
    dealt.live.execute(PlayMove("ann", DrawCard()))
    assert host.ask("PUT", "/players/ann/computer", {"strength": "hard"}).status == 200
    assert host.ask("PUT", "/players/ann/computer", {"strength": "hard"}).code == "changed"
    assert host.ask("PUT", "/players/nobody/computer", {"strength": "hard"}).status == 404
    assert ann.get("/cards").status == 403, "its phone gave up the seat"
    assert ann.post("/seat", {"seat": "ann"}).status == 409
    assert host.get("/players/ann/cards").status == 409
    assert ann.state()["players"][0]["computer"] == "hard"
    with Computers(dealt.live, pace_s=0.0):
        until(lambda: dealt.log.state.table.turn == "bob")
    table = dealt.log.state.table
    assert table.dealing is not None
    assert table.dealing.hand("ann").total() == 6, "the second card was drawn"
    assert host.post("/undo").status in (200, 409)
    assert dealt.log.state.table.player("ann") == table.player("ann"), "it is not undone"
    assert host.ask("DELETE", "/players/ann/computer").status == 200
    assert host.ask("DELETE", "/players/ann/computer").code == "changed"
    assert ann.post("/seat", {"seat": "ann"}).status == 200
    assert ann.get("/cards").json["is_hidden"] is True, "somebody else has played there"
    assert bob.post("/cards/vouch", {"seat": "ann"}).status == 200
    assert sum(ann.get("/cards").json["hand"].values()) == 6
    kinds = [event["kind"] for event in host.state()["log"]]
    assert kinds.count("player_handed_over") == 2
    assert read_log(dealt.log.path).table == dealt.log.state.table


def test_a_computer_comes_in_for_who_has_left_and_as_a_new_player(dealt: Table) -> None:
    host = dealt.host()
    keep_first(dealt)
    assert host.ask("DELETE", "/players/cleo").status == 200
    assert host.ask("PUT", "/players/cleo/computer", {"strength": "easy"}).status == 200
    assert dealt.log.state.table.left == frozenset()
    new = {"name": "Hal", "colour": "yellow", "computer": "medium"}
    dealt.live.execute(PlayMove("ann", DrawCard()))
    assert host.post("/players", new).code == "refused", "Ann's turn has begun"
    dealt.live.execute(PlayMove("ann", DrawCard()))
    assert host.post("/players", new).status == 200
    with Computers(dealt.live, pace_s=0.0):
        until(lambda: dealt.log.state.table.tickets.get("hal"))
    hal = dealt.log.state.table.player("hal")
    assert hal is not None
    assert hal.computer == "medium"


def test_where_the_cards_are_on_the_table_no_computer_plays(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        host = running.host()
        path, hard = "/players/ann/computer", {"strength": "hard"}
        assert host.ask("PUT", path, hard).refusal == (409, "no cards")
        new = {"name": "Hal", "colour": "yellow", "computer": "hard"}
        assert host.post("/players", new).code == "no cards"
        assert not any(isinstance(e.fact, PlayerHandedOver) for e in running.log.state.events)
