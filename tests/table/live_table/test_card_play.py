"""Cards on phones: whole games by the log, and all that people may do in between."""

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest
from dealt_games import DealtGame, after_a_claim, cards_are_whole, started
from railspotter.scoring.dealing.moves import (
    DrawCard,
    LeaveTunnel,
    PassTurn,
    Pay,
    PayMore,
    TakeBack,
)
from railspotter.scoring.dealing.rules import claimable, legal_payments
from railspotter.scoring.dealing.stacks import TrainCardStacks
from railspotter.scoring.points.final_score import final_score
from railspotter.scoring.position import Position, seats_of
from railspotter.scoring.spot import Spot
from railspotter.simulation.computer_players.strengths import STRENGTHS, computer_player
from railspotter.simulation.played_game import play_move
from railspotter.table.game_log.board_facts import Placed
from railspotter.table.game_log.budgets import HOST
from railspotter.table.game_log.card_facts import CardsDealt, CardsMoved, RecordedDraws
from railspotter.table.game_log.course_facts import EventLost, LastTurnsBegun, TurnMarked
from railspotter.table.game_log.errors import EventError
from railspotter.table.game_log.facts import Event
from railspotter.table.game_log.game_state import fold
from railspotter.table.game_log.people_facts import Player, TicketTaken
from railspotter.table.live_table.card_play import dealing_facts, move_facts
from railspotter.table.live_table.computers import Computers, computer_to_move
from railspotter.table.live_table.course import return_payment_facts
from railspotter.table.live_table.live_table import LiveTable

GAMES = [("usa", 2), ("usa", 5), ("europe", 3), ("europe", 4), ("newyork", 2), ("newyork", 4)]


@pytest.mark.parametrize(("edition", "seats"), GAMES)
def test_a_whole_game_is_as_one_without_a_log(edition: str, seats: int) -> None:
    game = DealtGame.of(started(edition, seats, trains=16, computers=True), seed=seats)
    table, dealing = game.table, game.table.dealing
    position = Position(table.edition, table.board, seats_of(p.colour for p in table.players))
    while game.computer_to_move() is not None:
        before = len(game.game.events)
        seat, move = game.step()
        moved = next(e.fact for e in game.game.events[before:] if isinstance(e.fact, CardsMoved))
        assert dealing is not None
        made = play_move(position, dealing, seat, move, RecordedDraws(moved))
        position, dealing = made.position, made.dealing
        assert game.table.dealing == dealing
    table = game.table
    assert table.ended
    standing = table.full_score.standing
    final = final_score(position)
    assert {c: standing[c].total for c in table.edition.colours[:seats]} == {
        c: final[c].total for c in table.edition.colours[:seats]
    }
    assert table.unpaid == table.to_lay == {}
    kinds = [type(event.fact) for event in game.game.events]
    begun = kinds.index(LastTurnsBegun)
    assert kinds[begun:].count(TurnMarked) == seats, "everyone has one more turn"
    held = [ticket for hand in table.tickets.values() for ticket in hand]
    assert held, "somebody has tickets"
    assert all(ticket.revealed for ticket in held), "computers show theirs"


@pytest.mark.parametrize("edition", ["usa", "europe", "newyork"])
def test_a_log_that_ends_anywhere_is_folded_to_what_was_there(edition: str) -> None:
    game = DealtGame.of(started(edition, 3))
    tables = {len(game.game.events): game.table}
    while game.computer_to_move() is not None:
        game.step()
        tables[len(game.game.events)] = game.table
    for count, table in tables.items():
        again = fold(game.game.events[:count]).table
        assert again == table
        assert cards_are_whole(again)


def test_who_goes_on_after_any_event_comes_to_an_end() -> None:
    whole = DealtGame.of(started("usa", 2)).play()
    for count in range(2, len(whole.game.events), 5):
        cut = DealtGame(fold(whole.game.events[:count]), seed=count)
        if cut.table.turn is None and not cut.table.dealing.is_choosing_first:  # type: ignore[union-attr]
            continue  # inside of one step, which is written whole or not at all
        cut.play(12)


