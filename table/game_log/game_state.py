"""The fold of a game's events into its state, with undo and redo (event sourcing).

The log is append-only: `Undone` and `Redone` are events too, and the state applies all facts that
are not undone, in the log's order:

- Every fact but the start of the game can be undone, whoever made it.
- Undoing a camera's fact marks the spot as confirmed by a person, as a correction does.
- Undoing the end of a game hides the tickets that were shown while it was over.
- An undone fact can be redone, until there is a newer fact on the same subject.

Cost: a new fact is O(1). After an undo or redo the facts since the undone one, and at most
`CHECKPOINT_EVERY` more, are applied again when the table is needed.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from .board_facts import Placed, TakenBack, with_spot_confirmed
from .course_facts import GameEnded, GameStarted, Redone, Undone
from .errors import EventError
from .facts import Event, Thing
from .people_facts import TicketRevealed
from .table_state import TableState

# Events between two checkpoints: memory against the time of an undo; chosen.
CHECKPOINT_EVERY = 32


@dataclass(frozen=True)
class GameState:
    """A game after some of its events."""

    events: tuple[Event, ...] = field(repr=False)
    # By the number of each undone event: that of the `Undone` event, in the order of undoing.
    undone: Mapping[int, int] = field(default_factory=dict)
    # By subject: the last event about it.
    last_about: Mapping[Thing, int] = field(default_factory=dict, repr=False)
    # The table, if it is known already.
    latest: TableState | None = field(default=None, compare=False)
    # The tables after event 1 and every `CHECKPOINT_EVERY`th after it, as far as still valid.
    checkpoints: tuple[TableState, ...] = field(default=(), compare=False, repr=False)
    # How many facts undos have caused to be applied again so far.
    reapplied: int = field(default=0, compare=False, repr=False)

    @property
    def table(self) -> TableState:
        """The current state of the table."""
        return self._folded[0]

    @cached_property
    def _folded(self) -> tuple[TableState, tuple[TableState, ...], int]:
        """The table, all checkpoints, and the updated `reapplied`."""
        if self.latest is not None:
            return self.latest, self.checkpoints, self.reapplied
        checkpoints = list(self.checkpoints or begin(self.events[0]).checkpoints)
        table = checkpoints[-1]
        rest = self.events[(len(checkpoints) - 1) * CHECKPOINT_EVERY + 1 :]
        for event in rest:
            table = self._table_after(table, event)
            if event.seq % CHECKPOINT_EVERY == 1:
                checkpoints.append(table)
        return table, tuple(checkpoints), self.reapplied + len(rest)

    def _table_after(self, table: TableState, event: Event) -> TableState:
        """Apply an event to a table, skipping it if it is undone now."""
        match event.fact:
            case Undone(event=seq):
                fact = self.event(seq).fact
                if not isinstance(fact, Placed | TakenBack) or fact.by != "camera":
                    return table
                stands = self.undone.get(seq) == event.seq
                return with_spot_confirmed(table, fact.spot, event) if stands else table
            case fact:
                is_out = event.seq in self.undone or self._is_hidden_again(event)
                return table if is_out else fact.apply(table, event)

    def _is_hidden_again(self, event: Event) -> bool:
        """Tell whether a ticket was shown while the game was over, and that end is undone."""
        return isinstance(event.fact, TicketRevealed) and any(
            isinstance(self.event(end).fact, GameEnded) and end < event.seq < by
            for end, by in self.undone.items()
        )

    def after(self, event: Event) -> "GameState":
        """Return the state after one more event.

        Raises `EventError` for a wrong number, a second start, or an invalid undo or redo.
        """
        after = self._with(event)
        if after.undone is not self.undone:
            return after
        table, checkpoints, reapplied = self._folded
        table = event.fact.apply(table, event)
        if event.seq % CHECKPOINT_EVERY == 1:
            checkpoints = (*checkpoints, table)
        return replace(after, latest=table, checkpoints=checkpoints, reapplied=reapplied)

    def event(self, seq: int) -> Event:
        """Return an event by its number."""
        return self.events[seq - 1]

    @property
    def undoable(self) -> tuple[int, ...]:
        """The numbers of the events that can be undone, the last one first."""
        return tuple(
            event.seq
            for event in reversed(self.events)
            if _is_undoable(event, self.events[0]) and event.seq not in self.undone
        )

    @property
    def redoable(self) -> tuple[int, ...]:
        """The numbers of the events that can be redone, the last undone first."""
        return tuple(seq for seq in reversed(self.undone) if self._is_redoable(seq))

    def undo(self, seq: int) -> Undone:
        """Return the fact that undoes an event; raises `EventError` if it cannot be undone."""
        self._require_undoable(seq)
        return Undone(seq)

    def redo(self, seq: int) -> Redone:
        """Return the fact that redoes an event.

        Raises `EventError` if it is not undone, or there is a newer fact on the same subject.
        """
        self._require_redoable(seq)
        return Redone(seq)

    def _with(self, event: Event) -> "GameState":
        """Return the state with an event appended, without computing the table."""
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
                last_about = {**self.last_about, **dict.fromkeys(fact.about, event.seq)}
                return GameState(events, undone, last_about, checkpoints=self.checkpoints)
        is_known = "_folded" in self.__dict__
        known = self._folded[1:] if is_known else (self.checkpoints, self.reapplied)
        valid = known[0][: (seq - 2) // CHECKPOINT_EVERY + 1]
        return GameState(events, undone, self.last_about, checkpoints=valid, reapplied=known[1])

    def _is_redoable(self, seq: int) -> bool:
        """Tell whether a fact is undone, with no newer fact on the same subject."""
        by = self.undone.get(seq)
        return by is not None and all(
            self.last_about.get(thing, 0) < by for thing in self.event(seq).fact.about
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
    """Return the state of a game after its first event; raises `EventError` if that is no start.

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
    table = TableState(event.fact, event.fact.name, event.fact.players)
    return GameState((event,), latest=table, checkpoints=(table,))


def fold(events: Iterable[Event]) -> GameState:
    """Return the state after all events of a game; raises `EventError` as `after` does."""
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
    return not (event.fact.is_final or (event.fact.is_final_with_phones and with_cards))


def tables_after_events(state: GameState) -> Iterator[TableState]:
    """Yield the table after each event, without the events that are undone now."""
    table = begin(state.events[0]).table
    yield table
    for event in state.events[1:]:
        table = state._table_after(table, event)
        yield table
