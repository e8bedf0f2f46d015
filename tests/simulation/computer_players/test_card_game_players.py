"""Computers of The Card Game: every move is legal, games end, and the stronger win more often."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from msgspec.structs import replace
from railspotter.scoring.card_game.rules import card_standing
from railspotter.scoring.dealing.card_game_turns import play_card_game
from railspotter.scoring.dealing.card_game_view import card_game_view
from railspotter.scoring.dealing.dealt_card_game import DealtCardGame, deal_card_game
from railspotter.scoring.game import Player
from railspotter.simulation.computer_players.card_game import HABITS, card_game_move
from railspotter.simulation.computer_players.strengths import STRENGTHS
from railspotter.simulation.played_game import seeded_luck

from random_card_games import CITIES, SEATS, made_up_tickets

GAMES = 60


def played(seed: int, strengths: list[str]) -> DealtCardGame:
    """A whole game by computers, who refuse nothing and to whom nothing is refused."""
    rng, luck = random.Random(seed), seeded_luck(seed)
    who = dict(zip(SEATS, strengths, strict=False))
    bonuses = {city: rng.randint(6, 12) for city in CITIES}
    game = deal_card_game([Player(c) for c in who], made_up_tickets(rng), bonuses, luck)
    while not game.final:
        colour = game.acting[0]
        view = card_game_view(replace(game, may_look=True), colour)
        game = play_card_game(game, colour, card_game_move(view, who[colour], rng), luck)
    return game


@pytest.mark.parametrize(("weaker", "stronger"), [("easy", "medium"), ("medium", "hard")])
def test_the_stronger_wins_more_often(weaker: str, stronger: str) -> None:
    wins: Counter[str] = Counter()
    for seed in range(GAMES):
        strengths = [weaker, stronger] if seed % 2 else [stronger, weaker]
        standing = card_standing(played(seed, strengths).position)
        for colour in standing.winners:
            wins[strengths[SEATS.index(colour)]] += 1
    assert wins[stronger] > wins[weaker]


def test_four_of_them_play_both_decks() -> None:
    for seed in range(6):
        game = played(seed, ["easy", "medium", "hard", "hard"])
        assert game.round == 2
        assert sum(len(done) for done in game.completed.values()) >= 8


def test_they_come_in_the_strengths_of_the_board_games() -> None:
    assert tuple(HABITS) == STRENGTHS
