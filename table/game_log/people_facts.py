"""Facts about the people at the table: who sits where, their tickets and score markers.

A player is named by a seat, which stays with the person whatever the name or the colour.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from typing import Annotated, ClassVar

import msgspec
from railspotter.scoring.board import Identifier
from railspotter.scoring.errors import GameError
from railspotter.scoring.game import TicketText, kept_ticket
from railspotter.scoring.legality import number_rule
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot

from .errors import EventError
from .facts import Colour, Event, Fact, SeatId, Shape, Strength, Thing, Title
from .table_state import HeldTicket, TableState


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Somebody at the table."""

    seat: Identifier  # stays with the person for the whole game, whatever the name or the colour
    colour: Colour
    name: Title = ""
    shape: Shape = ""  # what the accessible edition's pieces of that colour are called
    computer: Strength = ""  # how strong a computer plays in this seat; empty for a person


def free_seat(name: str, taken: Collection[str]) -> SeatId:
    """Return a seat for somebody of that name, which nobody has yet.

    Examples
    --------
    >>> free_seat("Anna Maria", []), free_seat("Bo!", ["bo"]), free_seat("李", [])
    ('anna-maria', 'bo-2', 'seat')
    """
    seat = plain = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:60].strip("-") or "seat"
    number = 1
    while seat in taken:
        number += 1
        seat = f"{plain}-{number}"
    return seat


def require_seat(table: TableState, seat: SeatId, where: str) -> None:
    """Refuse a seat that nobody has; raises `EventError`."""
    if table.player(seat) is None:
        raise EventError(
            "{field}: there is no seat {seat!r}; there are {error}",
            field=where,
            seat=seat,
            error=", ".join(player.seat for player in table.players),
        )


def _require_free(table: TableState, colour: str, seat: SeatId, where: str) -> None:
    if any(player.colour == colour and player.seat != seat for player in table.players):
        raise EventError("{field}: {colour!r} is another player's", field=where, colour=colour)


def _with_player(table: TableState, seat: SeatId, **changes: str) -> TableState:
    players = tuple(
        msgspec.structs.replace(player, **changes) if player.seat == seat else player
        for player in table.players
    )
    return replace(table, players=players)


class SeatFact(Fact, frozen=True):
    """Something about one player."""

    seat: Identifier

    @property
    def about(self) -> frozenset[Thing]:
        """The player."""
        return frozenset({("seat", self.seat)})

    def check(self, table: TableState) -> None:
        """Refuse a seat that nobody has."""
        require_seat(table, self.seat, f"{self.kind}.seat")


class PlayerRenamed(SeatFact, frozen=True):
    """A player has another name."""

    name: Title

    def apply(self, table: TableState, event: Event) -> TableState:
        """Call the player so."""
        return _with_player(table, self.seat, name=self.name)


class PlayerRecoloured(SeatFact, frozen=True):
    """A player's trains are of another colour than was said; what lies there stays the player's."""

    colour: Colour
    shape: Shape = ""

    def check(self, table: TableState) -> None:
        """Refuse another player's colour."""
        super().check(table)
        _require_free(table, self.colour, self.seat, "player_recoloured.colour")

    def apply(self, table: TableState, event: Event) -> TableState:
        """Give the player the colour, and what lies on the board in the old one along with it."""
        player = table.player(self.seat)
        if player is None:
            return table
        old = player.colour
        table = _with_player(table, self.seat, colour=self.colour, shape=self.shape)
        if any(other.colour == old for other in table.players):
            return table
        spots = {
            spot: replace(held, colour=self.colour) if held.colour == old else held
            for spot, held in table.spots.items()
        }
        assigned = {
            trains: self.colour if whose == old else whose
            for trains, whose in table.assigned.items()
        }
        return replace(table, spots=spots, assigned=assigned)


