"""A game as it leaves the house: for BG Stats, for BoardGameGeek, and as a score sheet on paper."""

from .bg_stats import play_link
from .boardgamegeek import play_text
from .play import Play, PlayError, PlayPlayer, Say, card_play_of, play_of
from .score_sheet import score_sheet

__all__ = [
    "Play",
    "PlayError",
    "PlayPlayer",
    "Say",
    "card_play_of",
    "play_link",
    "play_of",
    "play_text",
    "score_sheet",
]
