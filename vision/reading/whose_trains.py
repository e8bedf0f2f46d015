"""Tells whose trains stand on each route, if any do: by their tops, beside other routes'."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from railspotter.calibration.arrays import AnyFloats, Float32s, Float64s, Indices

from ..colours.learned_colours import LIKE_PRINT
from ..colours.photo_colours import PhotoColours, fit_train_looks
from ..lab import LIGHTNESS
from ..look.evidence import AT_BEST
from ..look.first_look import FirstLook, per_route_median, top_colours
from ..look.view import View
from .odds import RISK

# Weight of a space's median colour, beside the evidence by pixel, in the first guess of whose
# trains they are.
LOOK_COUNTS = 0.25
AS_LIKELY = 0.2  # share from which the place of the second likeliest colour is looked at too
# Distance within which two places are the same train's, which is 8 mm broad; farther off is the
# next lane's.
ONE_TRAIN_MM = 6.0


class Whose(NamedTuple):
    """Whose trains stand on routes or spaces, if any stand there."""

    # (n, C) float64: log-likelihoods of their tops under each player's trains on other routes
    likeness: Float64s
    # (n,) float64: log-probabilities that they are no player's plastic
    nobodys: Float64s
    # (n,) float32: likeness of bare print and the likeliest trains: 0 none, 1 the same
    alike: Float32s


def whose_trains(
    view: View, first: FirstLook, at_first: Float64s, shapes: AnyFloats
) -> tuple[Whose, Whose]:
    """Return whose trains stand on each route, and on each space, by the colours of their tops.

    Tops are measured in two lights, each as likely: that of the print beside them, and the whole
    board's. A lamp's light and a shadow are in both; glare brightens only paper, and a yellow top
    divided by it is brown. If two colours are about as likely, tops are measured at the places of
    both: dark green trains fit best on their roofs, black ones in the shade beside these.

    Each set of colours that may be in play has its own fit of trains' looks, so that alike trains
    of two players fit both names equally. `at_first` are the probabilities of `whose_at_first`, (R,
    C), `shapes` the log-odds by shape that trains stand on each route; looks are fitted to such
    routes only.
    """
    printed, colours, looks = view.printed, first.colours_seen, first.shape.looks
    likeliest, second, counts = _two_likeliest(first, at_first)
    apart = _offset_mm(view, first, likeliest) - _offset_mm(view, first, second)
    counts[printed.per_route_mean(np.linalg.norm(apart, axis=1)) > ONE_TRAIN_MM] = 0.0
    tops = tops_as(view, first, likeliest)
    looked_at = [*_in_lights(view, first, tops)]
    looked_at += _in_lights(view, first, tops_as(view, first, second))
    medians = [per_route_median(printed, lab) for lab in looked_at]
    ways = np.log(np.stack([1 - counts, 1 - counts, counts, counts]) / 2 + 1e-300)
    stands = np.where(shapes > 0, 1 / (1 + np.exp(-np.float64(shapes))), 0.0)
    of_routes, of_spaces = [], []
    for likely, of_set in colours.by_set(RISK):
        theirs = at_first * of_set.in_play
        theirs *= (stands / np.maximum(theirs.sum(axis=1), 1e-12))[:, None]
        theirs *= -np.expm1(of_set.log_nobodys(medians[:1]))[:, None]
        plastic, taken = fit_train_looks(of_set, medians[0], theirs)
        plays = np.log(likely * of_set.in_play + 1e-300)
        of_routes += [plays + plastic.log_likeness(lab, (medians[0], taken)) for lab in medians]
        of_spaces += [plays + plastic.log_likeness(lab) for lab in looked_at]
    ways = np.tile(ways, (len(of_routes) // len(ways), 1))
    seen_lights = _in_lights(view, first, first.beside_stations(printed, looks.seen))
    bare = per_route_median(printed, first.beside_stations(printed, looks.bare))
    inks = [route.colour for route in printed.board.routes]
    likeness = _averaged(of_routes, ways)
    routes = Whose(
        likeness,
        colours.log_nobodys([per_route_median(printed, lab) for lab in seen_lights]),
        alikeness(colours, bare, inks, likeness.argmax(axis=1)),
    )
    likeness = _averaged(of_spaces, ways[:, printed.route_of])
    alike = alikeness(colours, looks.bare, printed.inks, likeness.argmax(axis=1))
    return routes, Whose(likeness, colours.log_nobodys(seen_lights), alike)


def whose_at_first(view: View, first: FirstLook) -> Float64s:
    """Return a first guess of whose trains they are, if any stand there: shares, (R, C)."""
    score = first.beside_stations(view.printed, first.trains.placements.score)
    evidence = view.printed.per_route_mean(np.clip(score, *AT_BEST))
    seen = first.beside_stations(view.printed, first.shape.looks.seen)
    of_looks = first.colours_seen.log_shares(per_route_median(view.printed, seen))[:, :-1]
    return np.exp(log_shares(LOOK_COUNTS * of_looks + evidence))


def log_shares(log: Float64s) -> Float64s:
    """Return log-shares normalized to sum to one in each row, (n, C).

    >>> np.exp(log_shares(np.log([[1.0, 3.0]]))).round(3).tolist()
    [[0.25, 0.75]]
    """
    log = log - log.max(axis=1, keepdims=True)
    return np.asarray(log - np.log(np.exp(log).sum(axis=1, keepdims=True)), np.float64)


def alikeness(
    colours: PhotoColours, bare: AnyFloats, inks: Sequence[str], likeliest: Indices
) -> Float32s:
    """Return the likeness of bare print and the likeliest trains, (n,): 0 none, 1 the same."""
    apart = (colours.bare_as_seen(bare, inks) - colours.lab[likeliest]) * [LIGHTNESS, 1, 1]
    return np.asarray(np.exp(-0.5 * (apart**2).sum(axis=1) / LIKE_PRINT**2), np.float32)


def tops_as(view: View, first: FirstLook, colour: Indices) -> Float32s:
    """Return the tops of trains where each route's colour fits best, (N, 3) CIE Lab."""
    off_mm = _offset_mm(view, first, colour)
    tops, _ = top_colours(view, first.seen.lab, np.arange(len(off_mm)), off_mm)
    return first.beside_stations(view.printed, tops)


