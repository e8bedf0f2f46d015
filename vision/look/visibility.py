"""How much of each space can be seen: not under glare, a hand, or a card."""

from __future__ import annotations

import numpy as np
from railspotter.calibration.arrays import Float32s

from ..lab import distance2
from ..printed import PrintedBoard
from .evidence import CAP
from .first_look import FirstLook

SEEN, HIDDEN = 0.1, 0.5
"""Shares of a space's pixels that look like neither print nor train, up to which it is seen and
from which it is hidden. Under glare it was .2 to .8 on shoot-2, elsewhere below .1."""


def visible_spaces(printed: PrintedBoard, first: FirstLook) -> Float32s:
    """Return how much of each space can be seen, (N,): 0 for nothing, 1 for all.

    What a pixel shows is hidden where it looks like neither the print, lit somehow, nor any train.
    """
    inside = printed.windows_of_seen[(slice(None), *printed.middle(20.0, 6.0))]
    strange = first.seen.print_distance2[inside] >= CAP
    unlike_print = first.seen.lab[inside[strange]]
    from_train = np.min(
        [distance2(unlike_print, train.lab) / train.spread**2 for train in first.colours], axis=0
    )
    strange[strange] = from_train >= CAP
    share = strange.mean(axis=(1, 2))
    return np.asarray(np.clip((HIDDEN - share) / (HIDDEN - SEEN), 0, 1), np.float32)


def visible_routes(printed: PrintedBoard, first: FirstLook) -> Float32s:
    """Return how much of each route can be seen, (R,): 0 for nothing, 1 for all."""
    return printed.per_route_mean(visible_spaces(printed, first)).astype(np.float32)
