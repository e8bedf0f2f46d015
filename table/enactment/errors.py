"""What enactments raise.

HabitsError     habits that nobody can have
"""

from __future__ import annotations

from ..errors import TableError


class HabitsError(TableError, ValueError):
    """A habit is out of its range; the text says which, and what is allowed."""
