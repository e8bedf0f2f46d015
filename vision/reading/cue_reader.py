"""The reader that weighs cues: by shape what stands on a print at all, by colour whose it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from railspotter.calibration.arrays import AnyFloats, Float32s, Float64s, Indices, Mask

from ..colours.photo_colours import fit_train_looks
from ..look.first_look import FirstLook, look, per_route_median, top_colours, visible_routes
from ..look.print_as_seen import CopyPrints, prints_seen
from ..look.print_match import print_in_sight
from ..look.view import View
from ..printed.printed_board import PrintedBoard
from ..readings import Colour, Reading
from .covered_spaces import ASKED, COVERED, things_over
from .cues import (
    CUES,
    EVIDENCE,
    LIKE_TRAINS,
    alikeness,
    beside_bare,
    clearness,
    cue_weights,
    inks_of_spaces,
    lone_space_cues,
    probable,
    route_cues,
    space_cues,
    usually_shown,
)
from .doubts import reading_of
from .odds import RISK, Odds, WeighedBoard
from .score_markers import read_markers
from .single_pieces import weigh_pieces

GONE = 0.25  # what shows of a print, as a share of free ones: less is as good as nothing
LEAST_PRINT = 0.3  # correlation of free prints below which noise hides them
# Log-odds for trains on such a print, beyond what its weight says. On made pictures of New York 50
# of 65 prints under trains like them were gone and of 244 free ones none, so hardly more than 3:
# 4.1, of which the weight has 1.9 at most.
GONE_COUNTS = 2.2
AS_LIKELY = 0.2  # share from which the second likeliest colour's place is looked at too
# Distance within which two places are of the same train, which is 8 mm broad; what lies farther off
# is the next lane's.
ONE_TRAIN_MM = 6.0


def read_by_cues(view: View) -> Reading:
    """Read a board by everything that is measured."""
    return read_weighed(with_covered_told(weigh(view)))


def with_things_told(weighed: WeighedBoard) -> WeighedBoard:
    """Return a board of which is known what lies over it, also when it is weighed anew."""
    view = weighed.view
    if view.things is not None or view.pieces.one_piece_a_route:
        return weighed  # what is told of trains by shape is not told of single pieces
    _, width_mm, height_mm = view.pieces.train_size_mm
    lean = view.viewpoint.lean_mm(view.printed.xy_mm, height_mm)
    if np.median(np.linalg.norm(lean, axis=1)) > width_mm:
        return weighed  # from so low trains hide the print that would tell
    things = things_over(view, weighed.first, weighed.odds)
    return replace(weighed, view=replace(view, things=things))


def with_covered_told(weighed: WeighedBoard) -> WeighedBoard:
    """Return a board of which is told what lies under hands, cards and other things.

    What surely does is covered, and of a route that may lie under one nothing is in sight.
    """
    weighed = with_things_told(weighed)
    view, odds = weighed.view, weighed.odds
    if view.things is None:
        return weighed
    may_be_under = view.printed.per_route_max(view.things) > ASKED
    return replace(
        weighed,
        view=replace(view, covered_spaces=view.things >= COVERED),
        odds=replace(odds, visible=np.where(may_be_under, np.float32(0), odds.visible)),
    )


def read_weighed(weighed: WeighedBoard) -> Reading:
    """Read a board that has been weighed."""
    first = weighed.first
    markers = read_markers(weighed.view, first.picture, first.colours)
    return replace(reading_of(weighed), markers=markers)


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
    if before is not None:
        view = replace(view, things=before.view.things)
    weigh_all = weigh_pieces if view.pieces.one_piece_a_route else weigh_trains
    return WeighedBoard(view, first, weigh_all(view, first))


class MeasuredTrains(NamedTuple):
    """What is measured of trains before anything is weighed."""

    # spaces, routes: float32s: the cues of both, (N, len(SPACE_CUES)) and (R, len(ROUTE_CUES)).
    spaces: Float32s
    routes: Float32s
    bare: Float32s  # (R, 3) float32 array. CIE Lab of each route's print in the reference.
    # (R, C) float64: how probable it is at first whose trains they are, if any stand there.
    shares: Float64s
    tops: WhoseTrains
    in_sight: Float32s  # (N,) float32 array. How much of each print shows: `print_in_sight`.


def measure_trains(view: View, first: FirstLook) -> MeasuredTrains:
    """Measure what cues say of every space and route, and what is on top of their trains."""
    printed, colours, looks = view.printed, first.colours_seen, first.shape.looks
    in_sight = print_in_sight(view, first.trains, first.shape.edges)
    of_spaces = first.beside_stations(printed, space_cues(view, first, in_sight))
    of_routes = route_cues(printed, of_spaces)
    score = first.beside_stations(printed, first.trains.placements.score)
    evidence = printed.per_route_mean(np.clip(score, *EVIDENCE))
    seen, bare = (
        per_route_median(printed, first.beside_stations(printed, values))
        for values in (looks.seen, looks.bare)
    )
    shares = cue_weights().whose_at_first(colours.log_shares(seen), evidence)
    tops = whose_trains(view, first, shares, probable(of_routes[:, 0]))
    return MeasuredTrains(of_spaces, of_routes, bare, shares, tops, in_sight)


def weigh_trains(view: View, first: FirstLook) -> Odds:
    """Return the odds of every route and space."""
    printed, colours, looks = view.printed, first.colours_seen, first.shape.looks
    weights, clear = cue_weights(), clearness(first.shape)
    of_spaces, of_routes, bare, _, tops, in_sight = measure_trains(view, first)

    inks = tuple(route.colour for route in printed.board.routes)
    whose = weights.whose(tops.nobodys_routes, tops.routes)
    alike = alikeness(colours, bare, inks, whose[:, :-1].argmax(axis=1))
    like = {ink for train in view.pieces.trains for ink in train.like if ink != train.name}
    like_others = np.array([ink in like for ink in inks])
    cues = beside_bare(of_routes, of_routes, like_others)
    odds = weights.log_odds(cues, alike, clear)[:, None] + whose
    usual = max(usually_shown(view, in_sight, first.trains), LEAST_PRINT)
    share = printed.per_route_mean(in_sight) / usual
    odds[is_gone(printed, odds, alike, share)] += GONE_COUNTS
    routes, nobodys = odds[:, :-1], odds[:, -1]

    whose = weights.whose(tops.nobodys_spaces, tops.spaces)
    inks = inks_of_spaces(printed)
    of_each = alikeness(colours, looks.bare, inks, whose[:, :-1].argmax(axis=1))
    lone = beside_bare(lone_space_cues(of_spaces), of_routes, like_others)
    spaces = (weights.log_odds(lone, of_each, clear)[:, None] + whose)[:, :-1]

    covered = np.asarray(of_routes[:, 0], np.float32)
    visible = visible_routes(printed, first)
    as_bare = cues[:, CUES.index("print.mean")] >= cues[:, CUES.index("print.bare")]
    visible[as_bare & (share >= GONE)] = 1
    return Odds(routes, spaces, covered, visible, first.stations, nobodys)


def is_gone(printed: PrintedBoard, odds: AnyFloats, alike: AnyFloats, share: AnyFloats) -> Mask:
    """Tell of which prints that look like trains nothing shows, (R,): what hides them are trains.

    On the next lane these may hide a free print as well.
    """
    routes = printed.board.routes
    held = {route.id for route, of_each in zip(routes, odds, strict=True) if of_each.max() > 0}
    is_beside = [bool(held & printed.board.other_lanes.get(one.id, frozenset())) for one in routes]
    return np.asarray((alike > LIKE_TRAINS) & (share < GONE) & ~np.array(is_beside))


def look_at_print(
    view: View, prints: CopyPrints | None = None, before: FirstLook | None = None
) -> tuple[View, FirstLook]:
    """Look at a board, and once more where its copy prints routes elsewhere than is known."""
    prints = prints or CopyPrints(view.printed)
    view = replace(view, printed=prints.printed)
    first = look(view, before)
    marked = whose_markers(view, first)
    if marked:
        view = replace(view, in_play=view.in_play | marked)
        first = look(view, first)
    as_seen = prints.take_in(prints_seen(view, first, prints.known))
    if as_seen is not view.printed:
        view = replace(view, printed=as_seen)
        first = look(view)
    return view, first


def whose_markers(view: View, first: FirstLook) -> frozenset[Colour]:
    """Return the colours that play because their marker is read, where that was not clear.

    Whose marker stands on the score track plays, whatever name alike trains may have.
    """
    if first.learned is None:
        return frozenset()
    plays = zip(view.pieces.colours, first.learned.in_play, strict=True)
    unclear = {colour for colour, share in plays if RISK < share < 1 - RISK}
    if not unclear:
        return frozenset()
    markers = read_markers(view, first.picture, first.colours)
    return frozenset(c for c in unclear if c in markers and markers[c].at is not None)


@dataclass(frozen=True, eq=False)
class WhoseTrains:
    """What the tops of trains say, if any stand there, as logarithms."""

    # routes, spaces: (R, C) and (N, C) float64s: how well they fit each colour's trains on other
    # routes.
    routes: Float64s
    spaces: Float64s
    # nobodys_routes, nobodys_spaces: (R,) and (N,) float64s: how probable it is that they are of no
    # player's plastic.
    nobodys_routes: Float64s
    nobodys_spaces: Float64s


def whose_trains(view: View, first: FirstLook, shares: Float64s, stands: Float64s) -> WhoseTrains:
    """Look at what is on top of all trains.

    That is done in two lights, each as likely: that measured on the print beside them, and the
    whole board's. A lamp's light and a shadow lie on both; glare brightens paper, and a yellow top
    that is divided by it is brown. And it is done in two places where two colours are about as
    likely: dark green trains fit best on their roofs, black ones in the shade beside these.

    Every set of colours that may be in play has its own trains' looks: alike ones that may be
    either of two players' are alike under both names, and no surer for it.
    """
    printed, colours, looks = view.printed, first.colours_seen, first.shape.looks

    def in_lights(lab: Float32s) -> tuple[Float32s, Float32s]:
        return lab, first.light.of_whole_board(lab, printed.xy_mm * printed.px_per_mm)

    likeliest, second, counts = _two_likeliest(first, shares)
    counts[_apart_mm(view, first, likeliest, second) > ONE_TRAIN_MM] = 0.0
    tops = tops_as(view, first, likeliest)
    looked_at = (*in_lights(tops), *in_lights(tops_as(view, first, second)))
    medians = [per_route_median(printed, lab) for lab in looked_at]
    ways = np.log(np.stack([1 - counts, 1 - counts, counts, counts]) / 2 + 1e-300)
    of_routes, of_spaces = [], []
    for likely, of_set in colours.by_set(RISK):
        theirs = shares * of_set.in_play
        theirs *= (stands / np.maximum(theirs.sum(axis=1), 1e-12))[:, None]
        theirs *= -np.expm1(of_set.log_nobodys(medians[:1]))[:, None]
        plastic, taken = fit_train_looks(of_set, medians[0], theirs)
        plays = np.log(likely * of_set.in_play + 1e-300)
        of_routes += [plays + plastic.log_likeness(lab, (medians[0], taken)) for lab in medians]
        of_spaces += [plays + plastic.log_likeness(lab) for lab in looked_at]
    ways = np.tile(ways, (len(of_routes) // len(ways), 1))
    seen = in_lights(np.asarray(first.beside_stations(printed, looks.seen), np.float32))
    return WhoseTrains(
        _either(of_routes, ways),
        _either(of_spaces, ways[:, printed.route_of]),
        colours.log_nobodys([per_route_median(printed, lab) for lab in seen]),
        colours.log_nobodys(seen),
    )


def tops_as(view: View, first: FirstLook, colour: Indices) -> Float32s:
    """Return what is on top where trains of each route's colour fit best, (N, 3) CIE Lab."""
    off_mm, height_mm = _offset_mm(view, first, colour), view.pieces.train_size_mm[2]
    spaces = np.arange(len(off_mm))
    lab = first.seen.lab
    tops, _ = top_colours(view.printed, view.viewpoint, height_mm, lab, spaces, off_mm)
    return np.asarray(first.beside_stations(view.printed, tops), np.float32)


