"""Photos of train cards that were never printed, with the truth beside them.

It knows nothing of the reader, so that what it shows is not what the reader expects to see.
"""

from .card_print import CARDS, Deck, draw_card, print_deck
from .card_table import CardPhoto, CardScene, LaidCard, take_photo
from .dealing import deal

__all__ = [
    "CARDS",
    "CardPhoto",
    "CardScene",
    "Deck",
    "LaidCard",
    "deal",
    "draw_card",
    "print_deck",
    "take_photo",
]
