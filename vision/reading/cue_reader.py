"""Looks at a board and weighs its cues: by shape whether trains stand, by colour whose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from railspotter.calibration.arrays import AnyFloats, Mask

from ..look.first_look import FirstLook, look, visible_routes
from ..look.print_as_seen import CopyPrints, find_prints
from ..look.view import View
from ..printed.printed_board import PrintedBoard
from ..readings import Colour
from .cues import CUES, cue_weights, measure_cues
from .odds import RISK, Odds, WeighedBoard
from .score_markers import read_markers
from .single_pieces import weigh_pieces
from .whose_trains import whose_at_first, whose_trains

GONE = 0.25  # visible share of a print, relative to free ones, below which it is gone
# Log-odds added for trains on a print that is gone, beyond its cue's weight. On made pictures of
# New York 50 of 65 prints under trains like them were gone and of 244 free ones none, so hardly
# more than 3: 4.1 log-odds. Its weight has 1.1 of them at most (1.9 when this was chosen).
GONE_COUNTS = 2.2
BARE = -2.5  # log-odds by shape below which a route counts as bare
LITTLE_PRINT = 20  # percentile of the visible shares of bare prints: who shows as much is in sight
LIKE_TRAINS = 0.5  # likeness of print and trains from which that is added


def weigh(
    view: View, prints: CopyPrints | None = None, before: WeighedBoard | None = None
) -> WeighedBoard:
    """Measure a board's cues and return its odds; nothing is decided yet.

    Parameters
    ----------
    prints : CopyPrints, optional
        Offsets of prints found by other looks at the same copy; this look adds its own.
    before : WeighedBoard, optional
        The same photo, weighed for other colours of trains: light, shape, things and the offsets of
        its prints are reused.
    """
    if before is None:
        view, first = look_at_print(view, prints)
    else:
        view = replace(view, printed=before.view.printed, things=before.view.things)
        view, first = _look_in_play(view, before.first)
    weigh_all = weigh_pieces if view.pieces.one_piece_a_route else weigh_trains
    return WeighedBoard(view, first, weigh_all(view, first))


def look_at_print(view: View, prints: CopyPrints | None = None) -> tuple[View, FirstLook]:
    """Look at a board, and once more if its copy prints routes elsewhere than known."""
    prints = prints or CopyPrints(view.printed)
    view, first = _look_in_play(replace(view, printed=prints.printed))
    as_seen = prints.add_look(find_prints(view, first, prints.known))
    if as_seen is not view.printed:
        view = replace(view, printed=as_seen)
        first = look(view)
    return view, first


def _look_in_play(view: View, before: FirstLook | None = None) -> tuple[View, FirstLook]:
    """Look at a board, and once more if markers tell that unclear colours are in play."""
    first = look(view, before)
    marked = colours_by_markers(view, first)
    if not marked:
        return view, first
    view = replace(view, in_play=view.in_play | marked)
    return view, look(view, first)


def colours_by_markers(view: View, first: FirstLook) -> frozenset[Colour]:
    """Return the colours that surely play since their marker is read, of those that are unclear."""
    if first.learned is None:
        return frozenset()
    plays = zip(view.pieces.colours, first.learned.in_play, strict=True)
    unclear = {colour for colour, share in plays if RISK < share < 1 - RISK}
    if not unclear:
        return frozenset()
    markers = read_markers(view, first.picture, first.colours)
    return frozenset(c for c in unclear if c in markers and markers[c].at is not None)


def weigh_trains(view: View, first: FirstLook) -> Odds:
    """Return the odds of trains on every route and space."""
    weights, cues = cue_weights(), measure_cues(view, first)
    shapes = cues.routes[:, CUES.index("shape.mean")]
    of_routes, of_spaces = whose_trains(view, first, whose_at_first(view, first), shapes)
    odds = weights.odds(cues.routes, cues.clear, of_routes)
    odds[is_hidden_by_trains(view.printed, odds, of_routes.alike, cues.print_share)] += GONE_COUNTS
    spaces = weights.odds(cues.spaces, cues.clear, of_spaces)[:, :-1]
    visible = visible_routes(view.printed, first)
    bare = cues.print_share[shapes < BARE]
    if len(bare):
        shown = max(float(np.percentile(bare, LITTLE_PRINT)), GONE)
        visible[cues.print_share >= shown] = 1
    return Odds(odds[:, :-1], spaces, shapes, visible, first.stations, odds[:, -1])


def is_hidden_by_trains(
    printed: PrintedBoard, odds: AnyFloats, alike: AnyFloats, share: AnyFloats
) -> Mask:
    """Tell which routes' prints look like trains and are hidden, (R,): by trains, then.

    Routes beside a lane with trains, which may hide them too, are left out.
    """
    routes = printed.board.routes
    covered = {route.id for route, of_route in zip(routes, odds, strict=True) if of_route.max() > 0}
    lanes = (printed.board.other_lanes.get(route.id, frozenset()) for route in routes)
    is_beside = np.array([bool(covered & beside) for beside in lanes])
    return np.asarray((alike > LIKE_TRAINS) & (share < GONE) & ~is_beside)
