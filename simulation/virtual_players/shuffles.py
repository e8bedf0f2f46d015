"""Shuffled decks of a game that can be played again: the same seed, the same cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from railspotter.scoring import Ticket
from railspotter.scoring.card_tickets import Cards


class Shuffles:
    """A `Luck` that shuffles with a generator.

    Train cards are shuffled when the first one is turned over, and anew with every new deck;
    tickets once.

    Parameters
    ----------
    tickets : sequence of Ticket
        All of them.

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
        ordered = sorted(Counter(deck).elements())
        self._deck = [ordered[i] for i in self._rng.permutation(len(ordered))]

    def ticket(self, deck: Sequence[Ticket]) -> Ticket:
        """Return the uppermost of the tickets that are left in a deck."""
        if not self._order:
            places = self._rng.permutation(len(self._tickets))
            self._order = [self._tickets[i] for i in places]
        return next(ticket for ticket in self._order if ticket in deck)
