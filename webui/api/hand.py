"""Calls about tickets in a hand, which are secret, as is their number.

A phone sees the tickets that were kept since it took its seat, and older ones that it enters again:
whoever takes over a freed seat, above all the host, must not see another person's hand. Entering an
existing ticket looks like keeping a new one, so tickets cannot be found out by trying.

The host's phone also keeps the hands of players without a phone, with the same rule.
"""

from dataclasses import dataclass, replace
from typing import Annotated

import msgspec
from railspotter.scoring.board import Identifier
from railspotter.scoring.game import TicketText
from railspotter.scoring.points.outlook import tickets_outlook
from railspotter.scoring.points.stations import StationWay
from railspotter.scoring.sentence import Sentence
from railspotter.table.game_log.budgets import Writer
from railspotter.table.game_log.errors import EventError
from railspotter.table.game_log.facts import Fact
from railspotter.table.game_log.game_state import GameState
from railspotter.table.game_log.people_facts import TicketDropped, TicketRevealed, TicketTaken
from railspotter.table.game_log.table_state import HeldTicket
from railspotter.table.live_table.commands import AddFacts
from railspotter.table.live_table.table_view import TableView

from ..access import hands
from .calls import Body, CallRequest, Who, call
from .game import Undo, player_at, table_of, written
from .refusals import CallError

# The owner of the hand in the host's calls, for their descriptions.
OTHER = "a player without a phone"
SHOWN = Sentence("This ticket was shown to everybody: undo that first.")
Points = Annotated[int, msgspec.Meta(ge=1, le=100)]


class KeptTicket(Body, frozen=True):
    """A ticket by its two places; `points` where the deck has it not."""

    a: Identifier
    b: Identifier
    points: Points | None = None


class HandTicket(msgspec.Struct, frozen=True):
    """A ticket in a hand, and what can still become of it."""

    a: str
    b: str
    points: int
    is_revealed: bool
    is_done: bool
    is_possible: bool
    is_undecided: bool  # whether looking for a way took too many steps
    trains_needed: int | None
    routes: tuple[str, ...]  # still to claim
    with_stations: StationWay | None  # Europe, where trains alone do not do it


class HandAnswer(msgspec.Struct, frozen=True):
    """The tickets of a hand, as far as the phone may know them."""

    seat: str
    tickets: list[HandTicket]
    is_taken_over: bool  # whether tickets were kept in this seat before the phone had it
    is_all_shown: bool
    worst: int  # ticket points if no other ticket is completed any more
    best: int  # ticket points if each one that can be completed is


class RevealedHand(HandAnswer, frozen=True):
    """A hand after tickets of it were shown."""

    number: int  # of the state that has it
    undo: Undo | None


@dataclass(frozen=True)
class Hand:
    """A hand, with the rights of the requesting phone."""

    seat: str
    since: int  # how many of the game's events are hidden from it
    is_hidden: bool = False  # whether its dealt cards are hidden: see `webui/access/hands`


@call("GET", "/hand", Who.PLAYER, whose="the own hand")
@call("GET", "/players/{seat}/hand", Who.HOST, whose=OTHER)
def get_hand(request: CallRequest, seat: str | None = None) -> HandAnswer:
    """The tickets of {whose}."""
    return _hand_answer(request, hand_of(request, seat))


