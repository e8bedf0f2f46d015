"""Cues: what speaks for a train on a space and for its bare print, each for itself.

Colour decides most spaces. On a print of the train's own colour, under glare and in shadow it does
not; there a net that knows no colours tells a train from a print by its shape.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .beside_print import colour_beside_print
from .first_look import FirstLook
from .lab import Floats
from .placement import StandingTrains
from .print_match import print_in_sight
from .printed_board import PrintedBoard
from .shape_look import ShapeLook
from .view import View

SPACE_CUES = ("colour", "lead", "covered", "print", "beside")
"""What is measured on each space: see `space_cues`."""
CUES = (
    *(f"{name}.mean" for name in SPACE_CUES),
    "colour.worst",
    "lead.worst",
    "covered.most",
)
"""What decides a route: means over its spaces, and the one space that speaks most against a train,
or, of the net, most for one.

Edges of trains, shadow, lightness and further worst values were measured too; with them no fewer
routes were wrong in lights that took no part in the fit.
"""
OWN_PRINT_CUES = ("covered.mean", "covered.most", "print.mean")
"""What counts differently on a print of the train's own colour."""
SUREST = 8.0
"""Log-odds beyond which the net cannot know."""
MOST_BESIDE = 3.0
"""Evidence beside a print beyond which it does not become surer."""


def space_cues(view: View, first: FirstLook, shape: ShapeLook) -> Floats:
    """Measure the cues of every space, around the trains of all other routes.

    `colour` is the evidence at the best place, `lead` its lead over the best other colour (capped,
    for a colour that is surely there does not become surer), `covered` what the net says, which
    knows no colours, `print` how much of the print shows, less what of free prints shows in this
    photo, `beside` how much of the print's own colour shows beside it, 0 for all other colours.

    Returns
    -------
    (N, C, K) float32 array
        For a train of each colour, in the order of `SPACE_CUES`.
    """
    score, lead = colour_cues(first)
    shown = zeroed(view, print_in_sight(view, first, shape.edges), first.trains)
    covered = np.clip(shape.covered, -SUREST, SUREST)
    of_shape = [np.broadcast_to(cue[:, None], score.shape) for cue in (covered, shown)]
    beside = beside_cue(view, first)
    return np.stack([score, lead, *of_shape, beside], axis=-1, dtype=np.float32)


def colour_cues(first: FirstLook) -> tuple[Floats, Floats]:
    """Return the cues `colour` and `lead` of every space, (N, C) each."""
    score = np.clip(first.trains.placements.score, -2.0, 3.5)
    return score, np.clip(score - _best_other(score), -2.0, 2.0)


def beside_cue(view: View, first: FirstLook) -> Floats:
    """Return the cue `beside` of every space, (N, C)."""
    beside = np.clip(colour_beside_print(view, first), -MOST_BESIDE, MOST_BESIDE)[:, None]
    return np.asarray(beside * view.is_own_print[view.printed.route_of], np.float32)


def zeroed(view: View, shown: Floats, trains: StandingTrains) -> Floats:
    """Set the zero of what shows of the print at what surely free routes show of theirs.

    Free for sure are routes of a printed colour that no player has and where colour saw none. A
    sharp photo correlates with the print better than a blurred one, trains or not.

    Parameters
    ----------
    shown : (N,) float32 array
        Of `print_in_sight`.
    """
    plain = ~view.is_own_print.any(axis=1)
    free = (trains.colour < 0) & plain
    if np.count_nonzero(free) < 5:
        free = trains.colour < 0
    if np.count_nonzero(free) < 3:
        return shown
    return np.asarray(shown - np.median(shown[free[view.printed.route_of]]), np.float32)


def route_cues(printed: PrintedBoard, cues: Floats) -> Floats:
    """Return the cues of every route, (R, C, len(CUES)).

    Parameters
    ----------
    cues : (N, C, K) float32 array
        Of `space_cues`.
    """
    least, most = printed.per_route_min(cues), printed.per_route_max(cues)
    return _joined(printed.per_route_mean(cues), least, most)


def lone_space_cues(cues: Floats) -> Floats:
    """Return the cues of every space as if it were a route of its own, (N, C, len(CUES))."""
    return _joined(cues, cues, cues)


def _joined(
    mean: npt.ArrayLike, least: npt.NDArray[np.floating], most: npt.NDArray[np.floating]
) -> Floats:
    return np.concatenate([mean, least[..., :2], most[..., 2:3]], axis=-1, dtype=np.float32)


def _best_other(score: Floats) -> Floats:
    """Return, for each colour, the best score of the others: (N, C) to (N, C)."""
    if score.shape[1] == 1:
        return np.zeros_like(score)
    ordered = np.sort(score, axis=1)
    best, second = ordered[:, -1:], ordered[:, -2:-1]
    return np.where(score == best, second, best)
