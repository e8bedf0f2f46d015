"""What a fact changes. Any fact can follow any other: one that does not fit changes nothing.

That is what undoing needs. A fact that was right when it was written may stand in a log in which
one before it has been taken back.
"""

from __future__ import annotations

from dataclasses import replace

import msgspec
from railspotter.scoring.edition import Colour
from railspotter.scoring.game import TicketText
from railspotter.scoring.legality import number_rule
from railspotter.scoring.spot import Spot

from .board_facts import (
    AboutSpot,
    BoardJoined,
    Corrected,
    PinPlaced,
    PinTakenBack,
    Placed,
    TakenBack,
)
from .card_effects import after_loss, after_move, dealt, put_away, without_turn
from .card_facts import CardsDealt, CardsMoved, CardsPutAway
from .events import Event
from .facts import (
    By,
    EventLost,
    GameEnded,
    GamePackedAway,
    GamePaused,
    GameRenamed,
    GameResumed,
    LastTurnsBegun,
    MarkerCompared,
    Player,
    PlayerCameIn,
    PlayerHandedOver,
    PlayerLeft,
    PlayerRecoloured,
    PlayerRenamed,
    PointsCounted,
    SeatId,
    SeatsSwapped,
    TicketDropped,
    TicketRevealed,
    TicketTaken,
    TurnMarked,
)
from .table_state import HeldTicket, SpotState, TableState


def effect(state: TableState, event: Event) -> TableState:
    """Return the state after an event other than the game's start and the undoing of another."""
    match event.fact:
        case AboutSpot() | BoardJoined():
            return _on_board(state, event)
        case PinPlaced(route=route, space=space):
            return replace(state, pins={**state.pins, route: space})
        case PinTakenBack(route=route):
            return replace(state, pins={r: s for r, s in state.pins.items() if r != route})
        case TicketTaken(seat=seat, ticket=ticket):
            return _with_ticket(state, seat, ticket, revealed=False)
        case TicketRevealed(seat=seat, ticket=ticket):
            return _with_ticket(state, seat, ticket, revealed=True)
        case TicketDropped(seat=seat, ticket=ticket):
            kept = _without(state.tickets.get(seat, ()), ticket)
            return replace(state, tickets={**state.tickets, seat: kept})
        case MarkerCompared(seat=seat, said=said):
            return replace(state, markers={**state.markers, seat: said})
        case GameRenamed(name=name):
            return replace(state, name=name)
        case TurnMarked(seat=seat):
            left = state if seat == state.turn else without_turn(state, None)
            return replace(left, turn=seat)
        case CardsDealt() as fact:
            return dealt(state, fact)
        case CardsMoved() as fact:
            return after_move(state, fact)
        case CardsPutAway():
            return put_away(state)
        case EventLost() as fact:
            return after_loss(state, fact)
        case LastTurnsBegun(seat=seat):
            # Whose last turn it is, is counted from here on: `scored` needs the marks after it.
            return replace(state, last_turns_by=seat, turn=None)
        case GamePaused():
            return replace(state, paused=True)  # one that is packed away already stays so
        case GamePackedAway():
            return replace(state, paused=True, packed_away=True)
        case GameResumed():
            return replace(state, paused=False, packed_away=False)
        case GameEnded():
            return replace(state, ended=True, counted=False)
        case PointsCounted():
            return replace(state, counted=state.ended)
        case _:
            return _at_table(state, event)


def held_by_hand(state: TableState, spot: Spot, event: Event) -> TableState:
    """Return the state in which a person answers for what now stands on a spot."""
    held = state.spots.get(spot)
    return _with_spot(state, spot, held.colour if held else None, event, "person")


def _on_board(state: TableState, event: Event) -> TableState:
    match event.fact:
        case BoardJoined() as joined:
            for spot, colour in joined.found.items():
                state = _with_spot(state, spot, colour, event, "person")
            return state
        case Corrected(now=now) as fact:
            return _with_spot(state, fact.spot, now, event, "person")
        case Placed() | TakenBack() as fact:
            held = state.spots.get(fact.spot)
            if fact.by == "camera" and held and held.is_by_hand and not fact.seen_to_change:
                return state
            if isinstance(fact, TakenBack):
                return _with_spot(state, fact.spot, None, event, fact.by)
            return _with_spot(state, fact.spot, fact.colour, event, fact.by, fact.sure)
        case _:
            return state


