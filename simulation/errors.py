"""What a simulation raises."""

from __future__ import annotations

from collections.abc import Iterable

from railspotter.scoring.legality import Problem


class SimulationError(Exception):
    """A drawn game cannot be as it was asked for; the text says why."""


# PlayError
# └── IllegalTurnError    a player did what the rules do not allow


class PlayError(SimulationError):
    """Anything that goes wrong while a game is played; its text says what."""


class IllegalTurnError(PlayError):
    """A turn that the rules refuse; its text holds every problem."""


def refuse(problems: Iterable[Problem]) -> None:
    """Raise `IllegalTurnError` when there is any problem."""
    if found := [problem.what for problem in problems]:
        raise IllegalTurnError("; ".join(found))


class HabitsError(SimulationError, ValueError):
    """A habit is out of its range; the text says which, and what is allowed."""
