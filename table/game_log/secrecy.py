"""What may be shown to everyone: all but the tickets that nobody has revealed."""

from __future__ import annotations

from .events import Event
from .game_facts import Redone, Undone
from .game_state import GameState
from .player_facts import OfTicket


def public_events(state: GameState) -> tuple[Event, ...]:
    """Return the events that tell nobody's secret.

    Left out are those about a ticket that is not revealed now, and their undoing.
    """
    open_tickets = {
        thing
        for seat, hand in state.table.tickets.items()
        for held in hand
        if held.revealed
        for thing in OfTicket(seat, held.ticket).about
    }

    def is_public(event: Event) -> bool:
        match event.fact:
            case OfTicket(about=about):
                return about <= open_tickets
            case Undone(event=seq) | Redone(event=seq):
                return is_public(state.event(seq))
            case _:
                return True

    return tuple(event for event in state.events if is_public(event))
