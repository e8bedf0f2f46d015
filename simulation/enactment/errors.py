"""What enactments raise.

HabitsError     habits that nobody can have
"""

from __future__ import annotations

from ..errors import SimulationError


class HabitsError(SimulationError, ValueError):
    """A habit is out of its range; the text says which, and what is allowed."""
