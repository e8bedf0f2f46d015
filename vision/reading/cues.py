"""Cues: measurements that tell trains on a space from its bare print, and what each counts.

They do not tell whose trains these are, which the photo's own colours do (`whose_trains.py`). Their
weights are a logistic fit to relit boards of real houses, with corrections where plastic and print
look alike; `benchmarks/teaching/fit_cue_weights.py` writes them. Those for single pieces were
chosen.
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
from railspotter.calibration.arrays import AnyFloats, Float32s, Float64s, Mask

from ..look.evidence import AT_BEST
from ..look.first_look import FirstLook, visible_routes
from ..look.placement import StandingTrains
from ..look.print_match import print_in_sight
from ..look.shape_look import MOST, ShapeLook
from ..look.view import View
from ..printed.printed_board import PrintedBoard
from .odds import Odds
from .whose_trains import Whose, log_shares

# The program's weights for trains; benchmarks replace them by some fitted without some house.
WEIGHTS = Path(__file__).with_name("cue_weights.json")
# Cues of each space: see `measure_cues`.
SPACE_CUES = ("shape", "unlike", "evidence", "print")
# Cues of each route: means over its spaces, and the extremes of `shape`.
CUES = (*(f"{name}.mean" for name in SPACE_CUES), "shape.least", "shape.most")
GONE = 0.25  # visible share of a print, relative to free ones, below which it is gone
# Log-odds added for trains on a print that is gone, beyond its cue's weight. On made pictures of
# New York 50 of 65 prints under trains like them were gone and of 244 free ones none, so hardly
# more than 3: 4.1 log-odds. Its weight has 1.1 of them at most (1.9 when this was chosen).
GONE_COUNTS = 2.2
BARE = -2.5  # log-odds by shape below which a route counts as bare
LITTLE_PRINT = 20  # percentile of the visible shares of bare prints: who shows as much is in sight
LIKE_TRAINS = 0.5  # likeness of print and trains from which that is added
MOST_UNLIKE = 10.0  # limit of log-odds by colour
LEAST_PRINT = 0.3  # lower limit of the usual correlation of free prints, which is divided by


def train_odds(view: View, first: FirstLook, of_routes: Whose, of_spaces: Whose) -> Odds:
    """Return the odds of trains on every route and space, given whose they are if any stand."""
    weights, cues = cue_weights(), measure_cues(view, first)
    shapes = first.route_shapes(view.printed)
    odds = weights.odds(cues.routes, cues.clear, of_routes)
    odds[is_hidden_by_trains(view.printed, odds, of_routes.alike, cues.print_share)] += GONE_COUNTS
    spaces = weights.odds(cues.spaces, cues.clear, of_spaces)[:, :-1]
    visible = visible_routes(view.printed, first)
    bare = cues.print_share[shapes < BARE]
    if len(bare):
        shown = max(float(np.percentile(bare, LITTLE_PRINT)), GONE)
        visible[cues.print_share >= shown] = 1
    return Odds(odds[:, :-1], spaces, shapes, visible, odds[:, -1], first.stations)


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
        first.shape.covered,
        np.clip(unlike, -MOST_UNLIKE, MOST_UNLIKE),
        np.clip(first.trains.placements.score.max(axis=1), *AT_BEST),
        in_sight - np.float32(usual),
    ]
    each = first.beside_stations(printed, np.stack(seen, axis=-1, dtype=np.float32))
    shape = each[:, SPACE_CUES.index("shape")]
    least, most = printed.per_route_min(shape), printed.per_route_max(shape)
    return Cues(
        np.column_stack([printed.per_route_mean(each), least, most]).astype(np.float32),
        np.column_stack([each, shape, shape]),
        printed.per_route_mean(in_sight) / max(usual, LEAST_PRINT),
        clearness(first.shape),
    )


def clearness(shape: ShapeLook) -> float:
    """Return the clearness of a photo, 0 to 1: the median of the net's absolute log-odds, scaled.

    Blur and odd colours make the net undecided everywhere.
    """
    return float(np.median(np.abs(shape.covered))) / MOST


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


class CueWeights(msgspec.Struct, frozen=True):
    """Weights of cues for trains, and corrections on prints like the trains and in clear photos.

    Photos with noise, blur or strange light are trusted less.
    """

    fitted_to: str  # the data
    # Log-odds before any cue; the second is added on a print that looks like the trains, the third
    # in a clear photo.
    bias: float
    alike_bias: float
    weight: dict[str, float]  # for every cue, in the order of its array
    # Added to `weight` on a print that looks like the trains; 0 for missing cues.
    alike_weight: dict[str, float]
    clear_bias: float = 0.0
    clear_weight: dict[str, float] = {}  # added to `weight` in a clear photo
    # Weight of the likeness to each player's trains, the only cue for whose they are: with the
    # evidence beside it, each house left out was read worse. Chosen between what relit houses say:
    # .45 of three, .9 and 1.6 of two.
    likeness_counts: float = 1.0

    def odds(self, cues: Float32s, clear: float, whose: Whose) -> Float32s:
        """Return the log-odds of each colour's trains, and of nobody's plastic, (n, C + 1)."""
        stands = self.log_odds(cues, whose.alike, clear)
        return stands[:, None] + self.log_owner_shares(whose.nobodys, whose.likeness)

    def log_odds(
        self, cues: Float32s, alike: npt.NDArray[np.floating | np.bool_], clear: float = 0.0
    ) -> Float32s:
        """Return the log-odds that any trains are there, (n,)."""
        bias = self.bias + clear * self.clear_bias
        anywhere, in_clear = self._as_array(self.weight), self._as_array(self.clear_weight)
        on_alike = cues @ self._as_array(self.alike_weight) + np.float32(self.alike_bias)
        plain = cues @ (anywhere + np.float32(clear) * in_clear) + np.float32(bias)
        return np.asarray(plain + alike * on_alike, np.float32)

    def _as_array(self, added: dict[str, float]) -> Float32s:
        return np.array([added.get(name, 0.0) for name in self.weight], dtype=np.float32)

    def log_owner_shares(self, nobodys: Float64s, likeness: Float64s) -> Float32s:
        """Return log-probabilities of whose trains they are, if any stand there, (n, C + 1)."""
        nobodys = np.minimum(nobodys, -1e-6)[:, None]
        somebodys = log_shares(self.likeness_counts * likeness) + np.log1p(-np.exp(nobodys))
        return np.concatenate([somebodys, nobodys], axis=1).astype(np.float32)


@cache
def cue_weights() -> CueWeights:
    """Return the program's weights."""
    return msgspec.json.decode(WEIGHTS.read_bytes(), type=CueWeights)
