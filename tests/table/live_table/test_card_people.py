"""Who comes in, leaves, comes back or changes seats while cards are on phones."""

import pytest
from dealt_games import DealtGame, after_a_claim, started
from railspotter.scoring.dealing.moves import DrawCard, DrawTickets
from railspotter.table.game_log.course_facts import TurnMarked
from railspotter.table.game_log.errors import EventError
from railspotter.table.game_log.game_state import fold
from railspotter.table.game_log.people_facts import (
    Player,
    PlayerCameIn,
    PlayerLeft,
    PlayerRecoloured,
    SeatsSwapped,
)
from railspotter.table.live_table.card_play import with_cards


def leave(game: DealtGame, seat: str) -> None:
    game.say(*with_cards(game.table, [PlayerLeft(seat)]))


def test_who_leaves_in_a_turn_leaves_it_to_the_next() -> None:
    game = DealtGame.of(started("usa", 3)).play(3)
    first = game.table.turn or ""
    game.move(first, DrawCard())
    leave(game, first)
    assert game.table.turn not in (None, first)
    game.move(game.table.turn or "", DrawCard())
    game.play()
    assert game.table.ended


def test_who_leaves_while_choosing_gives_the_tickets_back() -> None:
    game = DealtGame.of(started("usa", 3))
    seats = [player.seat for player in game.table.players]
    game.play(2)
    assert game.computer_to_move() == seats[2]
    leave(game, seats[2])
    assert game.table.turn == seats[0]
    game.play()
    assert game.table.ended


@pytest.mark.parametrize("during", ["a turn", "between turns"])
def test_who_comes_in_is_dealt_a_hand(during: str) -> None:
    game = DealtGame.of(started("usa", 2)).play(4)
    turn = game.table.turn
    joined = [PlayerCameIn(Player("eve", "yellow", "Eve"))]
    if during == "a turn":
        game.move(turn or "", DrawCard())
        with pytest.raises(EventError, match="wait until this turn is over"):
            with_cards(game.table, joined)
        return
    game.say(*with_cards(game.table, joined))
    assert sum(game.view("eve").hand.values()) == 4
    assert game.computer_to_move() == "eve"
    with pytest.raises(EventError, match="wait until the tickets are chosen"):
        game.move(turn or "", DrawCard())
    game.step()
    assert game.table.turn == turn, "it goes on where it was"
    game.play()
    assert game.table.ended


def test_who_comes_in_and_leaves_before_choosing_changes_no_turn() -> None:
    game = DealtGame.of(started("usa", 2)).play(4)
    turn = game.table.turn
    game.say(*with_cards(game.table, [PlayerCameIn(Player("eve", "yellow", "Eve"))]))
    leave(game, "eve")
    assert game.table.turn == turn
    game.step()


def test_who_comes_back_has_the_old_hand() -> None:
    game = DealtGame.of(started("usa", 3)).play(9)
    player = game.table.players[0]
    hand = game.view(player.seat).hand
    leave(game, player.seat)
    game.say(*with_cards(game.table, [PlayerCameIn(player)]))
    assert game.view(player.seat).hand == hand
    game.play()
    assert game.table.ended


def test_who_leaves_in_the_last_turn_ends_the_game() -> None:
    game = DealtGame.of(started("usa", 2))
    while game.table.last_turns_by is None:
        game.step()
    while game.table.turn != game.table.last_turns_by:
        game.step()
    leave(game, game.table.turn)
    assert game.table.ended


def test_swapped_seats_and_other_colours_keep_the_cards() -> None:
    game, _ = after_a_claim(seats=3)
    owned, hands = game.table.owned, game.table.dealing and game.table.dealing.hands
    a, b = game.table.players[0].seat, game.table.players[1].seat
    game.say(SeatsSwapped(a, b))
    assert game.table.owned == owned, "trains stay"
    assert game.table.dealing is not None
    assert game.table.dealing.hands == hands, "cards go with the people"
    player = game.table.players[2]
    game.say(PlayerRecoloured(player.seat, "yellow"))
    assert fold(game.game.events) == game.game
    game.play()
    assert game.table.ended
    assert fold(game.game.events) == game.game


def test_a_turn_marked_by_the_host_leaves_what_was_begun() -> None:
    game = DealtGame.of(started("usa", 2)).play(4)
    seat = game.table.turn or ""
    other = next(p.seat for p in game.table.players if p.seat != seat)
    game.move(seat, DrawCard())
    count = sum(game.view(seat).hand.values())
    game.say(TurnMarked(other))
    game.move(other, DrawTickets())
    game.say(TurnMarked(seat))
    assert sum(game.view(seat).hand.values()) == count
    assert game.view(other).offered == ()
    game.play()
    assert game.table.ended
