"""Moves: what a player does with cards and tickets, as values that are logged and sent.

A turn of drawing is two moves of one card each, so that a player sees the first before choosing
the second. What comes off a shuffled deck is no part of a move: see `Luck`.
"""

from collections.abc import Iterable
from typing import Annotated

import msgspec

from ..board import Identifier
from ..edition import Ticket
from ..errors import ScoringError
from ..game import TicketText
from ..names import Name
from ..spot import Kind, Spot

CardCounts = dict[Name, Annotated[int, msgspec.Meta(ge=1, le=100)]]


class MoveError(ScoringError):
    """A move that the rules refuse; its text holds every reason."""


class _Move(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="move",
    tag=lambda name: "".join("_" * (c.isupper() and i > 0) + c.lower() for i, c in enumerate(name)),
):
    """Something that a player does."""


class DrawCard(_Move, frozen=True):
    """Draw a train card: the one face up at `place`, from 0, or without it the top of the deck."""

    place: Annotated[int, msgspec.Meta(ge=0, le=4)] | None = None


class DrawTickets(_Move, frozen=True):
    """Draw tickets, of which some are then kept."""


class KeepTickets(_Move, frozen=True):
    """Keep some of the tickets that were drawn, or dealt at the start."""

    tickets: tuple[TicketText, ...]


def ticket_texts(tickets: Iterable[Ticket]) -> tuple[TicketText, ...]:
    """Return tickets as moves name them.

    >>> ticket_texts([Ticket("denver", "el-paso", 4)])
    (TicketText(a='denver', b='el-paso', points=4),)
    """
    return tuple(TicketText(ticket.a, ticket.b, ticket.points) for ticket in tickets)


class KeepOffered(_Move, frozen=True):
    """The Card Game: keep some of the tickets that were drawn, or dealt at the start.

    `places` tells which of them, from 0: two tickets may have the same cities there.
    """

    places: Annotated[
        tuple[Annotated[int, msgspec.Meta(ge=0, le=9)], ...], msgspec.Meta(max_length=10)
    ]


class CompleteTickets(_Move, frozen=True):
    """The Card Game: complete the held tickets at `places`, from 0, with the own stack."""

    places: Annotated[
        tuple[Annotated[int, msgspec.Meta(ge=0, le=200)], ...], msgspec.Meta(max_length=200)
    ]


class PlaceCards(_Move, frozen=True):
    """The Card Game: place train cards from the hand in the own railyard."""

    cards: CardCounts


class Pay(_Move, frozen=True):
    """Claim a route or a site, or build a station at a place, with cards."""

    kind: Kind
    id: Identifier  # of the route, the site or the place
    cards: CardCounts

    @property
    def spot(self) -> Spot:
        """What is claimed."""
        return Spot(self.kind, self.id)


class PayMore(_Move, frozen=True):
    """Play the additional cards that a tunnel asks for."""

    cards: CardCounts


class LeaveTunnel(_Move, frozen=True):
    """Take the cards for a tunnel back into the hand: the turn is over."""


class PassTurn(_Move, frozen=True):
    """Do nothing, where nothing can be done."""


class TakeBack(_Move, frozen=True):
    """Have the cards back that were paid for something that is not claimed after all."""

    kind: Kind
    id: Identifier
    cards: CardCounts  # what was paid


class ComeIn(_Move, frozen=True):
    """Be dealt a first hand, and first tickets to choose from, in a running game."""


class DealAnew(_Move, frozen=True):
    """Have as many other cards and tickets instead of those in the hand."""

    # Those that were kept and that nobody has seen: they go back.
    tickets: tuple[TicketText, ...] = ()
    # How many of the new ones have to be kept; 0, as in older logs, for as many as of the first.
    at_least: Annotated[int, msgspec.Meta(ge=0, le=200)] = 0


Move = (
    DrawCard
    | DrawTickets
    | KeepTickets
    | Pay
    | PayMore
    | LeaveTunnel
    | PassTurn
    | TakeBack
    | ComeIn
    | DealAnew
)
CardGameMove = DrawCard | DrawTickets | KeepOffered | CompleteTickets | PlaceCards | PassTurn
