"""The Card Game at home: the user's deck, and games that are counted at its end."""

from .card_game_store import CardGameStore, KeptGame
from .card_score import CardScore, card_score
from .changes import (
    Holding,
    NewSeat,
    checked_game,
    game_name,
    in_second_deck,
    new_game,
    player_name,
    require_seen,
    with_holding,
    with_seats,
)
from .deck_file import DeckFile
from .deck_table import checked_deck, read_deck
from .errors import (
    CardGameError,
    ChangedError,
    DeckTableError,
    FullError,
    GuestsFullError,
    NoCardGameError,
    NotWrittenError,
)

__all__ = [
    "CardGameError",
    "CardGameStore",
    "CardScore",
    "ChangedError",
    "DeckFile",
    "DeckTableError",
    "FullError",
    "GuestsFullError",
    "Holding",
    "KeptGame",
    "NewSeat",
    "NoCardGameError",
    "NotWrittenError",
    "card_score",
    "checked_deck",
    "checked_game",
    "game_name",
    "in_second_deck",
    "new_game",
    "player_name",
    "read_deck",
    "require_seen",
    "with_holding",
    "with_seats",
]
