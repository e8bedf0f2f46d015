"""What the virtual players raise.

PlayError
└── IllegalTurnError    a player did what the rules do not allow
"""

from __future__ import annotations

from collections.abc import Iterable

from railspotter.scoring.legality import Problem

from ..errors import SimulationError


class PlayError(SimulationError):
    """Anything that goes wrong while a game is played; its text says what."""


class IllegalTurnError(PlayError):
    """A turn that the rules refuse; its text holds every problem."""


def refuse(problems: Iterable[Problem]) -> None:
    """Raise `IllegalTurnError` when there is any problem."""
    if found := [problem.what for problem in problems]:
        raise IllegalTurnError("; ".join(found))