def test_the_next_game_deals_anew_and_no_game_twice() -> None:
    start = started("usa", 2)
    first, second = DealtGame.of(start, 1), DealtGame.of(start, 2)
    assert first.table.dealing != second.table.dealing
    assert dealing_facts(first.table) == ()
    with pytest.raises(EventError, match="dealt already"):
        first.say(first.game.events[1].fact)


def test_chance_is_the_systems() -> None:
    (dealt, *_), (other, *_) = (
        dealing_facts(fold([Event(1, 0.0, started("usa", 5))]).table) for _ in range(2)
    )
    assert isinstance(dealt, CardsDealt)
    assert isinstance(other, CardsDealt)
    assert dealt.turned != other.turned


@pytest.mark.parametrize("lost", ["cards_dealt", "cards_moved", ""])
def test_where_damage_takes_a_move_the_cards_are_put_away(lost: str) -> None:
    game = DealtGame.of(started("usa", 2)).play(30)
    dealt = [e.seq for e in game.game.events if e.fact.kind.startswith("cards_")]
    seq = dealt[0] if lost == "cards_dealt" else dealt[len(dealt) // 2]
    events = [
        Event(seq, 0.0, EventLost(lost)) if event.seq == seq else event
        for event in game.game.events
    ]
    state = fold(events)
    assert state.table.dealing is None
    assert state.table.put_away
    assert state.table.owned == state.table.held != {}
    assert dealing_facts(state.table) == (), "it is not dealt once more"


def test_another_loss_leaves_the_cards() -> None:
    game = DealtGame.of(started("usa", 2)).play(30)
    laid = next(e for e in game.game.events if isinstance(e.fact, Placed))
    events = [
        Event(e.seq, 0.0, EventLost("route_claimed")) if e is laid else e for e in game.game.events
    ]
    assert fold(events).table.dealing == game.table.dealing


def test_only_what_was_paid_last_gives_the_turn_back() -> None:
    game, paid = after_a_claim()
    seat = game.table.payments[paid.spot].seat
    assert return_payment_facts(game.game, paid.spot, HOST)[1:] == (TurnMarked(seat),)
    game.move(game.table.turn or "", DrawCard())
    back = return_payment_facts(game.game, paid.spot, HOST)
    assert len(back) == 1, "somebody has moved since"
    game.say(*back)
    assert game.table.payments == {}
    assert game.table.dealing is not None
    assert game.table.dealing.drawn, "who has begun goes on"
    with pytest.raises(EventError, match="nothing was paid"):
        return_payment_facts(game.game, paid.spot, HOST)


def test_nobody_has_back_what_was_not_paid() -> None:
    game, paid = after_a_claim()
    seat = game.table.payments[paid.spot].seat
    other = next(p.seat for p in game.table.players if p.seat != seat)
    for who, cards in ((seat, {"locomotive": 9}), (other, paid.cards)):
        with pytest.raises(EventError, match="nothing was paid"):
            game.say(CardsMoved(who, TakeBack(paid.kind, paid.id, cards)))


def test_moves_and_what_they_rest_on_are_never_undone() -> None:
    game = DealtGame.of(started("usa", 3)).play(12)
    kinds = CardsDealt | CardsMoved | TurnMarked | TicketTaken
    seqs = [e.seq for e in game.game.events if isinstance(e.fact, kinds)]
    assert not set(seqs) & set(game.game.undoable)
    with pytest.raises(EventError):
        game.game.undo(seqs[-1])


def in_a_tunnel() -> tuple[DealtGame, str]:
    """A game in which a tunnel asks for more cards."""
    for seed in range(1, 30):
        game = DealtGame.of(started("europe", 2, trains=45), seed)
        for _ in range(200):
            seat, _ = game.step()
            assert game.table.dealing is not None
            if game.table.dealing.tunnel is not None:
                return game, seat
    raise AssertionError("no tunnel asked for more")


def test_a_tunnel_may_be_left_or_marked_away() -> None:
    game, seat = in_a_tunnel()
    hand = game.view(seat).hand
    other = next(p.seat for p in game.table.players if p.seat != seat)
    begun = game.game
    with pytest.raises(EventError, match="tunnel comes first"):
        game.move(seat, DrawCard())
    game.move(seat, LeaveTunnel())
    assert game.table.turn == other
    assert game.view(seat).hand == hand
    game.game = begun
    game.say(TurnMarked(other))
    assert game.view(seat).hand == hand
    assert game.table.dealing is not None
    assert game.table.dealing.tunnel is None
    game.play(20)


def test_a_tunnel_stays_open_while_the_host_gives_cards_back() -> None:
    game, seat = in_a_tunnel()
    view = game.view(seat)
    spot, colour = next(iter(game.table.owned.items()), (None, ""))
    assert spot is not None
    assert colour
    back = return_payment_facts(game.game, spot, HOST)
    assert len(back) == 1
    game.say(*back)
    assert game.view(seat).tunnel == view.tunnel
    assert game.view(seat).revealed == view.revealed
    _, move = game.step()
    assert isinstance(move, PayMore | LeaveTunnel)


def test_stations_cost_more_each_time_and_are_their_builders() -> None:
    game = DealtGame.of(started("europe", 2, trains=45)).play(20)
    built = 0
    while built < 2 and game.computer_to_move() is not None:
        seat = game.table.turn or ""
        view = game.view(seat)
        free = seat and not (view.offered or view.drawn or view.tunnel)
        spots = [s for s in claimable(view.position, view.hand, view.colour) if s.kind == "station"]
        if free and seat == game.table.players[0].seat and spots:
            cards = next(legal_payments(view.position, view.hand, view.colour, spots[0]))
            built += 1
            assert cards.total() == built
            game.move(seat, Pay("station", spots[0].id, dict(cards)))
            assert game.table.stations[spots[0].id] == view.colour
        else:
            game.step()
    assert built == 2


def test_computers_wait_until_what_they_claimed_is_laid() -> None:
    start = started("usa", 2, computers=True, trains=45)
    game = DealtGame.of(start)
    while True:
        seat = game.computer_to_move() or ""
        assert computer_to_move(game.table) == seat
        move = game.bot(seat).move(game.view(seat))
        game.move(seat, move, lies_there=False)
        if isinstance(move, Pay):
            break
    spot = Spot(move.kind, move.id)
    assert game.table.to_lay == {spot: seat}
    other = game.computer_to_move() or ""
    game.move(other, DrawCard())
    game.move(other, DrawCard())
    assert game.table.turn == seat
    assert computer_to_move(game.table) is None
    game.say(Placed.on(spot, colour=seat, by="camera"))
    assert computer_to_move(game.table) == seat


def test_the_game_ends_where_everyone_passes() -> None:
    game = DealtGame.of(started("usa", 2)).play(2)
    dealing = game.table.dealing
    assert dealing is not None
    nothing = replace(
        dealing, stacks=TrainCardStacks(dealing.edition, {}), hands={}, tickets=(), beneath=()
    )
    state = replace(game.game, latest=replace(game.table, dealing=nothing))
    for player in game.table.players:
        assert not state.table.ended
        for fact in move_facts(state, player.seat, PassTurn()):
            state = state.after(Event(len(state.events) + 1, 0.0, fact))
    assert state.table.ended


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_computer_plays_by_the_strength_of_its_seat_and_the_same_after_a_restart(
    strength: str,
) -> None:
    table = cast(LiveTable, SimpleNamespace(log=SimpleNamespace(id="friday")))
    player = Player("seat-red", "red", computer=strength)
    one, again = (Computers(table)._player(player) for _ in range(2))
    assert type(one) is type(computer_player(strength))
    assert one.seed == again.seed
