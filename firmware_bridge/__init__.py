"""Displays beside the board: what they show, how they are spoken to, and their firmware."""

from .bridge import Bridge, BridgeState
from .desk import Desk
from .digits import digits
from .errors import (
    BridgeError,
    DisplayError,
    MessageError,
    NoDisplayError,
    PortBusyError,
    PortError,
)
from .lights import PALETTES, DisplayMoment, Lights, Strip, lights
from .neighbours import is_of_a_neighbour
from .ports import FoundPort, found_ports
from .preview import Preview, preview
from .scoreboard import PlayerScore, Scoreboard, scoreboard_of

__all__ = [
    "PALETTES",
    "Bridge",
    "BridgeError",
    "BridgeState",
    "Desk",
    "DisplayError",
    "DisplayMoment",
    "FoundPort",
    "Lights",
    "MessageError",
    "NoDisplayError",
    "PlayerScore",
    "PortBusyError",
    "PortError",
    "Preview",
    "Scoreboard",
    "Strip",
    "digits",
    "found_ports",
    "is_of_a_neighbour",
    "lights",
    "preview",
    "scoreboard_of",
]
