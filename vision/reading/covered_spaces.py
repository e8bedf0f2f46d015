"""Finds spaces under hands, arms, cups or cards: what is under them is unseen.

Three independent cues tell. Features of bare print are seen at their places: a train hides those
under it and beside it, a thing also those between the routes. The ground does not look like its
print. And the space itself looks like neither print nor train, so that shape and odds are
undecided. Weights were fitted to things laid over real photos (benchmarks/hardships/covering.py),
with and without a photo of the empty board.
"""

from dataclasses import replace
from functools import cached_property
from itertools import product

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
# The same for things so large that light is measured on them, as if they were lit ground, and that
# shape takes for bare print; and the cue of features that is enough alone where as many are missing
# around the space itself as are seen. A photo of the empty board has features that glare hides more
# easily: by it the cue is 49 at most on open boards, by the fingerprint 5, and under glare 16.
LARGE_AROUND_MM, LARGE_UNDER_MM = 40.0, 32.0
LARGE_HIDDEN, LARGE_BY_PHOTO = 30.0, 70.0
# A corner may be some millimetres off, where no feature is seen at its place: before something
# large is said to hide them, they are looked for off their places by so much along both axes.
ASTRAY_MM = -2.0, 0.0, 2.0
STEP_MM = 2.5  # cells in which features are counted
# Spaces on which a cue of features of this size would raise no question are not examined. Each
# `SAMPLED`-th feature tells the share of bare ones that a photo shows; where a cue of these alone
# hints at something large, spaces are examined too.
LOOKED_FOR, SAMPLED, HINT = 15.0, 8, 4.0
GROUND_MM = 2.0  # distance from all spaces from which ground is compared
# Weights of `covering_cues`, and the bias, in log-odds: fitted to photos with things laid over them
# by benchmarks/fit_covering.py of commit 3432d440, since removed.
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
    large = hidden_far >= (LARGE_HIDDEN if printed.is_drawn else LARGE_BY_PHOTO)
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
    measure the share that this photo shows; by a fingerprint also where these hint at something
    large.
    """
    xy_mm, features = view.printed.xy_mm, _PrintMatch(view, first, laid)
    far_mm = LARGE_AROUND_MM + LARGE_UNDER_MM
    features.match(features.is_sampled | features.near(may_be_under_mm, AROUND_MM + UNDER_MM))
    hidden = features.hidden(AROUND_MM, UNDER_MM)
    if not view.printed.is_drawn:
        return hidden, features.hidden(LARGE_AROUND_MM, LARGE_UNDER_MM)
    hint = features.hidden(LARGE_AROUND_MM, LARGE_UNDER_MM, features.is_sampled)
    features.match(features.near(xy_mm[hint > HINT], far_mm) & ~features.is_matched)
    large = features.hidden_by_large()
    if (large >= LARGE_HIDDEN).any():
        under = features.near(xy_mm[large >= LARGE_HIDDEN], far_mm) & features.is_matched
        for off_mm in product(ASTRAY_MM, repeat=2):
            features.match(under, off_mm)
            large = np.minimum(large, features.hidden_by_large())
    return hidden, large


class _PrintMatch:
    """Which features of a board's print a photo shows, of those that were matched."""

    def __init__(self, view: View, first: FirstLook, laid: Mask) -> None:
        printed = view.printed
        self._features = print_features(printed)
        picture = in_millimetres(first.picture, printed.px_per_mm)
        self._grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        x, y = self._features.points.T.astype(np.intp)
        height, width = self._grey.shape
        self._at = np.minimum(y, height - 1), np.minimum(x, width - 1)
        shown = np.ones((height, width)) if view.shown is None else view.shown
        self._is_shown = cv2.resize(shown.astype(np.uint8), (width, height))[self._at] > 0
        beside = _beside_trains(view, laid, self._grey.shape)
        self._is_open = self._is_shown & ~beside[self._at]
        self._cell_of_space = tuple(
            np.clip(printed.xy_mm[:, axis] / STEP_MM, 0, side // STEP_MM).astype(np.intp)
            for axis, side in ((1, height - 1), (0, width - 1))
        )
        count = len(self._features)
        self.is_sampled = np.arange(count) % SAMPLED == 0
        self.is_matched, self._is_seen = np.zeros((2, count), np.bool_)

    def near(self, middles_mm: Float64s, reach_mm: float) -> Mask:
        """Tell which features lie near some points."""
        there = np.zeros(self._grey.shape, np.uint8)
        for middle in np.rint(middles_mm).astype(int).tolist():
            cv2.circle(there, middle, int(reach_mm), 1, -1)
        return np.asarray(there[self._at] > 0)

    def match(self, asked: Mask, off_mm: tuple[float, ...] = (0.0, 0.0)) -> None:
        """Tell of some features whether they are seen, so much off their places."""
        if asked.any():
            points = self._features.points - 0.5 + off_mm
            moved = replace(self._features, points=points).where(asked)
            self._is_seen[asked] = differences_at(moved, self._grey) < SEEN
            self.is_matched |= asked

    def hidden(self, around_mm: float, under_mm: float, counted: Mask | None = None) -> Float64s:
        """Return the maximum, over circles near each space, of their summed features, (N,)."""
        counted = self.is_matched if counted is None else counted
        missing = np.where(self._is_open, self._missing, 0.0)
        counts = np.where(self._is_seen, np.log(BY_CHANCE), missing) * (self._is_shown & counted)
        total = np.zeros([int(np.ceil(side / STEP_MM)) for side in self._grey.shape], np.float32)
        np.add.at(total, tuple((axis / STEP_MM).astype(np.intp) for axis in self._at), counts)
        log_odds = cv2.filter2D(total, -1, _disc(around_mm), borderType=cv2.BORDER_CONSTANT)
        best = cv2.dilate(log_odds, _disc(under_mm).astype(np.uint8))
        return np.asarray(best[self._cell_of_space], np.float64)

    @cached_property
    def _missing(self) -> float:
        """What a missing feature counts, by the share seen before any is matched off its place."""
        bare = self._is_open & self.is_sampled
        share = (np.count_nonzero(self._is_seen & bare) + 1) / (np.count_nonzero(bare) + 2)
        return float(np.log((1 - BY_CHANCE) / (1 - np.clip(share, LEAST_RATE, MOST_RATE))))

    def hidden_by_large(self) -> Float64s:
        """Return the sum for the large circle, 0 where more is seen around the space, (N,)."""
        is_missing = self.hidden(AROUND_MM, 0.0) >= 0
        return np.where(is_missing, self.hidden(LARGE_AROUND_MM, LARGE_UNDER_MM), 0.0)


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
