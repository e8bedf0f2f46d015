"""One piece a route: the accessible edition's shapes, of which one stands for all of a route.

Which space carries the pin that it stands on, and what outline it has, differs from one made board
to the next. So every space is looked at by itself, and a route's answer is that of the space that
speaks most for a piece. The net is not asked: it was taught what trains look like.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Indices
from railspotter.scoring.board import RouteId
from railspotter.scoring.sentence import Sentence

from ..look.evidence import AT_BEST
from ..look.first_look import FirstLook, visible_routes
from ..look.placement import Placements, PlacementSettings
from ..look.print_match import part_mm, print_in_sight
from ..look.view import View
from ..printed.printed_board import PrintedBoard
from ..readings import Colour
from .cue_weights import cue_weights
from .cues import MOST_BESIDE, colour_beside_print, usually_shown
from .odds import Odds

# The share of a space's middle from which other routes' pieces hide too much of its print.
HIDDEN = 0.15
UNKNOWN = -0.3  # what a print counts as that cannot be looked at: neither in sight nor gone
ASTRAY_MM = 2.0  # how far a piece stands off its pin from where on it may be the next lane's
UNLIKELY = -4.5  # log-odds of a piece on the next lane below which it is not that lane's
# Log-odds by shape for each step of the print that is gone: bare prints have some 0 of it, those
# under a piece some -.9. Chosen on drawn boards, as all numbers here.
GONE_ODDS = 5.0


# What is measured of a piece on each space: see `piece_cues`.
PIECE_CUES = ("colour", "lead", "print", "beside")


def weigh_pieces(view: View, first: FirstLook) -> Odds:
    """Weigh what is seen of pieces on every space and route."""
    cues = piece_cues(view, first)
    own, weights = view.is_own_print, cue_weights(one_piece_a_route=True)
    spaces = weights.log_odds(cues, own[view.printed.route_of])
    of_routes = np.take_along_axis(cues, best_spaces(view.printed, spaces)[..., None], axis=0)
    routes = weights.log_odds(of_routes, own)
    best = routes.argmax(axis=1)
    shown = of_routes[np.arange(len(best)), best, PIECE_CUES.index("print")]
    covered = np.asarray(GONE_ODDS * (UNKNOWN - shown), np.float32)
    return Odds(routes, spaces, covered, visible_routes(view.printed, first), first.stations)


def piece_cues(view: View, first: FirstLook) -> Float32s:
    """Measure the cues of every space, around the pieces of all other routes.

    `colour` is the evidence at the best place, `lead` its lead over the best other colour, `print`
    how much of the print shows, `beside` how much of the print's own colour shows beside it.
    """
    colour = np.clip(first.trains.placements.score, *AT_BEST)
    lead = np.clip(colour - _best_other(colour), -2.0, 2.0)
    in_sight = print_in_sight(view, first.trains, first.shape.edges)
    shown = in_sight - np.float32(usually_shown(view, in_sight, first.trains))
    shown = np.where(_hidden_by_others(view, first) > HIDDEN, UNKNOWN, shown)
    beside = np.clip(colour_beside_print(view, first), -MOST_BESIDE, MOST_BESIDE)[:, None]
    beside = beside * view.is_own_print[view.printed.route_of]
    of_print = np.broadcast_to(shown[:, None], colour.shape)
    return np.stack([colour, lead, of_print, beside], axis=-1, dtype=np.float32)


def _best_other(score: Float32s) -> Float32s:
    """Return, for each colour, the best score of the others: (N, C) to (N, C)."""
    if score.shape[1] == 1:
        return np.zeros_like(score)
    ordered = np.sort(score, axis=1)
    best, second = ordered[:, -1:], ordered[:, -2:-1]
    return np.where(score == best, second, best)


def best_spaces(printed: PrintedBoard, odds: Float32s) -> Indices:
    """Return the space of each route that is the likeliest to carry a piece of each colour."""
    starts = printed.first_space
    parts = np.split(odds, starts[1:])
    return np.array([start + part.argmax(0) for start, part in zip(starts, parts, strict=True)])


@dataclass(frozen=True, eq=False)
class StandingPieces:
    """The single pieces of the claimed routes."""

    view: View
    # space, colour: For each claimed route the index of the space that carries its piece, 0 to N,
    # and of the piece's colour.
    space: dict[RouteId, int]
    colour: dict[RouteId, int]

    @classmethod
    def of(cls, view: View, odds: Float32s, claims: Mapping[RouteId, Colour]) -> StandingPieces:
        """Return the pieces that claims stand for."""
        best = best_spaces(view.printed, odds)
        colour = {route: view.pieces.colours.index(name) for route, name in claims.items()}
        routes = view.printed.board.routes
        space = {r.id: int(best[i, colour[r.id]]) for i, r in enumerate(routes) if r.id in claims}
        return cls(view, space, colour)

    @property
    def pins(self) -> dict[RouteId, int]:
        """Which space of each claimed route carries its piece, from 0 at the route's `a`."""
        printed = self.view.printed
        return {
            name: space - int(printed.first_space[printed.route_of[space]])
            for name, space in self.space.items()
        }

    def two_colours(self, odds: Float32s, sure: float) -> dict[RouteId, Sentence]:
        """Return the routes on which a second player's piece stands, and what to say of them.

        What shows of a piece on a route nearby is none.
        """
        xy_mm, route_of = self.view.printed.xy_mm, self.view.printed.route_of
        reasons = {}
        for name, own in self.space.items():
            for space in np.flatnonzero(route_of == route_of[own]):
                other = int(odds[space].argmax())
                nearby = (
                    np.linalg.norm(xy_mm[there] - xy_mm[space]) < self._reach_mm
                    for route, there in self.space.items()
                    if route != name and self.colour[route] == other
                )
                if other != self.colour[name] and odds[space, other] > sure and not any(nearby):
                    mine, theirs = (self.view.pieces.colours[c] for c in (self.colour[name], other))
                    reasons[name] = Sentence(
                        "pieces of {colour} and {other} stand on it", colour=mine, other=theirs
                    )
        return reasons

    def between_lanes(self, odds: Float32s, placements: Placements) -> dict[RouteId, Sentence]:
        """Return lanes of which one has a piece that may as well be on the other, a free one."""
        printed = self.view.printed
        index = {route.id: r for r, route in enumerate(printed.board.routes)}
        reasons: dict[RouteId, Sentence] = {}
        for name, space in self.space.items():
            colour = self.colour[name]
            for lane in printed.board.other_lanes.get(name, frozenset()) - self.space.keys():
                beside = printed.route_of == index[lane]
                ways = printed.xy_mm[beside] - printed.xy_mm[space]
                way = ways[np.linalg.norm(ways, axis=1).argmin()]
                off_mm = placements.offset_mm[space, colour] @ way / np.linalg.norm(way)
                if off_mm > ASTRAY_MM and odds[beside, colour].max() > UNLIKELY:
                    why = Sentence(
                        "the {colour} piece lies between the two lanes",
                        colour=self.view.pieces.colours[colour],
                    )
                    reasons |= {name: why, lane: why}
        return reasons

    @property
    def _reach_mm(self) -> float:
        """How near to a piece's space another one shows some of it."""
        size_mm = self.view.pieces.train_size_mm
        return size_mm[0] + PlacementSettings.of_pieces(size_mm).reach_mm[0]


def _hidden_by_others(view: View, first: FirstLook) -> Float64s:
    """Return how much of each space's middle lies under other routes' pieces, (N,)."""
    printed = view.printed
    middles = (slice(None), *printed.middle(*part_mm(view)))
    owner = first.trains.owner.reshape(-1)[printed.window_pixels[middles]]
    others = (owner > 0) & (owner != (printed.route_of + 1)[:, None, None])
    return np.asarray(others.mean(axis=(1, 2)), np.float64)
