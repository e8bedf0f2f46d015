"""Odds of trains on every route, and the likeliest answers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Indices
from railspotter.scoring.board import Route, RouteId

from ..look.first_look import FirstLook
from ..look.stations import SeenStations
from ..look.view import View
from ..readings import Colour

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
    stations: SeenStations | None = None  # None for a game without stations
    # (R,) float32: that something of nobody's plastic lies on the route; None if not measured
    nobodys: Float32s | None = None

    @property
    def shares(self) -> Float64s:
        """Probability of each answer, (R, C + 2): the colours, nobody's plastic, free."""
        count = len(self.routes)
        nobodys = np.full(count, -np.inf) if self.nobodys is None else self.nobodys
        return shares_of(np.column_stack([self.routes, nobodys]).astype(np.float32))


def shares_of(odds: Float32s) -> Float64s:
    """Return the probability of each answer from log-odds, (..., C) to (..., C + 1); free is last.

    Examples
    --------
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


@dataclass(frozen=True, eq=False)
class Answers:
    """The likeliest answer for every route."""

    weighed: WeighedBoard
    # (R,) int: the index of the likeliest colour of each route, also of a free one
    best: Indices
    risk: Float64s  # (R,) float64: probability that the answer is wrong
    claimed: dict[RouteId, Colour]  # of routes that are not free
    # Each route, with its index and its likeliest colour.
    routes: tuple[tuple[int, Route, Colour], ...]


def answers_of(weighed: WeighedBoard) -> Answers:
    """Return the likeliest answer for each route.

    First whether anything stands there, then whose: trains of unclear colour are still trains.
    """
    view, shares = weighed.view, _exclusive_shares(weighed)
    best = np.argmax(weighed.odds.routes, axis=1)
    stands = shares[:, -1] < 0.5
    names = view.pieces.colours
    routes = tuple((r, one, names[best[r]]) for r, one in enumerate(view.printed.board.routes))
    claimed = {route.id: likeliest for r, route, likeliest in routes if stands[r]}
    probability = np.where(stands, shares[np.arange(len(best)), best], shares[:, -1])
    return Answers(weighed, best, 1 - probability, claimed, routes)


def _exclusive_shares(weighed: WeighedBoard) -> Float64s:
    """Return the probability of each answer, (R, C + 2), if a player holds one lane of each group.

    A colour that is likely on one lane becomes less likely on the others. Real boards break that
    rule with a probability of `RISK`.
    """
    pieces, shares = weighed.view.pieces, weighed.odds.shares
    index = {route.id: r for r, route in enumerate(weighed.view.printed.board.routes)}
    exclusive, count = shares.copy(), len(pieces.colours)
    for group in pieces.exclusive:
        lanes = [index[route] for route in group]
        for lane in lanes:
            for other in set(lanes) - {lane}:
                exclusive[lane, :count] *= 1 - (1 - RISK) * shares[other, :count]
    return np.asarray(exclusive / exclusive.sum(axis=1, keepdims=True), np.float64)
