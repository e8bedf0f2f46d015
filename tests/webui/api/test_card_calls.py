"""Cards on phones: who sees which hand, who may move, and what is refused in a sentence."""

from pathlib import Path
from typing import Any

import pytest
from dealt_tables import HANDS, dealt_table, move
from logged_games import SEATTLE
from phones import PLAYERS, Phone, Table, table
from railspotter.scoring.dealing.moves import Pay
from railspotter.scoring.spot import Spot
from railspotter.table.game_log.people_facts import Player

DRAW = {"move": {"move": "draw_card"}}
ROBOT = Player("robot", "yellow", computer="easy")


@pytest.fixture
def running(dealt: Table) -> Table:
    return dealt


def keep_first(phone: Phone, path: str = "/cards") -> None:
    """Keep all tickets that are offered."""
    offered = phone.get(path).json["offered"]
    kept = {"move": "keep_tickets", "tickets": offered}
    assert phone.post(f"{path}/moves", {"move": kept}).status == 200


def all_choose(running: Table, host: Phone, *phones: Phone) -> None:
    """Let everyone choose the first tickets; the host's phone for who has none."""
    for phone in phones:
        keep_first(phone)
    for seat in running.live.view.game.table.dealing.offered:  # type: ignore[union-attr]
        keep_first(host, f"/players/{seat}/cards")
    assert host.state()["cards"]["phase"] == "play"


def test_a_hand_is_told_to_its_own_phone_alone(tmp_path: Path) -> None:
    hands = (*HANDS, "orange orange orange orange")
    with dealt_table(tmp_path, players=(*PLAYERS, ROBOT), hands=hands) as running:
        host, ann, bob = running.host(), running.player("ann"), running.player("bob")
        joined = running.joined()
        told = ann.get("/cards").json
        assert told["seat"] == "ann"
        assert sum(told["hand"].values()) == 4
        assert len(told["offered"]) == 3
        assert bob.get("/cards").json["seat"] == "bob"
        assert host.get("/players/ann/cards").refusal == (409, "taken")
        for path in ("/players/robot/cards", "/players/robot/hand"):
            assert host.get(path).refusal == (409, "taken")
        assert host.get("/players/cleo/cards").json["seat"] == "cleo"
        assert joined.post("/seat", {"seat": "robot"}).refusal == (409, "taken")


@pytest.mark.parametrize("edition", ["usa", "usa-accessible", "usa-10th"])
def test_whatever_a_hand_holds_others_are_told_the_same(tmp_path: Path, edition: str) -> None:
    told = []
    for number, hand in enumerate((HANDS[0], "green white orange locomotive")):
        hands = (hand, *HANDS[1:])
        with dealt_table(tmp_path / str(number), hands=hands, edition=edition) as running:
            phones = running.player("bob"), running.host(), running.phone()
            told.append([(phone.state()["cards"], phone.state()["players"]) for phone in phones])
    assert told[0] == told[1]


def test_first_tickets_then_turns(running: Table) -> None:
    host, ann, bob = running.host(), running.player("ann"), running.player("bob")
    none = {"move": {"move": "keep_tickets", "tickets": []}}
    assert ann.post("/cards/moves", none).refusal == (409, "refused")
    assert ann.post("/cards/moves", none).json["error"]["message"].startswith("Keep at least 2")
    assert ann.post("/cards/moves", DRAW).refusal[0] == 409
    offered = ann.get("/cards").json["offered"][:2]
    dear = [{**ticket, "points": 99} for ticket in offered]
    ann.post("/cards/moves", {"move": {"move": "keep_tickets", "tickets": dear}})
    assert [t["points"] for t in ann.get("/hand").json["tickets"]] == [t["points"] for t in offered]
    state = bob.state()["cards"]
    assert (state["phase"], state["turn"]) == ("first_tickets", None)
    assert state["choosing"] == ["bob", "cleo"]
    assert state["tickets"] == {"ann": 2, "bob": 0, "cleo": 0}
    asked = f"/cards/payments?kind=route&about={SEATTLE}"
    assert bob.get(asked).json == {"payments": [], "why": "the tickets come first"}
    all_choose(running, host, bob)
    assert bob.get(asked).json == {"payments": [], "why": "it is Ann's turn"}
    assert bob.post("/cards/moves", DRAW).refusal == (409, "turn")
    assert bob.get("/cards").json["can_draw"] == {"deck": False, "places": [False] * 5}
    assert ann.post("/cards/moves", DRAW).status == 200
    assert len(ann.get("/cards").json["drawn"]) == 1
    state = bob.state()["cards"]
    assert state["doing"] == {"seat": "ann", "what": "drawing"}
    assert state["last"] == {"seat": "ann", "what": "drew_card"}
    assert state["hands"] == {"ann": 5, "bob": 4, "cleo": 4}
    assert ann.post("/cards/moves", DRAW).status == 200
    assert bob.state()["cards"]["turn"] == "bob"


