"""Summaries and reports of logged games, as text or JSON."""

from datetime import datetime
from typing import Any

import msgspec
from railspotter.scoring.answer import to_json
from railspotter.scoring.edition import load_edition

from ..game_log.course_facts import EventLost
from ..game_log.errors import GameLogError
from ..game_log.game_state import GameState
from ..game_log.log import is_lost
from ..game_log.table_state import TableState
from ..game_log.turn_times import turn_times
from .event_lines import lost_lines
from .score_lines import answer_text, is_counted

SHORT_ID = 8  # characters of an id that lists show; practically unique


def list_line(game: str, state: GameState | GameLogError) -> str:
    """Return a game's line in the list of games."""
    if isinstance(state, GameLogError):
        return f"{game[:SHORT_ID]}  this game cannot be shown: {state}"
    table = state.table
    players = ", ".join(player.name or player.colour for player in table.players)
    course = _course(table) or "running"
    if any(map(is_lost, state.events)):
        course += "  damaged: events left out"
    title = table.name or "(no name)"
    return (
        f"{game[:SHORT_ID]}  {_day(state)}  {title}  {load_edition(table.started.edition).title}"
        f"  {players}  {course}"
    )


def summary_json(game: str, state: GameState | GameLogError) -> dict[str, Any]:
    """Return a game's entry in the JSON list of games."""
    if isinstance(state, GameLogError):
        return {"id": game, "problem": str(state)}
    table = state.table
    return {
        "id": game,
        "name": table.name,
        "edition": table.started.edition,
        "board": table.board.id,
        "began_at_s": state.events[0].at_s,
        "players": [msgspec.to_builtins(player) for player in table.players],
        "events": len(state.events),
        "paused": table.paused,
        "packed_away": table.packed_away,
        "ended": table.ended,
        "lost": [
            {"seq": event.seq, "at_s": event.at_s, "was": event.fact.was}
            for event in state.events
            if isinstance(event.fact, EventLost)
        ],
    }


def game_report(game: str, state: GameState, *, with_secrets: bool, unsealed: int = 0) -> str:
    """Return a report on one game; `unsealed` is how many of its events have no checksum."""
    table = state.table
    edition = load_edition(table.started.edition).title
    lines = [
        f"{table.name or '(no name)'}: {edition}, begun {_day(state)}",
        f"id {game}, {len(state.events)} events"
        + (f", {course}" if (course := _course(table)) else ""),
    ]
    lines += lost_lines(state)
    if unsealed:
        lines.append(
            f"{unsealed} events were saved by an older railspotter, without a checksum: damage to"
            " them may go unnoticed until you go on with the game"
        )
    lines += [f"{table.name_of(seat)} left" for seat in sorted(table.left)]
    score = table.full_score if with_secrets else table.score
    lines.append(answer_text(score, is_counted=is_counted(table, with_secrets=with_secrets)))
    if times := turn_times(state).seats:
        times_text = ", ".join(
            f"{table.name_of(one.seat)} {_minutes(one.seconds)} in {one.turns}"
            f" turn{'s' * (one.turns != 1)}"
            for one in times
        )
        lines.append(f"time at their turns: {times_text}")
    if by_hand := sorted(spot.id for spot in table.by_hand):
        lines.append(f"corrected by hand: {', '.join(by_hand)}")
    if (secret := table.unrevealed) and not with_secrets:
        lines.append(f"tickets not revealed and not counted: {secret}")
    return "\n".join(lines)


def game_json(
    game: str, state: GameState, *, with_secrets: bool, unsealed: int = 0
) -> dict[str, Any]:
    """Return one game in full as JSON; `unsealed` as in `game_report`."""
    table = state.table
    return {
        **summary_json(game, state),
        "unsealed": unsealed,
        "left": sorted(table.left),
        "claims": table.claims,
        "stations": table.stations,
        "sites": table.sites,
        "pins": dict(table.pins),
        "tickets": {
            seat: [
                {**msgspec.to_builtins(held.ticket), "revealed": held.revealed}
                for held in hand
                if held.revealed or with_secrets
            ]
            for seat, hand in table.tickets.items()
        },
        "unrevealed": table.unrevealed,
        "markers": dict(table.markers),
        "turn": table.turn,
        "turn_times": [msgspec.to_builtins(one) for one in turn_times(state).seats],
        "by_hand": sorted(table.by_hand),
        "undoable": state.undoable,
        "redoable": state.redoable,
        "score": to_json(table.full_score if with_secrets else table.score),
    }


def _course(table: TableState) -> str:
    """Return a game's status; empty for a running one."""
    if table.ended:
        return "ended"
    if table.packed_away:
        return "packed away"
    return "paused" if table.paused else ""


def _minutes(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"


def _day(state: GameState) -> str:
    """Format the local date and time of a game's start."""
    at_s = state.events[0].at_s
    try:
        return datetime.fromtimestamp(at_s).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return f"at {at_s} s"  # out of range: the clock was wrong
