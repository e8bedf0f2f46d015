"""A game for other programs: its events as lines of JSON or as a table, or its state as text."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec
from railspotter.scoring.game import game_text, position_of
from railspotter.scoring.legality import position_problems

from .events import event_text
from .facts import Event
from .game_state import GameState, standing_tables
from .public_log import public_events
from .scored import game_of

COLUMNS = (
    "seq",
    "time",
    "kind",
    "stands",
    "by",
    "seat",
    "colour",
    "route",
    "place",
    "site",
    "fact",
    "problems",
)


def jsonl(state: GameState, *, with_secrets: bool = False) -> str:
    """Return the events, each as a line of JSON."""
    return "".join(f"{event_text(event)}\n" for event in _events(state, with_secrets))


def table(state: GameState, *, with_secrets: bool = False) -> str:
    """Return the events as CSV.

    `stands` says whether an event is not undone, `problems` what cannot be since then.
    """
    brought = _brought(state, with_secrets)
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(COLUMNS)
    for event in _events(state, with_secrets):
        fact = msgspec.to_builtins(event.fact)
        told = {
            **{name: fact.get(name, "") for name in COLUMNS},
            "seq": event.seq,
            "time": _time(event.at_s),
            "stands": "no" if event.seq in state.undone else "yes",
            "fact": msgspec.json.encode(fact).decode(),
            "problems": "; ".join(brought.get(event.seq, ())),
        }
        rows.writerow([text_cell(told[name]) for name in COLUMNS])
    return out.getvalue()


def game(state: GameState, *, with_secrets: bool = False) -> str:
    """Return the state as the text that `railspotter score` reads."""
    return game_text(game_of(state.table, with_secrets=with_secrets)) + "\n"


def _events(state: GameState, with_secrets: bool) -> Sequence[Event]:
    return state.events if with_secrets else public_events(state)


def _brought(state: GameState, with_secrets: bool) -> dict[int, list[str]]:
    """Return by the events' numbers what each of them has put wrong."""
    brought, known = dict[int, list[str]](), set[str]()
    for event, now in zip(state.events, standing_tables(state), strict=True):
        position = position_of(game_of(now, with_secrets=with_secrets), now.board)
        found = [problem.what for problem in position_problems(position)]
        if new := [what for what in found if what not in known]:
            brought[event.seq] = new
        known = {*found}
    return brought


def _time(at_s: float) -> str:
    try:
        return datetime.fromtimestamp(at_s, UTC).isoformat(timespec="milliseconds")
    except (ValueError, OverflowError, OSError):
        return f"{at_s} s"  # a clock may say anything


def text_cell(value: object) -> str:
    """Return a cell's text, with what makes a spreadsheet take it for a formula disarmed."""
    text = str(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
