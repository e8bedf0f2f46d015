"""What scoring raises.

ScoringError
└── BoardError      a board file that cannot be used, with the path of what is wrong
"""


class ScoringError(Exception):
    """Anything that scoring refuses; its text is a sentence for the person who asked."""


class BoardError(ScoringError):
    """A board file is missing, unreadable or contradicts itself."""