@pytest.mark.parametrize(
    "made",
    [
        {"move": "take_back", "kind": "route", "id": "helena--seattle", "cards": {"red": 6}},
        {"move": "come_in"},
        {"move": "draw_card", "place": 9},
        {"move": "steal"},
    ],
    ids=lambda made: str(made["move"]),
)
def test_no_phone_makes_the_programs_own_moves(running: Table, made: Any) -> None:
    ann = running.player("ann")
    before = ann.get("/cards").json
    assert ann.post("/cards/moves", {"move": made}).status == 400
    assert ann.get("/cards").json == before


def test_tickets_come_from_the_deck_alone(running: Table) -> None:
    host, ann = running.host(), running.player("ann")
    ticket = {"a": "denver", "b": "el-paso"}
    assert ann.post("/hand", ticket).refusal == (409, "dealt")
    assert ann.ask("DELETE", "/hand", ticket).refusal == (409, "dealt")
    all_choose(running, host, ann)
    assert ann.post("/turn", {"seat": "bob"}).refusal == (403, "not your role")


def test_one_tablet_serves_everyone(running: Table) -> None:
    host = running.host()
    all_choose(running, host)
    for seat in ("ann", "bob", "cleo"):
        told = host.get(f"/players/{seat}/cards").json
        assert not told["is_hidden"]
        assert told["is_turn"]
        for _ in range(2):
            assert host.post(f"/players/{seat}/cards/moves", DRAW).status == 200
    assert host.state()["cards"]["hands"] == dict.fromkeys(("ann", "bob", "cleo"), 6)


def test_who_came_in_need_not_be_vouched_for(running: Table) -> None:
    host, ann, bob = running.host(), running.player("ann"), running.player("bob")
    all_choose(running, host, ann, bob)
    assert host.post("/players", {"name": "Dan", "colour": "yellow"}).status == 200
    dan = running.player("dan")
    assert sum(dan.get("/cards").json["hand"].values()) == 4
    assert not ann.get("/cards").json["can_draw"]["deck"], "the newcomer chooses first"
    keep_first(dan)
    assert ann.get("/cards").json["can_draw"]["deck"]
    assert dan.state()["cards"]["turn"] == "ann"


def claim(phone: Phone) -> str:
    """Claim the first route that can be paid; returns its spot."""
    payable = phone.get("/cards").json["payable"]
    spot = next(name for name in payable if name.startswith("route:"))
    kind, _, about = spot.partition(":")
    payments = phone.get(f"/cards/payments?kind={kind}&about={about}").json["payments"]
    paid = {"move": "pay", "kind": kind, "id": about, "cards": payments[0]}
    assert phone.post("/cards/moves", {"move": paid}).status == 200
    return str(spot)


