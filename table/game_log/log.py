"""A game's log: reading its file, up to the first damage, and appending to it.

Events are durable when `append` returns. An event counts as damaged if it does not match its seal,
is invalid, or is missing. It and all events after it are dropped and replaced by one `EventLost`,
so that users are told.
"""

import sqlite3
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from railspotter.scoring.errors import GameError
from railspotter.scoring.game import position_of
from railspotter.scoring.sentence import Sentence, raised_as

from ..whole_file import new_file_beside
from ..worker import Closable
from . import database
from .budgets import HOST, MOST_EVENTS, Writer, require_budget
from .course_facts import EventLost, GameStarted, Redone, Undone
from .database import Crops
from .errors import DamagedFileError, EventError
from .events import NO_SEAL, EventSeal, event_digest, event_text, parse_event, read_event
from .facts import Event, Fact, SeatId
from .game_state import GameState, begin, fold
from .people_facts import PlayerCameIn, PlayerRecoloured, SeatsSwapped, TicketFact
from .table_state import TableState

# Raised for a damaged row or page; the last two for a damaged size.
DAMAGE = (EventError, DamagedFileError, MemoryError, OverflowError)
# The largest crop. One of a route from a 12-megapixel photo has some 30 kB.
MOST_CROP_BYTES = 2**20
MOST_CROPS = 8  # the most crops of one event
NOT_MENDED = Sentence("{path} is damaged, and cannot be mended: {error}")


@dataclass(frozen=True)
class LogReading:
    """The content of a game's file."""

    state: GameState  # the game; of a damaged file the part before the damage, and an `EventLost`
    unsealed: int  # how many events have no seal, so that damage to them is not detected
    is_whole: bool  # whether no damage was detected
    crops: Callable[[int], Crops]  # returns an event's undamaged crops, by its number


@contextmanager
def open_reading(path: Path) -> Iterator[LogReading]:
    """Read a game's file, which another program may be writing.

    Raises `DamagedFileError` when even the start of the game is damaged, `LogFileError` when the
    file cannot be used.
    """
    with ExitStack() as stack:
        with database.translated_sqlite_errors(path):
            connection = stack.enter_context(closing(database.connect(path, is_writer=False)))
            connection.execute("BEGIN")  # a consistent snapshot
            reading = _reading(path, connection)
        yield reading


def read_log(path: Path) -> GameState:
    """Read the state of a game, which another program may be writing."""
    with open_reading(path) as reading:
        return reading.state


