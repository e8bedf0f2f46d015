"""Cards that are dealt to phones: what is written down when a player makes a move.

A move brings what follows from it by the rules: the tickets that were kept, the last turns, whose
turn comes next, the end. All of it is one step of the log.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from railspotter.scoring.dealing import moves
from railspotter.scoring.dealing.dealing import Dealing, first_dealing
from railspotter.scoring.dealing.rules import ends_turn, play
from railspotter.scoring.dealing.seat_view import SeatView, view_of
from railspotter.scoring.position import last_turns, low_stocks

from ..game_log import people_facts
from ..game_log.board_facts import Placed
from ..game_log.card_facts import CardsDealt, CardsMoved, RecordingChance
from ..game_log.course_facts import GameEnded, LastTurnsBegun, TurnMarked
from ..game_log.errors import EventError
from ..game_log.facts import Fact, SeatId
from ..game_log.game_state import GameState
from ..game_log.table_state import TableState


def chance() -> RecordingChance:
    """Return the luck of the system's randomness."""
    return RecordingChance(secrets.choice)


def dealing_facts(table: TableState, luck: RecordingChance | None = None) -> tuple[Fact, ...]:
    """Return how a game with cards on phones is dealt; nothing where it is, or needs none."""
    if table.started.cards != "phones" or table.dealing is not None or table.put_away:
        return ()
    luck, seats = luck or chance(), table.playing
    try:
        dealing = first_dealing(table.edition, table.board, seats, luck)
    except moves.MoveError as error:
        raise EventError(error.sentence) from error
    facts: list[Fact] = [CardsDealt(seats, tuple(luck.turned), luck.texts)]
    if not dealing.offered:
        facts.append(TurnMarked(seats[0]))
    return tuple(facts)


def move_facts(
    game: GameState,
    seat: SeatId,
    move: moves.Move,
    *,
    lies_there: bool = False,
    luck: RecordingChance | None = None,
) -> tuple[Fact, ...]:
    """Return what is written down when a player makes a move."""
    table, luck = game.table, luck or chance()
    player, dealing = _dealt(table, seat)
    if table.ended:
        raise EventError("the game is over")
    after = _played(table, dealing, player, move, luck)
    moved = CardsMoved(seat, move, tuple(luck.turned), luck.texts)
    facts: list[Fact] = [moved]
    if isinstance(move, moves.KeepTickets):
        # As the deck has them: a phone may name other points.
        wanted = [frozenset((ticket.a, ticket.b)) for ticket in move.tickets]
        kept = [ticket for ticket in dealing.offered[seat] if ticket.ends in wanted]
        facts += [people_facts.TicketTaken(seat, ticket) for ticket in moves.ticket_texts(kept)]
    then = moved.after(table)
    new = {spot: colour for spot, colour in then.to_lay.items() if spot not in table.owned}
    if lies_there:
        facts += [Placed.on(spot, colour=colour, by="person") for spot, colour in new.items()]
    if ends_turn(dealing, move, after):
        facts += _turn_facts(game, then, seat, passed=isinstance(move, moves.PassTurn))
    elif dealing.is_choosing_first and not after.offered and table.turn is None:
        facts.append(TurnMarked(table.playing[0]))
    return tuple(facts)


def _dealt(table: TableState, seat: SeatId) -> tuple[people_facts.Player, Dealing]:
    """Return who sits there, and the cards; raises `EventError` where either is missing."""
    player = table.player(seat)
    if player is None or table.dealing is None:
        raise EventError("no cards are dealt here")
    return player, table.dealing


def _played(
    table: TableState,
    dealing: Dealing,
    player: people_facts.Player,
    move: moves.Move,
    luck: RecordingChance,
) -> Dealing:
    """Return the cards after a move; raises `EventError` where the rules refuse it."""
    try:
        return play(table.position, dealing, player.seat, player.colour, move, luck)
    except moves.MoveError as error:
        raise EventError(error.sentence) from error


