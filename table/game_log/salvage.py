"""Reading a game's file, also a damaged one: what holds is kept, what is missing is said.

The rule. An event holds when its seal vouches for it, wherever in the log it stands, and it can
still follow what holds before it. Of events without a seal, which an older program wrote, those
hold that can be read and name nothing that their game has not. In the place of each of the others
stands an `EventLost`, so that numbers stay what they were. Later events are not thrown away with a
damaged one: each says one thing, and the most of them say what lies on the board, which is right
whatever was lost before.
"""

from __future__ import annotations

import re
import secrets
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

from railspotter.scoring import GameError, position_of

from .checks import check_names, check_start, check_ticket
from .database import (
    ABSURD_FORMAT,
    Crops,
    all_crops_in,
    connect,
    is_intact,
    move_over,
    raw_events_in,
    reported,
    seals_in,
    set_aside,
    whole_crops,
    write_new,
)
from .errors import DamagedFileError, EventError
from .events import AnyFact, Event, read_event
from .fact_text import text_forms
from .facts import EventLost, GameStarted, OfTicket
from .game_state import GameState, begin, fold
from .raw_pages import RawPages
from .scored import game_of
from .seals import NO_SEAL, RawEvent, Seal, crop_digests, mended, vouching
from .table_state import TableState

DAY_S = 86_400.0
"""A damaged event whose time is so far from its neighbours' has lost its time too."""
MOST_MENDED = 4
"""Events of a file that it is tried to mend: where more are damaged, it is more than a byte."""
KINDS = frozenset(str(form.__struct_config__.tag) for form in text_forms(get_args(AnyFact)))
KIND_IN_TEXT = re.compile(rb'"kind":"([a-z_]+)"')


@dataclass(frozen=True)
class LogReading:
    """What a game's file says.

    Attributes
    ----------
    state : GameState
        The game; in the place of an event that does not hold it has an `EventLost`.
    unsealed : int
        How many events have no seal, so that damage to them may go unnoticed.
    is_whole : bool
        Whether the file is as it was written, as far as that can be told.
    crops : callable
        Returns the crops of an event, by its number, without those that are damaged.
    """

    state: GameState
    unsealed: int
    is_whole: bool
    crops: Callable[[int], Crops]


@contextmanager
def open_reading(path: Path) -> Iterator[LogReading]:
    """Read a game's file, which may be running in another program.

    Raises
    ------
    DamagedFileError
        When not even the start of the game is left.
    LogFileError
        When it cannot be used.
    """
    with ExitStack() as stack:
        events: dict[int, list[RawEvent]] = {}
        seals: dict[int, Seal] = {}
        reading: LogReading | None = None
        reason: DamagedFileError | None = None
        try:
            with reported(path):
                database = stack.enter_context(closing(connect(path, is_writer=False)))
                database.execute("BEGIN")  # one moment, also of a running game
                for seq, event in raw_events_in(database):
                    events.setdefault(seq, []).append(event)
                seals = seals_in(database)
            reading = _reading(events, seals, _StoredCrops(path, database, seals))
        except DamagedFileError as error:
            reason = error
        except EventError as error:
            reason = DamagedFileError("{path} is damaged: {error}", path=path, error=error)
        except (MemoryError, OverflowError) as error:  # of a size that is damaged
            reason = DamagedFileError("{path} is damaged: {error}", path=path, error=repr(error))
        if reading is None or not reading.is_whole:
            reading = _salvaged(path, events, seals, reason)
        yield reading


def read_log(path: Path) -> GameState:
    """Return the state of a game, which may be running in another program.

    What does not hold of a damaged file is an `EventLost` in it.

    Raises
    ------
    LogFileError
        When the file cannot be used.
    """
    with open_reading(path) as reading:
        return reading.state