def _hand_answer(request: CallRequest, hand: Hand) -> HandAnswer:
    game = request.session.table.log.state
    table = game.table
    player = table.player(hand.seat)
    if player is None:
        raise CallError(404, "unknown", "Your seat is no longer in the game.")
    held_here = _own_tickets(game, hand)
    known = replace(table, tickets={**table.tickets, hand.seat: held_here})
    seen = tickets_outlook(known.full_position, player.colour)
    return HandAnswer(
        seat=hand.seat,
        tickets=[
            HandTicket(
                a=held.ticket.a,
                b=held.ticket.b,
                points=one.ticket.points,
                is_revealed=held.revealed,
                is_done=one.completed,
                is_possible=one.completed or (one.is_possible and not table.ended),
                is_undecided=one.is_undecided and not table.ended,
                trains_needed=None if table.ended else one.trains_needed,
                routes=() if table.ended else one.routes,
                with_stations=None if table.ended else one.with_stations,
            )
            for held, one in zip(held_here, seen.tickets, strict=True)
        ],
        is_taken_over=_is_taken_over(game, hand),
        is_all_shown=all(held.revealed for held in _all_tickets(game, hand)),
        worst=seen.worst,
        best=seen.worst if table.ended else seen.best,
    )


@call("POST", "/hand", Who.PLAYER, whose="the own hand")
@call("POST", "/players/{seat}/hand", Who.HOST, whose=OTHER)
def keep_ticket(request: CallRequest, body: KeptTicket, seat: str | None = None) -> HandAnswer:
    """Keeps a ticket of {whose}."""
    hand, game = hand_of(request, seat), request.session.table.log.state
    require_typed_tickets(request)
    ticket = TicketText(body.a, body.b, body.points)
    if _find(_own_tickets(game, hand), body.a, body.b) is not None:
        raise CallError(409, "changed", "You have this ticket already.")
    older = _find(_all_tickets(game, hand), body.a, body.b)
    facts: list[Fact] = [TicketTaken(hand.seat, ticket)]
    if older is not None and older.revealed:
        raise CallError(409, "changed", SHOWN)
    if older is not None:  # replace it by this phone's, with the points that it sent
        facts.insert(0, TicketDropped(hand.seat, older.ticket))
    try:
        request.execute(AddFacts(facts))
    except EventError as error:
        reason = error.sentence.values.get("error", error.sentence)
        message = Sentence("There is no such ticket: {error}.", error=reason)
        raise CallError(400, "wrong", message) from error
    return _hand_answer(request, hand)


@call("DELETE", "/hand", Who.PLAYER, whose="the own hand")
@call("DELETE", "/players/{seat}/hand", Who.HOST, whose=OTHER)
def drop_ticket(request: CallRequest, body: KeptTicket, seat: str | None = None) -> HandAnswer:
    """A ticket is not of {whose}."""
    hand = hand_of(request, seat)
    require_typed_tickets(request)
    held = _required_ticket(request.session.table.log.state, hand, body.a, body.b)
    if held.revealed:
        raise CallError(409, "changed", SHOWN)
    request.execute(AddFacts([TicketDropped(hand.seat, held.ticket)]))
    return _hand_answer(request, hand)


def require_typed_tickets(request: CallRequest) -> None:
    """Raise `CallError` where the program deals the tickets."""
    if table_of(request).dealing is not None:
        raise CallError(409, "dealt", "The tickets are dealt to the phones in this game.")


@call("POST", "/hand/reveal", Who.PLAYER, whose="the own hand")
@call("POST", "/players/{seat}/hand/reveal", Who.HOST, whose=OTHER)
def reveal_tickets(
    request: CallRequest,
    seat: str | None = None,
    *,
    a: Identifier | None = None,
    b: Identifier | None = None,
) -> RevealedHand:
    """Shows a ticket of {whose} to everyone, or all of them; after the last one all are counted."""
    hand = hand_of(request, seat)
    if (a is None) != (b is None):
        raise CallError(400, "wrong", "A ticket is named by both its places.")

    def facts(view: TableView, by: Writer) -> list[Fact]:
        # Of the game as it is when they are written: meanwhile somebody may have undone its end.
        tickets = (
            [_required_ticket(view.game, hand, a, b)]
            if a is not None and b is not None
            # At the end all tickets count, also those that an earlier phone kept.
            else (_all_tickets if view.game.table.ended else _own_tickets)(view.game, hand)
        )
        return [TicketRevealed(hand.seat, held.ticket) for held in tickets if not held.revealed]

    events = request.execute(AddFacts(facts))
    done, answer = written(request, events), _hand_answer(request, hand)
    return RevealedHand(**msgspec.structs.asdict(answer), number=done.number, undo=done.undo)


