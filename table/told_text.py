"""What happens at a live table, in lines for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from railspotter.scoring import Colour
from railspotter.vision.reading import Doubt

from .game_log import (
    BoardJoined,
    ClaimCorrected,
    ClaimWithdrawn,
    Event,
    GameEnded,
    GamePaused,
    GameResumed,
    GameState,
    Redone,
    RouteClaimed,
    SiteClaimed,
    SiteCorrected,
    SiteWithdrawn,
    StationBuilt,
    StationCorrected,
    StationWithdrawn,
    TableState,
    Undone,
    answer_of,
)
from .scored_photo_text import spot_name


def event_lines(event: Event, game: GameState) -> Iterator[str]:
    """Yield what to say of an event; nothing of those that change nothing on the board."""
    table, fact = game.table, event.fact
    match fact:
        case RouteClaimed() | StationBuilt() | SiteClaimed():
            yield f"{who(fact.colour, table)}: {spot_name(table.board, *fact.spot)}"
        case ClaimWithdrawn() | StationWithdrawn() | SiteWithdrawn():
            yield f"free again: {spot_name(table.board, *fact.spot)} ({fact.why})"
        case ClaimCorrected() | StationCorrected() | SiteCorrected():
            now = "free" if fact.now is None else who(fact.now, table)
            yield f"corrected: {spot_name(table.board, *fact.spot)} is {now}"
        case BoardJoined():
            yield f"what lies on the board is written down: {len(fact.found)} claims"
        case Undone(event=seq) | Redone(event=seq):
            done = "taken back" if isinstance(fact, Undone) else "put back"
            for line in event_lines(game.event(seq), game):
                yield f"{done}: {line}"
        case GamePaused():
            yield "paused: what happens now is no turn"
        case GameResumed():
            yield "watching again"
        case GameEnded():
            yield "the game has ended"
            yield scores(table)


def scores(table: TableState) -> str:
    """Return everyone's points and trains left in one line."""
    players = answer_of(table).standing.players
    return "; ".join(f"{who(p.colour, table)} {p.total} ({p.trains_left} left)" for p in players)


def question(number: int, doubt: Doubt, table: TableState) -> str:
    """Return a question with the answers that are likely."""
    likely = [word(doubt.said), *(word(other) for other in doubt.alternatives)]
    about = spot_name(table.board, doubt.kind, doubt.about)
    why = f"{doubt.why}; " if doubt.why else ""
    return (
        f"question {number}: {about}: {' or '.join(dict.fromkeys(likely))}?"
        f" ({why}answer: {number} {likely[0]})"
    )


def who(colour: Colour, table: TableState) -> str:
    """Return a player's name with the colour.

    A colour of nobody's is called by itself.
    """
    name = next((p.name for p in table.players if p.colour == colour), "")
    return f"{name} ({colour})" if name and name != colour else colour


def word(colour: Colour | None) -> str:
    """Return how a person says a colour, or that a spot is free."""
    return "free" if colour is None else colour
