"""The reader that weighs cues: by shape what stands on a print at all, by colour whose it is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s

from ..look.first_look import FirstLook, look, per_route_median, visible_routes
from ..look.print_as_seen import CopyPrints, prints_seen
from ..look.view import View
from ..readings import Reading
from .cue_weights import cue_weights
from .cues import (
    EVIDENCE,
    alikeness,
    beside_bare,
    clearness,
    inks_of_spaces,
    lone_space_cues,
    probable,
    route_cues,
    space_cues,
)
from .doubts import reading_of
from .odds import Odds
from .score_markers import read_markers
from .single_pieces import weigh_pieces
from .whose_trains import WhoseTrains, whose_trains


@dataclass(frozen=True, eq=False)
class WeighedBoard:
    """A board looked at, and what all that was measured comes to."""

    view: View  # with the print where this copy has it
    first: FirstLook
    odds: Odds


def read_by_cues(view: View) -> Reading:
    """Read a board by everything that is measured."""
    return read_weighed(weigh(view))


def read_weighed(weighed: WeighedBoard) -> Reading:
    """Read a board that has been weighed."""
    view, first = weighed.view, weighed.first
    markers = read_markers(view, first.picture, first.colours)
    return replace(reading_of(view, first, weighed.odds), markers=markers)


def weigh(
    view: View, prints: CopyPrints | None = None, before: WeighedBoard | None = None
) -> WeighedBoard:
    """Measure a board and weigh what was measured; nothing is decided yet.

    Parameters
    ----------
    prints : CopyPrints, optional
        What other looks at the same copy have shown of where it prints its routes; this one adds
        to it.
    before : WeighedBoard, optional
        The same photo, weighed for trains of other colours: what needs none is taken from it.
    """
    seen = before.first if before is not None and before.view.printed is view.printed else None
    view, first = look_at_print(view, prints, seen)
    visible = visible_routes(view.printed, first)
    if view.pieces.one_piece_a_route:
        pieces = weigh_pieces(view, first)
        odds = Odds(pieces.routes, pieces.spaces, pieces.covered, visible, first.stations)
        return WeighedBoard(view, first, odds)
    odds = replace(weigh_trains(view, first), visible=visible, stations=first.stations)
    return WeighedBoard(view, first, odds)


class MeasuredTrains(NamedTuple):
    """What is measured of trains before anything is weighed."""

    # spaces, routes: float32s: the cues of both, (N, len(SPACE_CUES)) and (R, len(ROUTE_CUES)).
    spaces: Float32s
    routes: Float32s
    bare: Float32s  # (R, 3) float32 array. CIE Lab of each route's print in the reference.
    # (R, C) float64: how probable it is at first whose trains they are, if any stand there.
    shares: Float64s
    tops: WhoseTrains


def measure_trains(view: View, first: FirstLook) -> MeasuredTrains:
    """Measure what cues say of every space and route, and what is on top of their trains."""
    printed, colours, looks = view.printed, first.colours_seen, first.shape.looks
    of_spaces = space_cues(view, first)
    of_routes = route_cues(printed, of_spaces)
    evidence = printed.per_route_mean(np.clip(first.trains.placements.score, *EVIDENCE))
    seen, bare = (per_route_median(printed, values) for values in (looks.seen, looks.bare))
    shares = cue_weights().whose_at_first(colours.log_shares(seen), evidence)
    tops = whose_trains(view, first, shares, probable(of_routes[:, 0]))
    return MeasuredTrains(of_spaces, of_routes, bare, shares, tops)


def weigh_trains(view: View, first: FirstLook) -> Odds:
    """Return the odds of every route and space."""
    printed, colours, looks = view.printed, first.colours_seen, first.shape.looks
    weights, clear = cue_weights(), clearness(first.shape)
    of_spaces, of_routes, bare, _, tops = measure_trains(view, first)

    def odds_of(cues: Float32s, whose: Float32s, bare: Float32s, inks: tuple[str, ...]) -> _Case:
        alike = alikeness(colours, bare, inks, whose[:, :-1].argmax(axis=1))
        odds = weights.log_odds(beside_bare(cues, of_routes), alike, clear)[:, None] + whose
        return _Case(odds[:, :-1], odds[:, -1])

    inks = tuple(route.colour for route in printed.board.routes)
    routes = odds_of(of_routes, weights.whose(tops.nobodys_routes, tops.routes), bare, inks)
    whose = weights.whose(tops.nobodys_spaces, tops.spaces)
    spaces = odds_of(lone_space_cues(of_spaces), whose, looks.bare, inks_of_spaces(printed))
    covered = np.asarray(of_routes[:, 0], np.float32)
    return Odds(routes.odds, spaces.odds, covered, np.ones_like(covered), nobodys=routes.nobodys)


class _Case(NamedTuple):
    """Log-odds of each colour, and of nobody's plastic."""

    odds: Float32s
    nobodys: Float32s


def look_at_print(
    view: View, prints: CopyPrints | None = None, before: FirstLook | None = None
) -> tuple[View, FirstLook]:
    """Look at a board, and once more where its copy prints routes elsewhere than is known."""
    prints = prints or CopyPrints(view.printed)
    view = replace(view, printed=prints.printed)
    first = look(view, before)
    as_seen = prints.take_in(prints_seen(view, first, prints.known))
    if as_seen is not view.printed:
        view = replace(view, printed=as_seen)
        first = look(view)
    return view, first
