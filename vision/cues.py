"""Cues: what speaks for a train on a space and for its bare print, each for itself.

Colour decides most spaces. On a print of the train's own colour, under glare and in shadow it does
not; but a train also hides the print.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from .first_look import FirstLook
from .lab import Floats
from .placement import StandingTrains
from .print_match import match_print
from .printed_board import PrintedBoard
from .train_colours import PLASTIC
from .train_net import covered_logits
from .view import View

SPACE_CUES = ("colour", "lead", "covered", "print_half", "print_middle", "print_around")
"""What is measured on each space: see `space_cues`."""
WORSTS = ("colour", "lead")
CUES = tuple(f"{name}.mean" for name in SPACE_CUES) + tuple(f"{name}.worst" for name in WORSTS)
"""What decides a route: means over its spaces, and of some cues the one most against a train.

Edges of trains, shadow, lightness and further worst values were measured too; without them fewer
routes were wrong in lights that took no part in the fit.
"""
OWN_PRINT_CUES = tuple(name for name in CUES if name.startswith(("covered", "print")))
"""What counts differently on a print of the train's own colour."""
SUREST = 8.0
"""Log-odds beyond which the net cannot know."""


def space_cues(view: View, first: FirstLook) -> Floats:
    """Measure the cues of every space, around the trains of all other routes.

    `colour` is the evidence at the best place, `lead` its lead over the best other colour (capped,
    for a colour that is surely there does not become surer); `covered` is what the net says, which
    knows no colours; `print_*` are those of `PrintMatch`.

    Returns
    -------
    (N, C, K) float32 array
        For a train of each colour, in the order of `SPACE_CUES`.
    """
    score = np.clip(first.trains.placements.score, -2.0, 3.5)
    match = match_print(view.printed, first.seen, first.trains)
    covered = np.clip(covered_logits(view, first), -SUREST, SUREST)
    values = np.empty((*score.shape, len(SPACE_CUES)), dtype=np.float32)
    values[..., 0] = score
    values[..., 1] = np.clip(score - _best_other(score), -2.0, 2.0)
    for k, found in enumerate((covered, match.half, match.middle, match.around), start=2):
        values[..., k] = found[:, None]
    return values


def route_cues(printed: PrintedBoard, cues: Floats) -> Floats:
    """Return the cues of every route, (R, C, len(CUES))."""
    worst = [printed.per_route_min(cues[..., SPACE_CUES.index(name)]) for name in WORSTS]
    return _joined(printed.per_route_mean(cues), worst)


def lone_space_cues(cues: Floats) -> Floats:
    """Return the cues of every space as if it were a route of its own, (N, C, len(CUES))."""
    return _joined(cues, [cues[..., SPACE_CUES.index(name)] for name in WORSTS])


def _joined(mean: npt.ArrayLike, worst: Sequence[npt.ArrayLike]) -> Floats:
    return np.concatenate([mean, np.stack(worst, axis=-1)], axis=-1, dtype=np.float32)


PHOTO_DEPENDENT = slice(3, None)
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
