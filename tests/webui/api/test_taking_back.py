"""Who takes what back where cards are on phones: the own newest doing, or the host with a word."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from dealt_tables import dealt_table, keep_first, move
from phones import PLAYERS, Answer, Phone, Table
from railspotter.scoring.dealing.moves import DrawCard, Pay
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.people_facts import Player, PlayerRenamed, TicketRevealed
from railspotter.table.game_log.table_state import TableState
from railspotter.table.live_table.commands import AddFacts

SEATTLE, VANCOUVER = "portland--seattle--0", "seattle--vancouver--0"
ABOUT = {"kind": "route", "about": SEATTLE}
SEATS = ("ann", "bob", "cleo")
TRAINS = 3  # of so few one claim brings the last turns


@dataclass(frozen=True)
class Players:
    """A table at which everyone has a phone, and the host has one besides."""

    table: Table
    host: Phone
    ann: Phone
    bob: Phone
    cleo: Phone

    @property
    def now(self) -> TableState:
        return self.table.log.state.table

    @property
    def cards(self) -> dict[str, int]:
        dealing = self.now.dealing
        assert dealing is not None
        return {seat: dealing.hand(seat).total() for seat in SEATS}

    def event(self, kind: str) -> dict[str, int]:
        """The newest event of a kind, as it is named when it is undone."""
        log = self.host.state()["log"]
        return {"event": next(e["seq"] for e in reversed(log) if e["kind"] == kind)}

    def draws(self, seat: str) -> None:
        for _ in range(2):
            move(self.table, seat, DrawCard())

    def claims(self, seat: str, route: str = SEATTLE) -> None:
        """Let somebody pay for a route of one space with a card of the own hand."""
        dealing = self.now.dealing
        assert dealing is not None
        card = next(iter(dealing.hand(seat)))
        move(self.table, seat, Pay("route", route, {card: 1}))


def seated(running: Table) -> Players:
    everyone = Players(running, running.host(), *(running.player(seat) for seat in SEATS))
    keep_first(running)
    return everyone


@pytest.fixture
def at_table(tmp_path: Path) -> Iterator[Players]:
    with dealt_table(tmp_path, has_camera=False) as running:
        yield seated(running)


@pytest.fixture
def at_the_end(tmp_path: Path) -> Iterator[Players]:
    """A game that ended with Ann's second claim, everyone's last turn."""
    with dealt_table(tmp_path, has_camera=False, trains=TRAINS) as running:
        everyone = seated(running)
        everyone.claims("ann")
        everyone.draws("bob")
        everyone.draws("cleo")
        everyone.claims("ann", VANCOUVER)
        assert everyone.now.ended
        yield everyone


def refused(answer: Answer) -> str:
    """The code of a refusal, which says one sentence without machinery."""
    assert answer.status == 409, answer.json
    message = answer.json["error"]["message"]
    assert message[:1].isupper()
    assert message.endswith(".")
    assert "." not in message[:-1]
    return answer.code


def test_nobody_undoes_the_end_to_go_on_playing(at_the_end: Players) -> None:
    ended = at_the_end.event("game_ended")
    for phone in (at_the_end.ann, at_the_end.bob, at_the_end.host):
        for body in (ended, {}, at_the_end.event("last_turns_begun")):
            refused(phone.post("/undo", body))
        refused(phone.post("/redo"))
    for phone in (at_the_end.ann, at_the_end.bob):
        refused(phone.post("/cards/have-back", {**ABOUT, "about": VANCOUVER}))
    table = at_the_end.now
    assert table.ended
    assert table.last_turns_by == "ann"
    assert set(table.payments) == {Spot("route", SEATTLE), Spot("route", VANCOUVER)}
    for phone in (at_the_end.ann, at_the_end.bob):
        answer = phone.post("/cards/moves", {"move": {"move": "pass_turn"}})
        assert answer.json["error"]["message"] == "The game is over."


def test_an_end_that_the_host_said_too_early_is_the_hosts_to_undo(at_table: Players) -> None:
    at_table.draws("ann")
    move(at_table.table, "bob", DrawCard())
    assert at_table.host.post("/end").status == 200
    ended = at_table.event("game_ended")
    for phone in (at_table.ann, at_table.bob):
        refused(phone.post("/undo", ended))
    assert at_table.host.post("/undo", ended).status == 200
    assert not at_table.now.ended
    refused(at_table.bob.post("/redo", ended))
    move(at_table.table, "bob", DrawCard())
    assert at_table.now.turn == "cleo"


def test_the_last_turns_go_with_the_claim_that_brought_them_alone(tmp_path: Path) -> None:
    with dealt_table(tmp_path, has_camera=False, trains=TRAINS) as running:
        players = seated(running)
        players.claims("ann")
        assert players.now.last_turns_by == "ann"
        before = players.now
        for phone in (players.bob, players.cleo, players.host):
            refused(phone.post("/undo", players.event("last_turns_begun")))
            refused(phone.post("/undo"))
        assert players.now == before
        assert players.ann.post("/cards/have-back", ABOUT).status == 200
        assert players.now.last_turns_by is None
        assert (players.now.turn, players.cards["ann"]) == ("ann", 4)


def test_without_a_camera_a_claim_that_is_taken_back_lies_there_no_more(at_table: Players) -> None:
    at_table.claims("ann")
    answer = at_table.ann.post("/cards/have-back", ABOUT)
    assert answer.status == 200
    assert answer.json["undo"] is None  # a button for it would be refused
    assert at_table.host.state()["cards"]["unpaid"] == []
    assert at_table.now.held == {}
    assert (at_table.now.turn, at_table.cards["ann"]) == ("ann", 4)


def test_undo_takes_back_the_own_newest_claim_alone(at_table: Players) -> None:
    at_table.claims("ann")
    claimed = at_table.event("route_claimed")
    for phone in (at_table.bob, at_table.cleo):
        refused(phone.post("/undo", claimed))
    assert at_table.ann.post("/undo", claimed).status == 200
    assert (at_table.now.turn, at_table.cards["ann"]) == ("ann", 4)
    assert at_table.now.payments == {}
    at_table.claims("ann")
    claimed = at_table.event("route_claimed")
    at_table.draws("bob")
    refused(at_table.ann.post("/undo", claimed))
    refused(at_table.ann.post("/cards/have-back", ABOUT))
    assert at_table.cards == {"ann": 3, "bob": 6, "cleo": 4}


def test_a_correction_says_what_lies_there_and_moves_no_cards(at_table: Players) -> None:
    at_table.claims("ann")
    spot, paid = Spot("route", SEATTLE), at_table.now.payments
    for phone, was, now in (
        (at_table.bob, "red", None),
        (at_table.host, None, "blue"),
        (at_table.ann, "blue", None),
        (at_table.ann, None, "red"),
    ):
        answer = phone.correct(SEATTLE, now, was)
        assert answer.status == 200
        assert at_table.now.held.get(spot) == now
        assert phone.post("/undo", answer.json["undo"]).status == 200
        assert at_table.now.held.get(spot) == was
        assert phone.post("/redo", answer.json["undo"]).status == 200
        assert at_table.now.payments == paid
        assert at_table.now.turn == "bob"
    assert at_table.cards == {"ann": 3, "bob": 4, "cleo": 4}
    laid = {"kind": "route", "id": SEATTLE, "cards": {"blue": 1}}
    refused(at_table.bob.post("/cards/moves", {"move": {"move": "pay", **laid}}))


def test_trains_of_another_on_a_paid_route_are_undone_without_its_cards(at_table: Players) -> None:
    at_table.claims("ann")
    at_table.table.live.execute(
        AddFacts(
            [Placed.on(Spot("route", SEATTLE), colour="blue", by="camera", seen_to_change=True)]
        )
    )
    assert at_table.cleo.post("/undo", at_table.event("route_claimed")).status == 200
    assert at_table.cards["ann"] == 3
    assert Spot("route", SEATTLE) in at_table.now.payments


def test_the_host_takes_back_with_the_word_of_who_paid(at_table: Players) -> None:
    at_table.claims("ann")
    at_table.draws("bob")
    assert refused(at_table.host.post("/cards/have-back", ABOUT)) == "asked"
    assert at_table.host.state()["cards"]["asked_back"] == {
        "spot": f"route:{SEATTLE}",
        "seat": "ann",
    }
    assert at_table.cards["ann"] == 3
    refused(at_table.bob.post("/cards/have-back", ABOUT))
    assert at_table.ann.post("/cards/have-back", ABOUT).status == 200
    assert (at_table.cards["ann"], at_table.now.turn) == (4, "cleo")
    assert at_table.host.state()["cards"]["asked_back"] is None


def test_who_plays_on_has_said_no(at_table: Players) -> None:
    at_table.claims("ann")
    at_table.draws("bob")
    assert refused(at_table.host.post("/undo", at_table.event("route_claimed"))) == "asked"
    at_table.draws("cleo")
    assert at_table.ann.state()["cards"]["asked_back"] is not None
    at_table.draws("ann")
    assert at_table.ann.state()["cards"]["asked_back"] is None
    refused(at_table.ann.post("/cards/have-back", ABOUT))


def test_the_host_speaks_for_whose_hand_that_phone_keeps(tmp_path: Path) -> None:
    with dealt_table(tmp_path, has_camera=False) as running:
        host = running.host()
        host.get("/players/ann/cards")
        bob = running.player("bob")
        keep_first(running)
        players = Players(running, host, host, bob, host)
        players.claims("ann")
        players.draws("bob")
        assert host.post("/cards/have-back", ABOUT).status == 200
        players.draws("cleo")
        players.claims("ann")
        players.claims("bob", VANCOUVER)
        # A seat that is freed is no word: the hand is hidden until another player vouches.
        assert host.ask("DELETE", "/seat/bob").status == 200
        about = {**ABOUT, "about": VANCOUVER}
        assert refused(host.post("/cards/have-back", about)) == "asked"
        refused(host.post("/turn", {"seat": "bob"}))
        assert host.post("/seat", {"seat": "bob"}).status == 200
        assert host.get("/cards").json["is_hidden"]
        assert refused(host.post("/cards/have-back", about)) == "asked"
        assert players.cards["bob"] == 5


def test_a_phone_in_a_hidden_seat_takes_nothing_back(at_table: Players) -> None:
    at_table.claims("ann")
    assert at_table.host.ask("DELETE", "/seat/ann").status == 200
    thief = at_table.table.player("ann")
    assert thief.get("/cards").json["is_hidden"]
    refused(thief.post("/cards/have-back", ABOUT))
    refused(thief.post("/undo", at_table.event("route_claimed")))
    assert at_table.cards["ann"] == 3
    assert at_table.bob.post("/cards/vouch", {"seat": "ann"}).status == 200
    assert thief.post("/cards/have-back", ABOUT).status == 200


def test_a_computers_claim_is_the_hosts_where_nobody_else_has_played(tmp_path: Path) -> None:
    players = (PLAYERS[0], Player("bob", "blue", computer="easy"), PLAYERS[2])
    with dealt_table(tmp_path, has_camera=False, players=players) as running:
        host, ann, cleo = running.host(), running.player("ann"), running.player("cleo")
        keep_first(running)
        everyone = Players(running, host, ann, ann, cleo)
        everyone.draws("ann")
        everyone.claims("bob")
        refused(ann.post("/cards/have-back", ABOUT))
        assert host.post("/cards/have-back", ABOUT).status == 200
        everyone.draws("bob")
        everyone.claims("cleo")
        assert host.ask("PUT", "/players/cleo/computer", {"strength": "easy"}).status == 200
        assert refused(host.post("/cards/have-back", ABOUT)) == "asked"
        assert everyone.cards["cleo"] == 3


def test_a_tunnel_that_was_looked_into_is_not_taken_back_alone(tmp_path: Path) -> None:
    hands = ("red red red red", "blue blue green green", "pink pink white white")
    with dealt_table(
        tmp_path, has_camera=False, edition="europe", hands=hands, then="blue blue blue"
    ) as running:
        players = seated(running)
        board = players.now.board
        tunnel = next(r for r in board.routes if r.tunnel and r.colour == "grey" and r.length == 2)
        move(running, "ann", Pay("route", tunnel.id, {"red": 2}))
        assert players.now.turn == "bob"
        about = {"kind": "route", "about": tunnel.id}
        refused(players.ann.post("/cards/have-back", about))
        assert refused(players.host.post("/cards/have-back", about)) == "asked"
        assert players.ann.post("/cards/have-back", about).status == 200
        assert players.cards["ann"] == 4


def test_the_turn_goes_on_with_the_word_of_who_has_it(tmp_path: Path) -> None:
    with dealt_table(tmp_path, has_camera=False) as running:
        host = running.host()
        host.get("/players/bob/cards")
        ann, cleo = running.player("ann"), running.player("cleo")
        keep_first(running)
        players = Players(running, host, ann, host, cleo)
        assert refused(host.post("/turn", {"seat": "bob"})) == "refused", "it is Ann's"
        players.draws("ann")
        refused(host.post("/turn", {"seat": "ann"}))  # Cleo would be passed over
        assert host.post("/turn", {"seat": "cleo"}).status == 200
        assert players.now.turn == "cleo"


def test_players_do_not_change_over_without_their_word(at_table: Players) -> None:
    swap = {"seat": "ann", "other": "bob"}
    refused(at_table.host.post("/players/swap", swap))
    assert at_table.host.ask("DELETE", "/players/cleo").status == 200
    back: dict[str, Any] = {"name": "Cleo", "colour": "green", "seat": "cleo"}
    refused(at_table.host.post("/players", {**back, "place": 0}))
    assert at_table.host.post("/players", back).status == 200
    assert [player.seat for player in at_table.now.players] == list(SEATS)


def test_where_everybody_has_left_the_first_who_comes_back_goes_on(at_table: Players) -> None:
    for seat in SEATS:
        assert at_table.host.ask("DELETE", f"/players/{seat}").status == 200
    draw = {"move": {"move": "draw_card"}}
    for phone in (at_table.ann, at_table.bob, at_table.cleo):
        refused(phone.post("/cards/moves", draw))
    back = {"name": "Bob", "colour": "blue", "seat": "bob"}
    assert at_table.host.post("/players", back).status == 200
    for _ in range(2):
        assert at_table.bob.post("/cards/moves", draw).status == 200
    assert at_table.now.turn == "bob"


def test_names_and_shown_tickets_are_their_players_to_take_back(at_table: Players) -> None:
    ticket = at_table.now.tickets["ann"][0].ticket
    for fact in (PlayerRenamed("ann", "Anna"), TicketRevealed("ann", ticket)):
        at_table.table.live.execute(AddFacts([fact]))
        event = at_table.event(fact.kind)
        for phone in (at_table.bob, at_table.host):
            refused(phone.post("/undo", event))
        assert at_table.ann.post("/undo", event).status == 200
        refused(at_table.bob.post("/redo", event))


def test_a_double_tap_takes_the_card_that_it_saw_once(tmp_path: Path) -> None:
    with dealt_table(tmp_path, has_camera=False, then="black") as running:
        players = seated(running)
        draw = {"move": {"move": "draw_card", "place": 0}, "card": "red"}
        assert refused(players.ann.post("/cards/moves", {**draw, "card": "blue"})) == "changed"
        assert players.ann.post("/cards/moves", draw).status == 200
        assert refused(players.ann.post("/cards/moves", draw)) == "changed"
        assert players.cards["ann"] == 5
        assert players.ann.post("/cards/moves", {**draw, "card": "black"}).status == 200


def test_with_cards_on_the_table_any_player_undoes(tmp_path: Path) -> None:
    with dealt_table(tmp_path, has_camera=False, trains=TRAINS) as running:
        players = seated(running)
        assert players.host.post("/cards/put-away").status == 200
        assert players.bob.correct(SEATTLE, "red").status == 200
        assert players.now.last_turns_by == "ann"
        assert players.cleo.post("/undo", players.event("last_turns_begun")).status == 200
        assert players.now.held == {}
        assert players.host.post("/end").status == 200
        assert players.bob.post("/undo").status == 200
        assert not players.now.ended
