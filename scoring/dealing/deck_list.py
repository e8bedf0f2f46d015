"""What a deck of train cards consists of, from the edition's data."""

from __future__ import annotations

from collections import Counter

from ..card_tickets import LOCOMOTIVE
from ..edition import Edition

FACE_UP = 5
"""How many lie open: "turn the top five cards from the deck face-up" (USA)."""


def cards_of(edition: Edition) -> Counter[str]:
    """Return all train cards of an edition, by colour; New York's Taxi cards are its Locomotives.

    Examples
    --------
    >>> from railspotter.scoring import load_edition
    >>> [cards_of(load_edition(name)).total() for name in ("usa", "newyork", "card-game")]
    [110, 44, 96]
    """
    of_each, locomotives = edition.train_cards
    return Counter({**dict.fromkeys(edition.card_colours, of_each), LOCOMOTIVE: locomotives})
