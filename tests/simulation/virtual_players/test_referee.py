"""The referee refuses what the rules refuse, and the decks lose no card."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from railspotter.scoring import Seat, load_board, load_edition
from railspotter.scoring.card_legality import Draw, must_flush
from railspotter.scoring.card_tickets import Cards
from railspotter.simulation.virtual_players import IllegalTurnError, PlayedRoute, TunnelLeft
from railspotter.simulation.virtual_players.referee import Referee
from railspotter.simulation.virtual_players.ticket_deck import TicketDeck
from railspotter.simulation.virtual_players.train_cards import BOARD_DECK, TrainCards


def game(edition: str = "usa", colours: tuple[str, ...] = ("red", "blue")) -> Referee:
    rules = load_edition(edition)
    seats = tuple(map(Seat, colours))
    return Referee(rules, load_board(rules.board), seats, np.random.default_rng(4))


def rich(referee: Referee, colour: str, hand: Cards) -> None:
    referee.hands[colour] = Counter(hand)


def nothing_more(cards: Cards, count: int) -> Cards | None:
    return None


def test_a_claim_needs_the_cards_in_hand_and_pays_them() -> None:
    referee = game()
    rich(referee, "red", {"pink": 5, "blue": 1})
    with pytest.raises(IllegalTurnError, match="6 cards needed, 5 played"):
        referee.claim("red", "helena--seattle", {"yellow": 5}, nothing_more)
    with pytest.raises(IllegalTurnError, match="does not have"):
        referee.claim("red", "helena--seattle", {"yellow": 6}, nothing_more)
    referee.claim("red", "montreal--toronto", {"pink": 3}, nothing_more)
    assert referee.hands["red"] == {"pink": 2, "blue": 1}
    assert referee.position.claims == {"montreal--toronto": "red"}
    assert referee.cards.discards.count("pink") == 3


@pytest.mark.parametrize(
    ("colour", "route", "why"),
    [
        ("red", "portland--seattle--0", "holds it already"),
        ("blue", "portland--seattle--0", "was red and is blue"),
        ("red", "portland--seattle--1", "red holds both lanes"),
        ("blue", "portland--seattle--1", "both lanes of Portland - Seattle are claimed"),
    ],
)
def test_a_taken_route_and_a_closed_lane_are_refused(colour: str, route: str, why: str) -> None:
    referee = game()
    for player in ("red", "blue"):
        rich(referee, player, {"pink": 5})
    referee.claim("red", "portland--seattle--0", {"pink": 1}, nothing_more)
    assert not referee.may_claim(colour, referee.position.board.route_by_id[route])
    with pytest.raises(IllegalTurnError, match=why):
        referee.claim(colour, route, {"pink": 1}, nothing_more)


def test_the_other_lane_is_open_with_four() -> None:
    referee = game(colours=("red", "blue", "green", "black"))
    rich(referee, "red", {"pink": 1})
    referee.claim("red", "portland--seattle--0", {"pink": 1}, nothing_more)
    lane = referee.position.board.route_by_id["portland--seattle--1"]
    assert referee.may_claim("blue", lane)
    assert not referee.may_claim("red", lane)


def test_a_tunnel_takes_what_its_three_cards_ask_for() -> None:
    tunnels = [r for r in load_board("europe").routes if r.tunnel and r.colour == "grey"]
    short = min(tunnels, key=lambda r: r.length)
    referee = game("europe")
    rich(referee, "red", {"blue": short.length + 2})
    referee.cards._deck.extend(["blue", "red", "blue"])
    before = referee.hands["red"].total()

    paid = {"blue": short.length}
    left = referee.claim("red", short.id, paid, nothing_more)
    assert isinstance(left, TunnelLeft)
    assert referee.hands["red"].total() == before
    assert short.id not in referee.position.claims

    referee.cards._deck.extend(["blue", "red", "blue"])
    claimed = referee.claim("red", short.id, paid, lambda cards, count: {"blue": count})
    assert isinstance(claimed, PlayedRoute)
    assert claimed.cards == {"blue": short.length + 2}
    assert sorted(claimed.revealed) == ["blue", "blue", "red"]
    assert not referee.hands["red"]


def test_too_few_cards_added_to_a_tunnel_are_refused() -> None:
    short = min((r for r in load_board("europe").routes if r.tunnel), key=lambda r: r.length)
    colour = "blue" if short.colour == "grey" else short.colour
    referee = game("europe")
    rich(referee, "red", {colour: 9})
    referee.cards._deck.extend([colour] * 3)
    with pytest.raises(IllegalTurnError, match="cards needed"):
        referee.claim("red", short.id, {colour: short.length}, lambda cards, count: {colour: 1})


def test_stations_cost_one_card_more_each_time() -> None:
    referee = game("europe")
    rich(referee, "red", {"blue": 3, "green": 1, "locomotive": 2})
    referee.build("red", "paris", {"green": 1})
    with pytest.raises(IllegalTurnError, match="may not build"):
        referee.build("red", "berlin", {"blue": 1})
    referee.build("red", "berlin", {"blue": 1, "locomotive": 1})
    assert not referee.may_build("blue", "paris")
    with pytest.raises(IllegalTurnError, match="Paris has 2 stations"):
        referee.build("blue", "paris", {"blue": 1})


def test_kept_tickets_are_among_those_offered() -> None:
    referee = game()
    with pytest.raises(IllegalTurnError, match="is not 2 of"):
        referee.deal_tickets("red", lambda offered, at_least: offered[:1])
    with pytest.raises(IllegalTurnError, match="is not 1 of"):
        referee.draw_tickets("red", lambda offered, at_least: ())


def test_tickets_not_kept_go_to_the_bottom() -> None:
    referee = game()
    drawn = referee.draw_tickets("red", lambda offered, at_least: offered[:1])
    assert len(referee.tickets) == 29
    assert referee.tickets.deal(29)[-2:] == drawn.offered[1:]
    assert referee.position.tickets == {"red": drawn.offered[:1]}


def test_a_face_up_locomotive_ends_the_draw_and_is_no_second_card() -> None:
    cards = TrainCards(load_edition("usa"), {"red": 30}, np.random.default_rng(0))
    cards.turn_up()
    cards.face_up[2] = "locomotive"
    with pytest.raises(IllegalTurnError, match="cannot be the second card"):
        cards.draw_by(lambda drawn: 2 if drawn else None)
    cards.face_up[2] = "locomotive"
    assert cards.draw_by(lambda drawn: 2) == (Draw("locomotive", face_up=True),)
    assert len(cards.draw_by(lambda drawn: None)) == 2


def test_no_three_locomotives_lie_face_up_while_others_are_left() -> None:
    edition = load_edition("usa")
    for seed in range(20):
        cards = TrainCards(edition, {"red": 5, "locomotive": 14}, np.random.default_rng(seed))
        cards.turn_up()
        assert not must_flush(edition, cards.face_up)
        assert cards.all_cards == {"red": 5, "locomotive": 14}


def test_locomotives_alone_stay_face_up() -> None:
    cards = TrainCards(load_edition("usa"), {"locomotive": 14, "red": 1}, np.random.default_rng(1))
    cards.turn_up()
    assert len(cards.face_up) == 5


def test_discards_come_back_when_the_deck_is_empty() -> None:
    cards = TrainCards(load_edition("usa"), {"red": 3}, np.random.default_rng(0))
    assert cards.deal(5) == {"red": 3}
    assert cards.take_top() is None
    assert not cards.can_draw_blind
    cards.discards.extend(["blue", "blue"])
    assert cards.can_draw_blind
    assert cards.take_top() == "blue"
    with pytest.raises(IllegalTurnError, match="no card was drawn"):
        TrainCards(load_edition("usa"), {}, np.random.default_rng(0)).draw_by(lambda drawn: None)


def test_the_cards_of_a_game_are_all_there_after_any_turn() -> None:
    referee = game()
    for _ in range(30):
        for colour in ("red", "blue"):
            referee.draw_cards(colour, lambda drawn: None if drawn else 0)
            held = sum(referee.hands.values(), Counter())
            assert held + referee.cards.all_cards == BOARD_DECK.cards
            if not referee.cards.left:
                return
            hand = referee.hands[colour]
            best = max(hand, key=lambda card: hand[card])
            if hand[best] > 3:
                referee._pay(colour, {best: 4})


@pytest.mark.parametrize(
    ("edition", "left"),
    [("usa", 27 + 3), ("usa-10th", 27), ("europe", 40 - 3)],
)
def test_tickets_not_kept_at_first_go_where_the_edition_says(edition: str, left: int) -> None:
    deck = TicketDeck(load_edition(edition), np.random.default_rng(2))
    offered = deck.deal_first()
    deck.return_first(offered)
    assert len(deck) == left
    if edition == "usa":
        assert deck.deal(30)[-3:] == offered


def test_each_player_of_europe_is_dealt_one_long_route() -> None:
    deck = TicketDeck(load_edition("europe"), np.random.default_rng(2))
    for _ in range(5):
        assert [t.series == "long" for t in deck.deal_first()] == [True, False, False, False]
    assert not any(ticket.series == "long" for ticket in deck.deal(46))
