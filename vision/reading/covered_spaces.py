"""Finds spaces under hands, arms, cups or cards: what is under them is unseen.

Three independent cues tell. Features of bare print are seen at their places: a train hides those
under it and beside it, a thing also those between the routes. The ground does not look like its
print. And the space itself looks like neither print nor train, so that shape and odds are
undecided. Weights were fitted to things laid over real photos (benchmarks/hardships/covering.py),
with and without a photo of the empty board.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Mask
from railspotter.calibration.profiles.features import differences_at

from ..look.first_look import FirstLook
from ..look.view import COVERED, View
from ..printed.board_cache import cached_per_board
from ..printed.printed_board import PrintedBoard, in_millimetres, print_features
from .odds import Odds, WeighedBoard

# Difference of descriptors up to which a feature is seen. Nine of ten bare ones have less, on other
# copies too, and one of twenty on things over the board.
SEEN = 420.0
BY_CHANCE = 0.06  # share of hidden features that are seen by chance
LEAST_RATE, MOST_RATE = 0.3, 0.97  # limits of the share of bare features that a photo shows
BESIDE_MM = 6.0  # distance from a train within which it may hide features
LAID = -1.0  # log-odds from which a space may have a train
# Radius of the circle in which hidden features are counted, and distance from its middle within
# which spaces are under it. Hands and cups are wider, a card's narrow side is 44.
AROUND_MM, UNDER_MM = 25.0, 17.0
# The same for things so large that light is measured on them, as if they were lit ground, and the
# cue of features that is enough alone: on open boards it is 49 at most. Not used with a
# fingerprint, by which a corner may be some millimetres off, where no feature is seen: one bare
# board had 84.
LARGE_AROUND_MM, LARGE_UNDER_MM, LARGE_HIDDEN = 40.0, 32.0, 70.0
STEP_MM = 2.5  # cells in which features are counted
# Spaces on which a cue of features of this size would raise no question are not examined. Each
# `SAMPLED`-th feature tells the share of bare ones that a photo shows.
LOOKED_FOR, SAMPLED = 15.0, 8
GROUND_MM = 2.0  # distance from all spaces from which ground is compared
# Weights of `covering_cues`, and the bias, in log-odds: see benchmarks/fit_covering.py.
WEIGHTS, BIAS = np.array([0.25, 1.0, -0.7, -0.65]), 3.6
# Limits of each cue, so that none overrules the others.
LEAST, MOST = np.array([-15.0, -1.0, 0.0, 0.0]), np.array([25.0, 4.0, 5.0, 8.0])
UNSURE = COVERED - 0.1  # limit of log-odds short of that
# Log-odds from which people are asked. The fit had more covered spaces than real boards have: from
# 0 a photo of an open board raised half a question more, from 1 a fifth.
ASKED = 1.0
LEAST_HIDDEN = 5.0  # least cue of features for a covered space
# Things are wider than a space: log-odds of a space from which those within a distance gain
# log-odds; they become covered only beside one that is.
LIKELY, REACH_MM, LIKELIER = 3.0, 45.0, 2.0


def with_things(weighed: WeighedBoard) -> WeighedBoard:
    """Return a board with `View.things` measured, unless they are or cannot be.

    Routes that may be under one get a visibility of 0.
    """
    view, odds = weighed.view, weighed.odds
    things = view.things
    if things is None:
        width_mm = view.pieces.train_size_mm[1]
        if np.median(np.linalg.norm(view.roof_lean_mm, axis=1)) > width_mm:
            return weighed  # from a low angle trains hide most features
        things = things_over(view, weighed.first, odds)
        view = replace(view, things=things)
    may_be_under = view.printed.per_route_max(things) > ASKED
    visible = np.where(may_be_under, np.float32(0), odds.visible)
    return replace(weighed, view=view, odds=replace(odds, visible=visible))


def things_over(view: View, first: FirstLook, odds: Odds) -> Float32s:
    """Return the log-odds that something other than a train lies over each space, (N,)."""
    printed = view.printed
    cues, hidden_far = covering_cues(view, first, odds)
    log_odds, hidden = BIAS + cues @ WEIGHTS, cues[:, 0]
    # If no feature is missing, it is a strange light, or the picture of another printing.
    log_odds[hidden < LEAST_HIDDEN] = np.minimum(log_odds[hidden < LEAST_HIDDEN], UNSURE)
    if not printed.is_drawn:
        large = hidden_far >= LARGE_HIDDEN
        log_odds[large] = np.maximum(log_odds[large], COVERED)
    apart = np.hypot(*np.moveaxis(printed.xy_mm[:, None] - printed.xy_mm, -1, 0))
    raised = log_odds.copy()
    for larger, most in ((log_odds >= COVERED, np.inf), (log_odds >= LIKELY, UNSURE)):
        beside = ~larger & (apart[:, larger] < REACH_MM).any(axis=1)
        nearby = np.minimum(log_odds[beside] + LIKELIER, most)
        raised[beside] = np.maximum(raised[beside], nearby)
    return np.asarray(raised, np.float32)


def covering_cues(view: View, first: FirstLook, odds: Odds) -> tuple[Float64s, Float64s]:
    """Return the cues that something lies over each space, (N, 4), and one for large things, (N,).

    The four are log-likelihoods of hidden features near it, the distance of the ground from its
    print, and how decided shape and odds are. The last is that of features in a larger circle.
    """
    most = odds.spaces.max(axis=1)
    is_ground = _ground(view.printed)
    from_print = first.seen.print_distance2[view.printed.windows_of_seen] * is_ground
    off = from_print.sum(axis=(1, 2)) / np.maximum(is_ground.sum(axis=(1, 2)), 1)
    decided = np.abs(first.shape.covered), np.abs(most)
    cues = np.column_stack([np.full(len(most), LOOKED_FOR), off - np.median(off), *decided])
    cues = np.clip(cues, LEAST, MOST)
    may_be_under = view.printed.xy_mm[BIAS + cues @ WEIGHTS > ASKED]
    hidden, hidden_far = _hidden_features(view, first, np.asarray(most > LAID), may_be_under)
    cues[:, 0] = np.clip(hidden, LEAST[0], MOST[0])
    return np.asarray(cues, np.float64), hidden_far


def _hidden_features(
    view: View, first: FirstLook, laid: Mask, may_be_under_mm: Float64s
) -> tuple[Float64s, Float64s]:
    """Return log-likelihoods of hidden features in a small and a large circle, (N,) each.

    Features are matched around spaces that may be covered, and each `SAMPLED`-th elsewhere, to
    measure the share that this photo shows.
    """
    printed = view.printed
    features = print_features(printed)
    grey = cv2.cvtColor(in_millimetres(first.picture, printed.px_per_mm), cv2.COLOR_BGR2GRAY)
    in_pixels = replace(features, points=features.points - 0.5)
    row, column = (
        np.minimum(features.points[:, i].astype(np.intp), grey.shape[1 - i] - 1) for i in (1, 0)
    )
    near = np.zeros(grey.shape, np.uint8)
    for middle in np.rint(may_be_under_mm).astype(int).tolist():
        cv2.circle(near, middle, int(AROUND_MM + UNDER_MM), 1, -1)
    is_sampled = np.arange(len(features)) % SAMPLED == 0
    is_asked = is_sampled | (near[row, column] > 0)
    is_seen = is_asked.copy()
    is_seen[is_asked] = differences_at(in_pixels.where(is_asked), np.asarray(grey, np.uint8)) < SEEN
    shown = np.ones(grey.shape, np.uint8) if view.shown is None else view.shown.astype(np.uint8)
    is_shown = cv2.resize(shown, grey.shape[::-1])[row, column] > 0
    is_open = is_shown & ~_beside_trains(view, laid, grey.shape)[row, column]
    counted = is_open & is_sampled
    share = (np.count_nonzero(is_seen & counted) + 1) / (np.count_nonzero(counted) + 2)
    rate = float(np.clip(share, LEAST_RATE, MOST_RATE))
    missing = np.log((1 - BY_CHANCE) / (1 - rate))
    counts = np.where(is_seen, np.log(BY_CHANCE), np.where(is_open, missing, 0.0))
    counts *= is_shown & is_asked
    height, width = (int(np.ceil(side / STEP_MM)) for side in grey.shape)
    total = np.zeros((height, width), np.float32)
    np.add.at(total, ((row / STEP_MM).astype(np.intp), (column / STEP_MM).astype(np.intp)), counts)
    x, y = np.clip(printed.xy_mm / STEP_MM, 0, [width - 1, height - 1]).astype(np.intp).T

    def most_around(around_mm: float, under_mm: float) -> Float64s:
        """Return the maximum, over circles near each space, of their summed features, (N,)."""
        log_odds = cv2.filter2D(total, -1, _disc(around_mm), borderType=cv2.BORDER_CONSTANT)
        best = cv2.dilate(log_odds, _disc(under_mm).astype(np.uint8))
        return np.asarray(best[y, x], np.float64)

    return most_around(AROUND_MM, UNDER_MM), most_around(LARGE_AROUND_MM, LARGE_UNDER_MM)


def _beside_trains(view: View, laid: Mask, shape: tuple[int, ...]) -> Mask:
    """Tell where on the print trains may hide it, in a picture of a pixel a millimetre."""
    printed = view.printed
    hidden = np.zeros(shape, np.uint8)
    for space in np.flatnonzero(laid):
        box = printed.box_mm(space, printed.size_mm[space] / 2 + BESIDE_MM) - 0.5
        for outline in (box, box + view.roof_lean_mm[space]):
            cv2.fillConvexPoly(hidden, np.rint(outline).astype(np.int32), 1)
    return np.asarray(hidden > 0)


@cached_per_board
def _ground(printed: PrintedBoard) -> Mask:
    """Tell where in each space's window no space is printed, (N, V, U)."""
    spaces = printed.footprint(np.arange(len(printed.xy_mm)), printed.px_per_mm, GROUND_MM)
    return np.asarray(spaces.reshape(-1)[printed.window_pixels] == 0)


def _disc(radius_mm: float) -> Float32s:
    reach = int(np.ceil(radius_mm / STEP_MM))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1] * STEP_MM
    return np.asarray(np.hypot(x, y) <= radius_mm, np.float32)
