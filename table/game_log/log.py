"""The log of one running game: what `append` has returned is never lost."""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..worker import Closable
from .budgets import HOST, MOST_EVENTS, Writer, require_room
from .course_facts import Redone, Undone
from .database import (
    JPEG,
    Crops,
    WriterClaim,
    connect,
    crops_in,
    events_in,
    insert,
    reported,
    said_in,
)
from .errors import EventError, LogFileError
from .events import event_text, parse_event
from .facts import Event, Fact, SeatId
from .game_state import GameState, begin, fold
from .log_reading import made_whole
from .people_facts import PlayerCameIn, PlayerRecoloured, SeatsSwapped

# The largest crop. One of a route from a 12-megapixel photo has some 30 kB.
MOST_CROP_BYTES = 2**20
MOST_CROPS = 8  # the most crops of one event


class GameLog(Closable):
    """A game's log, open for writing. Several threads may use it at once.

    Parameters
    ----------
    path : Path
        The game's file.

    Attributes
    ----------
    damaged_copy : Path or None
        Where the file was kept as it was, when it was damaged; the log holds what could be
        read.

    Raises
    ------
    GameInUseError
        When it is open for writing elsewhere. Reading it is always allowed.
    LogFileError
        When it cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._one_at_a_time = threading.Lock()
        self._state: GameState
        self._said: defaultdict[SeatId, Counter[str]]
        self._claim = WriterClaim(path)
        try:
            self.damaged_copy = made_whole(path)
            self._database = connect(path, is_writer=True)
            try:
                with reported(path):
                    self._read()
            except BaseException:
                self._database.close()
                raise
        except BaseException:
            self._claim.give_up()
            raise

    @property
    def id(self) -> str:
        """The game's id."""
        return self.path.stem

    @property
    def state(self) -> GameState:
        """The game after everything that is in the log."""
        return self._state

    def append(
        self,
        facts: Sequence[Fact],
        at_s: float,
        crops: Mapping[int, Crops] | None = None,
        *,
        by: Writer = HOST,
    ) -> tuple[Event, ...]:
        """Write facts, all of them or none, and return when they are on the disk.

        Parameters
        ----------
        at_s : float
            When they happened, in seconds since 1970-01-01 UTC.
        crops : mapping of int to tuple of bytes
            Pictures of what a fact is about, by its position in `facts`.
        by : Writer
            Who says it. A player's seat may say only so much.

        Returns
        -------
        tuple of Event

        Raises
        ------
        EventError
            When a fact does not fit the game. Nothing was written.
        BudgetError
            When its writer may write no more. Nothing was written.
        LogFileError
            When the disk is full, or fails. Nothing was written.
        """
        with self._one_at_a_time:
            state, written = self._state, []
            said = self._said[by.seat].copy()
            for i, fact in enumerate(facts):
                require_room(by, fact.kind, len(state.events) + 1, said)
                said[fact.kind] += 1
                # Read back before it is written: nothing unreadable gets into the log.
                event = parse_event(event_text(Event(len(state.events) + 1, at_s, fact)))
                state = checked_after(state, event)
                written.append((event, checked_crops((crops or {}).get(i, ()))))
            with reported(self.path):
                try:
                    insert(self._database, written, by.seat)
                    self._state, self._said[by.seat] = state, said
                except BaseException:
                    # Whatever came in between, Ctrl-C too: what is in the file is true.
                    self._read()
                    raise
            return tuple(event for event, _ in written)

    def crops(self, seq: int) -> Crops:
        """Return the pictures that were kept with an event."""
        with self._one_at_a_time, reported(self.path):
            return crops_in(self._database, seq)

    def _read(self) -> None:
        self._state = _state_in(self._database, self.path)
        self._said = defaultdict(Counter)
        for seat, kind in said_in(self._database):
            self._said[seat][kind] += 1

    def close(self) -> None:
        """Close the file; another program may then write to it."""
        with self._one_at_a_time:
            self._database.close()
            self._claim.give_up()


def checked_after(state: GameState | None, event: Event) -> GameState:
    """Return the state after an event that fits the game, which None has not begun yet."""
    if state is None:
        state = begin(event)
        state.table.started.check_start()
        return state
    if event.seq > MOST_EVENTS:
        raise EventError("a game has room for {most} events", most=MOST_EVENTS)
    if isinstance(event.fact, Undone | Redone):
        after = state.after(event)
        _check_undone(after, event.fact)
        return after
    event.fact.check(state.table)
    return state.after(event)


def _check_undone(after: GameState, fact: Undone | Redone) -> None:
    """Refuse to undo or redo a fact when two players would have one colour then."""
    if not isinstance(after.event(fact.event).fact, PlayerRecoloured | PlayerCameIn | SeatsSwapped):
        return
    colours = [player.colour for player in after.table.players]
    if twice := next((colour for colour in colours if colours.count(colour) > 1), None):
        raise EventError(
            "{field}: two players would be {colour!r}", field=f"{fact.kind}.event", colour=twice
        )


def checked_crops(crops: Crops) -> Crops:
    """Return pictures that may be kept; raises `EventError` for others."""
    if len(crops) > MOST_CROPS:
        raise EventError(f"an event has room for {MOST_CROPS} crops")
    for jpeg in crops:
        if not jpeg.startswith(JPEG) or len(jpeg) > MOST_CROP_BYTES:
            raise EventError(f"a crop must be a JPEG picture of at most {MOST_CROP_BYTES} bytes")
    return crops


def _state_in(database: sqlite3.Connection, path: Path) -> GameState:
    """Return the state that a sound file says."""
    try:
        return fold(events_in(database))
    except EventError as error:
        raise LogFileError("{path} is damaged: {error}", path=path, error=error) from error
