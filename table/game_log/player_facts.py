"""Facts about the people at the table: who plays, and which tickets they hold.

A player is named by a seat, which stays with the person whatever the name or the colour.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Annotated

import msgspec
from railspotter.scoring.board import Identifier
from railspotter.scoring.game import TicketText

from .facts import Colour, Fact, Shape, Thing, Title

SeatId = str


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Somebody at the table.

    Attributes
    ----------
    seat : str
        Stays with the person for the whole game, whatever the name or the colour.
    shape : str
        What the accessible edition's pieces of that colour are called.
    """

    seat: Identifier
    colour: Colour
    name: Title = ""
    shape: Shape = ""


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


class OfSeat(Fact, frozen=True):
    """Something about one player."""

    seat: Identifier

    @property
    def about(self) -> frozenset[Thing]:
        """The player."""
        return frozenset({("seat", self.seat)})


class PlayerRenamed(OfSeat, frozen=True):
    """A player has another name."""

    name: Title


class PlayerRecoloured(OfSeat, frozen=True):
    """A player's trains are of another colour than was said; what lies there stays the player's."""

    colour: Colour
    shape: Shape = ""


class SeatsSwapped(Fact, frozen=True):
    """Two players were taken for each other.

    Colours, trains and turn order stay as they are; the two change over, with name and tickets.
    """

    seat: Identifier
    other: Identifier

    @property
    def about(self) -> frozenset[Thing]:
        """Both players."""
        return frozenset({("seat", self.seat), ("seat", self.other)})


class PlayerCameIn(Fact, frozen=True):
    """Somebody joined a running game, or came back.

    Attributes
    ----------
    place : int, optional
        In the turn order, from 0; without it, last, or where the player sat before.
    """

    player: Player
    place: Annotated[int, msgspec.Meta(ge=0, le=12)] | None = None

    @property
    def about(self) -> frozenset[Thing]:
        """The player."""
        return frozenset({("seat", self.player.seat)})


class PlayerLeft(OfSeat, frozen=True):
    """A player takes no more turns; trains and tickets still count."""


class OfTicket(OfSeat, frozen=True):
    """Something about one ticket of a player."""

    ticket: TicketText

    @property
    def about(self) -> frozenset[Thing]:
        """The ticket in that player's hand."""
        return frozenset({("ticket", self.seat, *sorted((self.ticket.a, self.ticket.b)))})


class TicketTaken(OfTicket, frozen=True):
    """A player kept a ticket. Nobody else's business until it is revealed."""


class TicketDropped(OfTicket, frozen=True):
    """A player does not have that ticket after all."""


class TicketRevealed(OfTicket, frozen=True):
    """A player shows a ticket to everyone."""


class MarkerCompared(OfSeat, frozen=True):
    """The number where a player's score marker stands, for comparison."""

    said: Annotated[int, msgspec.Meta(ge=-1000, le=10_000)]

    @property
    def about(self) -> frozenset[Thing]:
        """The player's marker."""
        return frozenset({("marker", self.seat)})