def test_what_is_paid_is_laid_or_had_back(running: Table) -> None:
    host, ann, bob = running.host(), running.player("ann"), running.player("bob")
    all_choose(running, host, ann, bob)
    spot = claim(ann)
    body = {"kind": "route", "about": spot.partition(":")[2]}
    (to_lay,) = bob.state()["cards"]["to_lay"]
    assert (to_lay["spot"], to_lay["seat"], to_lay["colour"]) == (spot, "ann", "red")
    assert bob.post("/cards/laid", body).status == 200
    assert bob.state()["spots"][spot]["colour"] == "red"
    assert bob.post("/cards/laid", body).refusal == (409, "refused")
    assert bob.post("/cards/have-back", body).refusal == (409, "refused"), "it is Ann's"
    count = sum(ann.get("/cards").json["hand"].values())
    assert ann.post("/cards/have-back", body).status == 200
    assert sum(ann.get("/cards").json["hand"].values()) > count
    assert ann.state()["cards"]["turn"] == "ann"
    assert ann.state()["cards"]["last"] == {"seat": "ann", "what": "had_back", "spot": spot}
    assert ann.post("/cards/have-back", body).refusal == (409, "refused")
    # It lies there still: it can be paid for again, or taken off.
    (laid,) = ann.get("/cards").json["laid"]
    assert laid["spot"] == spot
    assert laid["payments"]
    paid = {"move": "pay", "kind": "route", "id": body["about"], "cards": laid["payments"][0]}
    assert ann.post("/cards/moves", {"move": paid}).status == 200


def test_who_reconnects_in_a_tunnel_goes_on_with_it(tmp_path: Path) -> None:
    with dealt_table(tmp_path, edition="europe", then="red black white") as running:
        host, ann, bob = running.host(), running.player("ann"), running.player("bob")
        all_choose(running, host, ann, bob)
        routes = running.log.state.table.board.routes
        tunnel = next(r for r in routes if r.tunnel and r.colour == "grey" and r.length == 3)
        spot, cards = Spot("route", tunnel.id), {"red": 3}
        move(running, "ann", Pay("route", spot.id, cards))
        again = Phone(ann.port, ann.cookie)
        told = again.get("/cards").json
        assert told["tunnel"]["route"] == spot.id
        assert told["revealed"] == bob.state()["cards"]["revealed"]
        doing = bob.state()["cards"]["doing"]
        assert (doing["what"], doing["spot"], doing["cards"]) == ("tunnel", spot.key, cards)
        assert doing["more"] == told["tunnel"]["more"] > 0
        assert again.post("/cards/moves", DRAW).refusal == (409, "refused")
        more = {"move": "pay_more", "cards": told["tunnel"]["additions"][0]}
        assert again.post("/cards/moves", {"move": more}).status == 200
        assert bob.state()["cards"]["to_lay"] or bob.state()["spots"]
        assert bob.state()["cards"]["turn"] == "bob"


def test_the_host_puts_the_cards_away(running: Table) -> None:
    host, ann = running.host(), running.player("ann")
    all_choose(running, host, ann)
    assert host.post("/cards/put-away").status == 200
    assert ann.state().get("cards") is None
    for answer in (ann.get("/cards"), ann.post("/cards/moves", DRAW), host.post("/cards/put-away")):
        assert answer.refusal == (409, "no cards")
    assert len(ann.get("/hand").json["tickets"]) == 3, "tickets stay"
    assert ann.post("/hand", {"a": "denver", "b": "el-paso"}).status in (200, 409)


def test_a_restart_goes_on_with_the_same_cards(tmp_path: Path) -> None:
    with dealt_table(tmp_path) as running:
        host, ann, bob = running.host(), running.player("ann"), running.player("bob")
        all_choose(running, host, ann, bob)
        assert ann.post("/cards/moves", DRAW).status == 200
        told, name = ann.get("/cards").json, running.log.id
        cards = ann.state()["cards"]
    with table(tmp_path, name) as running:
        again = Phone(running.page.server.port, ann.cookie)
        assert again.get("/cards").json == told
        assert again.state()["cards"] == cards
        assert again.post("/cards/moves", DRAW).status == 200
