"""A game's log: reading its file, all of it or up to the first damage, and writing to it.

What `append` has returned is never lost. An event is damaged that contradicts its seal, is no event
of this game, or is missing. Neither it nor what follows it is believed. An `EventLost` stands there
instead, as the last event, so that whoever looks at the game is told.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from railspotter.scoring.errors import GameError
from railspotter.scoring.game import position_of

from ..whole_file import new_file_beside
from ..worker import Closable
from . import database
from .budgets import HOST, MOST_EVENTS, Writer, require_budget
from .course_facts import EventLost, GameStarted, Redone, Undone
from .database import Crops
from .errors import DamagedFileError, EventError, LogFileError
from .events import NO_SEAL, EventSeal, event_digest, event_text, parse_event, read_event
from .facts import Event, Fact, SeatId
from .game_state import GameState, begin, fold
from .people_facts import OfTicket, PlayerCameIn, PlayerRecoloured, SeatsSwapped
from .table_state import TableState

# What is raised of a damaged row or page; the last two of a size that is damaged.
DAMAGE = (EventError, DamagedFileError, MemoryError, OverflowError)
# The largest crop. One of a route from a 12-megapixel photo has some 30 kB.
MOST_CROP_BYTES = 2**20
MOST_CROPS = 8  # the most crops of one event


@dataclass(frozen=True)
class LogReading:
    """What a game's file says."""

    state: GameState  # the game; where the file is damaged, up to there, and an `EventLost`
    unsealed: int  # how many events have no seal, so that damage to them may go unnoticed
    # Whether its events and seals are as they were written, as far as that can be told.
    is_whole: bool
    # Returns the crops of an event, by its number, without those that are damaged.
    crops: Callable[[int], Crops]


@contextmanager
def open_reading(path: Path) -> Iterator[LogReading]:
    """Read a game's file, which may be running in another program.

    Raises `DamagedFileError` when not even the start of the game is left, `LogFileError` when the
    file cannot be used.
    """
    with ExitStack() as stack:
        with database.translated_sqlite_errors(path):
            connection = stack.enter_context(closing(database.connect(path, is_writer=False)))
            connection.execute("BEGIN")  # one moment, also of a running game
            reading = _reading(path, connection)
        yield reading


def read_log(path: Path) -> GameState:
    """Return the state of a game, which may be running in another program."""
    with open_reading(path) as reading:
        return reading.state


def repair_log(path: Path) -> Path | None:
    """Put what can be read of a damaged file in its place; its writer must hold the claim.

    Where the damaged file was kept; None where nothing is damaged.
    """
    try:
        with new_file_beside(path) as new:
            with open_reading(path) as reading:
                if reading.is_whole and database.is_intact(path):
                    return None
                copy = database.copy_damaged_file(path)
                events = ((event, reading.crops(event.seq)) for event in reading.state.events)
                with database.translated_sqlite_errors(new):
                    database.write_new(new, events)
            database.replace_game_file(new, path)
            return copy
    except OSError as error:
        raise DamagedFileError(
            "{path} is damaged, and cannot be mended: {error}", path=path, error=error.strerror
        ) from error


def _reading(path: Path, connection: sqlite3.Connection) -> LogReading:
    seals: dict[int, EventSeal] = {}
    events: list[Event] = []
    with suppress(*DAMAGE), database.translated_sqlite_errors(path):
        for seq, seal in database.seals_in(connection):
            seals[seq] = seal
    is_cut = True
    with suppress(*DAMAGE), database.translated_sqlite_errors(path):
        for event in _undamaged_events(connection, seals):
            events.append(event)
        is_cut = len(events) < max(seals, default=0)
    unsealed = [event.seq for event in events if event.seq not in seals]
    try:
        state = _fold_valid_events(events, is_sealed=not unsealed)
    except EventError as error:
        raise DamagedFileError("{path} is damaged: {error}", path=path, error=error) from error
    is_cut = is_cut or len(state.events) < len(events)
    if is_cut:
        last = state.events[-1]
        state = state.after(Event(last.seq + 1, last.at_s, EventLost()))
    has_lost_seals = (
        bool(unsealed) and database.format_of(connection, path) >= database.SEALED_FORMAT
    )

    def crops(seq: int) -> Crops:
        seal = seals.get(seq)
        with suppress(*DAMAGE), database.translated_sqlite_errors(path):
            return database.verified_crops(
                database.all_crops_in(connection, seq), seal and seal.crops
            )
        return ()

    return LogReading(state, len(unsealed), not (is_cut or has_lost_seals), crops)


def _undamaged_events(
    connection: sqlite3.Connection, seals: Mapping[int, EventSeal]
) -> Iterator[Event]:
    """Yield the events in their order; raises one of `DAMAGE` at the first that is damaged."""
    before: bytes | None = NO_SEAL
    for number, (seq, raw) in enumerate(database.raw_events_in(connection), 1):
        seal = seals.get(seq)
        is_sound = seq == number and raw.format < database.ABSURD_FORMAT
        if seal is not None and before is not None:
            is_sound = is_sound and event_digest(before, seq, raw, seal.crops) == seal.digest
        if not is_sound:
            raise EventError(f"event {number} is damaged")
        before = seal and seal.digest  # after one without a seal the next cannot be checked
        yield read_event(seq, raw.at_s, raw.fact.decode(), raw.format)


