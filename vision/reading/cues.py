"""Cues: what speaks for trains on a space and what for its bare print, each for itself.

None of them knows whose trains they would be; that is asked of the photo's own colours
(`whose_trains.py`). A logistic fit weighs them (`cue_weights.py`), one way where plastic and print
look unlike each other and another way where they look alike.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from railspotter.calibration.arrays import AnyFloats, Float32s, Float64s, Mask

from ..lab import distance2
from ..look.evidence import AT_BEST, CAP
from ..look.first_look import FirstLook
from ..look.placement import StandingTrains, image_shift_mm
from ..look.print_match import print_in_sight
from ..look.shape_look import MOST, ShapeLook
from ..look.view import View
from ..printed.print_windows import pixels_at

# What is measured on each space: see `measure_cues`.
SPACE_CUES = ("shape", "plastic", "unlike", "evidence", "print", "beside")
# What is measured on a route: means over its spaces, and single spaces that speak most for one
# answer.
ROUTE_CUES = (
    *(f"{name}.mean" for name in SPACE_CUES),
    "shape.least",
    "shape.most",
    "unlike.least",
    "evidence.least",
)
# What decides a route: that, and what the photo's bare prints show, from which it is told.
CUES = (*ROUTE_CUES, "unlike.bare", "evidence.bare", "print.bare")
# Log-odds by shape below which a route is taken for bare, to tell what bare prints show.
BARE = -2.5
# Bare routes that are too few to tell; then the quarter of all that looks most like print does.
FEW = 5
LITTLE_PRINT = 20  # percentile of bare prints that show least of themselves
LEAST_PRINT = 0.3  # correlation of free prints below which noise hides them
MOST_UNLIKE = 10.0  # log-odds beyond which colours cannot know
MOST_BESIDE = 3.0  # evidence beside a print beyond which it does not become surer
# By how much the part of a train that shows one colour is shorter and narrower than the train.
RIM_MM = (4.0, 1.0)
# Squared standard deviations from a train's colour from which a print does not look like it.
UNLIKE = 6.0
FEW_PIXELS = 12  # how many pixels, of some two hundred, are too few to say much


class Cues(NamedTuple):
    """What is measured of a photo's routes and spaces before anything is weighed."""

    routes: Float32s  # (R, len(CUES))
    spaces: Float32s  # (N, len(CUES)): of every space as if it were a route of its own
    # (R,) float64 array. How much of each route's print shows, as a share of what free ones show.
    print_share: Float64s
    clear: float  # as of `clearness`


def measure_cues(view: View, first: FirstLook) -> Cues:
    """Measure the cues of every route and space, around the trains of all other routes.

    `shape` is what the net says, `plastic` how much of a train's place it sees covered by plastic,
    `unlike` how much likelier the colour there is some plastic's of this photo than its bare
    print's, `evidence` the same pixel by pixel at a train's best place, `print` how much of the
    print's edges shows, less what of free prints shows in this photo (a sharp photo correlates with
    the print better than a blurred one, trains or not), `beside` how much of the print's own colour
    shows beside it where a player has that colour.
    """
    printed, looks = view.printed, first.shape.looks
    in_sight = print_in_sight(view, first.trains, first.shape.edges)
    usual = usually_shown(view, in_sight, first.trains)
    unlike = first.colours_seen.unlike_bare(looks.seen, looks.bare, printed.inks)
    seen = [
        np.clip(first.shape.covered, -MOST, MOST),
        looks.plastic,
        np.clip(unlike, -MOST_UNLIKE, MOST_UNLIKE),
        np.clip(first.trains.placements.score.max(axis=1), *AT_BEST),
        in_sight - np.float32(usual),
        np.clip(colour_beside_print(view, first), -MOST_BESIDE, MOST_BESIDE),
    ]
    each = first.beside_stations(printed, np.stack(seen, axis=-1, dtype=np.float32))
    least, most = printed.per_route_min(each), printed.per_route_max(each)
    routes = route_cues(printed.per_route_mean(each), least, most)
    bare = shown_bare(routes, _like_others(view))
    return Cues(
        beside_bare(routes, bare),
        beside_bare(route_cues(each, each, each), bare),
        printed.per_route_mean(in_sight) / max(usual, LEAST_PRINT),
        clearness(first.shape),
    )


