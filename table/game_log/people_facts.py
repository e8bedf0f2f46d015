"""Facts about players: seats, names, colours, tickets and score markers.

A player is identified by a seat id; names and colours may change.
"""

import re
from collections.abc import Collection
from dataclasses import replace
from typing import Annotated, ClassVar

import msgspec
from railspotter.scoring.board import Identifier
from railspotter.scoring.errors import GameError
from railspotter.scoring.game import TicketText, parse_ticket
from railspotter.scoring.legality import number_rule
from railspotter.scoring.names import Name, ShortName, Title
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot

from .errors import EventError
from .facts import Event, Fact, PersonId, SeatId, Strength, Thing
from .table_state import HeldTicket, TableState


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A player."""

    seat: Identifier  # fixed for the whole game
    colour: Name
    name: Title = ""
    shape: ShortName = ""  # the name of the accessible edition's pieces of that colour
    computer: Strength = ""  # the computer player's strength; empty for a person
    person: PersonId = ""  # set where the name alone would mean somebody else


def free_seat(name: str, taken: Collection[str]) -> SeatId:
    """Make an unused seat id from a name.

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
    """Raise `EventError` for an unknown seat."""
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
    """Base of facts about one player."""

    seat: Identifier

    @property
    def about(self) -> frozenset[Thing]:
        """The player."""
        return frozenset({("seat", self.seat)})

    def check(self, table: TableState) -> None:
        """Refuse a seat that nobody has."""
        require_seat(table, self.seat, f"{self.kind}.seat")


class PlayerRenamed(SeatFact, frozen=True):
    """A player was renamed, or somebody else plays in the seat."""

    name: Title
    person: PersonId = ""  # as a `Player`'s

    def apply(self, table: TableState, event: Event) -> TableState:
        """Set the name, and who it is."""
        return _with_player(table, self.seat, name=self.name, person=self.person)


class PlayerRecoloured(SeatFact, frozen=True):
    """A player's colour was corrected; the pieces on the board stay the player's."""

    colour: Name
    shape: ShortName = ""

    def check(self, table: TableState) -> None:
        """Refuse another player's colour."""
        super().check(table)
        _require_free(table, self.colour, self.seat, "player_recoloured.colour")

    def apply(self, table: TableState, event: Event) -> TableState:
        """Set the player's colour, and that of the player's pieces on the board."""
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
    """Two players swap seats: names, tickets and payments are exchanged.

    Colours, trains and turn order stay as they are.
    """

    is_final_with_phones: ClassVar[bool] = True
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
        """Exchange the two players."""
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
    """A player joined a running game, or came back."""

    is_final_with_phones: ClassVar[bool] = True
    player: Player
    # The index in the turn order; None for the previous one, else the last.
    place: Annotated[int, msgspec.Meta(ge=0, le=12)] | None = None

    @property
    def about(self) -> frozenset[Thing]:
        """The player."""
        return frozenset({("seat", self.player.seat)})

    def check(self, table: TableState) -> None:
        """Refuse a player who plays already, and another player's colour."""
        seat = self.player.seat
        if table.player(seat) is not None and seat not in table.left:
            raise EventError("player_came_in.player.seat: {seat!r} plays already", seat=seat)
        _require_free(table, self.player.colour, seat, "player_came_in.player.colour")

    def apply(self, table: TableState, event: Event) -> TableState:
        """Insert the player; one who comes back gets the old place."""
        seat, place = self.player.seat, self.place
        seats = [player.seat for player in table.players]
        if place is None:
            place = seats.index(seat) if seat in seats else len(seats)
        others = [player for player in table.players if player.seat != seat]
        players = (*others[:place], self.player, *others[place:])
        # The user confirmed more players than the rules allow: it becomes a house rule.
        rules = table.started.house_rules | number_rule(table.edition, len(players))
        started = msgspec.structs.replace(table.started, house_rules=rules)
        return replace(table, started=started, players=players, left=table.left - {seat})


class PlayerLeft(SeatFact, frozen=True):
    """A player takes no more turns; trains and tickets still count."""

    is_final_with_phones: ClassVar[bool] = True

    def apply(self, table: TableState, event: Event) -> TableState:
        """Mark the player as left."""
        return replace(table.without_turn(self.seat), left=table.left | {self.seat})


