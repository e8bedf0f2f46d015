"""Cues: measurements that tell trains on a space from its bare print.

They do not tell whose trains these are, which the photo's own colours do (`whose_trains.py`). They
have weights of a logistic fit (`cue_weights.py`), with corrections where plastic and print look
alike.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from railspotter.calibration.arrays import AnyFloats, Float32s, Float64s

from ..look.evidence import AT_BEST
from ..look.first_look import FirstLook
from ..look.placement import StandingTrains
from ..look.print_match import print_in_sight
from ..look.shape_look import MOST, ShapeLook
from ..look.view import View

# Cues of each space: see `measure_cues`.
SPACE_CUES = ("shape", "unlike", "evidence", "print")
# Cues of each route: means over its spaces, and the extremes of `shape`.
CUES = (*(f"{name}.mean" for name in SPACE_CUES), "shape.least", "shape.most")
MOST_UNLIKE = 10.0  # limit of log-odds by colour
LEAST_PRINT = 0.3  # lower limit of the usual correlation of free prints, which is divided by


class Cues(NamedTuple):
    """The cues of a photo's routes and spaces."""

    routes: Float32s  # (R, len(CUES))
    spaces: Float32s  # (N, len(CUES)): of every space as a route of its own
    # (R,): visible share of each route's print, relative to free ones.
    print_share: Float64s
    clear: float  # of `clearness`


def measure_cues(view: View, first: FirstLook) -> Cues:
    """Measure the cues of every route and space, around the trains of all other routes.

    - `shape`: the net's log-odds.
    - `unlike`: log-likelihood ratio of the space's colour, anybody's plastic over bare print: what
      tells of trains in colours that nobody plays.
    - `evidence`: the same of each pixel, players' plastic only, at a train's best place.
    - `print`: correlation of the print's edges, less that of this photo's free prints: a sharp
      photo has more, trains or not.
    """
    printed, looks = view.printed, first.shape.looks
    in_sight = print_in_sight(view, first.trains, first.shape.edges)
    usual = usual_correlation(view, in_sight, first.trains)
    unlike = first.colours_seen.unlike_bare(looks.seen, looks.bare, printed.inks)
    seen = [
        np.clip(first.shape.covered, -MOST, MOST),
        np.clip(unlike, -MOST_UNLIKE, MOST_UNLIKE),
        np.clip(first.trains.placements.score.max(axis=1), *AT_BEST),
        in_sight - np.float32(usual),
    ]
    each = first.beside_stations(printed, np.stack(seen, axis=-1, dtype=np.float32))
    shape = each[:, SPACE_CUES.index("shape")]
    least, most = printed.per_route_min(shape), printed.per_route_max(shape)
    return Cues(
        _route_cues(printed.per_route_mean(each), least, most),
        _route_cues(each, shape, shape),
        printed.per_route_mean(in_sight) / max(usual, LEAST_PRINT),
        clearness(first.shape),
    )


def _route_cues(mean: AnyFloats, least: AnyFloats, most: AnyFloats) -> Float32s:
    return np.column_stack([mean, least, most]).astype(np.float32)


def clearness(shape: ShapeLook) -> float:
    """Return the clearness of a photo, 0 to 1: the median of the net's absolute log-odds, scaled.

    Blur and odd colours make the net undecided everywhere.
    """
    return float(np.median(np.clip(np.abs(shape.covered), 0, MOST))) / MOST


def usual_correlation(view: View, shown: Float32s, trains: StandingTrains) -> float:
    """Return the median correlation of surely free prints; 0 if there are too few.

    Those are prints in no player's colour on which no train was placed.
    """
    plain = ~view.is_own_print.any(axis=1)
    free = (trains.colour < 0) & plain
    if np.count_nonzero(free) < 5:
        free = trains.colour < 0
    if np.count_nonzero(free) < 3:
        return 0.0
    return float(np.median(shown[free[view.printed.route_of]]))
