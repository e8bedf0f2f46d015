"""Hands of dealt cards: who sees one, who vouches for a phone, the way on where nobody can."""

from collections import Counter
from pathlib import Path

from dealt_tables import dealt_table, move
from phones import PLAYERS, Phone, Table, table
from railspotter.scoring.dealing.moves import DrawCard, DrawTickets, KeepTickets, ticket_texts
from railspotter.scoring.dealing.stacks import cards_of
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import read_log
from railspotter.table.game_log.people_facts import HandPassedOn, Player

from .test_card_calls import keep_first

DRAW = {"move": {"move": "draw_card"}}
HIDDEN = {"seat": "ann", "is_hidden": True}


def sit(phone: Phone, seat: str) -> Phone:
    assert phone.post("/seat", {"seat": seat}).status == 200
    return phone


def unvouched(phone: Phone) -> dict[str, object]:
    cards = phone.state()["cards"]
    assert cards["unvouched"] == list(cards["vouchers"])
    return dict(cards["vouchers"])


def test_a_host_without_a_seat_reads_neither_of_two_players_hands(tmp_path: Path) -> None:
    with dealt_table(tmp_path, players=PLAYERS[:2]) as running:
        host, ann, bob = running.host(), running.player("ann"), running.player("bob")
        for phone in (ann, bob):
            keep_first(phone)
        for seat in ("ann", "bob"):
            assert host.ask("DELETE", f"/seat/{seat}").status == 200
        second = sit(running.host(), "bob")
        assert host.get("/players/ann/cards").json == HIDDEN
        for phone in (host, second):
            assert phone.post("/cards/vouch", {"seat": "ann"}).refusal == (403, "not yours")
        sit(host, "ann")
        for phone in (host, second):
            for seat in ("ann", "bob"):
                assert phone.post("/cards/vouch", {"seat": seat}).refusal == (403, "not yours")
        assert host.get("/cards").json == HIDDEN
        assert second.get("/cards").json == {"seat": "bob", "is_hidden": True}
        nobody = {"seats": [], "is_host": False}
        assert unvouched(host) == {"ann": nobody, "bob": nobody}


def test_a_host_who_plays_does_not_vouch_for_whom_the_host_let_in(dealt: Table) -> None:
    host, ann, cleo = dealt.host(), dealt.player("ann"), dealt.player("cleo")
    sit(host, "bob")
    for phone in (ann, host, cleo):
        keep_first(phone)
    assert host.ask("DELETE", "/seat/ann").status == 200
    taker = sit(dealt.joined(), "ann")
    assert taker.get("/cards").json == HIDDEN
    assert taker.get("/hand").json["tickets"] == []
    again = host.join(dealt.codes.host)
    assert again.post("/cards/vouch", {"seat": "ann"}).refusal == (403, "not yours")
    assert unvouched(taker) == {"ann": {"seats": ["cleo"], "is_host": False}}
    assert cleo.post("/cards/vouch", {"seat": "ann"}).status == 200
    assert taker.get("/cards").json["hand"] == {"red": 4}
    assert len(taker.get("/hand").json["tickets"]) == 3
    assert dealt.log.state.events[-1].fact == HandPassedOn("ann", by="cleo")
    assert taker.state()["log"][-1]["kind"] == "hand_passed_on", "everybody is told"
    assert cleo.post("/cards/vouch", {"seat": "ann"}).refusal == (409, "changed")


def test_who_is_not_vouched_for_vouches_for_nobody(dealt: Table) -> None:
    host, ann, bob = dealt.host(), dealt.player("ann"), dealt.player("bob")
    for phone in (ann, bob):
        keep_first(phone)
    assert ann.ask("DELETE", "/seat/ann").status == 200
    assert bob.ask("DELETE", "/seat/bob").status == 200
    one, two = sit(dealt.joined(), "ann"), sit(dealt.joined(), "bob")
    for phone, other in ((one, "bob"), (two, "ann")):
        assert phone.post("/cards/vouch", {"seat": other}).refusal == (403, "not yours")
    assert host.post("/cards/vouch", {"seat": "ann"}).refusal == (403, "not yours"), "no player"