def deal_anew_facts(table: TableState, seat: SeatId) -> tuple[Fact, ...]:
    """Return the facts by which somebody has another hand; tickets that were shown stay."""
    (player, dealing), luck = _dealt(table, seat), chance()
    if table.ended or seat in table.left:
        raise EventError("no cards are dealt here")
    secret = [held.ticket for held in table.tickets.get(seat, ()) if not held.revealed]
    move = moves.DealAnew(tuple(secret))
    _played(table, dealing, player, move, luck)
    return (
        CardsMoved(seat, move, tuple(luck.turned), luck.texts),
        *(people_facts.TicketDropped(seat, ticket) for ticket in secret),
        people_facts.HandPassedOn(seat, is_new=True),
    )


def with_cards(table: TableState, facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return facts that people say, with what follows from them where cards are on phones.

    Who comes in is dealt a hand; the turn of who leaves is the next one's.
    """
    if table.dealing is None:
        return tuple(facts)
    told: list[Fact] = []
    for fact in facts:
        told.append(fact)
        match fact:
            case people_facts.PlayerCameIn(player=player):
                if player.seat not in table.dealing.hands:
                    luck = chance()
                    _played(table, table.dealing, player, moves.ComeIn(), luck)
                    told.append(
                        CardsMoved(player.seat, moves.ComeIn(), tuple(luck.turned), luck.texts)
                    )
                if table.turn in table.left - {player.seat}:  # everybody had left
                    told.append(TurnMarked(player.seat))
            case people_facts.PlayerLeft(seat=seat):
                told += _leaving_facts(table, seat)
    return tuple(told)


def seat_view(table: TableState, seat: SeatId) -> SeatView:
    """Return what somebody in a seat sees of the cards; raises `EventError` without any."""
    player, dealing = _dealt(table, seat)
    last = table.last_turns
    return view_of(
        table.full_position,
        dealing,
        {one.colour: one.seat for one in table.players},
        player.colour,
        last_turns_by=last.by if last else None,
        turns_since=last.turns_since if last else 0,
    )


def _leaving_facts(table: TableState, seat: SeatId) -> tuple[Fact, ...]:
    others = [other for other in table.playing if other != seat]
    if not others or table.ended or table.dealing is None:
        return ()
    if table.turn is None and table.dealing.is_choosing_first:
        waits = [other for other in table.dealing.offered if other != seat]
        return () if waits else (TurnMarked(others[0]),)
    left = replace(table, left=table.left | {seat})
    return _next_turn(left, seat) if table.turn == seat else ()


def _turn_facts(
    game: GameState, then: TableState, seat: SeatId, *, passed: bool
) -> tuple[Fact, ...]:
    """Return what follows when a turn is over."""
    if then.last_turns_by is not None:
        return _next_turn(then, seat)
    colours = {player.seat: player.colour for player in then.players}
    low = low_stocks(then.position)
    if colours[seat] in low:
        return (LastTurnsBegun(seat), TurnMarked(then.seat_after(seat)))
    if passed and _passes(game) + 1 >= len(then.playing):
        return _end(then)
    return _next_turn(then, seat)


def _next_turn(table: TableState, seat: SeatId) -> tuple[Fact, ...]:
    """Return whose turn comes after somebody's, or the end after the last one's."""
    if table.last_turns_by is None:
        return (TurnMarked(table.seat_after(seat)),)
    order = [player.seat for player in table.players]
    waiting = last_turns(order, table.last_turns_by)
    rest = waiting[waiting.index(seat) + 1 :]
    coming = [other for other in rest if other in table.playing]
    return (TurnMarked(coming[0]),) if coming else _end(table)


def _end(table: TableState) -> tuple[Fact, ...]:
    """Return the end of the game; computers show their tickets."""
    computers = [player.seat for player in table.players if player.computer]
    shown = [
        people_facts.TicketRevealed(seat, held.ticket)
        for seat in computers
        for held in table.tickets.get(seat, ())
        if not held.revealed
    ]
    return (GameEnded(), *shown)


def _passes(game: GameState) -> int:
    """Return how many moves before this one were all passing."""
    made = (e.fact.move for e in reversed(game.events) if isinstance(e.fact, CardsMoved))
    return sum(1 for _ in takewhile(lambda move: isinstance(move, moves.PassTurn), made))