def hand_of(request: CallRequest, seat: str | None) -> Hand:
    """Return a seat's hand, by default the phone's own; raises `CallError` without access."""
    return _own_hand(request) if seat is None else _other_hand(request, seat)


def _own_hand(request: CallRequest) -> Hand:
    device = request.phone
    if device is None or device.seat is None:
        raise CallError(403, "not your role", "Take a seat first.")
    player = table_of(request).player(device.seat)
    if player is not None and player.computer:
        raise CallError(409, "taken", "A computer plays in this seat.")
    if device.hand_from is not None:
        return _hand(request, device.seat, device.hand_from)
    # The phone came with its seat from another game, and asks for its hand for the first time.
    seat, game = device.seat, request.session.table.log.state
    devices = request.access.change(
        lambda devices: (
            hands.with_seat_taken(game, devices, device, seat)
            if devices.current(device) == device
            else devices
        )
    )
    now = devices.current(device) or device
    return _hand(request, seat, now.hand_from or 0)


def _other_hand(request: CallRequest, seat: str) -> Hand:
    game = request.session.table.log.state
    if player_at(game.table, seat).computer:
        if game.table.ended:  # a person may have had it before
            return Hand(seat, len(game.events), is_hidden=True)
        raise CallError(409, "taken", "A computer plays in this seat.")
    device = request.phone
    if device is None:
        raise CallError(403, "not your role", "Take a seat first.")
    if request.access.devices.at(seat) is not None:
        raise CallError(409, "taken", "This player's tickets are on their own phone.")
    since = device.other_hands.get(seat)
    if since is None:
        devices = request.access.change(
            lambda devices: (
                hands.with_hand_kept(game, devices, device, seat)
                if devices.current(device) == device and devices.at(seat) is None
                else devices
            )
        )
        now = devices.current(device) or device
        since = now.other_hands.get(seat, len(game.events))
        request.session.feed.now()  # publishes who keeps it
    return _hand(request, seat, since)


def _hand(request: CallRequest, seat: str, since: int) -> Hand:
    game, devices = request.session.table.log.state, request.access.devices
    if game.table.started.cards != "phones":
        return Hand(seat, since)
    if not hands.is_hidden(game, devices, seat, since):
        return Hand(seat, 0)
    return Hand(seat, since if game.table.dealing is None else len(game.events), is_hidden=True)


def _all_tickets(game: GameState, hand: Hand) -> tuple[HeldTicket, ...]:
    """Return all tickets of the hand, including those hidden from the phone."""
    return game.table.tickets.get(hand.seat, ())


def _own_tickets(game: GameState, hand: Hand) -> tuple[HeldTicket, ...]:
    """Return the tickets of the hand that the phone may see."""
    since = hands.tickets_kept_since(game, hand.seat, hand.since)
    return tuple(one for one in _all_tickets(game, hand) if one.revealed or one.ends in since)


def _is_taken_over(game: GameState, hand: Hand) -> bool:
    """Tell whether tickets were kept in this seat before the phone had it.

    Entering them again does not change it: else they could be found out by trying.
    """
    return any(
        isinstance(event.fact, TicketTaken) and event.fact.seat == hand.seat
        for event in game.events[: hand.since]
    )


def _find(tickets: tuple[HeldTicket, ...], a: str, b: str) -> HeldTicket | None:
    return next((held for held in tickets if held.ends == frozenset((a, b))), None)


def _required_ticket(game: GameState, hand: Hand, a: str, b: str) -> HeldTicket:
    held = _find(_own_tickets(game, hand), a, b)
    if held is None:
        raise CallError(404, "unknown", "You do not have this ticket.")
    return held
