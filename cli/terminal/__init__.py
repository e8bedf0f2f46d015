"""A running game in the terminal: what is printed, from its set-up to its end."""

from .game_start import set_up_game, wait_for_picture
from .terminal_log import TerminalLog
from .watching import OK, Page, hear_quit, watch

__all__ = [
    "OK",
    "Page",
    "TerminalLog",
    "hear_quit",
    "set_up_game",
    "wait_for_picture",
    "watch",
]
