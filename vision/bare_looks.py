"""What bare prints and trains look like in a photo, and how far from it each route looks.

This asks no reference: where that one has glare, or the ink of another copy, a bare print looks
like nothing that it knows, but still like the bare prints of its colour beside it, and not like the
trains that it is taken for.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from .lab import Floats, distance2
from .printed_board import PrintedBoard
from .view import View

PART_MM = (14.0, 4.0)
"""The middle of a space, along and across, which shows one colour mostly."""
BARE = -1.5
"""Log-odds by shape from which a free route is plainly bare."""
PLAIN = 3.0
"""The same from which trains surely stand on a route."""
FEW = 2
"""Routes that tell what a colour's trains look like."""
GREY = 20.0
"""Lab units from grey from which a colour has a hue."""
LIKE_DEG = 45.0
"""Of hue, within which a print is like trains: pink is like red, orange and green like yellow."""


def looks_of(printed: PrintedBoard, lab: Floats) -> Floats:
    """Return the median colour of the middle of each space, (N, 3) CIE Lab.

    Parameters
    ----------
    lab : (M, 3) float32 array
        Of `PrintedBoard.seen_pixels`.
    """
    part = (slice(None), *printed.middle(*PART_MM))
    pixels = printed.windows_of_seen[part].reshape(len(printed.route_of), -1)
    return np.asarray(np.median(lab[pixels], axis=1), np.float32)


def off_bare_prints(view: View, looks: Floats, likeliest: Floats, covered: Floats) -> Floats:
    """Return how far each route looks from the bare prints of its colour, (R,), as Lab distances.

    Infinite where no print of that colour is bare.

    Parameters
    ----------
    looks : (N, 3) float32 array
        Of `looks_of`, in the reference's light.
    likeliest, covered : (R,) float32 array
        Log-odds of a route's likeliest trains, and by shape alone.
    """
    printed = view.printed
    bare = (likeliest < 0) & (covered < BARE)
    colours = np.array([route.colour for route in printed.board.routes])
    off = np.full(len(colours), np.inf, np.float32)
    for colour in np.unique(colours[bare]):
        usual = np.median(looks[(bare & (colours == colour))[printed.route_of]], axis=0)
        off[colours == colour] = _off(view, looks, usual.astype(np.float32))[colours == colour]
    return off


def off_own_trains(
    view: View, looks: Floats, likeliest: Floats, best: npt.NDArray[np.intp], covered: Floats
) -> Floats:
    """Return how far each route looks from what trains of its likeliest colour do elsewhere, (R,).

    Elsewhere is where no print is of a hue like theirs. 0 where the route's own is none, or too few
    routes tell.

    Parameters
    ----------
    looks, likeliest, covered
        As of `off_bare_prints`.
    best : (R,) int array
        The likeliest colour.
    """
    printed = view.printed
    colours = np.array([route.colour for route in printed.board.routes])
    of_print = _printed_looks(printed)
    off = np.zeros(len(colours), np.float32)
    for c, train in enumerate(view.trains):
        of_train = np.array(train.lab, np.float32)
        apart = np.abs((_hue(of_print) - _hue(of_train) + 180) % 360 - 180)
        alike = (np.hypot(of_print[:, 1], of_print[:, 2]) > GREY) & (apart < LIKE_DEG)
        taken = (best == c) & (likeliest > 0)
        plain = taken & ~alike & (covered > PLAIN)
        if np.hypot(*train.lab[1:]) < GREY or np.count_nonzero(plain) < FEW:
            continue
        usual = np.median(looks[plain[printed.route_of]], axis=0)
        asked = taken & alike & (colours != train.name)
        off[asked] = _off(view, looks, usual.astype(np.float32))[asked]
    return off


def _off(view: View, looks: Floats, usual: Floats) -> Floats:
    """Return how far each route looks from a colour, (R,): the mean over its spaces."""
    apart = np.sqrt(distance2(looks, usual))
    return view.printed.per_route_mean(apart).astype(np.float32)


@lru_cache(maxsize=2)
def _printed_looks(printed: PrintedBoard) -> Floats:
    """Return what each route's print looks like in the reference, (R, 3) CIE Lab."""
    return printed.per_route_mean(looks_of(printed, printed.reference_lab)).astype(np.float32)


def _hue(lab: Floats) -> Floats:
    return np.asarray(np.degrees(np.arctan2(lab[..., 2], lab[..., 1])), np.float32)
