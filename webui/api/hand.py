"""Calls about the own tickets: nobody else learns of them, not even that there are some."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from railspotter.scoring import outlook, position_of
from railspotter.scoring.board import Identifier
from railspotter.scoring.game import TicketText
from railspotter.scoring.sentence import Sentence
from railspotter.table.game_log import (
    EventError,
    HeldTicket,
    TicketDropped,
    TicketRevealed,
    TicketTaken,
    game_of,
)

from .calls import Body, Call, CallError, CallRequest, Who
from .game import table_of, written

Points = Annotated[int, msgspec.Meta(ge=1, le=100)]


class KeptTicket(Body, frozen=True):
    """A ticket by its two places; `points` where the deck has it not."""

    a: Identifier
    b: Identifier
    points: Points | None = None


class Shown(Body, frozen=True):
    """The ticket that is shown to everyone; without it, all of the hand."""

    a: Identifier | None = None
    b: Identifier | None = None


def _hand(request: CallRequest) -> dict[str, Any]:
    table, seat = table_of(request), _seat(request)
    player = table.player(seat)
    if player is None:
        raise CallError(404, "unknown", "Your seat is no longer in the game.")
    seen = outlook(position_of(game_of(table), table.board), player.colour)
    return {
        "seat": seat,
        "tickets": [
            {
                "a": held.ticket.a,
                "b": held.ticket.b,
                "points": one.ticket.points,
                "is_revealed": held.revealed,
                "is_done": one.completed,
                "is_possible": one.completed or (one.trains_needed is not None and not table.ended),
                "trains_needed": None if table.ended else one.trains_needed,
                "routes": () if table.ended else one.routes,
            }
            for held, one in zip(_own_tickets(request), seen.tickets, strict=True)
        ],
        "worst": seen.worst,
        "best": seen.worst if table.ended else seen.best,
    }


def _keep(request: CallRequest) -> dict[str, Any]:
    body = request.body_as(KeptTicket)
    ticket = TicketText(body.a, body.b, body.points)
    with request.room.lock:
        if _find(request, body.a, body.b) is not None:
            raise CallError(409, "changed", "You have this ticket already.")
        try:
            request.room.table.write([TicketTaken(_seat(request), ticket)])
        except EventError as error:
            reason = error.sentence.values.get("error", error.sentence)
            message = Sentence("There is no such ticket: {error}.", error=reason)
            raise CallError(400, "wrong", message) from error
    return _hand(request)


def _drop(request: CallRequest) -> dict[str, Any]:
    body = request.body_as(KeptTicket)
    with request.room.lock:
        held = _required_ticket(request, body.a, body.b)
        request.room.table.write([TicketDropped(_seat(request), held.ticket)])
    return _hand(request)


def _reveal(request: CallRequest) -> dict[str, Any]:
    body = request.body_as(Shown)
    if (body.a is None) != (body.b is None):
        raise CallError(400, "wrong", "A ticket is named by both its places.")
    with request.room.lock:
        one = body.a is not None and body.b is not None
        tickets = (
            [_required_ticket(request, body.a or "", body.b or "")]
            if one
            else list(_own_tickets(request))
        )
        facts = [
            TicketRevealed(_seat(request), held.ticket) for held in tickets if not held.revealed
        ]
        events = request.room.table.write(facts) if facts else ()
    return {**_hand(request), **written(request, events)}


def _seat(request: CallRequest) -> str:
    if request.device is None or request.device.seat is None:
        raise CallError(403, "not your role", "Take a seat first.")
    return request.device.seat


def _own_tickets(request: CallRequest) -> tuple[HeldTicket, ...]:
    return table_of(request).tickets.get(_seat(request), ())


def _find(request: CallRequest, a: str, b: str) -> HeldTicket | None:
    return next((held for held in _own_tickets(request) if held.ends == frozenset((a, b))), None)


def _required_ticket(request: CallRequest, a: str, b: str) -> HeldTicket:
    held = _find(request, a, b)
    if held is None:
        raise CallError(404, "unknown", "You do not have this ticket.")
    return held


CALLS = (
    Call("GET", "/hand", Who.PLAYER, "The own tickets.", _hand),
    Call("POST", "/hand", Who.PLAYER, "Keeps a ticket.", _keep, body=KeptTicket),
    Call("DELETE", "/hand", Who.PLAYER, "Has a ticket not after all.", _drop, body=KeptTicket),
    Call("POST", "/hand/reveal", Who.PLAYER, "Shows tickets to everyone.", _reveal, body=Shown),
)
