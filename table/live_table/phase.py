"""The phase of an evening at a table, which all phones and screens follow together.

It belongs to the table: it follows from the game and from who has taken a seat. What is hidden
decides nothing, but whether anything still is once the game has ended.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from ..game_log.course_facts import GameEnded, PointsCounted
from ..game_log.facts import SeatId
from ..game_log.game_state import GameState
from ..game_log.people_facts import TicketRevealed
from ..game_log.table_state import TableState

Phase = Literal["seats", "tickets", "play", "last_turns", "show_tickets", "counting", "winner"]

FIRST_S = 3.0  # how long everyone's routes are shown, before the first ticket; chosen
STEP_S = 1.5  # how long a ticket or bonus is shown; chosen
LAST_S = 3.0  # how long the last one is shown, before the winner; chosen
MOST_S = 45.0  # how long all tickets and bonuses take at most: many ones are shown for less
PATH_KINDS = ("longest", "longest_undecided")


@dataclass(frozen=True, slots=True)
class CountingStep:
    """A step of counting the points: everyone's routes, or a line of one player's score."""

    at_s: float  # when it begins, in seconds since 1970
    seat: SeatId | None = None  # None for everyone's routes
    line: int | None = None  # the line's number in that player's score, from 0


@dataclass(frozen=True, slots=True)
class Counting:
    """The points of a game as they are counted before everyone, a step at a time."""

    steps: tuple[CountingStep, ...]
    ends_at_s: float  # when the winner is announced


def phase_of(table: TableState, seated: Collection[SeatId], at_s: float) -> Phase:
    """Return the phase at a moment; `seated` are the seats that phones have."""
    if table.ended:
        counting = counting_of(table)
        if counting is None:
            return "show_tickets"
        return "counting" if at_s < counting.ends_at_s else "winner"
    if table.last_turns_by is not None:
        return "last_turns"
    if table.held or table.turn is not None:
        return "play"
    people = {player.seat for player in table.players if not player.computer} - table.left
    return "tickets" if people.issubset(seated) else "seats"


def counting_of(table: TableState) -> Counting | None:
    """Return the steps in which the points are counted; None if nobody has begun it.

    Tickets come player by player, whose routes are worth least first, then the bonuses, one kind
    after the other, and the longest path last.
    """
    if table.counted_at_s is None or not (table.ended and table.counted):
        return None
    scores = list(zip(table.players, table.score.standing.players, strict=True))
    scores.sort(key=lambda one: one[1].route_points)
    lines = [(p.seat, i, line.kind) for p, score in scores for i, line in enumerate(score.lines)]
    kinds = dict.fromkeys(kind for _, _, kind in lines if kind != "route")
    tickets = [one for one in lines if one[2].startswith("ticket_") or one[2] == "borrowed"]
    bonuses = [kind for kind in kinds if not (kind.startswith("ticket_") or kind == "borrowed")]
    bonuses.sort(key=PATH_KINDS.__contains__)
    order = [*tickets, *(one for kind in bonuses for one in lines if one[2] == kind)]
    first_s, step_s = table.counted_at_s + FIRST_S, min(STEP_S, MOST_S / max(1, len(order)))
    steps = [
        CountingStep(first_s + i * step_s, seat, line) for i, (seat, line, _) in enumerate(order)
    ]
    ends_at_s = max(first_s + len(order) * step_s - step_s, table.counted_at_s) + LAST_S
    return Counting((CountingStep(table.counted_at_s), *steps), ends_at_s)


def counting_facts(game: GameState, *, is_asked: bool) -> tuple[PointsCounted, ...]:
    """Return that the points are counted: once all have shown their tickets, and nothing is asked.

    Whoever plays holds a ticket, so who has shown none may not have kept them on a phone. A count
    that was taken back comes again by itself only after another ticket or end.
    """
    table, causes = game.table, (GameEnded, TicketRevealed, PointsCounted)
    hands = [table.tickets.get(seat, ()) for seat in table.playing]
    if not table.ended or table.unrevealed or is_asked or not all(hands):
        return ()
    last = next(one.fact for one in reversed(game.events) if isinstance(one.fact, causes))
    return () if isinstance(last, PointsCounted) else (PointsCounted(),)
