"""The reader that weighs cues: colour, what is left of the print, lightness."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .cue_weights import cue_weights
from .cues import CUES, lone_space_cues, route_cues, space_cues, zeroed
from .doubts import Odds, reading_of
from .first_look import FirstLook, look
from .lab import Floats
from .print_as_seen import moved_prints
from .reading import Reading
from .view import View

HIDDEN = 0.27
"""By how much trains lower the print's correlation below that of free routes: nine in ten on their
own colour by more, three of four that were wrongly taken for such by less. Chosen with all labelled
shoots in view."""


def read_by_cues(view: View) -> Reading:
    """Read a board by everything that is measured."""
    first = look(view)
    moved = moved_prints(view.printed, first.seen, first.trains)
    if moved:
        view = replace(view, printed=view.printed.with_moved_prints(moved))
        first = look(view)
    cues = measure_cues(view, first)
    own = is_own_print(view)
    weights = cue_weights()
    spaces = weights.log_odds(lone_space_cues(cues), own[view.printed.route_of])
    of_routes = route_cues(view.printed, cues)
    bare = of_routes[:, 0, CUES.index("print_half.mean")] > -HIDDEN
    return reading_of(view, first, Odds(weights.log_odds(of_routes, own), spaces, bare))


def measure_cues(view: View, first: FirstLook) -> Floats:
    """Return the cues of every space, (N, C, K), with the photo's own zero."""
    cues = space_cues(view, first)
    return zeroed(view.printed, cues, first.trains)


def is_own_print(view: View) -> np.typing.NDArray[np.bool_]:
    """Tell whether a route's print has the colour of a player's trains, (R, C)."""
    return np.array(
        [[route.colour == colour for colour in view.colours] for route in view.printed.board.routes]
    )
