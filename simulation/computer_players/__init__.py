"""Computer players: three strengths with characters of their own, who see what a seat sees."""

from .computer_player import ComputerPlayer
from .strengths import STRENGTHS, computer_player

__all__ = ["STRENGTHS", "ComputerPlayer", "computer_player"]
