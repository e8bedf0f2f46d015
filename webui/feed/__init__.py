"""What phones are told: a game as everyone may see it, its changes, its questions, its past."""

from .cards_state import why_not
from .feed import Feed
from .history import History
from .merge_patch import merge_patch
from .public_state import Json, PublicGame, answer_json, entry, public_game
from .stream import Stream, message

__all__ = [
    "Feed",
    "History",
    "Json",
    "PublicGame",
    "Stream",
    "answer_json",
    "entry",
    "merge_patch",
    "message",
    "public_game",
    "why_not",
]
