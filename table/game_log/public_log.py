"""The part of a game's log that everyone may see, under numbers of its own.

The log numbers all events, so that a gap would tell of a ticket that somebody keeps secret. Here
events are counted in the order in which they became public. When a ticket was taken stays secret
even when it is revealed; that it was revealed is public, for as long as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from .card_facts import CardsDealt, CardsMoved
from .course_facts import EventLost, LastTurnsBegun, Redone, Undone
from .facts import Event, Fact
from .game_state import GameState
from .people_facts import OfTicket, TicketDropped, TicketTaken


@dataclass(frozen=True)
class PublicLog:
    """A game's public events."""

    game: GameState
    # By the log's number the public one, also of events that are no longer public.
    number_by_seq: Mapping[int, int]
    # Those that are public now, by their public numbers; they bear the log's.
    events: tuple[Event, ...]

    @classmethod
    def of(cls, game: GameState) -> PublicLog:
        """Return the public log of a game that nobody has followed yet."""
        return cls(game, {}, ()).after(game)

    def after(self, game: GameState) -> PublicLog:
        """Return the log when the game has gone on; what had a number keeps it."""
        public = public_events(game, with_taking=False)
        numbers = dict(self.number_by_seq)
        for event in public:
            numbers.setdefault(event.seq, len(numbers) + 1)
        return PublicLog(game, numbers, tuple(sorted(public, key=lambda e: numbers[e.seq])))

    @cached_property
    def _seq_by_number(self) -> dict[int, int]:
        return {self.number_by_seq[event.seq]: event.seq for event in self.events}

    def seq_of(self, number: int) -> int | None:
        """Return the log's number of a public event; None when there is no such."""
        return self._seq_by_number.get(number)

    @property
    def undoable(self) -> int | None:
        """What would be taken back next, by the log's number."""
        return next(iter(self._undoable), None)

    def before_last_turns(self, seq: int) -> int:
        """Return what is to be taken back instead of an event: of the last turns what brought them.

        They alone would begin again at once. With cards on phones what brought them is a payment,
        which is taken back as such.
        """
        if not self._is_last_turns(seq) or self.game.table.dealing is not None:
            return seq
        return next((earlier for earlier in self._undoable if earlier < seq), seq)

    def _is_last_turns(self, seq: int) -> bool:
        return isinstance(self.game.event(seq).fact, LastTurnsBegun)

    @cached_property
    def _undoable(self) -> tuple[int, ...]:
        shown = set(self._seq_by_number.values())
        return tuple(
            seq for seq in self.game.undoable if seq in shown and not self._is_last_turns(seq)
        )

    @property
    def redoable(self) -> int | None:
        """What would be put back next, by the log's number."""
        shown = set(self._seq_by_number.values())
        facts = (seq for seq in self.game.redoable if seq in shown)
        # The last turns come by themselves with what brings them.
        return next((seq for seq in facts if not self._is_last_turns(seq)), None)

    def fact_of(self, event: Event) -> dict[str, Any]:
        """Return an event's fact as JSON has it, with public numbers in it."""
        fact: dict[str, Any] = msgspec.to_builtins(self._renumbered(event.fact))
        return fact

    def as_game(self) -> GameState:
        """Return the game as if nothing but its public events had happened."""
        numbers = self.number_by_seq
        undone = {
            numbers[seq]: numbers[by]
            for seq, by in self.game.undone.items()
            if {seq, by} <= set(self._seq_by_number.values())
        }
        events = tuple(
            msgspec.structs.replace(
                event, seq=numbers[event.seq], fact=self._renumbered(event.fact)
            )
            for event in self.events
        )
        return GameState(events, undone, latest=self.game.table)

    def _renumbered(self, fact: Fact) -> Fact:
        if isinstance(fact, Undone | Redone):
            return msgspec.structs.replace(fact, event=self.number_by_seq[fact.event])
        return fact


def public_events(game: GameState, after: int = 0, *, with_taking: bool = True) -> list[Event]:
    """Return the events that tell nobody's secret: of tickets those that are revealed now.

    Only events after that one, by the log's number. `with_taking` tells whether it may be told when
    a ticket was taken, once that ticket is revealed.
    """
    revealed = {
        thing
        for seat, hand in game.table.tickets.items()
        for held in hand
        if held.revealed
        for thing in OfTicket(seat, held.ticket).about
    }

    def is_public(event: Event) -> bool:
        match event.fact:
            case CardsDealt() | CardsMoved() | EventLost():
                return False
            case TicketTaken() | TicketDropped() if not with_taking:
                return False
            case OfTicket(about=about):
                return about <= revealed
            case Undone(event=seq) | Redone(event=seq):
                return is_public(game.event(seq))
            case _:
                return True

    return [event for event in game.events[after:] if is_public(event)]
