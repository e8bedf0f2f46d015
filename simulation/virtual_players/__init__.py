"""Virtual players: bots who play whole games by the rules, with every turn on record."""

from .bots import Bot
from .errors import IllegalTurnError, PlayError, refuse
from .play import play_by, play_game, seats_for
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
from .random_player import RandomPlayer
from .referee import Player, Referee
from .train_cards import Choose, TrainCards

__all__ = [
    "Action",
    "Bot",
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
    "Player",
    "RandomPlayer",
    "Referee",
    "TicketsDrawn",
    "TrainCards",
    "TunnelLeft",
    "Turn",
    "play_by",
    "play_game",
    "refuse",
    "seats_for",
]
