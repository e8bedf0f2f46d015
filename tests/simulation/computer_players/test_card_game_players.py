"""Computers of The Card Game: every move is legal, games end, and the stronger win more often."""

from random import Random

import pytest
from msgspec.structs import replace
from railspotter.scoring.card_game.tickets import CardTicket
from railspotter.scoring.dealing.card_game_view import card_game_view
from railspotter.scoring.dealing.dealt_card_game import deal_card_game
from railspotter.scoring.dealing.moves import KeepOffered
from railspotter.scoring.game import Player
from railspotter.simulation.computer_players.card_game import SETTINGS, card_game_move
from railspotter.simulation.computer_players.strengths import STRENGTHS
from railspotter.simulation.played_game import seeded_luck

from computer_players import CARD_GAME, main, play_both_seatings, play_card_deal
from random_card_games import random_tickets

DEALS = 30


@pytest.mark.parametrize(("weaker", "stronger"), [("easy", "medium"), ("medium", "hard")])
def test_the_stronger_wins_more_often(weaker: str, stronger: str) -> None:
    jobs = [(CARD_GAME, stronger, weaker, seed) for seed in range(DEALS)]
    won = [result.won for job in jobs for result in play_both_seatings(job)]
    assert sum(won) > 0.55 * len(won)


def test_four_of_them_play_both_decks() -> None:
    for seed in range(6):
        game = play_card_deal(["easy", "medium", "hard", "hard"], seed)
        assert game.round == 2
        assert sum(len(done) for done in game.completed.values()) >= 8


@pytest.mark.parametrize(("strength", "bonus", "kept"), [("hard", 12, 1), ("medium", 12, 0)])
def test_the_strongest_counts_what_a_city_is_worth(strength: str, bonus: int, kept: int) -> None:
    rng, luck = Random(1), seeded_luck(1)
    players = [Player("red"), Player("blue")]
    game = deal_card_game(players, random_tickets(rng), {"Ayton": bonus}, luck)
    offered = (
        CardTicket(("Town 1", "Town 2"), {"red": 9, "blue": 9, "pink": 9}, 22),
        CardTicket(("Town 1", "Ayton"), {"red": 9, "blue": 9, "pink": 9}, 21),
    )
    view = card_game_view(replace(game, offered={**game.offered, "red": offered}), "red")
    assert card_game_move(view, strength, rng) == KeepOffered((kept,))


def test_they_come_in_the_strengths_of_the_board_games() -> None:
    assert tuple(SETTINGS) == STRENGTHS


def test_a_match_is_a_line_of_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--games", "2", "--editions", CARD_GAME])
    lines = capsys.readouterr().out.splitlines()[2:4]
    assert [line.split("|")[2:4] for line in lines] == [
        [" medium : easy ", " 2 "],
        [" hard : medium ", " 2 "],
    ]
