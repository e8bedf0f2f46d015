"""The public part of a game's log, with its own event numbers.

In the log's numbering a gap would reveal a secret ticket. Here events are numbered in the order in
which they became public. When a ticket was taken stays secret even after it is revealed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from .card_facts import CardsDealt, CardsMoved
from .course_facts import EventLost, LastTurnsBegun, Redone, Undone
from .facts import Event, Fact
from .game_state import GameState
from .people_facts import TicketDropped, TicketFact, TicketRevealed, TicketTaken


@dataclass(frozen=True)
class PublicLog:
    """A game's public events."""

    game: GameState
    # Public numbers by log number, including events that are no longer public.
    number_by_seq: Mapping[int, int]
    # The currently public events in the order of their public numbers; `seq` is the log's.
    events: tuple[Event, ...]

    @classmethod
    def of(cls, game: GameState) -> "PublicLog":
        """Return the public log of a game, numbered from scratch."""
        return cls(game, {}, ()).after(game)

    def after(self, game: GameState) -> "PublicLog":
        """Return the log after more events of the game; public numbers stay."""
        public = public_events(game, with_taking=False)
        numbers = dict(self.number_by_seq)
        for event in public:
            numbers.setdefault(event.seq, len(numbers) + 1)
        return PublicLog(game, numbers, tuple(sorted(public, key=lambda e: numbers[e.seq])))

    @cached_property
    def _seq_by_number(self) -> dict[int, int]:
        return {self.number_by_seq[event.seq]: event.seq for event in self.events}

    def seq_of(self, number: int) -> int | None:
        """Return the log's number of a public event; None for an unknown one."""
        return self._seq_by_number.get(number)

    @property
    def undoable(self) -> int | None:
        """The log's number of the event to undo next."""
        return next(iter(self._undoable), None)

    def before_last_turns(self, seq: int) -> int:
        """Return the event to undo instead of `LastTurnsBegun`: the event that caused it.

        Undone alone, the last turns would begin again at once. With cards on phones the cause is a
        payment, which has its own way of being taken back.
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
        """The log's number of the event to redo next."""
        shown = set(self._seq_by_number.values())
        facts = (seq for seq in self.game.redoable if seq in shown)
        # `LastTurnsBegun` follows by itself when its cause is redone.
        return next((seq for seq in facts if not self._is_last_turns(seq)), None)

    def fact_of(self, event: Event) -> dict[str, Any]:
        """Return an event's fact as a JSON object, with public numbers."""
        fact: dict[str, Any] = msgspec.to_builtins(_renumbered(event.fact, self.number_by_seq))
        return fact

    def as_game(self) -> GameState:
        """Return the game with its public events only, numbered without gaps."""
        numbers = {event.seq: number for number, event in enumerate(self.events, 1)}
        undone = {
            numbers[seq]: numbers[by]
            for seq, by in self.game.undone.items()
            if {seq, by} <= numbers.keys()
        }
        events = tuple(
            msgspec.structs.replace(
                event, seq=numbers[event.seq], fact=_renumbered(event.fact, numbers)
            )
            for event in self.events
        )
        return GameState(events, undone, latest=self.game.table)


def _renumbered(fact: Fact, numbers: Mapping[int, int]) -> Fact:
    if isinstance(fact, Undone | Redone):
        return msgspec.structs.replace(fact, event=numbers[fact.event])
    return fact


def public_events(game: GameState, after: int = 0, *, with_taking: bool = True) -> list[Event]:
    """Return the events that are not secret, with those about revealed tickets.

    `after` is a log number. `with_taking` includes when a revealed ticket was taken or dropped.
    """
    revealed = {
        thing
        for seat, hand in game.table.tickets.items()
        for held in hand
        if held.revealed
        for thing in TicketFact(seat, held.ticket).about
    }

    def is_public(event: Event) -> bool:
        match event.fact:
            case CardsDealt() | CardsMoved() | EventLost():
                return False
            case TicketTaken() | TicketDropped() if not with_taking:
                return False
            case TicketRevealed() if event.seq in game.undone:
                return False  # else what was shown at an end, and hidden again, would be counted
            case TicketFact(about=about):
                return about <= revealed
            case Undone(event=seq) | Redone(event=seq):
                return is_public(game.event(seq))
            case _:
                return True

    return [event for event in game.events[after:] if is_public(event)]
