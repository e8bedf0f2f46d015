"""Odds of trains on every route of a photo, and their probabilities."""

from dataclasses import dataclass

import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s

from ..look.first_look import FirstLook
from ..look.stations import SeenStations
from ..look.view import View

# Probability of a wrong answer up to which no doubt is raised. See the diagrams of
# benchmarks/reliability.py.
RISK = 0.02
SURE = 1.5  # log-odds, either way, from which it is sure that something stands there, or nothing


@dataclass(frozen=True, eq=False)
class Odds:
    """Log-odds of trains of each colour against bare print."""

    routes: Float32s  # (R, C) float32: that they stand on the route
    spaces: Float32s  # (N, C) float32: that one stands on the space
    # (R,) float32: that trains of any colour stand on the route, by shape alone
    covered: Float32s
    visible: Float32s  # (R,) float32: visibility of the route, 0 to 1
    # (R,) float32: that something of nobody's plastic lies on the route; -inf if not measured
    nobodys: Float32s
    stations: SeenStations | None = None  # None for a game without stations

    @property
    def shares(self) -> Float64s:
        """Probability of each answer, (R, C + 2): the colours, nobody's plastic, free."""
        return shares_of(np.column_stack([self.routes, self.nobodys]))


def shares_of(odds: Float32s) -> Float64s:
    """Return the probability of each answer from log-odds, (..., C) to (..., C + 1); free is last.

    >>> shares_of(np.log(np.array([3, 1], np.float32))).round(3).tolist()
    [0.6, 0.2, 0.2]
    """
    log = np.append(odds, np.zeros((*odds.shape[:-1], 1)), axis=-1)
    shares = np.exp(log - log.max(axis=-1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=-1, keepdims=True), np.float64)


@dataclass(frozen=True, eq=False)
class WeighedBoard:
    """A board's view, its first look, and the odds from all cues."""

    view: View  # with prints moved as this copy has them
    first: FirstLook
    odds: Odds
