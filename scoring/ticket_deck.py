"""Which tickets a game is played with: the map's own where it has some, else the edition's."""

from __future__ import annotations

from .board import Board, PlaceId
from .edition import Edition, Ticket


def ticket_deck(edition: Edition, board: Board) -> tuple[Ticket, ...]:
    """Return the tickets of an edition that is played on a board.

    A board's own tickets take the place of the edition's. Of the edition's only those are left
    whose places are both on the board.

    Examples
    --------
    >>> from .board import load_board
    >>> from .edition import load_edition
    >>> len(ticket_deck(load_edition("usa"), load_board("usa")))
    30
    >>> ticket_deck(load_edition("usa"), load_board("newyork"))
    ()
    """
    if board.tickets:
        return tuple(Ticket(own.a, own.b, own.points) for own in board.tickets)
    places = board.place_by_id
    return tuple(one for one in edition.tickets if one.a in places and one.b in places)


def ticket_by_ends(edition: Edition, board: Board) -> dict[frozenset[PlaceId], Ticket]:
    """Return the ticket between two places, for all of `ticket_deck`."""
    if not board.tickets:
        return edition.ticket_by_ends
    return {ticket.ends: ticket for ticket in ticket_deck(edition, board)}
