"""A game as it leaves the house: for BG Stats and for BoardGameGeek."""

from .bg_stats import play_link
from .boardgamegeek import play_text
from .play import Play, PlayError, PlayPlayer, Say, card_play_of, play_of

__all__ = [
    "Play",
    "PlayError",
    "PlayPlayer",
    "Say",
    "card_play_of",
    "play_link",
    "play_of",
    "play_text",
]
