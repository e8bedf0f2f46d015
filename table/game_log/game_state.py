"""The fold: events in, the state of the game out, with what can be undone and redone.

The log is never edited. What an event says is taken back by a later event, and put back by another
one; the state is what all facts say that stand, in the order of the log:

- Every fact but the start of the game can be undone, whoever made it: the last one, or any by name.
- A person who undoes what a camera said answers for the spot from there on, as after a correction.
- What was undone can be redone, the last undone first or any by name, until something new is said
  about the same thing.

Cost: O(1) facts looked at for a new fact, O(n) for an undo or a redo, n the events so far.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from .board_facts import Placed, TakenBack
from .card_facts import CardsDealt, CardsMoved, CardsPutAway
from .effects import effect, held_by_hand
from .errors import EventError
from .events import Event
from .facts import (
    EventLost,
    GameStarted,
    HandPassedOn,
    PlayerCameIn,
    PlayerHandedOver,
    PlayerLeft,
    Redone,
    SeatsSwapped,
    TicketTaken,
    TurnMarked,
    Undone,
)
from .table_state import TableState


@dataclass(frozen=True)
class GameState:
    """A game after some of its events.

    Attributes
    ----------
    table : TableState
        Who plays and holds what now.
    events : tuple of Event
        All so far, from the first.
    undone : mapping of int to int
        Each fact that is taken back, and the event that took it back.
    redoable : tuple of int
        The facts that can be put back, next one first.
    """

    table: TableState
    events: tuple[Event, ...] = field(repr=False)
    undone: Mapping[int, int] = field(default_factory=dict)
    redoable: tuple[int, ...] = ()

    def after(self, event: Event) -> GameState:
        """Return the state after one more event.

        Raises
        ------
        EventError
            When the event is not the next one, starts a second game, or undoes or redoes what it
            cannot.
        """
        after = self._with(event)
        if after.undone is self.undone:
            return replace(after, table=effect(self.table, event))
        return replace(after, table=_what_stands(after))

    def event(self, seq: int) -> Event:
        """Return the event of that number."""
        return self.events[seq - 1]

    @property
    def undoable(self) -> tuple[int, ...]:
        """The facts that stand and can be taken back, last one first."""
        return tuple(
            event.seq
            for event in reversed(self.events)
            if _is_undoable(event, self.table) and event.seq not in self.undone
        )

    def undo(self, seq: int | None = None) -> Undone:
        """Return the fact that takes an event back; without its number, the last that stands.

        Raises
        ------
        EventError
            When there is nothing to take back.
        """
        if not (undoable := self.undoable):
            raise EventError("there is nothing to undo")
        seq = undoable[0] if seq is None else seq
        self._require_undoable(seq)
        return Undone(seq)

    def redo(self, seq: int | None = None) -> Redone:
        """Return the fact that puts an event back; without its number, the last one undone.

        Raises
        ------
        EventError
            When there is nothing to put back, or something newer was said about the same thing.
        """
        if not self.redoable:
            raise EventError("there is nothing to redo")
        seq = self.redoable[0] if seq is None else seq
        self._require_redoable(seq)
        return Redone(seq)

    def _with(self, event: Event) -> GameState:
        """Return the state with an event entered, and the table as it was before."""
        if event.seq != len(self.events) + 1:
            raise EventError(f"event {event.seq} cannot follow event {len(self.events)}")
        undone, redoable = self.undone, self.redoable
        match event.fact:
            case GameStarted():
                raise EventError("game_started: {error}", error="the game has started already")
            case Undone(event=seq):
                self._require_undoable(seq)
                undone, redoable = {**undone, seq: event.seq}, (seq, *redoable)
            case Redone(event=seq):
                self._require_redoable(seq)
                undone = {fact: by for fact, by in undone.items() if fact != seq}
                redoable = tuple(i for i in redoable if i != seq)
            case fact:
                about = fact.about
                redoable = tuple(i for i in redoable if about.isdisjoint(self.event(i).fact.about))
        return GameState(self.table, (*self.events, event), undone, redoable)

    def _require_redoable(self, seq: int) -> None:
        if seq not in self.redoable:
            raise EventError(
                "{field}: event {n} is nothing that can be redone", field="redone.event", n=seq
            )

    def _require_undoable(self, seq: int) -> None:
        if not 1 <= seq <= len(self.events) or not _is_undoable(self.event(seq), self.table):
            raise EventError(
                "{field}: event {n} is nothing that can be undone", field="undone.event", n=seq
            )
        if seq in self.undone:
            raise EventError("{field}: event {n} is undone already", field="undone.event", n=seq)


def begin(event: Event) -> GameState:
    """Return the state of a game after its first event.

    Raises
    ------
    EventError
        When that is not the start of a game.

    Examples
    --------
    >>> from .events import parse_event
    >>> start = parse_event('{"seq": 1, "at_s": 0, "fact": {"kind": "game_started",'
    ...     '"edition": "usa", "players": [{"seat": "ann", "colour": "red"}]}}')
    >>> claim = parse_event('{"seq": 2, "at_s": 9, "fact": {"kind": "route_claimed",'
    ...     '"route": "helena--seattle", "colour": "red", "by": "person"}}')
    >>> game = begin(start).after(claim)
    >>> game.table.claims
    {'helena--seattle': 'red'}
    >>> game.after(Event(3, 10.0, game.undo())).table.claims
    {}
    """
    if event.seq != 1 or not isinstance(event.fact, GameStarted):
        raise EventError(f"event {event.seq}: a log begins with event 1, game_started")
    return GameState(TableState.at_start(event.fact), (event,))


def fold(events: Iterable[Event]) -> GameState:
    """Return the state of a game after all its events; raises `EventError` as `after` does."""
    rest = iter(events)
    first = next(rest, None)
    if first is None:
        raise EventError("a log begins with event 1, game_started")
    state = begin(first)
    for event in rest:
        state = state._with(event)
    return replace(state, table=_what_stands(state))


def _is_undoable(event: Event, table: TableState) -> bool:
    never = (
        GameStarted
        | EventLost
        | Undone
        | Redone
        | CardsDealt
        | CardsMoved
        | CardsPutAway
        | HandPassedOn
    )
    # Moves with cards are played again with every fold: what they rest on stays.
    with_cards = (
        TurnMarked | PlayerCameIn | PlayerLeft | PlayerHandedOver | SeatsSwapped | TicketTaken
    )
    return not isinstance(event.fact, never) and not (
        table.started.cards == "phones" and isinstance(event.fact, with_cards)
    )


def _what_stands(state: GameState) -> TableState:
    """Return what all facts say that stand, from the beginning."""
    *_, table = standing_tables(state)
    return table


def standing_tables(state: GameState) -> Iterator[TableState]:
    """Yield the table after each event, as if what is undone now had never been said."""
    table = begin(state.events[0]).table
    yield table
    for event in state.events[1:]:
        match event.fact:
            case Undone(event=seq):
                fact = state.event(seq).fact
                if (
                    isinstance(fact, Placed | TakenBack)
                    and fact.by == "camera"
                    and state.undone.get(seq) == event.seq
                ):
                    table = held_by_hand(table, fact.spot, event)
            case Redone():
                pass
            case _ if event.seq not in state.undone:
                table = effect(table, event)
        yield table
