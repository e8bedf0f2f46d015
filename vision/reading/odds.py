"""How likely trains are on every route, and the likeliest answers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Indices
from railspotter.scoring.board import Route, RouteId

from ..look.first_look import FirstLook
from ..look.stations import SeenStations
from ..look.view import View
from ..readings import Colour

# How probable it may be that an answer is wrong that nobody is asked about. See the diagrams of
# benchmarks/reliability.py.
RISK = 0.02
# Log-odds, either way, from which it is plain that something stands there, or nothing.
SURE = 1.5


@dataclass(frozen=True, eq=False)
class Odds:
    """How likely trains of each colour are, as logarithms of odds against bare print."""

    routes: Float32s  # (R, C) float32 array. That they stand on the route.
    spaces: Float32s  # (N, C) float32 array. That one stands on the space.
    # (R,) float32 array. That trains of whatever colour stand on the route, by shape alone.
    covered: Float32s
    visible: Float32s  # (R,) float32: how much of the route can be seen, 0 to 1
    stations: SeenStations | None = None  # None for a game without stations
    # (R,) float32 array, or None. That something of no player's plastic lies on the route.
    nobodys: Float32s | None = None

    @property
    def shares(self) -> Float64s:
        """How probable each answer is, (R, C + 2): the colours, something else, nothing."""
        count = len(self.routes)
        nobodys = np.full(count, -np.inf) if self.nobodys is None else self.nobodys
        log = np.column_stack([self.routes, nobodys, np.zeros(count)]).astype(np.float64)
        shares = np.exp(log - log.max(axis=1, keepdims=True))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True), np.float64)


@dataclass(frozen=True, eq=False)
class WeighedBoard:
    """A board looked at, and what all that was measured comes to."""

    view: View  # with the print where this copy has it
    first: FirstLook
    odds: Odds


@dataclass(frozen=True, eq=False)
class Answers:
    """The likeliest answers."""

    weighed: WeighedBoard
    # (R,) int array. Index of the likeliest colour of each route, also of a free one.
    best: Indices
    risk: Float64s  # (R,) float64: how probable it is that the answer is wrong
    claimed: dict[RouteId, Colour]  # route id to colour, of the routes that are not free
    # Each route, with its index and its likeliest colour.
    routes: tuple[tuple[int, Route, Colour], ...]


def answers_of(weighed: WeighedBoard) -> Answers:
    """Return the likeliest answer for each route.

    Whether anything stands there comes first: trains of which it is hard to see whose they are, are
    trains.
    """
    view, shares = weighed.view, _shares_together(weighed)
    best = np.argmax(weighed.odds.routes, axis=1)
    stands = shares[:, -1] < 0.5
    names = view.pieces.colours
    routes = tuple((r, one, names[best[r]]) for r, one in enumerate(view.printed.board.routes))
    claimed = {route.id: likeliest for r, route, likeliest in routes if stands[r]}
    said = np.where(stands, shares[np.arange(len(best)), best], shares[:, -1])
    return Answers(weighed, best, 1 - said, claimed, routes)


def _shares_together(weighed: WeighedBoard) -> Float64s:
    """Return how probable each answer is where one player holds one lane of several at most.

    What may well be a player's on one lane is less likely to be that player's on another. A board
    breaks that rule as seldom as an answer may be wrong.
    """
    pieces, shares = weighed.view.pieces, weighed.odds.shares
    index = {route.id: r for r, route in enumerate(weighed.view.printed.board.routes)}
    together, count = shares.copy(), len(pieces.colours)
    for group in pieces.exclusive:
        lanes = [index[route] for route in group]
        for lane in lanes:
            for other in set(lanes) - {lane}:
                together[lane, :count] *= 1 - (1 - RISK) * shares[other, :count]
    return np.asarray(together / together.sum(axis=1, keepdims=True), np.float64)
