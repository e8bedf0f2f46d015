"""What scoring raises.

ScoringError
├── BoardError      a board file that cannot be used, with the path of what is wrong
├── EditionError    there is no such edition, or no such house rule
├── MoveError       a move with cards or tickets that is refused (in dealing/moves.py)
└── GameError       a game's text that cannot be used, with the path of what is wrong
"""

from .sentence import StatedError


class ScoringError(StatedError):
    """Base of scoring's errors; the text is a sentence for users."""


class BoardError(ScoringError):
    """A board file is missing, unreadable or contradicts itself."""


class EditionError(ScoringError):
    """There is no such edition, or it has no such rule."""


class GameError(ScoringError):
    """A game's text is unreadable or names what its edition does not have."""
