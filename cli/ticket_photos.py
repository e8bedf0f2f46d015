"""Tickets that the command's photos show: reading, telling and drawing them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.scoring.board import Board
from railspotter.scoring.edition import Edition, Ticket
from railspotter.table.errors import TableError
from railspotter.table.photo_file import save_picture
from railspotter.table.ticket_photos.deck import TicketDeck, ticket_deck_of
from railspotter.table.ticket_photos.reading import (
    Corners,
    SeenTicket,
    SeenTickets,
)

Ink = tuple[int, int, int]

CERTAIN_BGR, DOUBT_BGR = (60, 160, 40), (20, 120, 240)
LEAST_DETAIL = 2.0  # grey levels, of the Laplacian: far below any sharp photo of cards


def deck_for(edition: Edition, board: Board) -> TicketDeck:
    """Return the deck whose tickets are looked for; raises `TableError` where nobody knows it."""
    deck = ticket_deck_of(edition, board)
    if not deck.tickets:
        raise TableError("the tickets of {title} are not known here", title=deck.title)
    return deck


def ticket_json(ticket: SeenTicket | Ticket) -> dict[str, Any]:
    """Return a ticket as it stands in JSON."""
    return {"a": ticket.a, "b": ticket.b, "points": ticket.points}


def hand_json(seen: SeenTickets, photos: Sequence[str]) -> dict[str, Any]:
    """Return a hand as it stands in JSON."""
    return {
        "tickets": [ticket_json(ticket) for ticket in seen.tickets],
        "doubts": [
            {
                "photo": photos[doubt.photo],
                "read": doubt.read,
                "why": doubt.why,
                "likeliest": [ticket_json(ticket) for ticket in doubt.likeliest],
            }
            for doubt in seen.doubts
        ],
    }


def hand_lines(seen: SeenTickets, deck: TicketDeck) -> Iterator[str]:
    """Yield lines for a hand's tickets and doubts."""
    for ticket in sorted(seen.tickets, key=lambda one: -one.points):
        yield f"  {ticket.points:5}  {_named(ticket, deck)}"
    if seen.doubts:
        yield "  not sure of:"
    for number, doubt in enumerate(seen.doubts, start=1):
        likely = " or ".join(f"{_named(one, deck)} {one.points}" for one in doubt.likeliest)
        perhaps = f"; perhaps {likely}" if likely else ""
        yield f"  {number:3d}. {doubt.read!r}: {doubt.why}{perhaps}"


def annotate(
    out: Path, pictures: Mapping[str, Picture], seen: SeenTickets, deck: TicketDeck
) -> None:
    """Draw what was read around the names, into one picture for each photo."""
    for number, (name, picture) in enumerate(pictures.items()):
        drawn = picture.copy()
        for ticket in seen.tickets:
            if ticket.photo == number:
                label = f"{_named(ticket, deck)} {ticket.points}"
                _draw(drawn, ticket.outline, label, CERTAIN_BGR)
        for doubt in seen.doubts:
            if doubt.photo == number:
                _draw(drawn, doubt.outline, f"{doubt.read}?", DOUBT_BGR)
        into = out.with_stem(f"{out.stem}-{Path(name).stem}") if len(pictures) > 1 else out
        save_picture(into, drawn)


def nothing_seen(pictures: Iterable[Picture]) -> str:
    """Return why no ticket may be seen in photos."""
    greys = (cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) for picture in pictures)
    if all(cv2.Laplacian(grey, cv2.CV_64F).std() < LEAST_DETAIL for grey in greys):
        return "it is blank or blurred: hold the camera still, in more light"
    return "lay tickets apart, or so that both names of each show, and come nearer"


def _named(ticket: SeenTicket | Ticket, deck: TicketDeck) -> str:
    return f"{deck.name(ticket.a)} - {deck.name(ticket.b)}"


def _draw(picture: Picture, outline: Corners, label: str, colour: Ink) -> None:
    corners = np.array(outline, np.int32)
    thick = max(2, max(picture.shape[:2]) // 600)
    cv2.polylines(picture, [corners], True, colour, thick, cv2.LINE_AA)
    at = (int(corners[:, 0].min()), max(int(corners[:, 1].min()) - 3 * thick, 12 * thick))
    text = label.encode("ascii", "replace").decode()
    for width, ink in ((3 * thick, (255, 255, 255)), (thick, colour)):
        cv2.putText(
            picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.4 * thick, ink, width, cv2.LINE_AA
        )
