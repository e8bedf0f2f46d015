"""The deck of destination tickets."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from railspotter.scoring import Edition, Ticket

LONG = "long"
"""The series of which each player is dealt one: Europe's long routes; the rest stays in the box."""


class TicketDeck:
    """The tickets that nobody holds, in the order in which they are drawn.

    Examples
    --------
    >>> from railspotter.scoring import load_edition
    >>> deck = TicketDeck(load_edition("europe"), np.random.default_rng(1))
    >>> [ticket.series for ticket in deck.deal_first()]
    ['long', 'regular', 'regular', 'regular']
    >>> len(deck.deal(3)), len(deck)
    (3, 34)
    """

    def __init__(self, edition: Edition, rng: np.random.Generator) -> None:
        self._edition = edition
        self._rng = rng
        tickets = [edition.tickets[i] for i in rng.permutation(len(edition.tickets))]
        self._long = [ticket for ticket in tickets if ticket.series == LONG]
        self._deck = [ticket for ticket in tickets if ticket.series != LONG]

    def __len__(self) -> int:
        return len(self._deck)

    def deal(self, count: int) -> tuple[Ticket, ...]:
        """Take tickets from the top.

        "If there are less than 3 Destination Tickets left in the deck, the player only draws the
        cards that are available."
        """
        dealt, self._deck = tuple(self._deck[:count]), self._deck[count:]
        return dealt

    def deal_first(self) -> tuple[Ticket, ...]:
        """Take the tickets of one player's beginning."""
        count, _ = self._edition.first_tickets
        long = tuple(self._long[:1])
        self._long = self._long[1:]
        return (*long, *self.deal(count - len(long)))

    def put_back(self, tickets: Iterable[Ticket]) -> None:
        """Put tickets that a player does not keep on the bottom of the deck."""
        self._deck.extend(tickets)

    def return_first(self, tickets: Iterable[Ticket]) -> None:
        """Put the tickets that a player does not keep at the beginning where the edition says."""
        match self._edition.returned_first_tickets:
            case "bottom of the deck":
                self.put_back(tickets)
            case "shuffled in":
                self.put_back(tickets)
                self._deck = [self._deck[i] for i in self._rng.permutation(len(self._deck))]
            case "out of the game":
                pass
