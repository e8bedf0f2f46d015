"""Shuffled decks of a game that can be played again: the same seed, the same cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from railspotter.scoring.card_tickets import Cards
from railspotter.scoring.edition import Ticket

Card = TypeVar("Card")


class Shuffles:
    """A `Luck` that shuffles with a generator.

    A deck is shuffled when its first card is turned over, and anew when cards came back to it.

    Examples
    --------
    >>> luck = Shuffles(np.random.default_rng(4))
    >>> sorted([luck.card({"red": 1, "blue": 1}), luck.card({"red": 1})])
    ['blue', 'red']
    """

    def __init__(self, rng: np.random.Generator, tickets: Sequence[Ticket] = ()) -> None:
        self._rng = rng
        self._deck: list[str] = []
        self._tickets = tickets
        self._order: list[Ticket] = []

    def card(self, deck: Cards) -> str:
        """Return the top card of a deck; one of another size than what is left is a new one."""
        if len(self._deck) != sum(deck.values()):
            self.shuffle(deck)
        return self._deck.pop()

    def shuffle(self, deck: Cards) -> None:
        """Shuffle a deck now."""
        self._deck = self._shuffled(sorted(Counter(deck).elements()))

    def ticket(self, deck: Sequence[Ticket]) -> Ticket:
        """Return the uppermost of a deck; one to which tickets came back is shuffled anew."""
        if not self._order:
            self._order = self._shuffled(self._tickets)
        ordered = [ticket for ticket in self._order if ticket in deck]
        if len(ordered) < len(deck):
            others = [ticket for ticket in self._order if ticket not in deck]
            ordered = self._shuffled(deck)
            self._order = [*ordered, *others]
        self._order.remove(ordered[0])
        return ordered[0]

    def _shuffled(self, cards: Sequence[Card]) -> list[Card]:
        return [cards[i] for i in self._rng.permutation(len(cards))]
