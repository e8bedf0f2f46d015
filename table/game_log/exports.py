"""Exporting a game: as a bundle to import on another computer, as events, or as its state.

A bundle has a line of JSON for the head, and one for each event with its crops in base64 and a
chained digest, which detects damage. Bundles from strangers are safe to import: they name no files,
are not compressed, and every event is validated as if it were new.
"""

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Annotated, BinaryIO, Literal

import msgspec
from railspotter.scoring.game import game_text
from railspotter.scoring.json_text import parse_json
from railspotter.scoring.legality import position_problems
from railspotter.scoring.sentence import Sentence, raised_as

from .budgets import MOST_EVENTS
from .database import Crops, raw_event
from .errors import BundleError, EventError
from .events import (
    FORMAT,
    RawEvent,
    crop_digests,
    event_digest,
    event_text,
    read_event,
    require_known,
)
from .facts import Event, Number
from .game_state import GameState, tables_after_events
from .log import checked_after, checked_crops, is_lost, open_reading, state_after_event
from .public_log import public_events

MOST_BYTES = 2**28  # the largest bundle: 256 MB, thousands of crops
MOST_LINE_BYTES = 2**24  # the longest line: an event with its crops

# The most facts that undos may cause to be applied again (the cost of importing): the newest thirty
# of a full log at every second event, or a thousand at 250 undos, more than a player has.
MOST_REAPPLIED = 20 * MOST_EVENTS
NO_BUNDLE = Sentence("this is no game that railspotter exported: line 1: {error}")
LINE = Sentence("line {n}: {error}")
EXPORT_AGAIN = Sentence("put it right where it was played, and export it again")
FIELDS = ("by", "seat", "colour", "route", "place", "site")  # fields of facts with a column
COLUMNS = ("seq", "time", "kind", "stands", *FIELDS, "fact", "problems")


class BundleHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line; `events` is their number, to detect a truncated file."""

    railspotter: Literal["game"]
    format: Number
    id: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$")]
    events: Annotated[int, msgspec.Meta(ge=1, le=MOST_EVENTS)]


class BundleLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Each other line: an event; its fact is in the head's format."""

    seq: Number
    at_s: float
    fact: msgspec.Raw
    crops: tuple[bytes, ...] = ()
    # In hexadecimal, chained from the game's id; empty in bundles of format 1.
    digest: str = ""


def write_bundle(
    path: Path, told: Callable[[GameState], GameState] | None = None
) -> Iterator[bytes]:
    """Yield the lines of a game's bundle; raises `LogFileError`.

    `told` returns the game as it is told to others, then without its pictures.
    """
    with open_reading(path) as reading:
        events = (told(reading.state) if told else reading.state).events
        head = BundleHead("game", FORMAT, path.stem, len(events))
        yield msgspec.json.encode(head) + b"\n"
        before = bytes.fromhex(head.id)
        for event in events:
            raw, crops = raw_event(event), () if told else reading.crops(event.seq)
            before = event_digest(before, event.seq, raw, crop_digests(crops))
            line = BundleLine(event.seq, event.at_s, msgspec.Raw(raw.fact), crops, before.hex())
            yield msgspec.json.encode(line) + b"\n"


