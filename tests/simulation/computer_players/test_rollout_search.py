"""Short games that are played through: by the rules, with the luck of the view, and to some use."""

from collections import Counter
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest
from railspotter.scoring.board import load_board
from railspotter.scoring.dealing.claims import may_claim
from railspotter.scoring.dealing.dealing import SeatView, first_dealing, view_of
from railspotter.scoring.dealing.moves import DrawCard, KeepTickets, Pay
from railspotter.scoring.dealing.stacks import cards_of
from railspotter.scoring.edition import Ticket, load_edition
from railspotter.scoring.points.final_score import final_score
from railspotter.scoring.position import Position, seats_of
from railspotter.scoring.spot import Spot
from railspotter.simulation.computer_players.quick_game import QuickGame, can_search
from railspotter.simulation.computer_players.strengths import RolloutSearch, computer_player
from railspotter.simulation.played_game import play_moves, seeded_luck

EDITION, BOARD = load_edition("newyork"), load_board("newyork")
COLOURS = EDITION.colours


def seen_by(players: int = 2, seed: int = 0) -> SeatView:
    """What the first player sees once everybody has chosen tickets."""
    colours, luck = COLOURS[:players], seeded_luck(seed)
    position = Position(EDITION, BOARD, seats_of(colours))
    chosen = {colour: computer_player("medium", i) for i, colour in enumerate(colours)}
    dealing = first_dealing(EDITION, BOARD, colours, luck)
    *_, last = islice(play_moves(position, dealing, chosen, luck), players)
    return view_of(last.position, last.dealing, {one: one for one in colours}, COLOURS[0])


def all_cards(game: QuickGame) -> Counter[str]:
    hands = sum((Counter(player.hand) for player in game.players), Counter[str]())
    return hands + Counter(game.deck) + Counter(game.discards) + Counter(game.face_up)


@pytest.mark.parametrize(
    "more",
    [
        {"stations": 3},
        {"longest_path_bonus": 10},
        {"globetrotter_bonus": 15},
        {"site_points": (6, 7)},
        {"modes": ("B", "S")},
        {"trains": 45},
    ],
    ids=lambda more: next(iter(more)),
)
def test_a_game_with_a_rule_that_a_quick_game_lacks_is_not_searched(more: dict[str, Any]) -> None:
    seats = seats_of(COLOURS[:2])
    assert can_search(Position(EDITION, BOARD, seats))
    assert not can_search(Position(msgspec.structs.replace(EDITION, **more), BOARD, seats))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_quick_game_keeps_the_rules_and_scores_as_they_do(players: int) -> None:
    for seed in range(10):
        view = seen_by(players, seed)
        seats = view.position.seats
        game = next(RolloutSearch(view, Random(seed)).deals())
        tickets = {
            seat.colour: player.tickets for seat, player in zip(seats, game.players, strict=True)
        }
        position = Position(EDITION, BOARD, seats, {}, tickets)
        turns = 0
        while game.turns_left != 0:
            colour, move = COLOURS[game.seat], game.default_move()
            if isinstance(move, Pay):
                assert may_claim(position, colour, Spot("route", move.id))
                position = replace(position, claims={**position.claims, move.id: colour})
            if not game.turn(move) and game.turns_left is None:
                break
            assert all_cards(game) == cards_of(EDITION)
            assert all(n >= 0 for player in game.players for n in player.hand.values())
            turns += 1
            assert turns < 200
        totals = [player.total for player in final_score(position).players]
        for seat in range(players):
            others = [total for i, total in enumerate(totals) if i != seat]
            assert game.lead(seat) == totals[seat] - max(others)


def test_every_deal_of_a_search_is_one_that_the_view_allows() -> None:
    view = seen_by(3, seed=4)
    for game in RolloutSearch(view, Random(1)).deals():
        assert all_cards(game) == cards_of(EDITION)
        assert len(game.deck) == view.in_deck
        assert tuple(game.face_up) == view.face_up
        assert {c: n for c, n in view.hand.items() if n} == game.players[0].hand
        for colour, player in zip(COLOURS, game.players, strict=False):
            assert sum(player.hand.values()) == view.hand_sizes[colour]
            assert len(player.tickets) == view.ticket_counts[colour]
        own, *others = (set(player.tickets) for player in game.players)
        assert all(own.isdisjoint(tickets) for tickets in others)


def nearly_over() -> SeatView:
    """The other has three taxis left; one claim completes the own ticket of eight points."""
    view = seen_by()
    claims = {
        "brooklyn--chinatown--0": COLOURS[1],
        "central-park--united-nations": COLOURS[1],
        "chelsea--greenwich-village--0": COLOURS[1],
        "brooklyn--wall-street--0": COLOURS[1],
    }
    ticket = Ticket("united-nations", "gramercy-park", 8)
    position = Position(EDITION, BOARD, view.position.seats, claims, {COLOURS[0]: (ticket,)})
    hand, face_up = {"green": 3}, ("red", "pink", "locomotive", "black", "blue")
    sizes = {COLOURS[0]: 3, COLOURS[1]: 4}
    discards = {"orange": 3, "blue": 2, "green": 1}
    left = cards_of(EDITION).total() - 3 - 4 - len(face_up) - sum(discards.values())
    return replace(
        view,
        position=position,
        hand=hand,
        face_up=face_up,
        discards=discards,
        in_deck=left,
        hand_sizes=sizes,
        ticket_counts={COLOURS[0]: 1, COLOURS[1]: 2},
    )


def test_what_is_surely_better_than_the_default_is_done() -> None:
    search = RolloutSearch(replace(nearly_over(), turns_left=2), Random(1))
    claim = Pay("route", "gramercy-park--united-nations", {"green": 3})
    assert search.best([DrawCard(None), claim]) == claim
    assert search.best([claim, DrawCard(None)]) == claim
    assert search.best([DrawCard(None)]) == DrawCard(None)


def test_an_open_taxi_is_not_worth_a_whole_turn() -> None:
    view = replace(nearly_over(), hand={}, face_up=("red", "pink", "locomotive", "black", "blue"))
    player = computer_player("hard", 3)
    assert player.move(view) in (DrawCard(None), *map(DrawCard, (0, 1, 3, 4)))
    only_taxis = replace(view, face_up=("locomotive",), in_deck=0, discards={})
    assert player.move(only_taxis) == DrawCard(0)


def test_the_order_in_which_a_view_lists_cards_changes_no_move() -> None:
    """A game that is gone on with from its log lists them in another one."""
    hand, discards = {"red": 2, "green": 2, "locomotive": 1}, {"orange": 3, "blue": 2}
    view = replace(nearly_over(), hand=hand, discards=discards, turns_left=None)
    other = replace(
        view,
        hand=dict(reversed(hand.items())),
        discards=dict(reversed(discards.items())),
    )
    assert list(other.hand) != list(view.hand)
    for seed in range(5):
        assert computer_player("hard", seed).move(view) == computer_player("hard", seed).move(other)


def test_both_tickets_are_kept_where_the_taxis_suffice() -> None:
    view = seen_by()
    offered = (Ticket("times-square", "soho", 6), Ticket("chelsea", "wall-street", 6))
    view = replace(view, position=replace(view.position, tickets={}), offered=offered, at_least=1)
    kept = computer_player("hard", 1).move(view)
    assert isinstance(kept, KeepTickets)
    assert len(kept.tickets) == 2
