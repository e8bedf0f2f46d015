"""Virtual players: bots who play whole games by the rules, with every turn on record."""

from .errors import IllegalTurnError, PlayError
from .play import play_game
from .play_card_game import play_card_game
from .played_card_game import (
    CardAction,
    CardDeal,
    CardsPlaced,
    CardTicketsDrawn,
    CardTurn,
    PlayedCardGame,
)
from .played_game import (
    Action,
    CardsDrawn,
    Deal,
    Passed,
    PlayedGame,
    RouteClaimed,
    SiteClaimed,
    StationBuilt,
    TicketsDrawn,
    TunnelLeft,
    Turn,
)

__all__ = [
    "Action",
    "CardAction",
    "CardDeal",
    "CardTicketsDrawn",
    "CardTurn",
    "CardsDrawn",
    "CardsPlaced",
    "Deal",
    "IllegalTurnError",
    "Passed",
    "PlayError",
    "PlayedCardGame",
    "PlayedGame",
    "RouteClaimed",
    "SiteClaimed",
    "StationBuilt",
    "TicketsDrawn",
    "TunnelLeft",
    "Turn",
    "play_card_game",
    "play_game",
]