class PlayerHandedOver(SeatFact, frozen=True):
    """A computer takes over a player's seat and hand, or a person takes it back."""

    is_final_with_phones: ClassVar[bool] = True
    computer: Strength = ""  # the computer player's strength; empty for a person again

    def check(self, table: TableState) -> None:
        """Refuse a computer with cards on the table, and the seat of a player who has left."""
        super().check(table)
        if table.dealing is None and self.computer:
            raise EventError("a computer plays only where the cards are on phones")
        if self.seat in table.left:
            raise EventError("{field}: {name!r} has left", field=self.kind, name=self.seat)

    def apply(self, table: TableState, event: Event) -> TableState:
        """Set who plays in the seat."""
        return _with_player(table, self.seat, computer=self.computer)


class HandPassedOn(SeatFact, frozen=True):
    """A new phone in a player's seat may now see the hand."""

    is_final: ClassVar[bool] = True
    # The player who vouched for the phone; None for the host.
    by: Identifier | None = None
    is_new: bool = False  # whether nobody vouched, and the hand was dealt anew

    def check(self, table: TableState) -> None:
        """Refuse seats that nobody has."""
        super().check(table)
        if self.by is not None:
            require_seat(table, self.by, "hand_passed_on.by")


class TicketFact(SeatFact, frozen=True):
    """Base of facts about a ticket in a player's hand."""

    ticket: TicketText

    @property
    def spots(self) -> Collection[Spot]:
        """Both ends, as spots of stations, to check that the places exist."""
        return (Spot("station", self.ticket.a), Spot("station", self.ticket.b))

    @property
    def about(self) -> frozenset[Thing]:
        """The ticket in that player's hand."""
        return frozenset({("ticket", self.seat, *sorted((self.ticket.a, self.ticket.b)))})

    def check_ticket(self, table: TableState) -> None:
        """Raise `EventError` if the edition has no such ticket."""
        try:
            parse_ticket(self.ticket, table.edition, table.board, "ticket")
        except GameError as error:
            reason = error.sentence.values.get("error", error.sentence)
            raise EventError("{field}.ticket: {error}", field=self.kind, error=reason) from error

    def _is_held(self, table: TableState) -> bool:
        ends = HeldTicket(self.ticket).ends
        return any(held.ends == ends for held in table.tickets.get(self.seat, ()))

    def _title(self) -> Sentence:
        return Sentence("the ticket {a} - {b}", a=self.ticket.a, b=self.ticket.b)

    def _with_ticket(self, table: TableState, *, revealed: bool = False) -> TableState:
        """Return the table with the ticket in the seat's hand."""
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


class TicketTaken(TicketFact, frozen=True):
    """A player kept a ticket. Secret until it is revealed."""

    is_final_with_phones: ClassVar[bool] = True

    def check(self, table: TableState) -> None:
        """Refuse a ticket that is in the hand already, or does not exist."""
        super().check(table)
        if self._is_held(table):
            raise EventError(
                "ticket_taken.ticket: {name!r} has {ticket} already",
                name=self.seat,
                ticket=self._title(),
            )
        self.check_ticket(table)

    def apply(self, table: TableState, event: Event) -> TableState:
        """Add it to the hand."""
        return self._with_ticket(table)


class TicketDropped(TicketFact, frozen=True):
    """A ticket is removed from a player's hand: it was entered by mistake."""

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
        """Remove it from the hand."""
        ends = HeldTicket(self.ticket).ends
        hand = tuple(held for held in table.tickets.get(self.seat, ()) if held.ends != ends)
        return replace(table, tickets={**table.tickets, self.seat: hand})


class TicketRevealed(TicketFact, frozen=True):
    """A player shows a ticket to everyone."""

    def check(self, table: TableState) -> None:
        """Refuse a ticket that does not exist."""
        super().check(table)
        self.check_ticket(table)

    def apply(self, table: TableState, event: Event) -> TableState:
        """Mark it as revealed, adding it to the hand if needed."""
        return self._with_ticket(table, revealed=True)


class MarkerCompared(SeatFact, frozen=True):
    """A player entered the number at the score marker, to compare it with the score."""

    said: Annotated[int, msgspec.Meta(ge=-1000, le=10_000)]

    @property
    def about(self) -> frozenset[Thing]:
        """The player's marker."""
        return frozenset({("marker", self.seat)})

    def apply(self, table: TableState, event: Event) -> TableState:
        """Store the number."""
        return replace(table, markers={**table.markers, self.seat: self.said})