def _with_spot(
    state: TableState, spot: Spot, colour: Colour | None, event: Event, by: By, sure: float = 1.0
) -> TableState:
    held = SpotState(colour, by, event.seq, event.at_s, sure)
    return replace(state, spots={**state.spots, spot: held})


def _with_ticket(
    state: TableState, seat: SeatId, ticket: TicketText, *, revealed: bool
) -> TableState:
    """Return the state in which a seat holds a ticket; who reveals one holds it."""
    hand = state.tickets.get(seat, ())
    ends = HeldTicket(ticket).ends
    for i, held in enumerate(hand):
        if held.ends == ends:
            kept = replace(held, revealed=held.revealed or revealed)
            hand = (*hand[:i], kept, *hand[i + 1 :])
            return replace(state, tickets={**state.tickets, seat: hand})
    return replace(state, tickets={**state.tickets, seat: (*hand, HeldTicket(ticket, revealed))})


def _without(hand: tuple[HeldTicket, ...], ticket: TicketText) -> tuple[HeldTicket, ...]:
    return tuple(held for held in hand if held.ends != HeldTicket(ticket).ends)


def _at_table(state: TableState, event: Event) -> TableState:
    match event.fact:
        case PlayerRenamed(seat=seat, name=name):
            return _with_player(state, seat, name=name)
        case PlayerRecoloured(seat=seat, colour=colour, shape=shape):
            return _recoloured(state, seat, colour, shape)
        case SeatsSwapped(seat=seat, other=other):
            return _swapped(state, seat, other)
        case PlayerHandedOver(seat=seat, computer=computer):
            return _with_player(state, seat, computer=computer)
        case PlayerLeft(seat=seat):
            return replace(without_turn(state, seat), left=state.left | {seat})
        case PlayerCameIn(player=player, place=place):
            seats = [p.seat for p in state.players]
            if place is None:  # who comes back sits where they sat
                place = seats.index(player.seat) if player.seat in seats else len(seats)
            others = [p for p in state.players if p.seat != player.seat]
            players = (*others[:place], player, *others[place:])
            # Who lets in more than the box says was asked: it is a house rule from here on.
            rules = state.started.house_rules | number_rule(state.edition, len(players))
            started = msgspec.structs.replace(state.started, house_rules=rules)
            left = state.left - {player.seat}
            return replace(state, started=started, players=players, left=left)
        case _:
            return state


def _with_player(state: TableState, seat: SeatId, **changes: str) -> TableState:
    players = tuple(
        msgspec.structs.replace(player, **changes) if player.seat == seat else player
        for player in state.players
    )
    return replace(state, players=players)


def _recoloured(state: TableState, seat: SeatId, colour: Colour, shape: str) -> TableState:
    """Give a player another colour, and what lies on the board in the old one along with it."""
    player = state.player(seat)
    if player is None:
        return state
    old = player.colour
    state = _with_player(state, seat, colour=colour, shape=shape)
    if any(other.colour == old for other in state.players):
        return state
    spots = {
        spot: replace(held, colour=colour) if held.colour == old else held
        for spot, held in state.spots.items()
    }
    return replace(state, spots=spots)


def _swapped(state: TableState, seat: SeatId, other: SeatId) -> TableState:
    """Let two people change over; what is on the table, colours and turn order, stays."""
    first, second = state.player(seat), state.player(other)
    if first is None or second is None:
        return state
    instead = {seat: second, other: first}
    players = tuple(
        Player(who.seat, player.colour, who.name, player.shape, who.computer)
        for player in state.players
        for who in [instead.get(player.seat, player)]
    )
    seats = {seat: other, other: seat}
    payments = {
        spot: replace(paid, seat=seats.get(paid.seat, paid.seat))
        for spot, paid in state.payments.items()
    }
    return replace(state, players=players, payments=payments)
