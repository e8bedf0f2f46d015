"""Calls about photos of tickets: what lies there is told to who sent it, and kept nowhere.

The answer does not say who else has a ticket, which is secret until it is shown: the page marks
those that others have shown.
"""

from collections.abc import Sequence
from typing import Self

import msgspec
from railspotter.scoring.edition import Ticket
from railspotter.table.errors import PhotoError, TableError
from railspotter.table.ticket_photos.reading import SeenTicket, TicketDoubt
from werkzeug.datastructures import FileStorage

from ..words.translation import Statement
from .calls import CallRequest, Upload, Who, call
from .game import table_of
from .hand import OTHER, hand_of, require_typed_tickets
from .refusals import CallError, reason_of


class PhotographedTicket(msgspec.Struct, frozen=True):
    """A ticket of the deck."""

    a: str
    b: str
    points: int
    crop: bytes = b""  # its names in the photo, a JPEG in base64

    @classmethod
    def of(cls, ticket: SeenTicket | Ticket) -> Self:
        """Return it as a phone is told of it."""
        crop = ticket.crop if isinstance(ticket, SeenTicket) else b""
        return cls(ticket.a, ticket.b, ticket.points, crop)


class PhotographedDoubt(msgspec.Struct, frozen=True):
    """What may be a ticket."""

    why: str  # a sentence
    likeliest: list[PhotographedTicket]
    crop: bytes


class PhotographedTickets(msgspec.Struct, frozen=True):
    """What lies in photos of tickets."""

    tickets: list[PhotographedTicket]
    doubts: list[PhotographedDoubt]


@call("POST", "/hand/photo", Who.PLAYER, whose="own", upload=Upload.PHOTOS, rate="photo")
@call(
    "POST",
    "/players/{seat}/hand/photo",
    Who.HOST,
    whose=f"{OTHER}'s",
    upload=Upload.PHOTOS,
    rate="photo",
)
def read_tickets(
    request: CallRequest, photos: Sequence[FileStorage], seat: str | None = None
) -> PhotographedTickets:
    """Tells which tickets lie in photos of {whose} tickets; none is kept, and no photo."""
    hand_of(request, seat)
    require_typed_tickets(request)
    game = table_of(request)
    try:
        seen = request.services.photos.tickets(photos, game.board, game.edition)
    except PhotoError:
        raise
    except TableError as error:
        raise CallError(409, "no words", reason_of(error)) from error

    def doubt(one: TicketDoubt) -> PhotographedDoubt:
        likeliest = [PhotographedTicket.of(ticket) for ticket in one.likeliest]
        return PhotographedDoubt(request.translate(Statement(one.why)), likeliest, one.crop)

    return PhotographedTickets(
        [PhotographedTicket.of(t) for t in seen.tickets], [*map(doubt, seen.doubts)]
    )