def repair_log(path: Path) -> Path | None:
    """Replace a damaged file by its readable part; the caller must hold the `WriterClaim`.

    Returns the path of a copy of the damaged file; None if nothing is damaged.
    """
    with raised_as(DamagedFileError, OSError, NOT_MENDED, path=path), new_file_beside(path) as new:
        with open_reading(path) as reading:
            if reading.is_whole and database.is_intact(path):
                return None
            copy = database.copy_damaged_file(path)
            events = ((event, reading.crops(event.seq)) for event in reading.state.events)
            with database.translated_sqlite_errors(new):
                database.write_new(new, events)
        database.replace_game_file(new, path)
        return copy


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
    with raised_as(DamagedFileError, EventError, "{path} is damaged: {error}", path=path):
        state = _fold_valid_events(events, is_sealed=not unsealed)
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
    """Yield the events in order; raises one of `DAMAGE` at the first damaged one."""
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
    """Fold events up to the first invalid one; raises `EventError` if that is the start.

    Without seals a state that scoring refuses counts as damage too.
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
    """Refuse unknown spots: they were validated when written, but the disk may have failed."""
    event.fact.check_spots(state.table.board, f"event {event.seq}: {event.fact.kind}")


def state_after_event(state: GameState, event: Event) -> GameState:
    """Return the state after an event of a game that may have lost events; raises `EventError`.

    Unlike in `checked_after` the event need not fit the events before it, but its places, tickets
    and colours must exist.
    """
    _check_names(state, event)
    if isinstance(event.fact, TicketFact):
        event.fact.check_ticket(state.table)
    after = state.after(event)
    _require_own_colours(after.table)
    return after


def is_lost(event: Event) -> bool:
    """Tell whether an event stands for events lost to damage."""
    return isinstance(event.fact, EventLost)


class GameLog(Closable):
    """A game's log, open for writing. Thread-safe.

    A damaged file is repaired first; `damaged_copy` is then the path of a copy. Raises
    `GameInUseError` when it is open for writing elsewhere, and `LogFileError` when its file cannot
    be used.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._write_lock = threading.Lock()
        self.state: GameState  # the game after all events of the log
        self._written: defaultdict[SeatId, Counter[str]]  # facts by kind, for the budgets
        with ExitStack() as opened:
            opened.enter_context(database.WriterClaim(path))
            self.damaged_copy = repair_log(path)
            connection = database.connect(path, is_writer=True)
            self._database = opened.enter_context(closing(connection))
            with database.translated_sqlite_errors(path):
                self._read()
            self._resources = opened.pop_all()

    @property
    def id(self) -> str:
        """The game's id."""
        return self.path.stem

    def append(
        self,
        facts: Sequence[Fact],
        at_s: float,
        crops: Mapping[int, Crops] | None = None,
        *,
        by: Writer = HOST,
    ) -> tuple[Event, ...]:
        """Append facts in one transaction; returns when they are on the disk.

        `at_s` is when they happened, in seconds since 1970-01-01 UTC; `crops` are pictures by the
        fact's index. Raises, with nothing written, `EventError` for an invalid fact, `BudgetError`
        when the writer's budget is used up, or `LogFileError` when the disk fails.
        """
        with self._write_lock:
            state, events = self.state, []
            written = self._written[by.seat].copy()
            for i, fact in enumerate(facts):
                require_budget(by, fact.kind, len(state.events) + 1, written)
                written[fact.kind] += 1
                # Parsed before it is written: nothing unreadable gets into the log.
                event = parse_event(event_text(Event(len(state.events) + 1, at_s, fact)))
                state = checked_after(state, event)
                events.append((event, checked_crops((crops or {}).get(i, ()))))
            with database.translated_sqlite_errors(self.path):
                try:
                    database.insert(self._database, events, by.seat)
                    self.state, self._written[by.seat] = state, written
                except BaseException:
                    # Also on Ctrl-C: return to what is in the file.
                    self._read()
                    raise
            return tuple(event for event, _ in events)

    def crops(self, seq: int) -> Crops:
        """Return an event's crops."""
        with self._write_lock, database.translated_sqlite_errors(self.path):
            return database.crops_in(self._database, seq)

    def _read(self) -> None:
        reading = _reading(self.path, self._database)
        if not reading.is_whole:
            raise DamagedFileError(database.DAMAGED.filled(path=self.path))
        self.state = reading.state
        self._written = defaultdict(Counter)
        for seat, kind in database.phone_events_in(self._database):
            self._written[seat][kind] += 1

    def close(self) -> None:
        """Close the file; another program may then write to it."""
        with self._write_lock:
            self._resources.close()


def checked_after(state: GameState | None, event: Event) -> GameState:
    """Validate an event and return the state after it; `state` is None before the first event."""
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
    """Refuse an undo or redo that gives two players the same colour."""
    if not isinstance(after.event(fact.event).fact, PlayerRecoloured | PlayerCameIn | SeatsSwapped):
        return
    colours = [player.colour for player in after.table.players]
    if twice := next((colour for colour in colours if colours.count(colour) > 1), None):
        raise EventError(
            "{field}: two players would be {colour!r}", field=f"{fact.kind}.event", colour=twice
        )


def checked_crops(crops: Crops) -> Crops:
    """Validate the number, type and size of crops, and return them; raises `EventError`."""
    if len(crops) > MOST_CROPS:
        raise EventError(f"an event has room for {MOST_CROPS} crops")
    for jpeg in crops:
        if not jpeg.startswith(database.JPEG) or len(jpeg) > MOST_CROP_BYTES:
            raise EventError(f"a crop must be a JPEG picture of at most {MOST_CROP_BYTES} bytes")
    return crops