def made_whole(path: Path) -> Path | None:
    """Put what holds of a damaged file in its place; its writer must hold the claim.

    Returns
    -------
    Path or None
        Where the damaged file was kept; None where nothing is damaged.

    Raises
    ------
    LogFileError
        As `open_reading` does, or when the disk does not take it. The file stays as it is.
    """
    new = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    try:
        with open_reading(path) as reading:
            if reading.is_whole and is_intact(path):
                return None
            copy = set_aside(path)
            events = reading.state.events
            with reported(new):
                write_new(new, ((event, reading.crops(event.seq)) for event in events))
        move_over(new, path)
        return copy
    except OSError as error:
        raise DamagedFileError(
            "{path} is damaged, and cannot be mended: {error}", path=path, error=error.strerror
        ) from error
    finally:
        new.unlink(missing_ok=True)


class _StoredCrops:
    """The crops of a file: by SQLite, and where it gives up, from the pages."""

    def __init__(
        self, path: Path, database: sqlite3.Connection | None, seals: Mapping[int, Seal]
    ) -> None:
        self._path, self._database, self._seals = path, database, seals
        self.pages: RawPages | None = None

    def all(self, seq: int) -> Crops:
        """Return the crops of an event, as they are."""
        if self._database is not None:
            try:
                return all_crops_in(self._database, seq)
            except (sqlite3.Error, MemoryError, OverflowError):
                self._database = None
        if self.pages is None:
            self.pages = RawPages(self._path)
        return self.pages.crops(seq)

    def digests(self, seq: int) -> bytes:
        """Return the digests of an event's crops, as they are."""
        return crop_digests(self.all(seq))

    def whole(self, seq: int) -> Crops:
        """Return the crops of an event, without those that are damaged."""
        seal = self._seals.get(seq)
        return whole_crops(self.all(seq), seal and seal.crops)


def _salvaged(
    path: Path,
    events: dict[int, list[RawEvent]],
    seals: dict[int, Seal],
    reason: DamagedFileError | None,
) -> LogReading:
    """Read what SQLite does not, or not right, from the pages too."""
    try:
        pages = RawPages(path)
    except OSError as error:
        raise reason or DamagedFileError("{path} cannot be read", path=path) from error
    for seq, found in pages.events.items():
        known = events.setdefault(seq, [])
        known += [event for event in found if event not in known]
    seals = pages.seals | seals
    crops = _StoredCrops(path, None, seals)
    crops.pages = pages
    try:
        reading = _reading(events, seals, crops, mends=True)
    except EventError as error:
        if reason is not None and not events:
            raise reason from error
        raise DamagedFileError("{path} is damaged: {error}", path=path, error=error) from error
    return replace(reading, is_whole=False)


def _reading(
    events: Mapping[int, Sequence[RawEvent]],
    seals: Mapping[int, Seal],
    crops: _StoredCrops,
    *,
    mends: bool = False,
) -> LogReading:
    """Put the events that hold in their order.

    Parameters
    ----------
    mends : bool
        Whether events of which a byte has changed are mended.

    Raises
    ------
    EventError
        When the start of the game is none of them.
    """
    vouched = vouching(events, seals, crops.digests)
    if mends:
        for seq in sorted(vouched.damaged & events.keys() & seals.keys())[:MOST_MENDED]:
            before = seals[seq - 1].digest if seq - 1 in seals else NO_SEAL
            for raw in events[seq]:
                if (whole := mended(before, seq, raw, seals[seq])) is not None:
                    vouched.whole[seq] = whole
    last = _last(events, seals)
    held = {
        seq: event
        for seq, raw in (vouched.unsealed | vouched.whole).items()
        if seq <= last and (event := _event(seq, raw)) is not None
    }
    told: list[Event] = []
    for seq in range(1, last + 1):
        told.append(held.get(seq) or _lost(seq, events.get(seq, ()), told, held))
    has_strays = max((*events, *seals), default=0) > last
    if has_strays and len(held) == last:
        told.append(_lost(last + 1, (), told, held))  # one whose number was damaged, so the last
    unsealed = vouched.unsealed.keys() & held.keys()
    state = _state(told, unsealed)
    # Where one event has a seal, all once had.
    should_be_sealed = bool(seals) or any(raw.format > 1 for raw in vouched.unsealed.values())
    is_whole = (
        not has_strays
        and len(held) == last
        and state.events == tuple(told)
        and not (unsealed and should_be_sealed)
    )
    return LogReading(state, len(unsealed), is_whole, crops.whole)


