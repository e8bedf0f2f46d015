"""Moves with cards that are dealt to phones, and the facts that they write.

A move also writes its consequences by the rules: kept tickets, the last turns, the next turn, the
end of the game. All of them are one transaction of the log.
"""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import takewhile

from railspotter.scoring.dealing import moves
from railspotter.scoring.dealing.dealing import Dealing, SeatView, first_dealing, view_of
from railspotter.scoring.dealing.rules import ends_turn, play
from railspotter.scoring.position import last_turns, low_stocks
from railspotter.scoring.sentence import raised_as

from ..game_log import people_facts
from ..game_log.board_facts import Placed
from ..game_log.card_facts import CardsDealt, CardsMoved, RecordingChance
from ..game_log.course_facts import GameEnded, GameStarted, LastTurnsBegun, TurnMarked
from ..game_log.errors import EventError
from ..game_log.facts import Fact, SeatId
from ..game_log.game_state import GameState
from ..game_log.table_state import TableState


def chance() -> RecordingChance:
    """Return a new recorder of random draws, by the system's randomness."""
    return RecordingChance(secrets.choice)


def dealing_facts(table: TableState, luck: RecordingChance | None = None) -> tuple[Fact, ...]:
    """Deal the cards of a game with cards on phones; return nothing if dealt or not needed."""
    if table.started.cards != "phones" or table.dealing is not None or table.put_away:
        return ()
    luck, seats = luck or chance(), table.playing
    with raised_as(EventError, moves.MoveError):
        dealing = first_dealing(table.edition, table.board, seats, luck)
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
    """Play a player's move; return its facts, with those that follow from it.

    `lies_there` is whether the pieces of a claim count as laid. Raises `EventError` if illegal.
    """
    table, luck = game.table, luck or chance()
    player, dealing = _player_and_dealing(table, seat)
    if table.standstill:
        raise EventError(table.standstill)
    after = _play_move(table, dealing, player, move, luck)
    moved = CardsMoved(seat, move, tuple(luck.turned), luck.texts)
    facts: list[Fact] = [moved]
    if isinstance(move, moves.KeepTickets):
        # The deck's tickets: a phone may send other points.
        wanted = [frozenset((ticket.a, ticket.b)) for ticket in move.tickets]
        kept = [ticket for ticket in dealing.offered[seat] if ticket.ends in wanted]
        facts += [people_facts.TicketTaken(seat, ticket) for ticket in moves.ticket_texts(kept)]
    table_after = moved.after(table)
    unlaid = table_after.to_lay
    new = {spot: colour for spot, colour in unlaid.items() if spot not in table.owned}
    if lies_there:
        facts += [Placed.on(spot, colour=colour, by="person") for spot, colour in new.items()]
    if ends_turn(dealing, move, after):
        facts += _turn_facts(game, table_after, seat, passed=isinstance(move, moves.PassTurn))
    elif dealing.is_choosing_first and not after.offered and table.turn is None:
        facts.append(TurnMarked(table.playing[0]))
    return tuple(facts)


def _player_and_dealing(table: TableState, seat: SeatId) -> tuple[people_facts.Player, Dealing]:
    """Return a seat's player and the cards; raises `EventError` if either is missing."""
    player = table.player(seat)
    if player is None or table.dealing is None:
        raise EventError("no cards are dealt here")
    return player, table.dealing


def _play_move(
    table: TableState,
    dealing: Dealing,
    player: people_facts.Player,
    move: moves.Move,
    luck: RecordingChance,
) -> Dealing:
    """Return the cards after a move; raises `EventError` if it is illegal."""
    with raised_as(EventError, moves.MoveError):
        return play(table.position, dealing, player.seat, player.colour, move, luck)