def _fold_valid_events(events: Sequence[Event], *, is_sealed: bool) -> GameState:
    """Fold events up to the first that does not fit; raises `EventError` where the start does not.

    Without seals nobody else says that events were damaged: then what scoring refuses is damage.
    """
    if not events or not isinstance(started := events[0].fact, GameStarted):
        raise EventError("the start of the game is lost")
    if not is_sealed:
        started.check_start()
    try:
        state = fold(events)
        for event in events:
            _check_names(state, event)
        if not is_sealed:
            _require_own_colours(state.table)
            position_of(state.table.as_game(), state.table.board)
    except (EventError, GameError):
        state = begin(events[0])
        with suppress(EventError):
            for event in events[1:]:
                state = state_after_event(state, event)
    return state


def _require_own_colours(table: TableState) -> None:
    colours = [player.colour for player in table.players]
    if len(set(colours)) < len(colours):
        raise EventError("two players would be of one colour")


def _check_names(state: GameState, event: Event) -> None:
    """Refuse what the board has not: what was written was checked, but a disk may change it."""
    event.fact.check_spots(state.table.board, f"event {event.seq}: {event.fact.kind}")


def state_after_event(state: GameState, event: Event) -> GameState:
    """Return the state after an event of a game that may have lost some; raises `EventError`.

    What it says need not fit what is known before it, as it must when it is written, but only what
    there is at all: places, tickets, colours of one player each.
    """
    _check_names(state, event)
    if isinstance(event.fact, OfTicket):
        event.fact.check_ticket(state.table)
    after = state.after(event)
    _require_own_colours(after.table)
    return after


def is_lost(event: Event) -> bool:
    """Tell whether all that is known is that something was written here, which is damaged."""
    return isinstance(event.fact, EventLost)


class GameLog(Closable):
    """A game's log, open for writing. Several threads may use it at once.

    Raises `GameInUseError` when it is open for writing elsewhere (reading is always allowed), and
    `LogFileError` when its file cannot be used. `damaged_copy` is where the file was kept as it
    was, when it was damaged; the log holds what could be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._one_at_a_time = threading.Lock()
        self._state: GameState
        self._said: defaultdict[SeatId, Counter[str]]
        with ExitStack() as opened:
            opened.enter_context(database.WriterClaim(path))
            self.damaged_copy = repair_log(path)
            connection = database.connect(path, is_writer=True)
            self._database = opened.enter_context(closing(connection))
            with database.translated_sqlite_errors(path):
                self._read()
            self._opened = opened.pop_all()  # what is closed in the end; all of it where that fails

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

        They happened at `at_s`, in seconds since 1970-01-01 UTC; `crops` are pictures of what a
        fact is about, by its position in `facts`. A player's seat may say only so much. Nothing was
        written where it raises `EventError` for a fact that does not fit the game, `BudgetError`
        when its writer may write no more, or `LogFileError` when the disk fails.
        """
        with self._one_at_a_time:
            state, written = self._state, []
            said = self._said[by.seat].copy()
            for i, fact in enumerate(facts):
                require_budget(by, fact.kind, len(state.events) + 1, said)
                said[fact.kind] += 1
                # Read back before it is written: nothing unreadable gets into the log.
                event = parse_event(event_text(Event(len(state.events) + 1, at_s, fact)))
                state = checked_after(state, event)
                written.append((event, checked_crops((crops or {}).get(i, ()))))
            with database.translated_sqlite_errors(self.path):
                try:
                    database.insert(self._database, written, by.seat)
                    self._state, self._said[by.seat] = state, said
                except BaseException:
                    # Whatever came in between, Ctrl-C too: what is in the file is true.
                    self._read()
                    raise
            return tuple(event for event, _ in written)

    def crops(self, seq: int) -> Crops:
        """Return the pictures that were kept with an event."""
        with self._one_at_a_time, database.translated_sqlite_errors(self.path):
            return database.crops_in(self._database, seq)

    def _read(self) -> None:
        self._state = _state_in(self._database, self.path)
        self._said = defaultdict(Counter)
        for seat, kind in database.phone_events_in(self._database):
            self._said[seat][kind] += 1

    def close(self) -> None:
        """Close the file; another program may then write to it."""
        with self._one_at_a_time:
            self._opened.close()


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
        if not jpeg.startswith(database.JPEG) or len(jpeg) > MOST_CROP_BYTES:
            raise EventError(f"a crop must be a JPEG picture of at most {MOST_CROP_BYTES} bytes")
    return crops


def _state_in(connection: sqlite3.Connection, path: Path) -> GameState:
    """Return the state that a sound file says."""
    try:
        return fold(database.events_in(connection))
    except EventError as error:
        raise LogFileError("{path} is damaged: {error}", path=path, error=error) from error
