"""Cues: what speaks for trains on a space and what for its bare print, each for itself.

None of them knows whose trains they would be; that is asked of the photo's own colours
(`photo_colours.py`). A logistic fit weighs them (`CueWeights`), one way where plastic and print
look unlike each other and another way where they look alike.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
from railspotter.calibration.arrays import AnyFloats, Float32s, Float64s, Indices, Mask

from ..colours.learned_colours import LIKE_PRINT
from ..colours.photo_colours import PhotoColours
from ..lab import LIGHTNESS, distance2
from ..look.evidence import CAP
from ..look.first_look import FirstLook
from ..look.placement import StandingTrains, seen_mm
from ..look.shape_look import MOST, ShapeLook
from ..look.view import View
from ..printed.print_windows import pixels_at
from ..printed.printed_board import PrintedBoard

# What the program weighs trains by; benchmarks put weights in its place that were fitted without
# some house.
WEIGHTS = Path(__file__).with_name("cue_weights.json")
PIECE_WEIGHTS = Path(__file__).with_name("piece_weights.json")
# What is measured on each space: see `space_cues`.
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
LIKE_TRAINS = 0.5  # how alike a print and trains must look for it not to be asked
LITTLE_PRINT = 20  # percentile of bare prints that show least of themselves
MOST_UNLIKE = 10.0  # log-odds beyond which colours cannot know
EVIDENCE = (-2.0, 3.5)  # least and most that evidence at a train's best place counts
MOST_BESIDE = 3.0  # evidence beside a print beyond which it does not become surer
# By how much the part of a train that shows one colour is shorter and narrower than the train.
RIM_MM = (4.0, 1.0)
# Squared standard deviations from a train's colour from which a print does not look like it.
UNLIKE = 6.0
FEW_PIXELS = 12  # how many pixels, of some two hundred, are too few to say much


def space_cues(view: View, first: FirstLook, in_sight: Float32s) -> Float32s:
    """Measure the cues of every space, around the trains of all other routes.

    `shape` is what the net says, `plastic` how much of a train's place it sees covered by plastic,
    `unlike` how much likelier the colour there is some plastic's of this photo than its bare
    print's, `evidence` the same pixel by pixel at a train's best place, `print` how much of the
    print's edges shows, less what of free prints shows in this photo, `beside` how much of the
    print's own colour shows beside it where a player has that colour.

    Parameters
    ----------
    in_sight : (N,) float32 array
        As of `print_match.print_in_sight`.
    """
    shape, looks = first.shape, first.shape.looks
    unlike = first.colours_seen.unlike_bare(looks.seen, looks.bare, inks_of_spaces(view.printed))
    return np.stack(
        [
            np.clip(shape.covered, -MOST, MOST),
            looks.plastic,
            np.clip(unlike, -MOST_UNLIKE, MOST_UNLIKE),
            np.clip(first.trains.placements.score.max(axis=1), *EVIDENCE),
            zeroed(view, in_sight, first.trains),
            np.clip(colour_beside_print(view, first), -MOST_BESIDE, MOST_BESIDE),
        ],
        axis=-1,
        dtype=np.float32,
    )


def route_cues(printed: PrintedBoard, cues: Float32s) -> Float32s:
    """Return the cues of every route, (R, len(ROUTE_CUES))."""
    least, most = printed.per_route_min(cues), printed.per_route_max(cues)
    return _joined(printed.per_route_mean(cues), least, most)


def lone_space_cues(cues: Float32s) -> Float32s:
    """Return the cues of every space as if it were a route of its own, (N, len(ROUTE_CUES))."""
    return _joined(cues, cues, cues)


def beside_bare(cues: Float32s, of_routes: Float32s, like_others: Mask | None = None) -> Float32s:
    """Return cues with what the photo's bare prints show, (n, len(CUES)).

    In a photo of another copy, or by a drawing, bare prints look less like the reference. What
    looks like trains of another name, as New York's grey does, looks like plastic on any copy, and
    was on no board that weights were fitted to: such routes are not asked.
    """
    shape, unlike, evidence, print_ = (
        of_routes[:, ROUTE_CUES.index(f"{name}.mean")]
        for name in ("shape", "unlike", "evidence", "print")
    )
    bare = shape < BARE
    if like_others is not None:
        bare &= ~like_others
    if np.count_nonzero(bare) < FEW:
        bare = unlike <= np.percentile(unlike, 25)
    shown = (
        np.median(unlike[bare]),
        np.median(evidence[bare]),
        np.percentile(print_[bare], LITTLE_PRINT),
    )
    repeated = np.broadcast_to(np.array(shown), (len(cues), len(shown)))
    return np.concatenate([cues, repeated], axis=1, dtype=np.float32)


def _joined(
    mean: AnyFloats,
    least: AnyFloats,
    most: AnyFloats,
) -> Float32s:
    shape, _, unlike, evidence, *_ = range(len(SPACE_CUES))
    singles = (least[:, shape], most[:, shape], least[:, unlike], least[:, evidence])
    return np.column_stack([mean, *singles]).astype(np.float32)


def alikeness(
    colours: PhotoColours,
    bare: AnyFloats,
    inks: tuple[str, ...],
    likeliest: Indices,
) -> Float32s:
    """Return how alike bare print and the likeliest trains look, (n,): 0 not at all, 1 the same."""
    apart = (colours.bare_as_seen(bare, inks) - colours.lab[likeliest]) * [LIGHTNESS, 1, 1]
    return np.asarray(np.exp(-0.5 * (apart**2).sum(axis=1) / LIKE_PRINT**2), np.float32)


def clearness(shape: ShapeLook) -> float:
    """Return how clear a photo is, 0 to 1: how plainly the net sees the typical space.

    What blurs or discolours a photo makes it undecided everywhere.
    """
    return float(np.median(np.clip(np.abs(shape.covered), 0, MOST))) / MOST


def probable(shape: Float32s) -> Float64s:
    """Return how probable it is that trains stand where the net says so; below even, not at all."""
    return np.asarray(np.where(shape > 0, 1 / (1 + np.exp(-shape)), 0.0), np.float64)


def inks_of_spaces(printed: PrintedBoard) -> tuple[str, ...]:
    """Return the printed colour of every space."""
    inks = [route.colour for route in printed.board.routes]
    return tuple(inks[r] for r in printed.route_of)


def zeroed(view: View, shown: Float32s, trains: StandingTrains) -> Float32s:
    """Set the zero of what shows of the print at what surely free routes show of theirs.

    A sharp photo correlates with the print better than a blurred one, trains or not.
    """
    return np.asarray(shown - usually_shown(view, shown, trains), np.float32)


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

    lean = seen_mm(view.viewpoint, printed.xy_mm[spaces], view.pieces.train_size_mm[2])
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


class CueWeights(msgspec.Struct, frozen=True):
    """What cues count for trains being there, and what is added where print and trains look alike.

    And what is added in a clear photo: one of noise, blur or strange light is trusted less.
    """

    fitted_to: str  # what the numbers come from
    # bias, alike_bias, clear_bias: Before any cue; the second is added on a print that looks like
    # the trains, the third in a clear photo.
    bias: float
    alike_bias: float
    weight: dict[str, float]  # for every cue, in the order in which they are measured
    # What is added to it on such a print; a cue that is missing counts the same there.
    alike_weight: dict[str, float]
    clear_bias: float = 0.0
    clear_weight: dict[str, float] = {}  # what is added to it in a clear photo
    look_counts: tuple[float, float] = (0.25, 1.0)
    # What counts for whose trains they are, if any stand there; of trains only. First the colour of
    # the whole, by which the photo's colours are learned, and the evidence pixel by pixel; then the
    # likeness to the trains that were so told apart, alone: with that evidence beside it, each
    # house left out was told worse.
    likeness_counts: float = 1.0

    def log_odds(
        self, cues: Float32s, alike: npt.NDArray[np.floating | np.bool_], clear: float = 0.0
    ) -> Float32s:
        """Return the logarithm of the odds that trains are there."""
        bias = self.bias + clear * self.clear_bias
        anywhere, in_clear = self._of(self.weight), self._of(self.clear_weight)
        on_alike = cues @ self._of(self.alike_weight) + np.float32(self.alike_bias)
        plain = cues @ (anywhere + np.float32(clear) * in_clear) + np.float32(bias)
        return np.asarray(plain + alike * on_alike, np.float32)

    def _of(self, added: dict[str, float]) -> Float32s:
        return np.array([added.get(name, 0.0) for name in self.weight], dtype=np.float32)

    def whose_at_first(self, of_looks: Float64s, evidence: AnyFloats) -> Float64s:
        """Return how probable it is whose trains they are, if any stand there, (n, C)."""
        look, pixels = self.look_counts
        return np.exp(_normalised(look * of_looks[:, :-1] + pixels * evidence))

    def whose(self, nobodys: Float64s, likeness: Float64s) -> Float32s:
        """Return whose trains they are, if any stand there, (n, C + 1), as logarithms."""
        nobodys = np.minimum(nobodys, -1e-6)[:, None]
        somebodys = _normalised(self.likeness_counts * likeness) + np.log1p(-np.exp(nobodys))
        return np.concatenate([somebodys, nobodys], axis=1).astype(np.float32)


def _normalised(log: Float64s) -> Float64s:
    log = log - log.max(axis=1, keepdims=True)
    return np.asarray(log - np.log(np.exp(log).sum(axis=1, keepdims=True)), np.float64)


def cue_weights(one_piece_a_route: bool = False) -> CueWeights:
    """Return the weights that come with the program: for trains, or for single pieces."""
    return _read(PIECE_WEIGHTS if one_piece_a_route else WEIGHTS)


@cache
def _read(path: Path) -> CueWeights:
    return msgspec.json.decode(path.read_bytes(), type=CueWeights)
