"""Facts about cards that are dealt to phones: how a game was dealt, and every move with cards.

What comes off a shuffled deck is chance. It is written down beside the move that turned it over, so
that the fold of a log needs no chance, and so that nothing in a log tells what comes next. All of
these are secret; what everyone may see is told by the state of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Protocol, TypeVar

import msgspec
from railspotter.scoring.board import Identifier
from railspotter.scoring.card_tickets import Cards
from railspotter.scoring.dealing.moves import Move, MoveError, ticket_texts
from railspotter.scoring.edition import Ticket
from railspotter.scoring.game import Name, TicketText

from .facts import Fact, OfSeat

T = TypeVar("T")


class Choice(Protocol):
    """Picks one of several, as `random.Random.choice` does."""

    def __call__(self, several: Sequence[T], /) -> T:
        """Return one of them."""


MOST_TURNED = 200  # more cards than any deck has

CardNames = Annotated[tuple[Name, ...], msgspec.Meta(max_length=MOST_TURNED)]
TicketTexts = Annotated[tuple[TicketText, ...], msgspec.Meta(max_length=MOST_TURNED)]


class CardsDealt(Fact, frozen=True):
    """Everyone was dealt a first hand, and tickets to choose from."""

    seats: tuple[Identifier, ...]  # in the order in which they were dealt to
    turned: CardNames  # the cards that came off the deck, in order
    drawn: TicketTexts = ()  # the tickets that came off theirs


class CardsMoved(OfSeat, frozen=True):
    """A player did something with cards or tickets; `turned` and `drawn` as in `CardsDealt`."""

    move: Move
    turned: CardNames = ()
    drawn: TicketTexts = ()


class CardsPutAway(Fact, frozen=True):
    """The game goes on with cards on the table: what lies on the board is claimed."""


class Remembered:
    """A `Luck` that turns over what a fact says; what cannot be raises `MoveError`."""

    def __init__(self, fact: CardsDealt | CardsMoved) -> None:
        self._turned, self._drawn = list(fact.turned), list(fact.drawn)

    def card(self, deck: Cards) -> str:
        """Return the card that was turned over."""
        if not self._turned:
            raise MoveError("the cards are not as the log has them")
        return self._turned.pop(0)

    def ticket(self, deck: Sequence[Ticket]) -> Ticket:
        """Return the ticket that was drawn."""
        if self._drawn:
            ends = frozenset((self._drawn[0].a, self._drawn[0].b))
            for ticket in deck:
                if ticket.ends == ends:
                    del self._drawn[0]
                    return ticket
        raise MoveError("the tickets are not as the log has them")


class Chance:
    """A `Luck` of the system's randomness, which remembers what was turned over.

    Attributes
    ----------
    turned : list of str
    drawn : list of Ticket
    """

    def __init__(self, choice: Choice) -> None:
        self._choice = choice
        self.turned: list[str] = []
        self.drawn: list[Ticket] = []

    def card(self, deck: Cards) -> str:
        """Turn over a card."""
        card = self._choice([name for name, count in sorted(deck.items()) for _ in range(count)])
        self.turned.append(card)
        return card

    def ticket(self, deck: Sequence[Ticket]) -> Ticket:
        """Draw a ticket."""
        ticket = self._choice(deck)
        self.drawn.append(ticket)
        return ticket

    @property
    def texts(self) -> tuple[TicketText, ...]:
        """The tickets that were drawn, as facts name them."""
        return ticket_texts(self.drawn)