class SeatsSwapped(Fact, frozen=True):
    """Two players were taken for each other.

    Colours, trains and turn order stay as they are; the two change over, with name and tickets.
    """

    bears_moves: ClassVar[bool] = True
    seat: Identifier
    other: Identifier

    @property
    def about(self) -> frozenset[Thing]:
        """Both players."""
        return frozenset({("seat", self.seat), ("seat", self.other)})

    def check(self, table: TableState) -> None:
        """Refuse seats that nobody has."""
        require_seat(table, self.seat, "seats_swapped.seat")
        require_seat(table, self.other, "seats_swapped.other")

    def apply(self, table: TableState, event: Event) -> TableState:
        """Let the two people change over."""
        first, second = table.player(self.seat), table.player(self.other)
        if first is None or second is None:
            return table
        people = {self.seat: second, self.other: first}
        players = tuple(
            msgspec.structs.replace(
                people.get(player.seat, player), colour=player.colour, shape=player.shape
            )
            for player in table.players
        )
        payments = {
            spot: replace(paid, seat=people[paid.seat].seat) if paid.seat in people else paid
            for spot, paid in table.payments.items()
        }
        return replace(table, players=players, payments=payments)


class PlayerCameIn(Fact, frozen=True):
    """Somebody joined a running game, or came back."""

    bears_moves: ClassVar[bool] = True
    player: Player
    # In the turn order, from 0; without it, last, or where the player sat before.
    place: Annotated[int, msgspec.Meta(ge=0, le=12)] | None = None

    @property
    def about(self) -> frozenset[Thing]:
        """The player."""
        return frozenset({("seat", self.player.seat)})

    def check(self, table: TableState) -> None:
        """Refuse who plays already, and another player's colour."""
        seat = self.player.seat
        if table.player(seat) is not None and seat not in table.left:
            raise EventError("player_came_in.player.seat: {seat!r} plays already", seat=seat)
        _require_free(table, self.player.colour, seat, "player_came_in.player.colour")

    def apply(self, table: TableState, event: Event) -> TableState:
        """Let the player play; who comes back sits where they sat."""
        seat, place = self.player.seat, self.place
        seats = [player.seat for player in table.players]
        if place is None:
            place = seats.index(seat) if seat in seats else len(seats)
        others = [player for player in table.players if player.seat != seat]
        players = (*others[:place], self.player, *others[place:])
        # Who lets in more than the box says was asked: it is a house rule from here on.
        rules = table.started.house_rules | number_rule(table.edition, len(players))
        started = msgspec.structs.replace(table.started, house_rules=rules)
        return replace(table, started=started, players=players, left=table.left - {seat})


class PlayerLeft(SeatFact, frozen=True):
    """A player takes no more turns; trains and tickets still count."""

    bears_moves: ClassVar[bool] = True

    def apply(self, table: TableState, event: Event) -> TableState:
        """Let the player play no more."""
        return replace(table.without_turn(self.seat), left=table.left | {self.seat})


class PlayerHandedOver(SeatFact, frozen=True):
    """A computer plays on in a player's seat, with that hand; or a person does again."""

    bears_moves: ClassVar[bool] = True
    computer: Strength = ""  # how strong the computer plays; empty for a person

    def check(self, table: TableState) -> None:
        """Refuse a computer where cards are on the table, and the seat of who has left."""
        super().check(table)
        if table.dealing is None and self.computer:
            raise EventError("a computer plays only where the cards are on phones")
        if self.seat in table.left:
            raise EventError("{field}: {name!r} has left", field=self.kind, name=self.seat)

    def apply(self, table: TableState, event: Event) -> TableState:
        """Let the computer play there, or the person."""
        return _with_player(table, self.seat, computer=self.computer)


class HandPassedOn(SeatFact, frozen=True):
    """A phone that took over a player's seat sees the cards there from now on."""

    is_final: ClassVar[bool] = True
    # The player who said whose phone it is; None for the host, whose phone had kept the hand.
    by: Identifier | None = None
    is_new: bool = False  # whether nobody said so, and the hand was dealt anew

    def check(self, table: TableState) -> None:
        """Refuse seats that nobody has."""
        super().check(table)
        if self.by is not None:
            require_seat(table, self.by, "hand_passed_on.by")