def _offset_mm(view: View, first: FirstLook, colour: Indices) -> Float64s:
    """Return how far off its space trains of each route's colour fit best, (N, 2)."""
    of_route = view.printed.route_of
    return first.trains.placements.offset_mm[np.arange(len(of_route)), colour[of_route]]


def _apart_mm(view: View, first: FirstLook, one: Indices, other: Indices) -> Float64s:
    """Return how far apart trains of two colours fit best, (R,): the mean over a route."""
    apart = _offset_mm(view, first, one) - _offset_mm(view, first, other)
    return view.printed.per_route_mean(np.linalg.norm(apart, axis=1))


def _two_likeliest(first: FirstLook, shares: Float64s) -> tuple[Indices, Indices, Float64s]:
    """Return each route's likeliest colour, the one after it, and what the latter counts, (R,).

    The likeliest is that of which trains were put down there, around those of other routes.
    """
    routes = np.arange(len(shares))
    put_down = first.trains.colour
    likeliest = np.where(put_down >= 0, put_down, shares.argmax(axis=1))
    others = shares.copy()
    others[routes, likeliest] = -1.0
    second = others.argmax(axis=1)
    counts = shares[routes, second] / (shares[routes, second] + shares[routes, likeliest] + 1e-12)
    return likeliest, second, np.where(counts >= AS_LIKELY, counts, 0.0)


def _either(likeness: Sequence[Float64s], ways: Float64s) -> Float64s:
    """Return how likely looks are when one of several ways of looking is right, (n, C)."""
    return np.asarray(np.logaddexp.reduce(np.stack(likeness) + ways[..., None], axis=0))
