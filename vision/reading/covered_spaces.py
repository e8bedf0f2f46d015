"""What lies over spaces and is no train: hands, arms, cups, cards. What is under it is unseen.

Three things that know nothing of each other say so. Where print is bare its features show, each at
its place: a train hides those under it and beside it, a thing also those between the routes. The
ground there looks unlike itself. And what lies on the space itself looks like neither, so that
shape and odds are undecided. How much each counts was fitted to things laid over real photos
(benchmarks/hardships/covering.py), with and without a photo of the empty board.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Mask
from railspotter.calibration.profiles.features import differences_at

from ..look.first_look import FirstLook
from ..look.view import View
from ..printed.board_cache import cached_per_board
from ..printed.printed_board import PrintedBoard, in_millimetres, print_features
from .odds import Odds, WeighedBoard

# Difference of descriptors up to which a feature is seen. Nine of ten bare ones have less, on other
# copies too, and one of twenty of what lies over the board.
SEEN = 420.0
BY_CHANCE = 0.06  # share of features that something else resembles
LEAST_RATE, MOST_RATE = 0.3, 0.97  # of bare features that are seen in a photo
BESIDE_MM = 6.0  # how far beside a train features do not show
LAID = -1.0  # log-odds from which a train may lie on a space
# The radius of the circle in which features are counted, and how far off its middle a space
# lies under what hides them. Hands and cups are wider, a card's narrow side is 44.
AROUND_MM, UNDER_MM = 25.0, 17.0
# The same for what is so large that light is measured on it, and seems to be lit ground, and what
# features must say then, alone: on open boards they say 49 at most. Not by a fingerprint: by that a
# corner may lie some millimetres off, where no feature is seen, and they said 84 of a bare one.
LARGE_AROUND_MM, LARGE_UNDER_MM, LARGE_HIDDEN = 40.0, 32.0, 70.0
STEP_MM = 2.5
# How much hidden print is looked for: spaces about which so much of it would ask nobody, are not
# under anything. Beside that each `SAMPLED`-th feature tells how many bare ones a photo shows.
LOOKED_FOR, SAMPLED = 15.0, 8
GROUND_MM = 2.0  # from how far beside all spaces ground is looked at
# What each of `covering_cues` counts in log-odds, and what is there before any: see
# benchmarks/fit_covering.py.
WEIGHTS, BEFORE = np.array([0.25, 1.0, -0.7, -0.65]), 3.6
# Between what each of them is held, so that none outshouts the others.
LEAST, MOST = np.array([-15.0, -1.0, 0.0, 0.0]), np.array([25.0, 4.0, 5.0, 8.0])
COVERED = 5.0  # log-odds from which a space is covered: stray trains beside a route have 4.6
UNSURE = COVERED - 0.1  # as much as can be without that
# From which people are asked. What it was fitted to lay under things oftener than boards do: from 0
# a photo of an open board asked half a question more, from 1 a fifth.
ASKED = 1.0
LEAST_HIDDEN = 5.0  # what features must say for that
# Things are wider than a space: within so many millimetres of one that is likely to be covered
# others are likelier to be, by so much; surely so only beside one that surely is.
LIKELY, REACH_MM, LIKELIER = 3.0, 45.0, 2.0


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


def things_over(view: View, first: FirstLook, odds: Odds) -> Float32s:
    """Return the log-odds that something lies over each space that is no train, (N,).

    From `COVERED` it is sure.
    """
    printed = view.printed
    cues, hidden_far = covering_cues(view, first, odds)
    said, hidden = BEFORE + cues @ WEIGHTS, cues[:, 0]
    # Without a feature that is missing it is a strange light, or another printing's picture.
    said[hidden < LEAST_HIDDEN] = np.minimum(said[hidden < LEAST_HIDDEN], UNSURE)
    if not printed.is_drawn:
        large = hidden_far >= LARGE_HIDDEN
        said[large] = np.maximum(said[large], COVERED)
    apart = np.hypot(*np.moveaxis(printed.xy_mm[:, None] - printed.xy_mm, -1, 0))
    near = said.copy()
    for larger, most in ((said >= COVERED, np.inf), (said >= LIKELY, UNSURE)):
        beside = ~larger & (apart[:, larger] < REACH_MM).any(axis=1)
        near[beside] = np.maximum(near[beside], np.minimum(said[beside] + LIKELIER, most))
    return np.asarray(near, np.float32)


def covering_cues(view: View, first: FirstLook, odds: Odds) -> tuple[Float64s, Float64s]:
    """Return what tells whether something lies over each space, (N, 4), and (N,).

    How much speaks for hidden print near it, how far the ground there is from its print, and how
    decided shape and odds are; beside that, how much speaks for hidden print far around it.
    """
    most = odds.spaces.max(axis=1)
    off = _ground_off(view.printed, first)
    decided = np.abs(first.shape.covered), np.abs(most)
    cues = np.column_stack([np.full(len(most), LOOKED_FOR), off - np.median(off), *decided])
    cues = np.clip(cues, LEAST, MOST)
    may_be_under = view.printed.xy_mm[BEFORE + cues @ WEIGHTS > ASKED]
    hidden, hidden_far = _hidden_features(view, first, np.asarray(most > LAID), may_be_under)
    cues[:, 0] = np.clip(hidden, LEAST[0], MOST[0])
    return np.asarray(cues, np.float64), hidden_far


def _hidden_features(
    view: View, first: FirstLook, laid: Mask, may_be_under_mm: Float64s
) -> tuple[Float64s, Float64s]:
    """Return how much speaks for hidden print near each space and far around it, (N,) each.

    Features are looked at around what may lie under things, and each `SAMPLED`-th elsewhere, which
    tell how many are seen in this photo.
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
    told = is_open & is_sampled
    share = (np.count_nonzero(is_seen & told) + 1) / (np.count_nonzero(told) + 2)
    rate = float(np.clip(share, LEAST_RATE, MOST_RATE))
    missing = np.log((1 - BY_CHANCE) / (1 - rate))
    counts = np.where(is_seen, np.log(BY_CHANCE), np.where(is_open, missing, 0.0))
    counts *= is_shown & is_asked
    height, width = (int(np.ceil(side / STEP_MM)) for side in grey.shape)
    total = np.zeros((height, width), np.float32)
    np.add.at(total, ((row / STEP_MM).astype(np.intp), (column / STEP_MM).astype(np.intp)), counts)
    x, y = np.clip(printed.xy_mm / STEP_MM, 0, [width - 1, height - 1]).astype(np.intp).T

    def most_around(around_mm: float, under_mm: float) -> Float64s:
        """Return the most that is said by a circle under which each space lies."""
        said = cv2.filter2D(total, -1, _disc(around_mm), borderType=cv2.BORDER_CONSTANT)
        best = cv2.dilate(said, _disc(under_mm).astype(np.uint8))
        return np.asarray(best[y, x], np.float64)

    return most_around(AROUND_MM, UNDER_MM), most_around(LARGE_AROUND_MM, LARGE_UNDER_MM)