class OfTicket(SeatFact, frozen=True):
    """Something about one ticket of a player."""

    ticket: TicketText

    @property
    def spots(self) -> Collection[Spot]:
        """Both ends; where a station may stand, there is a place."""
        return (Spot("station", self.ticket.a), Spot("station", self.ticket.b))

    @property
    def about(self) -> frozenset[Thing]:
        """The ticket in that player's hand."""
        return frozenset({("ticket", self.seat, *sorted((self.ticket.a, self.ticket.b)))})

    def check_ticket(self, table: TableState) -> None:
        """Let scoring say whether there is such a ticket."""
        try:
            kept_ticket(self.ticket, table.edition, table.board, "ticket")
        except GameError as error:
            reason = error.sentence.values.get("error", error.sentence)
            raise EventError("{field}.ticket: {error}", field=self.kind, error=reason) from error

    def _is_held(self, table: TableState) -> bool:
        ends = HeldTicket(self.ticket).ends
        return any(held.ends == ends for held in table.tickets.get(self.seat, ()))

    def _title(self) -> Sentence:
        return Sentence("the ticket {a} - {b}", a=self.ticket.a, b=self.ticket.b)

    def _held(self, table: TableState, *, revealed: bool = False) -> TableState:
        """Return the table at which the seat holds it; who reveals one holds it."""
        ticket, hand = HeldTicket(self.ticket, revealed), table.tickets.get(self.seat, ())
        if self._is_held(table):
            hand = tuple(
                replace(held, revealed=held.revealed or revealed)
                if held.ends == ticket.ends
                else held
                for held in hand
            )
        else:
            hand = (*hand, ticket)
        return replace(table, tickets={**table.tickets, self.seat: hand})


class TicketTaken(OfTicket, frozen=True):
    """A player kept a ticket. Nobody else's business until it is revealed."""

    bears_moves: ClassVar[bool] = True

    def check(self, table: TableState) -> None:
        """Refuse a ticket that is in the hand, or that there is not."""
        super().check(table)
        if self._is_held(table):
            raise EventError(
                "ticket_taken.ticket: {name!r} has {ticket} already",
                name=self.seat,
                ticket=self._title(),
            )
        self.check_ticket(table)

    def apply(self, table: TableState, event: Event) -> TableState:
        """Put it in the hand."""
        return self._held(table)


class TicketDropped(OfTicket, frozen=True):
    """A player does not have that ticket after all."""

    def check(self, table: TableState) -> None:
        """Refuse a ticket that is not in the hand."""
        super().check(table)
        if not self._is_held(table):
            raise EventError(
                "ticket_dropped.ticket: {name!r} does not have {ticket}",
                name=self.seat,
                ticket=self._title(),
            )

    def apply(self, table: TableState, event: Event) -> TableState:
        """Take it out of the hand."""
        ends = HeldTicket(self.ticket).ends
        hand = tuple(held for held in table.tickets.get(self.seat, ()) if held.ends != ends)
        return replace(table, tickets={**table.tickets, self.seat: hand})


class TicketRevealed(OfTicket, frozen=True):
    """A player shows a ticket to everyone."""

    def check(self, table: TableState) -> None:
        """Refuse a ticket that there is not."""
        super().check(table)
        self.check_ticket(table)

    def apply(self, table: TableState, event: Event) -> TableState:
        """Show it; who shows a ticket holds it."""
        return self._held(table, revealed=True)


class MarkerCompared(SeatFact, frozen=True):
    """The number where a player's score marker stands, for comparison."""

    said: Annotated[int, msgspec.Meta(ge=-1000, le=10_000)]

    @property
    def about(self) -> frozenset[Thing]:
        """The player's marker."""
        return frozenset({("marker", self.seat)})

    def apply(self, table: TableState, event: Event) -> TableState:
        """Keep the number."""
        return replace(table, markers={**table.markers, self.seat: self.said})