def test_opening_hands_are_not_looked_at_one_after_the_other(dealt: Table) -> None:
    eve = dealt.joined()
    assert sit(eve, "ann").get("/cards").json["hand"] == {"red": 4}
    assert eve.ask("DELETE", "/seat/ann").status == 200
    assert sit(eve, "bob").get("/cards").json["hand"] == {"blue": 2, "green": 2}, "the first there"
    ann = dealt.player("ann")
    assert ann.get("/cards").json == HIDDEN, "what was looked at counts as played"
    assert ann.post("/cards/moves", DRAW).refusal == (409, "hidden")
    about = "/cards/payments?kind=route&about=helena--seattle"
    assert ann.get(about).refusal == (409, "hidden")
    assert eve.post("/cards/vouch", {"seat": "ann"}).refusal == (403, "not yours")
    cleo = dealt.player("cleo")
    assert unvouched(eve) == {"ann": {"seats": ["cleo"], "is_host": False}}
    assert cleo.post("/cards/vouch", {"seat": "ann"}).status == 200
    assert ann.get("/cards").json["hand"] == {"red": 4}


def test_what_the_hosts_phone_kept_is_handed_on_by_its_word(dealt: Table) -> None:
    host = dealt.host()
    assert host.get("/players/cleo/cards").json["hand"] == {"pink": 2, "white": 2}
    eve = sit(dealt.joined(), "cleo")
    assert eve.get("/cards").json == {"seat": "cleo", "is_hidden": True}
    assert unvouched(eve) == {"cleo": {"seats": [], "is_host": True}}
    assert eve.ask("DELETE", "/seat/cleo").status == 200
    assert not host.get("/players/cleo/cards").json["is_hidden"], "it is the host's to keep still"
    cleo = dealt.player("cleo")
    assert host.post("/cards/vouch", {"seat": "cleo"}).status == 200
    assert cleo.get("/cards").json["hand"] == {"pink": 2, "white": 2}
    assert dealt.log.state.events[-1].fact == HandPassedOn("cleo")
    assert cleo.ask("DELETE", "/seat/cleo").status == 200
    assert host.get("/players/cleo/cards").json["is_hidden"], "but no more once Cleo had it"


def test_another_tablet_of_the_host_keeps_what_no_phone_had(dealt: Table) -> None:
    first, second = dealt.host(), dealt.host()
    keep_first(first, "/players/ann/cards")
    assert not second.get("/players/ann/cards").json["is_hidden"]
    assert unvouched(first) == {}


def test_a_new_phone_of_who_plays_against_computers_alone_goes_on(tmp_path: Path) -> None:
    players = (PLAYERS[0], Player("robot", "yellow", computer="easy"))
    with dealt_table(tmp_path, players=players) as running:
        host, ann = running.host(), running.player("ann")
        keep_first(ann)
        assert host.ask("DELETE", "/seat/ann").status == 200
        again = sit(running.joined(), "ann")
        assert again.get("/cards").json["hand"] == {"red": 4}
        assert len(again.get("/hand").json["tickets"]) == 3


def test_a_computer_lends_nobody_the_hand_of_another(tmp_path: Path) -> None:
    with dealt_table(tmp_path, players=PLAYERS[:2]) as running:
        host, ann = running.host(), running.player("ann")
        sit(host, "bob")
        for seat in ("ann", "bob"):
            assert host.ask("PUT", f"/players/{seat}/computer", {"strength": "easy"}).status == 200
        assert ann.get("/you").json["lost_seat"] == "ann"
        assert host.ask("DELETE", "/players/ann/computer").status == 200
        assert sit(host, "ann").get("/cards").json == HIDDEN, "Bob was a person too"


def test_who_lost_the_seat_is_told_until_there_is_another(dealt: Table) -> None:
    host, ann = dealt.host(), dealt.player("ann")
    assert ann.get("/you").json["lost_seat"] is None
    assert host.ask("DELETE", "/seat/ann").status == 200
    assert ann.get("/you").json == ann.state()["you"]
    assert (ann.state()["you"]["lost_seat"], ann.state()["you"]["role"]) == ("ann", "guest")
    assert ann.get("/cards").status == 401, "it is as any phone that nobody knows"
    ann.join(dealt.codes.join)
    assert ann.get("/you").json["lost_seat"] == "ann"
    assert sit(ann, "bob").get("/you").json["lost_seat"] is None


def test_a_restart_forgets_nobodys_hand(tmp_path: Path) -> None:
    with dealt_table(tmp_path) as running:
        eve, name = sit(running.joined(), "ann"), running.log.id
        assert eve.ask("DELETE", "/seat/ann").status == 200
        assert running.host().ask("DELETE", "/seat/ann").status == 404
    with table(tmp_path, name) as running:
        ann = running.player("ann")
        assert ann.get("/cards").json == HIDDEN


