"""The tickets that may lie in a photo: a deck, its names, and how its cards are printed."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from railspotter.scoring.board import Board, PlaceId
from railspotter.scoring.edition import Edition, Ticket, edition_names, load_edition, ticket_deck

from .names import Names

Ends = frozenset[PlaceId]


@dataclass(frozen=True, slots=True)
class Print:
    """How a deck's cards are printed; lengths are heights of the letters' boxes."""

    # Both names on one line, one above the other, or each beside its place on a little map.
    kinds: tuple[Literal["line", "stack", "map"], ...]
    # Where the points are printed, from the middle of the title, or of a map's first corner.
    points_at: tuple[float, float] | None = None
    map_scale: float = 0.0  # of the little map, for each millimetre of the board


# Measured on real cards: 12 large and one small of USA, 15 of Europe and 8 of Europa 1912, 10 of
# New York. Titles are centred, so their points stand in one place whatever their length.
PRINTS = {
    "usa": Print(("line",), (6.1, 6.8)),
    "europe": Print(("line",), (8.8, -0.2)),
    "newyork": Print(("map",), (0.3, 9.4), 0.0227),
}
OWN_PRINT = Print(("line", "stack"))  # a user's own board: Germany's are one, the Netherlands' two


@dataclass(frozen=True)
class TicketDeck:
    """The tickets of an edition on a board."""

    title: str
    board: Board
    names: Names
    tickets: Mapping[Ends, Ticket]
    copies: Mapping[Ends, int]
    others: Mapping[Ends, int]  # points of this board's tickets in its other editions
    how: Print

    def name(self, place: PlaceId) -> str:
        """Return a place's name."""
        return self.board.place_by_id[place].name

    def with_one_of(
        self, places: Iterable[PlaceId], others: Iterable[PlaceId] = ()
    ) -> list[Ticket]:
        """Return the tickets that have one of some places, and one of the others if there are."""
        some, more = frozenset(places), frozenset(others)
        return [
            ticket
            for ends, ticket in self.tickets.items()
            if (known := ends & some) and (not more or (ends - known) & more)
        ]


def ticket_deck_of(edition: Edition, board: Board) -> TicketDeck:
    """Return the deck of an edition that is played on a board, with its expansion's tickets."""
    own = ticket_deck(edition, board)
    known = {ticket.ends for ticket in own}
    more = () if board.tickets else edition.expansion_tickets
    every = (*own, *(ticket for ticket in more if ticket.ends not in known))
    others = {
        ticket.ends: ticket.points
        for name in edition_names()
        if (other := load_edition(name)).board == edition.board and not board.tickets
        for ticket in (*other.tickets, *other.expansion_tickets)
        if ticket.points != {t.ends: t.points for t in every}.get(ticket.ends)
    }
    return TicketDeck(
        board.title if board.tickets else edition.title,
        board,
        Names({place.id: place.name for place in board.places}),
        {ticket.ends: ticket for ticket in every},
        Counter(ticket.ends for ticket in every),
        others,
        OWN_PRINT if board.tickets else PRINTS.get(board.id, OWN_PRINT),
    )
