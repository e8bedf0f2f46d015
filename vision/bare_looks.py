"""What bare prints look like in a photo, and how far from it each route looks.

This asks no reference: where that one has glare, or the ink of another copy, a bare print looks
like nothing that it knows, but still like the bare prints of its colour beside it.
"""

from __future__ import annotations

import numpy as np

from .first_look import FirstLook
from .lab import Floats, distance2
from .view import View

PART_MM = (14.0, 4.0)
"""The middle of a space, along and across, which shows one colour mostly."""
BARE = -1.5
"""Log-odds by shape from which a free route is plainly bare."""


def off_bare_prints(view: View, first: FirstLook, likeliest: Floats, covered: Floats) -> Floats:
    """Return how far each route looks from the bare prints of its colour, (R,), as Lab distances.

    Infinite where no print of that colour is bare.

    Parameters
    ----------
    likeliest, covered : (R,) float32 array
        Log-odds of a route's likeliest trains, and by shape alone.
    """
    printed = view.printed
    part = (slice(None), *printed.middle(*PART_MM))
    pixels = printed.windows_of_seen[part].reshape(len(printed.route_of), -1)
    looks = np.median(first.seen.lab[pixels], axis=1)
    bare = (likeliest < 0) & (covered < BARE)
    colours = np.array([route.colour for route in printed.board.routes])
    off = np.full(len(colours), np.inf, np.float32)
    for colour in np.unique(colours[bare]):
        usual = np.median(looks[(bare & (colours == colour))[printed.route_of]], axis=0)
        apart = np.sqrt(distance2(looks, usual.astype(np.float32)))
        for r in np.flatnonzero(colours == colour):
            off[r] = np.median(apart[printed.route_of == r])
    return off
