"""Whole Card Games, judged turn by turn and counted once more."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest
from railspotter.scoring.card_game import card_position_problems
from railspotter.scoring.card_game_text import card_position_of, parse_card_game
from railspotter.scoring.card_legality import draw_problems
from railspotter.scoring.dealing.stacks import cards_of
from railspotter.scoring.edition import load_edition
from railspotter.scoring.game import game_text
from railspotter.scoring.position import Seat
from railspotter.simulation.card_players.card_bots import CardBot
from railspotter.simulation.card_players.card_table import CardTable, row_cards
from railspotter.simulation.card_players.play_card_game import (
    CITY_BONUSES,
    made_up_tickets,
    play_card_game,
)
from railspotter.simulation.card_players.played_card_game import (
    CardsPlaced,
    CardTicketsDrawn,
    PlayedCardGame,
)
from railspotter.simulation.virtual_players.errors import IllegalTurnError
from railspotter.simulation.virtual_players.played_game import CardsDrawn

every_count = pytest.mark.parametrize("players", [2, 3, 4])


@cache
def played(players: int, seed: int = 1) -> PlayedCardGame:
    return play_card_game(players, seed)


@every_count
def test_hands_pay_for_what_is_placed_and_the_track_gets_it(players: int) -> None:
    game = played(players)
    hands = {colour: Counter(deal.hand) for colour, deal in game.deals.items()}
    placed = {colour: Counter[str]() for colour in hands}
    for turn in (turn for turn in game.turns if turn.round == 1):
        moved = Counter(turn.moved)
        assert moved <= placed[turn.colour]
        placed[turn.colour] -= moved
        match turn.action:
            case CardsDrawn(draws=draws):
                assert draw_problems(load_edition("card-game"), draws) == ()
                hands[turn.colour].update(draw.card for draw in draws)
            case CardsPlaced(cards=cards):
                assert Counter(cards) <= hands[turn.colour]
                hands[turn.colour] -= Counter(cards)
                placed[turn.colour] += Counter(cards)
            case CardTicketsDrawn(offered=offered, kept=kept):
                assert all(ticket in offered for ticket in kept)


@every_count
def test_it_ends_with_the_last_deck(players: int) -> None:
    game = played(players)
    rounds = [turn.round for turn in game.turns]
    assert max(rounds) == game.final.round == (2 if players == 4 else 1)
    for number in set(rounds):
        last = [turn.is_last for turn in game.turns if turn.round == number]
        assert last == [False] * (len(last) - players) + [True] * players


@every_count
def test_the_last_card_of_the_deck_brings_the_last_turns(players: int) -> None:
    """Every card drawn takes one from the deck: itself, or the one that replaces it."""
    game, edition = played(players), load_edition("card-game")
    in_deck = cards_of(edition).total() - players * (1 + edition.first_hand) - 5
    drawn = 0
    for turn in (turn for turn in game.turns if turn.round == 1 and not turn.is_last):
        assert drawn < in_deck
        drawn += len(turn.action.draws) if isinstance(turn.action, CardsDrawn) else 0
    assert drawn >= in_deck


@every_count
def test_the_end_is_a_legal_position_and_its_text_rebuilds_it(players: int) -> None:
    game = played(players)
    again = parse_card_game(game_text(game.final))
    assert again == game.final
    position = card_position_of(again)
    assert card_position_problems(position, final=True) == ()
    for player in game.standing.players:
        held = position.tickets.get(player.colour, ())
        aside = position.set_aside.get(player.colour, ())
        bonus = sum(line.points for line in player.lines if line.what.startswith("most"))
        done = [line for line in player.lines if line.what.endswith(", completed")]
        won = sum(line.points for line in done)
        lost = sum(t.points for t in (*held, *aside)) - won
        assert player.total == won - lost + bonus


@every_count
def test_the_same_seed_plays_the_same_game(players: int) -> None:
    assert play_card_game(players, 7) == play_card_game(players, 7)
    assert play_card_game(players, 7).turns != play_card_game(players, 8).turns


def test_all_cards_are_there_after_any_turn() -> None:
    rng = np.random.default_rng(3)
    seats = tuple(map(Seat, ("red", "blue", "green", "black")))
    table = CardTable(load_edition("card-game"), seats, made_up_tickets(), CITY_BONUSES, rng)
    bots = {seat.colour: CardBot(seat.colour, rng) for seat in seats}
    for colour, bot in bots.items():
        table.deal_tickets(colour, bot.keep(table))
    for turn in range(60):
        colour = seats[turn % 4].colour
        table.move_on_track(colour)
        bots[colour].take_turn(table)
        if turn == 40:
            table.begin_second_deck()
        stacks = map(Counter, table.position.stacks.values())
        yards = map(row_cards, table.railyards.values())
        held = sum((*table.hands.values(), *stacks, *yards), Counter[str]())
        assert held + table.cards.all_cards == cards_of(table.position.edition)


def test_somebody_is_robbed_somewhere() -> None:
    actions = [turn.action for seed in range(6) for turn in played(3, seed).turns]
    assert any(isinstance(action, CardsPlaced) and action.robbed for action in actions)


def test_a_wrong_number_of_players_is_refused() -> None:
    with pytest.raises(IllegalTurnError, match="2 to 4 people play The Card Game, not 1"):
        play_card_game(1)
