"""Displays beside the board: what they show, how they are spoken to, and their firmware."""

from .digits import digits
from .errors import BridgeError
from .lights import Moment, Strip, lights
from .scoreboard import PlayerScore, Scoreboard, scoreboard_of

__all__ = [
    "BridgeError",
    "Moment",
    "PlayerScore",
    "Scoreboard",
    "Strip",
    "digits",
    "lights",
    "scoreboard_of",
]
