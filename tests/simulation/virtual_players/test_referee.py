"""The referee refuses what the rules refuse, and keeps the record of every turn."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from railspotter.scoring.board import load_board
from railspotter.scoring.card_game.tickets import Cards
from railspotter.scoring.card_game.turns import Draw, must_flush
from railspotter.scoring.dealing.claims import claim_problems
from railspotter.scoring.dealing.moves import (
    DrawCard,
    DrawTickets,
    KeepTickets,
    LeaveTunnel,
    Pay,
    PayMore,
    ticket_texts,
)
from railspotter.scoring.dealing.stacks import cards_of
from railspotter.scoring.edition import load_edition
from railspotter.scoring.position import Seat
from railspotter.scoring.spot import Spot
from railspotter.simulation.errors import IllegalTurnError
from railspotter.simulation.virtual_players.played_game import (
    Action,
    CardsDrawn,
    PlayedRoute,
    PlayedStation,
    TicketsDrawn,
    TunnelLeft,
)
from railspotter.simulation.virtual_players.referee import Referee
from train_cards import TrainCards


def game(edition: str = "usa", colours: tuple[str, ...] = ("red", "blue")) -> Referee:
    """A game whose first tickets are chosen."""
    rules = load_edition(edition)
    seats = tuple(map(Seat, colours))
    referee = Referee(rules, load_board(rules.board), seats, np.random.default_rng(4))
    referee.dealing = replace(referee.dealing, offered={}, is_first=False)
    return referee


def rich(referee: Referee, colour: str, hand: Cards) -> None:
    referee.dealing = referee.dealing.with_hand(colour, hand)


def claim(referee: Referee, colour: str, route: str, cards: dict[str, int]) -> Action | None:
    return referee.play(colour, Pay("route", route, cards))


def build(referee: Referee, colour: str, place: str, cards: dict[str, int]) -> Action | None:
    return referee.play(colour, Pay("station", place, cards))


def may_claim(referee: Referee, colour: str, route: str) -> bool:
    return not claim_problems(referee.position, colour, Spot("route", route))


def test_a_claim_needs_the_cards_in_hand_and_pays_them() -> None:
    referee = game()
    rich(referee, "red", {"pink": 5, "blue": 1})
    with pytest.raises(IllegalTurnError, match="6 cards needed, 5 played"):
        claim(referee, "red", "helena--seattle", {"yellow": 5})
    with pytest.raises(IllegalTurnError, match="6 yellow played, 0 in hand"):
        claim(referee, "red", "helena--seattle", {"yellow": 6})
    done = claim(referee, "red", "montreal--toronto", {"pink": 3})
    assert done == PlayedRoute("montreal--toronto", {"pink": 3})
    assert referee.dealing.hand("red") == {"pink": 2, "blue": 1}
    assert referee.position.claims == {"montreal--toronto": "red"}
    assert referee.dealing.stacks.discards["pink"] == 3


@pytest.mark.parametrize(
    ("colour", "route", "why"),
    [
        ("red", "portland--seattle--0", "Portland - Seattle is red's already"),
        ("blue", "portland--seattle--0", "Portland - Seattle is red's already"),
        ("red", "portland--seattle--1", "red has the other lane of Portland - Seattle"),
        ("blue", "portland--seattle--1", "only one lane of Portland - Seattle can be claimed"),
    ],
)
def test_a_taken_route_and_a_closed_lane_are_refused(colour: str, route: str, why: str) -> None:
    referee = game()
    for player in ("red", "blue"):
        rich(referee, player, {"pink": 5})
    claim(referee, "red", "portland--seattle--0", {"pink": 1})
    assert not may_claim(referee, colour, route)
    before = referee.dealing
    with pytest.raises(IllegalTurnError, match=why):
        claim(referee, colour, route, {"pink": 1})
    assert referee.dealing == before
    assert referee.position.claims == {"portland--seattle--0": "red"}


def test_the_other_lane_is_open_with_four() -> None:
    referee = game(colours=("red", "blue", "green", "black"))
    rich(referee, "red", {"pink": 1})
    claim(referee, "red", "portland--seattle--0", {"pink": 1})
    assert may_claim(referee, "blue", "portland--seattle--1")
    assert not may_claim(referee, "red", "portland--seattle--1")


def three_in_deck(referee: Referee, cards: Cards) -> None:
    """Leave three cards in the deck: those that a tunnel turns over, in any order."""
    row = ("green", "white", "pink", "black", "orange")
    stacks = replace(referee.dealing.stacks, deck=cards, face_up=row)
    referee.dealing = replace(referee.dealing, stacks=stacks)


def test_a_tunnel_takes_what_its_three_cards_ask_for() -> None:
    tunnels = [r for r in load_board("europe").routes if r.tunnel and r.colour == "grey"]
    short = min(tunnels, key=lambda r: r.length)
    referee = game("europe")
    rich(referee, "red", {"blue": short.length + 2})
    paid, turned_over = {"blue": short.length}, {"blue": 2, "red": 1}

    three_in_deck(referee, turned_over)
    assert claim(referee, "red", short.id, paid) is None
    left = referee.play("red", LeaveTunnel())
    assert isinstance(left, TunnelLeft)
    assert Counter(left.revealed) == turned_over
    assert referee.dealing.hand("red") == {"blue": short.length + 2}
    assert short.id not in referee.position.claims

    three_in_deck(referee, turned_over)
    assert claim(referee, "red", short.id, paid) is None
    assert short.id not in referee.position.claims
    claimed = referee.play("red", PayMore({"blue": 2}))
    assert isinstance(claimed, PlayedRoute)
    assert claimed.cards == {"blue": short.length + 2}
    assert Counter(claimed.revealed) == turned_over
    assert not referee.dealing.hand("red")
    assert referee.position.claims == {short.id: "red"}


def test_too_few_cards_added_to_a_tunnel_are_refused() -> None:
    short = min((r for r in load_board("europe").routes if r.tunnel), key=lambda r: r.length)
    colour = "blue" if short.colour == "grey" else short.colour
    referee = game("europe")
    rich(referee, "red", {colour: 9})
    three_in_deck(referee, {colour: 3})
    claim(referee, "red", short.id, {colour: short.length})
    with pytest.raises(IllegalTurnError, match="cards needed"):
        referee.play("red", PayMore({colour: 1}))


def test_stations_cost_one_card_more_each_time() -> None:
    referee = game("europe")
    rich(referee, "red", {"blue": 3, "green": 1, "locomotive": 2})
    assert build(referee, "red", "paris", {"green": 1}) == PlayedStation("paris", {"green": 1})
    with pytest.raises(IllegalTurnError, match="takes 2 cards of one colour"):
        build(referee, "red", "berlin", {"blue": 1})
    build(referee, "red", "berlin", {"blue": 1, "locomotive": 1})
    with pytest.raises(IllegalTurnError, match="Paris has a station already"):
        build(referee, "blue", "paris", {"blue": 1})


def test_kept_tickets_are_among_those_offered() -> None:
    rules = load_edition("usa")
    seats = Seat("red"), Seat("blue")
    referee = Referee(rules, load_board("usa"), seats, np.random.default_rng(4))
    offered = referee.dealing.offered["red"]
    with pytest.raises(IllegalTurnError, match="keep at least 2 of these tickets"):
        referee.play("red", KeepTickets(ticket_texts(offered[:1])))
    with pytest.raises(IllegalTurnError, match="only tickets that were drawn"):
        referee.play("red", KeepTickets(ticket_texts(referee.dealing.offered["blue"])))
    with pytest.raises(IllegalTurnError, match="each of them once"):
        referee.play("red", KeepTickets(ticket_texts((offered[0], offered[0]))))


def test_tickets_not_kept_go_to_the_bottom() -> None:
    referee = game()
    assert referee.play("red", DrawTickets()) is None
    offered = referee.dealing.offered["red"]
    done = referee.play("red", KeepTickets(ticket_texts(offered[:1])))
    assert done == TicketsDrawn(offered, offered[:1])
    assert referee.dealing.beneath == offered[1:]
    assert referee.position.tickets == {"red": offered[:1]}


def test_a_turn_of_drawing_is_on_record_with_what_lay_open() -> None:
    referee = game()
    first = referee.dealing.stacks.face_up[0]
    assert first != "locomotive"
    assert referee.play("red", DrawCard(0)) is None
    done = referee.play("red", DrawCard())
    assert isinstance(done, CardsDrawn)
    assert done.draws[0] == Draw(first, face_up=True)
    assert not done.draws[1].face_up


def test_the_cards_of_a_game_are_all_there_after_any_turn() -> None:
    referee = game()
    printed = cards_of(load_edition("usa"))
    colours = ["red", "blue"]
    while referee.dealing.stacks.can_draw_blind:
        if referee.play(colours[0], DrawCard()) is not None:
            colours.reverse()
        assert referee.dealing.all_cards == printed
    assert referee.dealing.stacks.in_deck == 0


def test_a_face_up_locomotive_ends_the_draw_and_is_no_second_card() -> None:
    """Of the Card Game, whose cards are drawn by the turn."""
    rules = load_edition("card-game")
    cards = TrainCards(rules, {"locomotive": 30}, np.random.default_rng(0))
    cards.turn_up()
    with pytest.raises(IllegalTurnError, match="cannot be the second card"):
        cards.draw_by(lambda drawn: 2 if drawn else None)
    assert cards.draw_by(lambda drawn: 2) == (Draw("locomotive", face_up=True),)
    assert len(cards.draw_by(lambda drawn: None)) == 2
    with pytest.raises(IllegalTurnError, match="no card was drawn"):
        TrainCards(rules, {}, np.random.default_rng(0)).draw_by(lambda drawn: None)
    assert not must_flush(rules, cards.face_up)
