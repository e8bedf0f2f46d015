"""Calls about the own tickets: nobody else learns of them, not even that there are some.

A phone sees the tickets that were kept since it took its seat, and older ones that it names again:
who takes over a seat that was freed, the host above all, must not read another's hand. Naming one
that lies there looks like keeping a new one, so nobody finds out by trying.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import msgspec
from railspotter.scoring import outlook, position_of
from railspotter.scoring.board import Identifier
from railspotter.scoring.game import TicketText
from railspotter.scoring.sentence import Sentence
from railspotter.table.game_log import (
    AnyFact,
    Event,
    EventError,
    HeldTicket,
    TicketDropped,
    TicketRevealed,
    TicketTaken,
    game_of,
)

from ..access import Device, Devices
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
    held_here = _own_tickets(request)
    known = replace(table, tickets={**table.tickets, seat: held_here})
    seen = outlook(position_of(game_of(known), table.board), player.colour)
    return {
        "seat": seat,
        "tickets": [
            {
                "a": held.ticket.a,
                "b": held.ticket.b,
                "points": one.ticket.points,
                "is_revealed": held.revealed,
                "is_done": one.completed,
                "is_possible": one.completed or (one.is_possible and not table.ended),
                "trains_needed": None if table.ended else one.trains_needed,
                "routes": () if table.ended else one.routes,
                "with_stations": None if table.ended else one.with_stations,
            }
            for held, one in zip(held_here, seen.tickets, strict=True)
        ],
        "is_taken_over": _is_taken_over(request),
        "is_all_shown": all(held.revealed for held in _all_tickets(request)),
        "worst": seen.worst,
        "best": seen.worst if table.ended else seen.best,
    }


def _keep(request: CallRequest) -> dict[str, Any]:
    body = request.body_as(KeptTicket)
    ticket = TicketText(body.a, body.b, body.points)
    with request.room.lock:
        if _find(_own_tickets(request), body.a, body.b) is not None:
            raise CallError(409, "changed", "You have this ticket already.")
        older = _find(_all_tickets(request), body.a, body.b)
        facts: list[AnyFact] = [TicketTaken(_seat(request), ticket)]
        if older is not None:  # from now on it is this phone's, with the points that it says
            facts.insert(0, TicketDropped(_seat(request), older.ticket))
        try:
            request.room.table.write(facts)
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
            # At the end all of it counts, also what the phone before this one kept.
            else list((_all_tickets if table_of(request).ended else _own_tickets)(request))
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


def _all_tickets(request: CallRequest) -> tuple[HeldTicket, ...]:
    """Return what lies in the hand, other phones' secrets too."""
    return table_of(request).tickets.get(_seat(request), ())


def _own_tickets(request: CallRequest) -> tuple[HeldTicket, ...]:
    """Return what this phone may know of its hand."""
    device = _opened(request)
    since = {
        frozenset((fact.ticket.a, fact.ticket.b))
        for fact in (event.fact for event in _events(request)[device.hand_from :])
        if isinstance(fact, TicketTaken) and fact.seat == device.seat
    }
    return tuple(held for held in _all_tickets(request) if held.revealed or held.ends in since)


def _is_taken_over(request: CallRequest) -> bool:
    """Whether tickets were kept in this seat before the phone had it.

    It stays so whatever is named again: else one could find out which ones by trying.
    """
    seat, before = _seat(request), _events(request)[: _opened(request).hand_from]
    return any(isinstance(event.fact, TicketTaken) and event.fact.seat == seat for event in before)


def _opened(request: CallRequest) -> Device:
    """Return the phone as it is now; its hand begins here where it came from another game."""
    known = request.device
    pairing = request.services.door.pairing
    device = pairing.devices.current(known) if known is not None else None
    if device is None or device.seat is None:
        raise CallError(403, "not your role", "Take a seat first.")
    if device.hand_from is None:
        opened = replace(device, hand_from=len(_events(request)))

        def changed(devices: Devices) -> Devices:
            return devices.put(opened) if devices.current(opened) is not None else devices

        pairing.change(changed)
        return opened
    return device


def _events(request: CallRequest) -> tuple[Event, ...]:
    return request.room.table.log.state.events


def _find(tickets: tuple[HeldTicket, ...], a: str, b: str) -> HeldTicket | None:
    return next((held for held in tickets if held.ends == frozenset((a, b))), None)


def _required_ticket(request: CallRequest, a: str, b: str) -> HeldTicket:
    held = _find(_own_tickets(request), a, b)
    if held is None:
        raise CallError(404, "unknown", "You do not have this ticket.")
    return held


CALLS = (
    Call("GET", "/hand", Who.PLAYER, "The own tickets.", _hand),
    Call("POST", "/hand", Who.PLAYER, "Keeps a ticket.", _keep, body=KeptTicket),
    Call("DELETE", "/hand", Who.PLAYER, "Has a ticket not after all.", _drop, body=KeptTicket),
    Call("POST", "/hand/reveal", Who.PLAYER, "Shows tickets to everyone.", _reveal, body=Shown),
)