def _last(events: Collection[int], seals: Collection[int]) -> int:
    """Return the number of the last event; a single number far off was damaged itself."""
    known = {
        seq
        for here, there in ((events, seals), (seals, events))
        for seq in here
        if seq == 1 or seq in there or seq - 1 in here
    }
    return max(known, default=0)


def _event(seq: int, raw: RawEvent) -> Event | None:
    """Read an event; None where it is none."""
    if raw.format >= ABSURD_FORMAT:
        return None
    try:
        return read_event(seq, raw.at_s, raw.fact.decode(), raw.format)
    except (EventError, UnicodeDecodeError):
        return None


def _lost(
    seq: int, found: Sequence[RawEvent], before: Sequence[Event], held: Mapping[int, Event]
) -> Event:
    """Return what stands in the place of an event, with what can still be read of it.

    Its time is believed where it lies between those of its neighbours, a day more or less.
    """
    earliest = before[-1].at_s if before else None
    latest = next((held[other].at_s for other in sorted(held) if other > seq), earliest)
    at_s = earliest if earliest is not None else latest or 0.0
    was = ""
    for raw in found:
        if raw.kind in KINDS:
            was = raw.kind
        elif (kind := KIND_IN_TEXT.search(raw.fact)) and kind[1].decode() in KINDS:
            was = kind[1].decode()
        if at_s - DAY_S <= raw.at_s <= (latest or at_s) + DAY_S:
            at_s = raw.at_s
    return Event(seq, at_s, EventLost(was))


def _state(told: Sequence[Event], unsealed: Collection[int]) -> GameState:
    """Fold events; one that does not fit the others any more is lost like a damaged one."""
    if told and isinstance(told[0].fact, GameStarted) and 1 in unsealed:
        check_start(told[0].fact)
    try:
        state = fold(told)
        for event in told:
            check_names(state.table.board, event)
        if unsealed:
            _require_sense(state.table)
    except (EventError, GameError):
        if not told or not isinstance(told[0].fact, GameStarted):
            raise EventError("the start of the game is lost") from None
        return _what_fits(told)
    return state


def _what_fits(told: Sequence[Event]) -> GameState:
    state = begin(told[0])
    for event in told[1:]:
        try:
            after = followed_by(state, event)
        except EventError:
            after = state.after(Event(event.seq, event.at_s, EventLost(event.fact.kind)))
        state = after
    return state


def _require_sense(table: TableState) -> None:
    """Refuse what scoring refuses: without seals nobody else says that events were damaged."""
    _require_own_colours(table)
    position_of(game_of(table), table.board)


def _require_own_colours(table: TableState) -> None:
    colours = [player.colour for player in table.players]
    if len(set(colours)) < len(colours):
        raise EventError("two players would be of one colour")


def followed_by(state: GameState, event: Event) -> GameState:
    """Return the state after an event of a game that has lost some; raises `EventError`.

    What it says need not fit what is known before it, as it must when it is written, but only what
    there is at all: places, tickets, colours of one player each.
    """
    check_names(state.table.board, event)
    if isinstance(event.fact, OfTicket):
        check_ticket(state.table, event.fact.ticket, event.fact.kind)
    after = state.after(event)
    _require_own_colours(after.table)
    return after


def is_lost(event: Event) -> bool:
    """Tell whether all that is known of an event is that there was one."""
    return isinstance(event.fact, EventLost)
