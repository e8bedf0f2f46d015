"""Sentences of The Card Game's booklet, one by one."""

import random

import pytest
from msgspec.structs import replace
from railspotter.scoring.card_game.turns import Row
from railspotter.scoring.dealing.card_game_turns import play_card_game
from railspotter.scoring.dealing.dealt_card_game import DealtCardGame, deal_card_game
from railspotter.scoring.dealing.moves import (
    CardGameMove,
    DrawCard,
    DrawTickets,
    KeepOffered,
    MoveError,
    PassTurn,
    PlaceCards,
)
from railspotter.scoring.game import Player
from railspotter.simulation.played_game import seeded_luck

from random_card_games import random_tickets

NONE = KeepOffered(())


def dealt() -> DealtCardGame:
    """Two players' game, in which nobody has chosen yet."""
    players = (Player("red"), Player("blue"))
    return deal_card_game(players, random_tickets(random.Random(1)), {}, seeded_luck(1))


def begun(**hand: int) -> DealtCardGame:
    """A game in which red is on turn with some cards."""
    game = after(dealt(), ("red", KeepOffered((0,))), ("blue", KeepOffered((0,))))
    return replace(game, hands={**game.hands, "red": hand} if hand else game.hands)


def after(game: DealtCardGame, *moves: tuple[str, CardGameMove]) -> DealtCardGame:
    for colour, move in moves:
        game = play_card_game(game, colour, move, seeded_luck(1))
    return game


def test_all_six_first_tickets_may_be_kept_and_one_has_to_be() -> None:
    game = dealt()
    assert len(after(game, ("red", KeepOffered((0, 1, 2, 3, 4, 5)))).tickets["red"]) == 6
    with pytest.raises(MoveError, match="keep at least 1"):
        after(game, ("red", NONE))


def test_unwanted_first_tickets_are_shuffled_back_and_later_ones_go_under_the_deck() -> None:
    game = begun()
    assert (len(game.ticket_deck), game.beneath) == (46 - 2, ())
    game = after(game, ("red", DrawTickets()))
    drawn = game.offered["red"]
    assert len(drawn) == 4
    game = after(game, ("red", KeepOffered((2,))))
    assert game.beneath == (drawn[0], drawn[1], drawn[3])
    assert game.tickets["red"][-1] == drawn[2]


def test_a_turn_begins_with_one_card_of_each_row_and_the_first_with_none() -> None:
    game = begun(green=3, pink=2)
    assert (game.moved, game.tracks.get("red", {})) == (0, {})
    game = after(game, ("red", PlaceCards({"green": 3})), ("blue", DrawTickets()), ("blue", NONE))
    game = after(game, ("red", PlaceCards({"pink": 2})), ("blue", DrawTickets()), ("blue", NONE))
    assert game.tracks["red"] == {"green": 2, "pink": 1}
    assert game.railyards["red"] == {"green": Row(1), "pink": Row(1)}
    assert game.tracks["blue"] == {}


def test_a_colour_is_placed_again_once_the_own_row_is_gone() -> None:
    game = replace(begun(green=4), railyards={"red": {"green": Row(1)}})
    with pytest.raises(MoveError):
        after(game, ("red", PlaceCards({"green": 2})))
    game = after(game, ("red", DrawTickets()), ("red", NONE), ("blue", DrawTickets()))
    game = after(game, ("blue", NONE), ("red", PlaceCards({"green": 2})))
    assert game.railyards["red"] == {"green": Row(2)}


def test_a_hand_has_no_limit() -> None:
    many = {"green": 10, "pink": 10, "locomotive": 16}
    game = after(begun(**many), ("red", DrawCard()), ("red", DrawCard()))
    assert sum(game.hands["red"].values()) == sum(many.values()) + 2


def test_an_open_card_is_replaced_before_another_is_taken() -> None:
    game = replace(begun(), face_up=("red", "blue", "blue", "pink", "pink"), deck={"white": 9})
    game = after(game, ("red", DrawCard(0)))
    assert game.face_up == ("white", "blue", "blue", "pink", "pink")
    assert game.turn == "red"


def test_the_only_card_left_may_be_a_whole_draw_and_others_choose_otherwise() -> None:
    game = replace(begun(), face_up=(), deck={"pink": 1})
    game = after(game, ("red", DrawCard()))
    assert (game.turn, game.turns_left) == ("blue", 2)
    for move in (DrawCard(), DrawCard(0), PassTurn()):
        with pytest.raises(MoveError):
            after(game, ("blue", move))
    game = after(game, ("blue", DrawTickets()), ("blue", NONE))
    assert (game.turn, game.final) == ("red", False)
