"""Reads boards with one piece a route: the accessible edition's shapes.

The space with the pin, and the outline of pieces, differ between home-made boards. So every space
is read by itself, and a route takes the answer of its likeliest space. The net is not used: it was
trained on trains.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Indices
from railspotter.scoring.board import RouteId
from railspotter.scoring.sentence import Sentence

from ..lab import distance2
from ..look.evidence import AT_BEST, CAP
from ..look.first_look import FirstLook, visible_routes
from ..look.placement import PIECE_REACH_MM, Placements
from ..look.print_match import part_mm, print_in_sight
from ..look.view import View
from ..printed.print_windows import grid_along, pixels_at
from ..printed.printed_board import PrintedBoard
from ..readings import Colour
from .cues import cue_weights, usual_correlation
from .odds import Odds

# Share of a space's middle under other routes' pieces from which its print is not measured.
HIDDEN = 0.15
UNKNOWN = -0.3  # `print` cue of a print that cannot be measured
ASTRAY_MM = 2.0  # offset towards the next lane from which a piece may be that lane's
UNLIKELY = -4.5  # log-odds on the next lane up to which a piece is not that lane's
# Factor from a loss of the `print` cue to log-odds by shape: bare prints have some 0, those under a
# piece some -.9. Chosen on drawn boards, like all numbers here.
GONE_ODDS = 5.0

MOST_BESIDE = 3.0  # limit of the evidence beside a print
# Length and width of a piece's edges, which show other colours than its middle.
RIM_MM = (4.0, 1.0)
# Squared standard deviations between a piece's colour and a print from which they look unlike.
UNLIKE = 6.0
FEW_PIXELS = 12  # pixels of zero evidence that are added, to some two hundred

# Cues of a piece on each space: see `piece_cues`.
PIECE_CUES = ("colour", "lead", "print", "beside")


def weigh_pieces(view: View, first: FirstLook) -> Odds:
    """Return the odds of single pieces on every space and route."""
    cues = piece_cues(view, first)
    own, weights = view.is_own_print, cue_weights(one_piece_a_route=True)
    spaces = weights.log_odds(cues, own[view.printed.route_of])
    of_routes = np.take_along_axis(cues, best_spaces(view.printed, spaces)[..., None], axis=0)
    routes = weights.log_odds(of_routes, own)
    best = routes.argmax(axis=1)
    shown = of_routes[np.arange(len(best)), best, PIECE_CUES.index("print")]
    covered = np.asarray(GONE_ODDS * (UNKNOWN - shown), np.float32)
    nobodys = np.full(len(routes), -np.inf, np.float32)
    visible = visible_routes(view.printed, first)
    return Odds(routes, spaces, covered, visible, nobodys, first.stations)


def piece_cues(view: View, first: FirstLook) -> Float32s:
    """Return the cues of every space and colour, (N, C, 4), around other routes' pieces.

    `colour` is the evidence at the best place, `lead` its lead over the best other colour, `print`
    the correlation of the print's edges, `beside` the evidence for the print's own colour beside
    it.
    """
    colour = np.clip(first.trains.placements.score, *AT_BEST)
    lead = np.clip(colour - _best_other(colour), -2.0, 2.0)
    in_sight = print_in_sight(view, first.trains, first.shape.edges)
    shown = in_sight - np.float32(usual_correlation(view, in_sight, first.trains))
    shown = np.where(_hidden_by_others(view, first) > HIDDEN, UNKNOWN, shown)
    beside = np.clip(_colour_beside_print(view, first), -MOST_BESIDE, MOST_BESIDE)[:, None]
    beside = beside * view.is_own_print[view.printed.route_of]
    of_print = np.broadcast_to(shown[:, None], colour.shape)
    return np.stack([colour, lead, of_print, beside], axis=-1, dtype=np.float32)


def _colour_beside_print(view: View, first: FirstLook) -> Float32s:
    """Return the evidence for each print's own colour beside the print, (N,).

    It is the mean evidence, as of `evidence.colour_evidence`, at the best place of a piece of that
    colour, over pixels whose print has another one; 0 for a print that no player's pieces resemble.
    """
    printed = view.printed
    is_own = view.is_own_print
    own = np.where(is_own.any(axis=1), is_own.argmax(axis=1), -1)[printed.route_of]
    spaces = np.flatnonzero(own >= 0)
    result = np.zeros(len(own), np.float32)
    if len(spaces) == 0:
        return result

    off = first.trains.placements.offset_mm[spaces, own[spaces]]
    box_mm = np.subtract(view.pieces.train_size_mm[:2], RIM_MM)
    u, v = (np.arange(-side / 2, side / 2 + 0.1) for side in box_mm)
    xy_mm = grid_along(
        printed.xy_mm[spaces] + off + view.image_shift_mm[spaces], printed.along[spaces], u, v
    )
    pixel = pixels_at(xy_mm, printed.px_per_mm, printed.reference)
    at = printed.place_among_seen[pixel]
    owner = first.trains.owner.reshape(-1)[pixel]
    visible = (owner == 0) | (owner == (printed.route_of[spaces] + 1)[:, None, None])
    for c, train in enumerate(first.colours):
        of = own[spaces] == c
        pixels = at[of]
        elsewhere = visible[of] & (
            distance2(printed.reference_lab[pixels], train.lab) > UNLIKE * train.spread**2
        )
        away = distance2(first.seen.lab[pixels], train.lab) / train.spread**2
        evidence = (first.seen.print_distance2[pixels] - np.minimum(away, CAP)) / 2
        total = (evidence * elsewhere).sum(axis=(1, 2))
        result[spaces[of]] = total / (elsewhere.sum(axis=(1, 2)) + FEW_PIXELS)
    return result


def _best_other(score: Float32s) -> Float32s:
    """Return, for each colour, the best score of the others: (N, C) to (N, C)."""
    if score.shape[1] == 1:
        return np.zeros_like(score)
    ordered = np.sort(score, axis=1)
    best, second = ordered[:, -1:], ordered[:, -2:-1]
    return np.where(score == best, second, best)


def best_spaces(printed: PrintedBoard, odds: Float32s) -> Indices:
    """Return the likeliest space of each route for a piece of each colour, (R, C)."""
    starts = printed.first_space
    parts = np.split(odds, starts[1:])
    return np.array([start + part.argmax(0) for start, part in zip(starts, parts, strict=True)])


@dataclass(frozen=True, eq=False)
class StandingPieces:
    """The single pieces of the claimed routes."""

    view: View
    space: dict[RouteId, int]  # the index of the space, of all N, with each claimed route's piece
    colour: dict[RouteId, int]  # the index of the piece's colour

    @classmethod
    def of(cls, view: View, odds: Float32s, claims: Mapping[RouteId, Colour]) -> StandingPieces:
        """Return the pieces of claims, by the odds of spaces, (N, C)."""
        best = best_spaces(view.printed, odds)
        colour = {route: view.pieces.colours.index(name) for route, name in claims.items()}
        routes = view.printed.board.routes
        space = {r.id: int(best[i, colour[r.id]]) for i, r in enumerate(routes) if r.id in claims}
        return cls(view, space, colour)

    @property
    def pins(self) -> dict[RouteId, int]:
        """The number of the space with each claimed route's piece, from 0 at the route's `a`."""
        printed = self.view.printed
        return {
            name: space - int(printed.first_space[printed.route_of[space]])
            for name, space in self.space.items()
        }

    def two_colours(self, odds: Float32s, sure: float) -> dict[RouteId, Sentence]:
        """Return doubts about routes with a second player's piece, but for nearby routes'."""
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
        """Return doubts about pairs of a claimed and a free lane whose piece may be either's."""
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
        """Distance from a piece's space within which other spaces may show a part of the piece."""
        return self.view.pieces.train_size_mm[0] + PIECE_REACH_MM[0]


def _hidden_by_others(view: View, first: FirstLook) -> Float64s:
    """Return the share of each space's middle under other routes' pieces, (N,)."""
    printed = view.printed
    middles = (slice(None), *printed.middle(*part_mm(view)))
    owner = first.trains.owner.reshape(-1)[printed.window_pixels[middles]]
    others = (owner > 0) & (owner != (printed.route_of + 1)[:, None, None])
    return np.asarray(others.mean(axis=(1, 2)), np.float64)
