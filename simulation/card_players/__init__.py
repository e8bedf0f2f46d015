"""Bots who play The Card Game by the rules, with every turn on record; only tests play it."""

from .play_card_game import play_card_game
from .played_card_game import (
    CardAction,
    CardDeal,
    CardsPlaced,
    CardTicketsDrawn,
    CardTurn,
    PlayedCardGame,
)

__all__ = [
    "CardAction",
    "CardDeal",
    "CardTicketsDrawn",
    "CardTurn",
    "CardsPlaced",
    "PlayedCardGame",
    "play_card_game",
]