def deal_anew_facts(table: TableState, seat: SeatId) -> tuple[Fact, ...]:
    """Deal a player a new hand; return the facts. Revealed tickets stay.

    Who had chosen tickets keeps as many; who had still to choose the first chooses by the rule.
    """
    (player, dealing), luck = _player_and_dealing(table, seat), chance()
    if table.ended or seat in table.left:
        raise EventError("no cards are dealt here")
    secret = [held.ticket for held in table.tickets.get(seat, ()) if not held.revealed]
    # Who is dealt anew twice has not chosen in between.
    owed = dealing.at_least[seat] if dealing.is_first and seat in dealing.offered else 0
    move = moves.DealAnew(tuple(secret), at_least=len(secret) or owed)
    _play_move(table, dealing, player, move, luck)
    return (
        CardsMoved(seat, move, tuple(luck.turned), luck.texts),
        *(people_facts.TicketDropped(seat, ticket) for ticket in secret),
        people_facts.HandPassedOn(seat, is_new=True),
    )


def with_cards(table: TableState, facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Add to facts what follows from them with cards on phones.

    A player who joins is dealt a hand; when a player leaves, the turn passes on.
    """
    if table.dealing is None:
        return tuple(facts)
    extended: list[Fact] = []
    for fact in facts:
        extended.append(fact)
        match fact:
            case people_facts.PlayerCameIn(player=player):
                if player.seat not in table.dealing.hands:
                    luck = chance()
                    _play_move(table, table.dealing, player, moves.ComeIn(), luck)
                    extended.append(
                        CardsMoved(player.seat, moves.ComeIn(), tuple(luck.turned), luck.texts)
                    )
                if table.turn in table.left - {player.seat}:  # everybody had left
                    extended.append(TurnMarked(player.seat))
            case people_facts.PlayerLeft(seat=seat):
                extended += _leaving_facts(table, seat)
    return tuple(extended)


def seat_view(table: TableState, seat: SeatId) -> SeatView:
    """Return the part of the cards that a player sees; raises `EventError` without cards."""
    player, dealing = _player_and_dealing(table, seat)
    holders = {one.colour: one.seat for one in table.players}
    return view_of(table.full_position, dealing, holders, player.colour)


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
    """Return the facts that follow the end of a turn."""
    if then.last_turns_by is not None:
        return _next_turn(then, seat)
    colours = {player.seat: player.colour for player in then.players}
    low = low_stocks(then.position)
    if colours[seat] in low:
        return (LastTurnsBegun(seat), TurnMarked(then.seat_after(seat)))
    if passed and _passes(game) + 1 >= len(then.playing):
        return end_facts(then)
    return _next_turn(then, seat)


def _next_turn(table: TableState, seat: SeatId) -> tuple[Fact, ...]:
    """Return the mark of the next turn, or the end of the game."""
    if table.last_turns_by is None:
        return (TurnMarked(table.seat_after(seat)),)
    order = [player.seat for player in table.players]
    waiting = last_turns(order, table.last_turns_by)
    rest = waiting[waiting.index(seat) + 1 :]
    coming = [other for other in rest if other in table.playing]
    return (TurnMarked(coming[0]),) if coming else end_facts(table)


def end_facts(table: TableState, but: Collection[SeatId] = ()) -> tuple[Fact, ...]:
    """Return the end of the game, with the computers' tickets revealed.

    `but` are seats whose tickets stay hidden, since the end may be undone.
    """
    shown = [
        people_facts.TicketRevealed(player.seat, held.ticket)
        for player in table.players
        if player.computer and player.seat not in but
        for held in table.tickets.get(player.seat, ())
        if not held.revealed
    ]
    return (GameEnded(), *shown)


def secret_seats(game: GameState) -> frozenset[SeatId]:
    """Return the seats that a person has ever had, whose hands are secrets from the others.

    None are if only one person has played, against computers.
    """
    found = set[SeatId]()
    for event in game.events:
        match event.fact:
            case GameStarted(players=players):
                found |= {player.seat for player in players if not player.computer}
            case people_facts.PlayerCameIn(player=player) if not player.computer:
                found.add(player.seat)
            case people_facts.PlayerHandedOver(seat=seat, computer=""):
                found.add(seat)
            case _:
                pass
    return frozenset(found if len(found) > 1 else ())


def _passes(game: GameState) -> int:
    """Return how many of the latest moves in a row were passes."""
    made = (e.fact.move for e in reversed(game.events) if isinstance(e.fact, CardsMoved))
    return sum(1 for _ in takewhile(lambda move: isinstance(move, moves.PassTurn), made))
