"""What setting up a game raises.

SetUpError
└── NotReadyError    the game cannot begin as it is, or has begun already
"""

from __future__ import annotations

from ..errors import TableError


class SetUpError(TableError):
    """What somebody chose cannot be, or something is missing; the text says what."""


class NotReadyError(SetUpError):
    """The game cannot begin yet, or has begun already; the text says what is missing."""