class Bundle:
    """A reader of bundles; raises `BundleError` or `NewerFormatError`."""

    def __init__(self, file: BinaryIO) -> None:
        self._lines = _lines(file)
        with raised_as(BundleError, BundleError, NO_BUNDLE):
            self._head = parse_json(next(self._lines, b""), BundleHead, BundleError)
        require_known(self._head.format, "this game")
        self._before = bytes.fromhex(self._head.id)

    @property
    def id(self) -> str:
        """The game's id."""
        return self._head.id

    def events(self) -> Iterator[tuple[Event, Crops]]:
        """Yield the events with their crops, each validated against the game so far.

        Raises `BundleError` with the first invalid line, or if the game must not be believed.
        """
        state: GameState | None = None
        has_lost, count = False, 0
        for count, line in enumerate(self._lines, 1):
            with raised_as(BundleError, EventError, LINE, n=count + 1):
                event, crops, is_whole = self._event(line)
                if state is not None and has_lost:
                    # Later events may depend on lost ones: validate less strictly.
                    state = state_after_event(state, event)
                else:
                    state = checked_after(state, event)
                if not is_whole:
                    raise EventError("it was damaged on the way: export the game again")
                has_lost = has_lost or is_lost(event)
                if state.reapplied > MOST_REAPPLIED:
                    raise EventError("too much of it is undone long after it was said")
            if count > self._head.events:
                many = Sentence("there are more than {n} events", n=self._head.events)
                raise BundleError(LINE.filled(n=count + 1, error=many))
            yield event, crops
        if count < self._head.events:
            raise BundleError(
                "it is cut short: {n} of {all} events are there", n=count, all=self._head.events
            )
        if state is not None and (why := state.table.refusal(EXPORT_AGAIN)):
            raise BundleError(why)

    def _event(self, text: bytes) -> tuple[Event, Crops, bool]:
        line = parse_json(text, BundleLine, EventError)
        fact, format = bytes(line.fact), self._head.format
        event = read_event(line.seq, line.at_s, fact.decode(), format)
        crops = checked_crops(line.crops)
        if not line.digest:
            return event, crops, True
        # Another program may have reformatted the JSON: encode it as it was when sealed.
        plain = msgspec.json.encode(msgspec.json.decode(fact))
        raw = RawEvent(line.at_s, format, plain)
        self._before = event_digest(self._before, line.seq, raw, crop_digests(crops))
        return event, crops, line.digest == self._before.hex()


def bundles_in(file: BinaryIO) -> Iterator[Bundle]:
    """Yield the bundles of a file, one at least; raises as `Bundle`."""
    lines, first = _lines(file), b""
    while (line := next(lines, b"")) or not first:
        first, rest = line, b""
        with suppress(BundleError):  # which `Bundle` raises
            rest = b"".join(islice(lines, parse_json(first, BundleHead, BundleError).events))
        yield Bundle(io.BytesIO(first + rest))


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of an untrusted file, with limits on its size and theirs."""
    read = 0
    while line := file.readline(MOST_LINE_BYTES + 1):
        read += len(line)
        if len(line) > MOST_LINE_BYTES or read > MOST_BYTES:
            raise BundleError(
                "it is too long: a line may have {n} bytes, all of it {most}",
                n=MOST_LINE_BYTES,
                most=MOST_BYTES,
            )
        yield line


def events_as_jsonl(state: GameState, *, with_secrets: bool = False) -> str:
    """Return the events, each as a line of JSON."""
    return "".join(f"{event_text(event)}\n" for event in _events(state, with_secrets))


def events_as_csv(state: GameState, *, with_secrets: bool = False) -> str:
    """Return the events as CSV.

    The column `stands` says whether an event is not undone, `problems` which rule violations began
    with it.
    """
    problems = _new_problems_by_event(state, with_secrets)
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(COLUMNS)
    for event in _events(state, with_secrets):
        fact = msgspec.to_builtins(event.fact)
        cells = (
            *(event.seq, _time(event.at_s), event.fact.kind),
            "no" if event.seq in state.undone else "yes",
            *(fact.get(name, "") for name in FIELDS),
            msgspec.json.encode(fact).decode(),
            "; ".join(problems.get(event.seq, ())),
        )
        rows.writerow(map(text_cell, cells))
    return out.getvalue()


def state_as_game_text(state: GameState, *, with_secrets: bool = False) -> str:
    """Return the state as a game's text, which `railspotter score` reads."""
    return game_text(state.table.as_game(with_secrets=with_secrets)) + "\n"


def _events(state: GameState, with_secrets: bool) -> Sequence[Event]:
    return state.events if with_secrets else public_events(state)


def _new_problems_by_event(state: GameState, with_secrets: bool) -> dict[int, list[str]]:
    """Return by event number the rule violations that began with it."""
    problems, known = dict[int, list[str]](), set[str]()
    for event, now in zip(state.events, tables_after_events(state), strict=True):
        position = now.full_position if with_secrets else now.position
        found = [problem.what for problem in position_problems(position)]
        if new := [what for what in found if what not in known]:
            problems[event.seq] = new
        known = {*found}
    return problems


def _time(at_s: float) -> str:
    try:
        return datetime.fromtimestamp(at_s, UTC).isoformat(timespec="milliseconds")
    except (ValueError, OverflowError, OSError):
        return f"{at_s} s"  # out of `datetime`'s range: the clock was wrong


def text_cell(value: object) -> str:
    """Return a CSV cell's text, quoted so that a spreadsheet does not take it for a formula."""
    text = str(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
