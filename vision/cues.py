"""Cues: what speaks for a train on a space and for its bare print, each for itself.

Colour decides most spaces. On a print of the train's own colour, under glare and in shadow it does
not, but a train also hides the print's outline and symbol, has edges of its own above the board,
and is not quite the print's shade.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from railspotter.calibration.viewpoint import Viewpoint

from .evidence import SeenBoard
from .lab import Floats
from .placement import StandingTrains
from .printed_board import PrintedBoard
from .train_colours import PLASTIC

SPACE_CUES = (
    "colour",
    "lead",
    "print_inside",
    "print_all",
    "print_symbol",
    "print_around",
    "shade",
    "lightness",
    "edges",
)
"""What is measured on each space: see `space_cues`."""
CUES = tuple(f"{name}.{of}" for name in SPACE_CUES for of in ("mean", "worst"))
"""What decides a route: for each cue the mean of its spaces and the one most against a train."""

PRINT_PARTS_MM = {
    "print_inside": (20.0, 6.0),
    "print_all": (26.0, 9.0),
    "print_symbol": (9.0, 6.0),
    "print_around": (30.0, 12.0),
}
"""Parts of a space, along and across, in which the print is looked for."""


def space_cues(
    printed: PrintedBoard,
    seen: SeenBoard,
    trains: StandingTrains,
    viewpoint: Viewpoint,
    train_height_mm: float,
) -> Floats:
    """Measure the cues of every space, around the trains of all other routes.

    `colour` is the evidence at the best place, `lead` its lead over the best other colour (capped,
    for a colour that is surely there does not become surer); `print_*` correlate the picture's
    gradients with the print's, 1 for bare print; `shade` and `lightness` are the distance, in tens
    of Lab units, between the space's colour and its print's; `edges` is the strength of two edges
    as far apart as a train is wide where its roof would show.

    Returns
    -------
    (N, C, K) float32 array
        For a train of each colour, in the order of `SPACE_CUES`.
    """
    owner = trains.owner.reshape(-1)[printed.windows]
    visible = (owner == 0) | (owner == (printed.route_of + 1)[:, None, None])
    gradients = printed.gradients_in_windows(seen.lab[:, 0])
    score = np.clip(trains.placements.score, -2.0, 3.5)
    shade, lightness = _change_of_colour(printed, seen, visible)
    common = {
        **_print_correlations(printed, gradients, visible),
        "shade": shade,
        "lightness": lightness,
        "edges": _train_edges(printed, gradients, viewpoint, train_height_mm),
    }
    values = np.empty((*score.shape, len(SPACE_CUES)), dtype=np.float32)
    values[..., 0] = score
    values[..., 1] = np.clip(score - _best_other(score), -2.0, 2.0)
    for k, name in enumerate(SPACE_CUES[2:], start=2):
        values[..., k] = common[name][:, None]
    return values


AGAINST = np.array([1, 1, -1, -1, -1, -1, 1, 1, 1], dtype=np.float32)
"""Whether a cue speaks against a train where it is small (1) or where it is large (-1)."""


def route_cues(printed: PrintedBoard, cues: Floats) -> Floats:
    """Return the cues of every route, (R, C, 2 K), in the order of `CUES`."""
    mean = printed.per_route_mean(cues)
    worst = printed.per_route_min(cues * AGAINST) * AGAINST
    both = np.stack([mean, worst], axis=-1)
    return np.asarray(both.reshape(*mean.shape[:2], -1), np.float32)


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
    printed: PrintedBoard, gradients: tuple[Floats, Floats], visible: npt.NDArray[np.bool_]
) -> dict[str, Floats]:
    """Correlate the photo's gradients with the print's in each part of each space, (N,) each.

    The best of nine shifts by up to a pixel: no pose is better.
    """
    photo_x, photo_y = gradients
    print_x, print_y = printed.reference_gradients
    best = {name: np.full(len(visible), -1.0, dtype=np.float32) for name in PRINT_PARTS_MM}
    rows, columns = printed.middle(*PRINT_PARTS_MM["print_around"])
    there = (slice(None), rows, columns)
    ref_x, ref_y = print_x[there], print_y[there]
    ref_energy = ref_x**2 + ref_y**2
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            seen = (slice(None), _moved(rows, down), _moved(columns, right))
            x, y, shown = photo_x[seen], photo_y[seen], visible[seen]
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


def _change_of_colour(
    printed: PrintedBoard, seen: SeenBoard, visible: npt.NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """Return how far hue and lightness inside the spaces are from the print's, (N,) each."""
    part = (slice(None), *printed.middle(*PRINT_PARTS_MM["print_inside"]))
    pixels, shown = printed.windows_of_seen[part], visible[part].astype(np.float32)
    step = (seen.lab - printed.reference_lab)[pixels]
    mean = np.einsum("nvui,nvu->ni", step, shown) / (shown.sum(axis=(1, 2))[:, None] + 1e-3)
    shade = np.minimum(np.hypot(mean[:, 1], mean[:, 2]), 30) / 10
    lightness = np.minimum(np.abs(mean[:, 0]), 40) / 10
    return shade.astype(np.float32), lightness.astype(np.float32)


def _train_edges(
    printed: PrintedBoard,
    gradients: tuple[Floats, Floats],
    viewpoint: Viewpoint,
    train_height_mm: float,
) -> Floats:
    """Return the strength of the weaker of a roof's two long edges, at its best place, (N,)."""
    along, across = printed.along[:, None, None], printed.across[:, None, None]
    across_edge = np.abs(across[..., 0] * gradients[0] + across[..., 1] * gradients[1])
    strength = (across_edge / (across_edge + 6)).astype(np.float32)
    scale = printed.px_per_mm
    half = round(11 * scale)
    run = np.cumsum(np.pad(strength, ((0, 0), (0, 0), (1, 0))), axis=2)
    sides = (run[:, :, 2 * half :] - run[:, :, : -2 * half]) / (2 * half)

    lean = viewpoint.lean_mm(printed.xy_mm, train_height_mm) * scale
    lean_u = np.einsum("ni,ni->n", lean, along[:, 0, 0])
    lean_v = np.einsum("ni,ni->n", lean, across[:, 0, 0])
    rows, columns = printed.window_shape
    spaces = np.arange(len(sides))

    def side(v: npt.NDArray[np.floating], u: npt.NDArray[np.intp]) -> Floats:
        row = np.clip(v.astype(np.intp), 1, rows - 2)
        return np.asarray(
            np.maximum(
                np.maximum(sides[spaces, row, u], sides[spaces, row - 1, u]),
                sides[spaces, row + 1, u],
            ),
            np.float32,
        )

    best = np.zeros(len(sides), dtype=np.float32)
    half_width = 4.2 * scale
    for step_v in np.arange(-3.0, 3.1, 1.0) * scale:
        for step_u in np.array([-2.0, 0.0, 2.0]) * scale:
            at_u = np.rint(columns // 2 - half + lean_u + step_u).astype(np.intp)
            at_u = np.clip(at_u, 0, sides.shape[2] - 1)
            at_v = rows // 2 + lean_v + step_v
            weaker = np.minimum(side(at_v - half_width, at_u), side(at_v + half_width, at_u))
            off_place = 0.01 * (abs(step_v) + abs(step_u)) / scale
            np.maximum(best, weaker - off_place, out=best)
    return best
