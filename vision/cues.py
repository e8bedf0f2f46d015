"""Cues: what speaks for a train on a space and for its bare print, each for itself.

Colour decides most spaces. On a print of the train's own colour, under glare and in shadow it does
not; but a train also hides the print's outline and symbol, and is darker or lighter than it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from .evidence import SeenBoard
from .lab import Floats
from .placement import StandingTrains
from .printed_board import PrintedBoard
from .train_colours import PLASTIC

SPACE_CUES = ("colour", "lead", "print_all", "print_symbol", "print_around", "lightness")
"""What is measured on each space: see `space_cues`."""
MEANS = SPACE_CUES
WORSTS = ("colour", "lead", "print_all")
CUES = tuple(f"{name}.mean" for name in MEANS) + tuple(f"{name}.worst" for name in WORSTS)
"""What decides a route: means over its spaces, and of some cues the one most against a train.

Edges of trains, the inside of the print, its shade and further worst values were measured too;
without them fewer routes were wrong in lights that took no part in the fit.
"""
OWN_PRINT_CUES = tuple(
    name for name in CUES if not name.startswith("lead") and name != "colour.worst"
)
"""What counts differently on a print of the train's own colour."""

PRINT_PARTS_MM = {
    "print_all": (26.0, 9.0),
    "print_symbol": (9.0, 6.0),
    "print_around": (30.0, 12.0),
}
"""Parts of a space, along and across, in which the print is looked for."""
INSIDE_MM = (20.0, 6.0)
"""The part of a space without its outline."""


def space_cues(printed: PrintedBoard, seen: SeenBoard, trains: StandingTrains) -> Floats:
    """Measure the cues of every space, around the trains of all other routes.

    `colour` is the evidence at the best place, `lead` its lead over the best other colour (capped,
    for a colour that is surely there does not become surer); `print_*` correlate the picture's
    gradients with the print's, 1 for bare print; `lightness` is how far, in tens of Lab units, the
    space is lighter or darker than its print.

    Returns
    -------
    (N, C, K) float32 array
        For a train of each colour, in the order of `SPACE_CUES`.
    """
    owner = trains.owner.reshape(-1)[printed.windows]
    visible = (owner == 0) | (owner == (printed.route_of + 1)[:, None, None])
    score = np.clip(trains.placements.score, -2.0, 3.5)
    common = {
        **_print_correlations(printed, seen, visible),
        "lightness": _change_of_lightness(printed, seen, visible),
    }
    values = np.empty((*score.shape, len(SPACE_CUES)), dtype=np.float32)
    values[..., 0] = score
    values[..., 1] = np.clip(score - _best_other(score), -2.0, 2.0)
    for k, name in enumerate(SPACE_CUES[2:], start=2):
        values[..., k] = common[name][:, None]
    return values


def route_cues(printed: PrintedBoard, cues: Floats) -> Floats:
    """Return the cues of every route, (R, C, len(CUES))."""
    colour, lead, print_all = (cues[..., SPACE_CUES.index(name)] for name in WORSTS)
    worst = [
        printed.per_route_min(colour),
        printed.per_route_min(lead),
        printed.per_route_max(print_all),
    ]
    return _joined(printed.per_route_mean(cues), worst)


def lone_space_cues(cues: Floats) -> Floats:
    """Return the cues of every space as if it were a route of its own, (N, C, len(CUES))."""
    return _joined(cues, [cues[..., SPACE_CUES.index(name)] for name in WORSTS])


def _joined(mean: npt.ArrayLike, worst: Sequence[npt.ArrayLike]) -> Floats:
    return np.concatenate([mean, np.stack(worst, axis=-1)], axis=-1, dtype=np.float32)


PHOTO_DEPENDENT = slice(2, None)
"""The cues of `SPACE_CUES` whose level depends on the photo: its sharpness, its grain."""


def zeroed(printed: PrintedBoard, cues: Floats, trains: StandingTrains) -> Floats:
    """Set the zero of the photo-dependent cues at what surely free routes show.

    Free for sure are routes of a printed colour that no train has and where colour saw none. A
    sharp photo correlates with the print better than a blurred one, trains or not.

    Parameters
    ----------
    cues : (N, C, K) float32 array
        Of `space_cues`.
    """
    player_colours = set(PLASTIC)
    printed_plain = np.array([r.colour not in player_colours for r in printed.board.routes])
    free = (trains.colour < 0) & printed_plain
    if np.count_nonzero(free) < 5:
        free = trains.colour < 0
    if np.count_nonzero(free) < 3:
        return cues
    level = np.median(cues[free[printed.route_of], 0, PHOTO_DEPENDENT], axis=0)
    result = cues.copy()
    result[..., PHOTO_DEPENDENT] -= level
    return result


def _best_other(score: Floats) -> Floats:
    """Return, for each colour, the best score of the others: (N, C) to (N, C)."""
    if score.shape[1] == 1:
        return np.zeros_like(score)
    ordered = np.sort(score, axis=1)
    best, second = ordered[:, -1:], ordered[:, -2:-1]
    return np.where(score == best, second, best)


def _print_correlations(
    printed: PrintedBoard, seen: SeenBoard, visible: npt.NDArray[np.bool_]
) -> dict[str, Floats]:
    """Correlate the photo's gradients with the print's in each part of each space, (N,) each.

    The best of nine shifts by up to a pixel: no pose is better.
    """
    photo_x, photo_y = printed.gradients_in_windows(seen.lab[:, 0])
    print_x, print_y = printed.reference_gradients
    best = {name: np.full(len(visible), -1.0, dtype=np.float32) for name in PRINT_PARTS_MM}
    rows, columns = printed.middle(*PRINT_PARTS_MM["print_around"])
    there = (slice(None), rows, columns)
    ref_x, ref_y = print_x[there], print_y[there]
    ref_energy = ref_x**2 + ref_y**2
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            moved = (slice(None), _moved(rows, down), _moved(columns, right))
            x, y, shown = photo_x[moved], photo_y[moved], visible[moved]
            both = (x * ref_x + y * ref_y) * shown
            energy = (x * x + y * y) * shown
            expected = ref_energy * shown
            for name, part_mm in PRINT_PARTS_MM.items():
                part_rows, part_columns = printed.middle(*part_mm)
                part = (
                    slice(None),
                    _moved(part_rows, -rows.start),
                    _moved(part_columns, -columns.start),
                )
                a, b, c = (np.sum(v[part], axis=(1, 2)) for v in (both, energy, expected))
                # 20: the energy of noise, so that a plain part correlates with nothing.
                correlation = a / (np.sqrt(b * c) + 20) - 0.01 * (abs(down) + abs(right))
                np.maximum(best[name], correlation, out=best[name])
    return best


def _moved(part: slice, by: int) -> slice:
    return slice(part.start + by, part.stop + by)


def _change_of_lightness(
    printed: PrintedBoard, seen: SeenBoard, visible: npt.NDArray[np.bool_]
) -> Floats:
    """Return how far the lightness inside the spaces is from the print's, either way, (N,)."""
    part = (slice(None), *printed.middle(*INSIDE_MM))
    pixels, shown = printed.windows_of_seen[part], visible[part].astype(np.float32)
    step = (seen.lab[:, 0] - printed.reference_lab[:, 0])[pixels]
    mean = np.einsum("nvu,nvu->n", step, shown) / (shown.sum(axis=(1, 2)) + 1e-3)
    return np.asarray(np.minimum(np.abs(mean), 40) / 10, np.float32)