def test_a_hand_is_dealt_anew_where_nobody_can_vouch(dealt: Table) -> None:
    host, ann, bob = dealt.host(), dealt.player("ann"), dealt.player("bob")
    cleo = dealt.player("cleo")
    for phone in (ann, bob, cleo):
        keep_first(phone)
    move(dealt, "ann", DrawCard(0))
    before = dealt.log.state.table
    assert host.post("/players/ann/deal-anew").refusal == (409, "changed"), "it is Ann's"
    assert host.ask("DELETE", "/seat/ann").status == 200
    taker = sit(dealt.joined(), "ann")
    assert host.post("/players/ann/deal-anew").status == 200
    table = dealt.log.state.table
    assert table.dealing is not None
    assert before.dealing is not None
    assert table.dealing.all_cards == before.dealing.all_cards == cards_of(table.edition)
    assert table.dealing.tickets_left == before.dealing.tickets_left
    told = taker.get("/cards").json
    assert sum(told["hand"].values()) == 4, "the card that was drawn went back, and the turn begins"
    assert len(told["offered"]) == 3
    assert table.tickets["ann"] == ()
    assert taker.get("/hand").json["tickets"] == []
    assert bob.state()["cards"]["unvouched"] == []
    assert bob.state()["cards"]["last"] == {"seat": "ann", "what": "dealt_anew"}
    assert bob.state()["log"][-1]["fact"] == {
        "kind": "hand_passed_on",
        "seat": "ann",
        "is_new": True,
    }
    assert host.post("/players/ann/deal-anew").refusal == (409, "changed"), "once"
    keep_first(taker)
    assert len(taker.get("/hand").json["tickets"]) == 3
    for _ in range(2):
        assert taker.post("/cards/moves", DRAW).status == 200
    assert bob.state()["cards"]["turn"] == "bob"
    assert taker.ask("DELETE", "/seat/ann").status == 200
    assert sit(dealt.joined(), "ann").get("/cards").json == HIDDEN, "the new hand is as the old one"
    assert read_log(dealt.log.path).table == dealt.log.state.table


def test_who_is_dealt_anew_keeps_as_many_tickets_as_before(dealt: Table) -> None:
    host = dealt.host()
    taker, *others = (dealt.player(seat) for seat in ("ann", "bob", "cleo"))
    for phone in (taker, *others):
        keep_first(phone)
    move(dealt, "ann", DrawTickets())
    keep_first(taker)
    assert len(taker.get("/hand").json["tickets"]) == 6
    for _ in ("once", "once more, before they were chosen"):
        assert taker.ask("DELETE", "/seat/ann").status == 200
        taker = sit(dealt.joined(), "ann")
        assert host.post("/players/ann/deal-anew").status == 200
        told = taker.get("/cards").json
        assert (len(told["offered"]), told["at_least"]) == (6, 6)
    few = {"move": {"move": "keep_tickets", "tickets": told["offered"][:2]}}
    assert taker.post("/cards/moves", few).refusal == (409, "refused")
    keep_first(taker)
    assert len(taker.get("/hand").json["tickets"]) == 6
    assert dealt.log.state.table.turn == "bob"
    assert read_log(dealt.log.path).table == dealt.log.state.table


def test_a_hand_is_dealt_anew_while_all_choose_first(tmp_path: Path) -> None:
    with dealt_table(tmp_path, edition="europe") as running:
        host, eve = running.host(), sit(running.joined(), "ann")
        assert eve.ask("DELETE", "/seat/ann").status == 200
        ann = running.player("ann")
        was = running.log.state.table.dealing
        assert host.post("/players/ann/deal-anew").status == 200
        offered = ann.get("/cards").json["offered"]
        dealing = running.log.state.table.dealing
        assert was is not None
        assert dealing is not None
        assert len(offered) == 4
        assert Counter(t.series for t in dealing.offered["ann"])["long"] == 1
        assert dealing.offered["bob"] == was.offered["bob"]
        for seat in ("ann", "bob", "cleo"):
            move(running, seat, KeepTickets(ticket_texts(dealing.offered[seat][:2])))
        assert ann.get("/cards").json["is_turn"]


def test_an_unfinished_game_gives_the_host_no_bundle(tmp_path: Path) -> None:
    with dealt_table(tmp_path) as running:
        dealt_game = running.log.id
    store = GameStore(tmp_path)
    with table(tmp_path) as running:
        host, ann = running.host(), running.player("ann")
        answer = host.get(f"/games/{dealt_game}/bundle")
        assert answer.refusal == (409, "not over")
        ann.post("/hand", {"a": "calgary", "b": "phoenix"})
        with_ticket = running.log.id
    with store.create(GameStarted("usa", PLAYERS), 1.0) as log:
        bare = log.id
    with table(tmp_path) as running:
        host = running.host()
        answers = [host.get(f"/games/{name}/bundle") for name in (with_ticket, bare)]
        assert answers[0].refusal == (409, "not over")
        assert answers[0].content == answers[1].content, "that there is a secret is one"
        assert b"cards_dealt" not in host.heard
