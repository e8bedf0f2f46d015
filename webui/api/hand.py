"""Calls about the own tickets: nobody else learns of them, not even that there are some."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from railspotter.scoring import outlook, position_of
from railspotter.scoring.board import Identifier
from railspotter.scoring.game import TicketText
from railspotter.table.game_log import (
    EventError,
    HeldTicket,
    TicketDropped,
    TicketRevealed,
    TicketTaken,
    game_of,
)

from .calls import Asked, Body, Call, CallError, Who
from .playing import done, table_of

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


def _hand(asked: Asked) -> dict[str, Any]:
    table, seat = table_of(asked), _seat(asked)
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
            for held, one in zip(_held(asked), seen.tickets, strict=True)
        ],
        "worst": seen.worst,
        "best": seen.worst if table.ended else seen.best,
    }


def _keep(asked: Asked) -> dict[str, Any]:
    said = asked.said(KeptTicket)
    ticket = TicketText(said.a, said.b, said.points)
    with asked.room.saying:
        if _find(asked, said.a, said.b) is not None:
            raise CallError(409, "changed", "You have this ticket already.")
        try:
            asked.room.table.write([TicketTaken(_seat(asked), ticket)])
        except EventError as error:
            _, _, why = str(error).partition(": ")
            raise CallError(400, "wrong", f"There is no such ticket: {why}.") from error
    return _hand(asked)


def _drop(asked: Asked) -> dict[str, Any]:
    said = asked.said(KeptTicket)
    with asked.room.saying:
        held = _required(asked, said.a, said.b)
        asked.room.table.write([TicketDropped(_seat(asked), held.ticket)])
    return _hand(asked)


def _reveal(asked: Asked) -> dict[str, Any]:
    said = asked.said(Shown)
    if (said.a is None) != (said.b is None):
        raise CallError(400, "wrong", "A ticket is named by both its places.")
    with asked.room.saying:
        one = said.a is not None and said.b is not None
        shown = [_required(asked, said.a or "", said.b or "")] if one else list(_held(asked))
        facts = [TicketRevealed(_seat(asked), held.ticket) for held in shown if not held.revealed]
        if facts:
            asked.room.table.write(facts)
    return {**_hand(asked), **done(asked)}


def _seat(asked: Asked) -> str:
    if asked.device is None or asked.device.seat is None:
        raise CallError(403, "not your role", "Take a seat first.")
    return asked.device.seat


def _held(asked: Asked) -> tuple[HeldTicket, ...]:
    return table_of(asked).tickets.get(_seat(asked), ())


def _find(asked: Asked, a: str, b: str) -> HeldTicket | None:
    return next((held for held in _held(asked) if held.ends == frozenset((a, b))), None)


def _required(asked: Asked, a: str, b: str) -> HeldTicket:
    held = _find(asked, a, b)
    if held is None:
        raise CallError(404, "unknown", "You do not have this ticket.")
    return held


CALLS = (
    Call("GET", "/hand", Who.PLAYER, "The own tickets.", _hand),
    Call("POST", "/hand", Who.PLAYER, "Keeps a ticket.", _keep, body=KeptTicket),
    Call("DELETE", "/hand", Who.PLAYER, "Has a ticket not after all.", _drop, body=KeptTicket),
    Call("POST", "/hand/reveal", Who.PLAYER, "Shows tickets to everyone.", _reveal, body=Shown),
)
