"""Virtual players: bots who play whole games by the rules, with every turn on record."""

from .errors import IllegalTurnError, PlayError, refuse
from .play import play_game, seats_for
from .played_game import (
    Action,
    CardsDrawn,
    Deal,
    PassedTurn,
    PlayedGame,
    PlayedRoute,
    PlayedSite,
    PlayedStation,
    TicketsDrawn,
    TunnelLeft,
    Turn,
)
from .train_cards import CARD_GAME_DECK, EIGHT_COLOURS, Choose, TrainCards

__all__ = [
    "CARD_GAME_DECK",
    "EIGHT_COLOURS",
    "Action",
    "CardsDrawn",
    "Choose",
    "Deal",
    "IllegalTurnError",
    "PassedTurn",
    "PlayError",
    "PlayedGame",
    "PlayedRoute",
    "PlayedSite",
    "PlayedStation",
    "TicketsDrawn",
    "TrainCards",
    "TunnelLeft",
    "Turn",
    "play_game",
    "refuse",
    "seats_for",
]