def _beside_trains(view: View, laid: Mask, shape: tuple[int, ...]) -> Mask:
    """Tell where on the print trains may hide it, in a picture of a pixel a millimetre."""
    printed = view.printed
    lean = view.viewpoint.lean_mm(printed.xy_mm, view.pieces.train_size_mm[2])
    hidden = np.zeros(shape, np.uint8)
    for space in np.flatnonzero(laid):
        box = printed.box_mm(space, printed.size_mm[space] / 2 + BESIDE_MM) - 0.5
        for middle in (printed.xy_mm[space], printed.xy_mm[space] + lean[space]):
            cv2.fillConvexPoly(hidden, np.rint(middle + box).astype(np.int32), 1)
    return np.asarray(hidden > 0)


def _ground_off(printed: PrintedBoard, first: FirstLook) -> Float64s:
    """Return how far the ground around each space is from its print, (N,), squared deviations."""
    is_ground = _ground(printed)
    off = first.seen.print_distance2[printed.windows_of_seen] * is_ground
    return np.asarray(off.sum(axis=(1, 2)) / np.maximum(is_ground.sum(axis=(1, 2)), 1))


@cached_per_board
def _ground(printed: PrintedBoard) -> Mask:
    """Tell where in each space's window no space is printed, (N, V, U)."""
    spaces = printed.footprint(np.arange(len(printed.xy_mm)), printed.px_per_mm, GROUND_MM)
    return np.asarray(spaces.reshape(-1)[printed.window_pixels] == 0)


def _disc(radius_mm: float) -> Float32s:
    reach = int(np.ceil(radius_mm / STEP_MM))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1] * STEP_MM
    return np.asarray(np.hypot(x, y) <= radius_mm, np.float32)
