"""Nudges: a person moves a route's mask, or one space's, where the print was not found well.

They are kept as differences beside what was measured, so that each can be taken back and a new
reference keeps them. The board file never changes.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from railspotter.scoring.board import Board, RouteId

from ..errors import NudgeError
from .profile import Offset, Profile, SpaceKey, space_key

# About a space's length: who needs more has another board, or nudges the wrong route.
MOST_MM = 30.0


def nudged(profile: Profile, board: Board, key: RouteId | SpaceKey, by_mm: Offset) -> Profile:
    """Return the profile with a route, or one space, moved by a little more.

    Parameters
    ----------
    key : str
        A route's id, or `profile.space_key` of one of its spaces.
    by_mm : tuple of float
        (dx, dy), to what it was nudged before.

    Raises
    ------
    NudgeError
        When the board has no such route or space, or it would be moved too far.
    """
    if key not in _keys(board):
        raise NudgeError(
            "the board {board!r} has no route or space {key!r}", board=board.id, key=key
        )
    dx, dy = np.add(profile.nudges_mm.get(key, (0.0, 0.0)), by_mm).tolist()
    if not np.hypot(dx, dy) <= MOST_MM:
        raise NudgeError(
            "{key!r} would be {dx}, {dy} mm off; at most {most} mm are",
            key=key,
            dx=f"{dx:.1f}",
            dy=f"{dy:.1f}",
            most=f"{MOST_MM:.0f}",
        )
    others = _without(profile, key)
    return replace(profile, nudges_mm=others if dx == dy == 0 else {**others, key: (dx, dy)})


def without_nudge(profile: Profile, key: RouteId | SpaceKey) -> Profile:
    """Return the profile with a route, or one space, back where it was measured."""
    return replace(profile, nudges_mm=_without(profile, key))


def without_nudges(profile: Profile) -> Profile:
    """Return the profile with everything back where it was measured."""
    return replace(profile, nudges_mm={})


def _keys(board: Board) -> frozenset[str]:
    routes = {route.id: len(route.spaces) for route in board.routes}
    routes |= {site.id: 1 for site in board.sites if site.space is not None}
    spaces = (space_key(name, i) for name, length in routes.items() for i in range(length))
    return frozenset(routes) | frozenset(spaces)


def _without(profile: Profile, key: str) -> dict[str, Offset]:
    return {name: by for name, by in profile.nudges_mm.items() if name != key}