def route_cues(mean: AnyFloats, least: AnyFloats, most: AnyFloats) -> Float32s:
    """Return the cues of routes, (n, len(ROUTE_CUES)), by what their spaces have of each."""
    shape, _, unlike, evidence, *_ = range(len(SPACE_CUES))
    singles = (least[:, shape], most[:, shape], least[:, unlike], least[:, evidence])
    return np.column_stack([mean, *singles]).astype(np.float32)


def shown_bare(routes: Float32s, like_others: Mask) -> tuple[float, ...]:
    """Return what the bare prints of a photo show of `unlike`, `evidence` and `print`.

    In a photo of another copy, or by a drawing, bare prints look less like the reference.

    Parameters
    ----------
    routes : (R, len(ROUTE_CUES)) float32 array
    like_others : (R,) bool array
        Prints that look like trains of another name, as New York's grey does: they look like
        plastic on any copy, and were on no board that weights were fitted to, so they tell nothing.
    """
    shape, unlike, evidence, print_ = (
        routes[:, ROUTE_CUES.index(f"{name}.mean")]
        for name in ("shape", "unlike", "evidence", "print")
    )
    bare = (shape < BARE) & ~like_others
    if np.count_nonzero(bare) < FEW:
        bare = unlike <= np.percentile(unlike, 25)
    shown = np.median(unlike[bare]), np.median(evidence[bare])
    return (*map(float, shown), float(np.percentile(print_[bare], LITTLE_PRINT)))


def beside_bare(cues: Float32s, bare: tuple[float, ...]) -> Float32s:
    """Return cues with what the photo's bare prints show, (n, len(CUES))."""
    repeated = np.broadcast_to(np.array(bare), (len(cues), len(bare)))
    return np.concatenate([cues, repeated], axis=1, dtype=np.float32)


def _like_others(view: View) -> Mask:
    """Tell which routes' prints look like trains of another name, (R,)."""
    like = {ink for train in view.pieces.trains for ink in train.like if ink != train.name}
    return np.array([route.colour in like for route in view.printed.board.routes])


def clearness(shape: ShapeLook) -> float:
    """Return how clear a photo is, 0 to 1: how plainly the net sees the typical space.

    What blurs or discolours a photo makes it undecided everywhere.
    """
    return float(np.median(np.clip(np.abs(shape.covered), 0, MOST))) / MOST


def usually_shown(view: View, shown: Float32s, trains: StandingTrains) -> float:
    """Return what surely free routes show of their print; 0 where too few are.

    Free for sure are routes of a printed colour that no player has and where colour saw none.
    """
    plain = ~view.is_own_print.any(axis=1)
    free = (trains.colour < 0) & plain
    if np.count_nonzero(free) < 5:
        free = trains.colour < 0
    if np.count_nonzero(free) < 3:
        return 0.0
    return float(np.median(shown[free[view.printed.route_of]]))


def colour_beside_print(view: View, first: FirstLook) -> Float32s:
    """Return how much of a print's own colour shows where that is not printed, (N,).

    Mean evidence for the colour, as of `evidence.colour_evidence`, at the best places of its
    trains, over the pixels of which the print has another colour; 0 for a print that no player's
    trains resemble.
    """
    printed = view.printed
    is_own = view.is_own_print
    own = np.where(is_own.any(axis=1), is_own.argmax(axis=1), -1)[printed.route_of]
    spaces = np.flatnonzero(own >= 0)
    result = np.zeros(len(own), np.float32)
    if len(spaces) == 0:
        return result

    lean = image_shift_mm(view.viewpoint, printed.xy_mm[spaces], view.pieces.train_size_mm[2])
    off = first.trains.placements.offset_mm[spaces, own[spaces]]
    box_mm = np.subtract(view.pieces.train_size_mm[:2], RIM_MM)
    u, v = (np.arange(-side / 2, side / 2 + 0.1) for side in box_mm)
    xy_mm = (
        (printed.xy_mm[spaces] + off + lean)[:, None, None]
        + u[None, None, :, None] * printed.along[spaces][:, None, None]
        + v[None, :, None, None] * printed.across[spaces][:, None, None]
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