def _in_lights(view: View, first: FirstLook, lab: Float32s) -> tuple[Float32s, Float32s]:
    """Return colours of spaces in the light beside them, and in the whole board's."""
    at_px = view.printed.xy_mm * view.printed.px_per_mm
    return lab, first.light.of_whole_board(lab, at_px)


def _offset_mm(view: View, first: FirstLook, colour: Indices) -> Float64s:
    """Return the offsets at which trains of each route's colour fit best, (N, 2)."""
    of_route = view.printed.route_of
    return first.trains.placements.offset_mm[np.arange(len(of_route)), colour[of_route]]


def _two_likeliest(first: FirstLook, shares: Float64s) -> tuple[Indices, Indices, Float64s]:
    """Return each route's likeliest colour, the second, and the weight of the second, (R,) each.

    The likeliest is that of the trains placed there, if there are any.
    """
    routes = np.arange(len(shares))
    placed = first.trains.colour
    likeliest = np.where(placed >= 0, placed, shares.argmax(axis=1))
    others = shares.copy()
    others[routes, likeliest] = -1.0
    second = others.argmax(axis=1)
    counts = shares[routes, second] / (shares[routes, second] + shares[routes, likeliest] + 1e-12)
    return likeliest, second, np.where(counts >= AS_LIKELY, counts, 0.0)


def _averaged(likeness: Sequence[Float64s], ways: Float64s) -> Float64s:
    """Return log-likelihoods of colours averaged over ways of measuring them, (n, C)."""
    return np.asarray(np.logaddexp.reduce(np.stack(likeness) + ways[..., None], axis=0))
