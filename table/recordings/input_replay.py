"""What people said at a table, put in once more at another one that watches the same game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress

from railspotter.scoring import Colour, Spot

from ..game_log import (
    AnyFact,
    BoardJoined,
    CardsDealt,
    CardsMoved,
    CardsPutAway,
    Corrected,
    Event,
    EventError,
    GameEnded,
    GamePaused,
    GameResumed,
    GameStarted,
    GameState,
    LastTurnsBegun,
    Placed,
    Redone,
    TakenBack,
    Undone,
    fold,
)
from ..live_table import LiveTable


class InputReplay:
    """Says at a table what people said then, one event after the other.

    What the camera said then is not said: the table has one of its own. What follows by itself, the
    last turns, is not said either. What was taken back or put back is what the same people's words,
    or the same claim of the camera's, have become at this table.

    Parameters
    ----------
    then : GameState
        What was written down.
    table : LiveTable
        Where it is said again.
    """

    def __init__(self, then: GameState, table: LiveTable) -> None:
        self._then, self._table = then, table
        self._became: dict[int, tuple[int, ...]] = {}

    def say(self, event: Event) -> None:
        """Say one event again; of what no longer fits, nothing."""
        before = len(self._now.events)
        match event.fact:
            case Undone(event=seq):
                self._change(event, seq)
            case Redone(event=seq):
                self._change(event, seq)
            case fact:
                with suppress(EventError):
                    self._say(fact)
        new = self._now.events[before:]
        own = [one.seq for one in new if not isinstance(one.fact, LastTurnsBegun | Undone | Redone)]
        self._became[event.seq] = tuple(own)

    @property
    def _now(self) -> GameState:
        return self._table.view.game

    def _say(self, fact: AnyFact) -> None:
        table = self._table
        match fact:
            case GameStarted() | LastTurnsBegun():
                pass
            case CardsDealt() | CardsMoved() | CardsPutAway():
                pass  # what is watched again is the board
            case Placed(by="camera") | TakenBack(by="camera"):
                if table.view.joining_missing:
                    table.confirm_joining()  # somebody had said so, or nothing had been written
            case Corrected(now=now) as corrected:
                table.correct(corrected.spot, now)
            case Placed(colour=colour) as placed:
                table.correct(placed.spot, colour)
            case TakenBack() as taken:
                table.correct(taken.spot, None)
            case BoardJoined(found=found):
                if table.view.joining is not None:
                    table.confirm_joining(found)
                else:
                    self._set(found)
            case GamePaused():
                table.pause()
            case GameResumed():
                table.resume(is_rebuilt=True)  # what was said of the board then is in the log
            case GameEnded():
                table.end()
            case other:
                table.write([other])

    def _change(self, event: Event, seq: int) -> None:
        """Take back or put back what an event of then is now."""
        fact = self._then.event(seq).fact
        if isinstance(fact, LastTurnsBegun):
            return  # they follow by themselves
        is_undone = isinstance(event.fact, Undone)
        if isinstance(fact, Placed | TakenBack) and fact.by == "camera":
            now = self._same_of_camera(fact, is_undone=not is_undone)
        else:
            now = self._became.get(seq, ())
        try:
            for one in reversed(now) if is_undone else now:
                (self._table.undo if is_undone else self._table.redo)(one)
        except EventError:
            now = ()  # something else was said of it meanwhile
        if not now:
            self._set_what_changed(event)

    def _same_of_camera(self, fact: Placed | TakenBack, *, is_undone: bool) -> tuple[int, ...]:
        """Return the newest event in which this camera says the same, if it stands as asked."""
        for event in reversed(self._now.events):
            if _is_same(event.fact, fact) and (event.seq in self._now.undone) == is_undone:
                return (event.seq,)
        return ()

    def _set_what_changed(self, event: Event) -> None:
        """Say by hand what an undo or redo changed on the board."""
        events = self._then.events
        before, after = (fold(events[:count]).table.held for count in (event.seq - 1, event.seq))
        spots = sorted(before.keys() | after.keys())
        self._set({s: after.get(s) for s in spots if before.get(s) != after.get(s)})

    def _set(self, said: Mapping[Spot, Colour | None]) -> None:
        for spot, colour in said.items():
            with suppress(EventError):
                self._table.correct(spot, colour)


def replay_inputs(said: InputReplay | None, events: Iterable[Event]) -> None:
    """Say some events again, if there is anybody to say them."""
    if said is not None:
        for event in events:
            said.say(event)


def _is_same(one: AnyFact, other: Placed | TakenBack) -> bool:
    if isinstance(one, Placed) and isinstance(other, Placed):
        return one.by == other.by and (one.spot, one.colour) == (other.spot, other.colour)
    if isinstance(one, TakenBack) and isinstance(other, TakenBack):
        return one.by == other.by and one.spot == other.spot
    return False
