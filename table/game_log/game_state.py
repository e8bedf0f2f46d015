"""The fold: events in, the state of the game out, with what can be undone and redone.

The log is never edited. What an event says is taken back by a later event, and put back by another
one; the state is what all facts say that stand, in the order of the log:

- Every fact but the start of the game can be undone, whoever made it.
- A person who undoes what a camera said answers for the spot from there on, as after a correction.
- What was undone can be redone, until something new is said about the same thing.

Cost: O(1) facts looked at for a new fact. After undoing and redoing, those since the earliest fact
that was undone are looked at again when the table is asked for, and `EVERY` more at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from .board_facts import Placed, TakenBack, with_spot_confirmed
from .course_facts import GameStarted, Redone, Undone
from .errors import EventError
from .facts import Event, Thing
from .table_state import TableState

# From which table on facts are looked at again: fewer tables to keep, or fewer facts; chosen.
EVERY = 32


@dataclass(frozen=True)
class GameState:
    """A game after some of its events."""

    events: tuple[Event, ...] = field(repr=False)  # all so far, from the first
    # Each fact that is taken back, and the event that took it back, in that order.
    undone: Mapping[int, int] = field(default_factory=dict)
    # For each thing that a fact was about the last event that said so.
    said: Mapping[Thing, int] = field(default_factory=dict, repr=False)
    # The table, where it is known without looking at the facts again.
    latest: TableState | None = field(default=None, compare=False)
    # The table after event 1 and every `EVERY`th after it, as far as they are known.
    marks: tuple[TableState, ...] = field(default=(), compare=False, repr=False)
    # How many facts were looked at again so far, because others were undone.
    again: int = field(default=0, compare=False, repr=False)

    @property
    def table(self) -> TableState:
        """Who plays and holds what now."""
        return self._folded[0]

    @cached_property
    def _folded(self) -> tuple[TableState, tuple[TableState, ...], int]:
        """The table, those at all marks, and `again` with what they took."""
        if self.latest is not None:
            return self.latest, self.marks, self.again
        marks = list(self.marks or begin(self.events[0]).marks)
        table = marks[-1]
        rest = self.events[(len(marks) - 1) * EVERY + 1 :]
        for event in rest:
            table = self._table_after(table, event)
            if event.seq % EVERY == 1:
                marks.append(table)
        return table, tuple(marks), self.again + len(rest)

    def _table_after(self, table: TableState, event: Event) -> TableState:
        """Return the table after an event, as if what is undone now had never been said."""
        match event.fact:
            case Undone(event=seq):
                fact = self.event(seq).fact
                if not isinstance(fact, Placed | TakenBack) or fact.by != "camera":
                    return table
                stands = self.undone.get(seq) == event.seq
                return with_spot_confirmed(table, fact.spot, event) if stands else table
            case fact:
                return table if event.seq in self.undone else fact.apply(table, event)

    def after(self, event: Event) -> GameState:
        """Return the state after one more event.

        Raises `EventError` when the event is not the next one, starts a second game, or undoes or
        redoes what it cannot.
        """
        after = self._with(event)
        if after.undone is not self.undone:
            return after
        table, marks, again = self._folded
        table = event.fact.apply(table, event)
        marks = (*marks, table) if event.seq % EVERY == 1 else marks
        return replace(after, latest=table, marks=marks, again=again)

    def event(self, seq: int) -> Event:
        """Return the event of that number."""
        return self.events[seq - 1]

    @property
    def undoable(self) -> tuple[int, ...]:
        """The facts that stand and can be taken back, last one first."""
        return tuple(
            event.seq
            for event in reversed(self.events)
            if _is_undoable(event, self.events[0]) and event.seq not in self.undone
        )

    @property
    def redoable(self) -> tuple[int, ...]:
        """The facts that can be put back, next one first."""
        return tuple(seq for seq in reversed(self.undone) if self._is_redoable(seq))

    def undo(self, seq: int) -> Undone:
        """Return the fact that takes an event back; raises `EventError` where none can."""
        self._require_undoable(seq)
        return Undone(seq)

    def redo(self, seq: int) -> Redone:
        """Return the fact that puts an event back.

        Raises `EventError` when it stands, or something newer was said about the same thing.
        """
        self._require_redoable(seq)
        return Redone(seq)

    def _with(self, event: Event) -> GameState:
        """Return the state with an event entered, and no table looked at."""
        if event.seq != len(self.events) + 1:
            raise EventError(f"event {event.seq} cannot follow event {len(self.events)}")
        events, undone = (*self.events, event), self.undone
        match event.fact:
            case GameStarted():
                raise EventError("game_started: {error}", error="the game has started already")
            case Undone(event=seq):
                self._require_undoable(seq)
                undone = {**undone, seq: event.seq}
            case Redone(event=seq):
                self._require_redoable(seq)
                undone = {fact: by for fact, by in undone.items() if fact != seq}
            case fact:
                said = {**self.said, **dict.fromkeys(fact.about, event.seq)}
                return GameState(events, undone, said, marks=self.marks)
        is_known = "_folded" in self.__dict__
        marks, again = self._folded[1:] if is_known else (self.marks, self.again)
        kept = marks[: (seq - 2) // EVERY + 1]
        return GameState(events, undone, self.said, marks=kept, again=again)

    def _is_redoable(self, seq: int) -> bool:
        """Tell whether a fact is undone, and nothing newer was said about the same thing."""
        by = self.undone.get(seq)
        return by is not None and all(
            self.said.get(thing, 0) < by for thing in self.event(seq).fact.about
        )

    def _require_redoable(self, seq: int) -> None:
        if not self._is_redoable(seq):
            raise EventError(
                "{field}: event {n} is nothing that can be redone", field="redone.event", n=seq
            )

    def _require_undoable(self, seq: int) -> None:
        if not 1 <= seq <= len(self.events) or not _is_undoable(self.event(seq), self.events[0]):
            raise EventError(
                "{field}: event {n} is nothing that can be undone", field="undone.event", n=seq
            )
        if seq in self.undone:
            raise EventError("{field}: event {n} is undone already", field="undone.event", n=seq)


def begin(event: Event) -> GameState:
    """Return the state of a game after its first event; raises `EventError` where it is no start.

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
    >>> game.after(Event(3, 10.0, game.undo(2))).table.claims
    {}
    """
    if event.seq != 1 or not isinstance(event.fact, GameStarted):
        raise EventError(f"event {event.seq}: a log begins with event 1, game_started")
    table = TableState.at_start(event.fact)
    return GameState((event,), latest=table, marks=(table,))


def fold(events: Iterable[Event]) -> GameState:
    """Return the state of a game after all its events; raises `EventError` as `after` does."""
    rest = iter(events)
    first = next(rest, None)
    if first is None:
        raise EventError("a log begins with event 1, game_started")
    state = begin(first)
    for event in rest:
        state = state._with(event)
    return state


def _is_undoable(event: Event, start: Event) -> bool:
    with_cards = isinstance(start.fact, GameStarted) and start.fact.cards == "phones"
    return not (event.fact.is_final or (event.fact.bears_moves and with_cards))


def standing_tables(state: GameState) -> Iterator[TableState]:
    """Yield the table after each event, as if what is undone now had never been said."""
    table = begin(state.events[0]).table
    yield table
    for event in state.events[1:]:
        table = state._table_after(table, event)
        yield table
