"""The simple reader: colour alone. What another reader is worth shows beside it."""

from __future__ import annotations

import numpy as np

from ..look import View, look
from ..readings import Reading
from .doubts import reading_of
from .odds import Odds
from .sites import sites_apart

EVEN = 0.5
"""Mean evidence at which a train is as likely as none."""
STEEPNESS = 10.0


def read_by_colour(view: View) -> Reading:
    """Read a board by the colours of trains and print."""
    first = look(view)
    score = np.where(np.isfinite(first.trains.placements.score), first.trains.placements.score, 0)
    spaces = STEEPNESS * (score - EVEN)
    routes = STEEPNESS * (view.printed.per_route_mean(score) - EVEN)
    all_ = np.ones(len(routes), np.float32)
    odds = Odds(
        routes.astype(np.float32),
        spaces.astype(np.float32),
        covered=routes.max(axis=1).astype(np.float32),  # it sees no shape: nothing disagrees
        visible=all_,
        stations=first.stations,
    )
    return sites_apart(reading_of(view, first, odds), view.printed.board)
