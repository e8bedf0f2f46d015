"""Whose trains stand there: how well what is on top of them fits each player's trains elsewhere.

It is looked at in two lights, each as likely: that measured on the print beside them, and the whole
board's. A lamp's light and a shadow lie on both; glare brightens paper, and a yellow top that is
divided by it is brown. And it is looked at in two places where two colours are about as likely:
dark green trains fit best on their roofs, black ones in the shade beside these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Indices

from ..colours.photo_colours import seen_plastic
from ..look.first_look import FirstLook, per_route_median, top_colours
from ..look.view import View

AS_LIKELY = 0.2  # share from which the second likeliest colour's place is looked at too
# Distance within which two places are of the same train, which is 8 mm broad; what lies farther off
# is the next lane's.
ONE_TRAIN_MM = 6.0


@dataclass(frozen=True, eq=False)
class WhoseTrains:
    """What the tops of trains say, if any stand there, as logarithms."""

    # routes, spaces: (R, C) and (N, C) float64s: how well they fit each colour's trains on other
    # routes.
    routes: Float64s
    spaces: Float64s
    # nobodys_routes, nobodys_spaces: (R,) and (N,) float64s: how probable it is that they are of no
    # player's plastic.
    nobodys_routes: Float64s
    nobodys_spaces: Float64s


def whose_trains(view: View, first: FirstLook, shares: Float64s, stands: Float64s) -> WhoseTrains:
    """Look at what is on top of all trains."""
    printed, colours, looks = view.printed, first.colours_seen, first.shape.looks

    def in_lights(lab: Float32s) -> tuple[Float32s, Float32s]:
        return lab, first.light.of_whole_board(lab, printed.xy_mm * printed.px_per_mm)

    likeliest, second, counts = _two_likeliest(first, shares)
    counts[_apart_mm(view, first, likeliest, second) > ONE_TRAIN_MM] = 0.0
    tops = _tops(view, first, likeliest)
    top = per_route_median(printed, tops)
    plastic, taken = seen_plastic(colours, top, shares * stands[:, None])
    of_routes, of_spaces = [], []
    for lab in (*in_lights(tops), *in_lights(_tops(view, first, second))):
        of_routes.append(plastic.log_likeness(per_route_median(printed, lab), (top, taken)))
        of_spaces.append(plastic.log_likeness(lab))
    ways = np.log(np.stack([1 - counts, 1 - counts, counts, counts]) / 2 + 1e-300)
    seen = in_lights(looks.seen)
    return WhoseTrains(
        _either(of_routes, ways),
        _either(of_spaces, ways[:, printed.route_of]),
        colours.log_nobodys([per_route_median(printed, lab) for lab in seen]),
        colours.log_nobodys(seen),
    )


def _tops(view: View, first: FirstLook, colour: Indices) -> Float32s:
    """Return what is on top where trains of each route's colour fit best, (N, 3) CIE Lab."""
    off_mm, height_mm = _offset_mm(view, first, colour), view.pieces.train_size_mm[2]
    spaces = np.arange(len(off_mm))
    lab = first.seen.lab
    return top_colours(view.printed, view.viewpoint, height_mm, lab, spaces, off_mm)[0]


def _offset_mm(view: View, first: FirstLook, colour: Indices) -> Float64s:
    """Return how far off its space trains of each route's colour fit best, (N, 2)."""
    of_route = view.printed.route_of
    return first.trains.placements.offset_mm[np.arange(len(of_route)), colour[of_route]]


def _apart_mm(view: View, first: FirstLook, one: Indices, other: Indices) -> Float64s:
    """Return how far apart trains of two colours fit best, (R,): the mean over a route."""
    apart = _offset_mm(view, first, one) - _offset_mm(view, first, other)
    return view.printed.per_route_mean(np.linalg.norm(apart, axis=1))


def _two_likeliest(first: FirstLook, shares: Float64s) -> tuple[Indices, Indices, Float64s]:
    """Return each route's likeliest colour, the one after it, and what the latter counts, (R,).

    The likeliest is that of which trains were put down there, around those of other routes.
    """
    routes = np.arange(len(shares))
    put_down = first.trains.colour
    likeliest = np.where(put_down >= 0, put_down, shares.argmax(axis=1))
    others = shares.copy()
    others[routes, likeliest] = -1.0
    second = others.argmax(axis=1)
    counts = shares[routes, second] / (shares[routes, second] + shares[routes, likeliest] + 1e-12)
    return likeliest, second, np.where(counts >= AS_LIKELY, counts, 0.0)


def _either(likeness: Sequence[Float64s], ways: Float64s) -> Float64s:
    """Return how likely looks are when one of several ways of looking is right, (n, C)."""
    return np.asarray(np.logaddexp.reduce(np.stack(likeness) + ways[..., None], axis=0))
