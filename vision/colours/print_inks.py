"""Tells routes that show bare print from routes with trains, on a board whose print is unknown.

An ink is on the routes of one printed colour only; a player's trains look alike on all. So what
routes look like is a mixture: each printed colour has a look of its own, each player's plastic one
that all colours share. The commonest look of a printed colour's routes is its ink, unless trains
elsewhere have it.
"""

from collections.abc import Sequence

import numpy as np
from railspotter.calibration.arrays import AnyFloats, Float64s, Mask

from ..lab import LIGHTNESS, to_lab
from ..printed.printed_board import PrintedBoard
from .train_colours import TrainColour

SCALE = np.array([LIGHTNESS, 1.0, 1.0])
INK_SPREAD, TRAIN_SPREAD = 6.0, 9.0  # in units of `lab.distance2`: trains shine and lean
OTHER_LIGHT = 14.0  # standard deviation of the shift of all plastic by a photo's light
OTHER_INK = 35.0  # standard deviation of an edition's ink around `NAMED`
VOLUME = 60.0 * 120.0 * 120.0  # volume of Lab in which anything else is uniform
STRANGE = 0.02  # share of routes that show neither print nor a player's trains
ROUNDS = 6
USUAL = 2.0  # weight, in routes, of the prior of each share
# CIE Lab of inks by their names; other names have no prior.
NAMED = {
    "grey": (68.0, 0.0, 1.0),
    "white": (92.0, 0.0, 2.0),
    "black": (22.0, 0.0, 0.0),
    "red": (45.0, 58.0, 38.0),
    "orange": (64.0, 35.0, 55.0),
    "yellow": (84.0, 0.0, 70.0),
    "green": (58.0, -30.0, 40.0),
    "blue": (48.0, -5.0, -42.0),
    "pink": (58.0, 38.0, -12.0),
}


def bare_routes(printed: PrintedBoard, trains: Sequence[TrainColour]) -> Mask:
    """Tell which routes are bare in a board's reference, by their colours alone, (R,).

    The reference may show these trains.
    """
    pixels = printed.window_pixels[(slice(None), *printed.middle(16.0, 5.0))]
    lab = to_lab(printed.reference.reshape(-1, 3)[pixels.reshape(len(pixels), -1)])
    spaces = np.median(lab, axis=1)
    looks = [np.median(part, axis=0) for part in np.split(spaces, printed.first_space[1:])]
    inks = np.array([route.colour for route in printed.board.routes])
    known = np.array([train.lab for train in trains], np.float64)
    return np.asarray(_share_of_inks(np.array(looks) * SCALE, inks, known * SCALE) > 0.5)


def _share_of_inks(looks: Float64s, inks: AnyFloats, known: Float64s) -> Float64s:
    """Return the probability that each route shows its ink, (R,), by an EM fit."""
    plastic, whose = known.copy(), np.full(len(known), 1 / len(known))
    names, covered = np.unique(inks), 0.5
    share = np.zeros(len(looks))
    for _ in range(ROUNDS):
        of_trains = _density(looks, plastic, TRAIN_SPREAD) * whose
        other = covered * of_trains.sum(axis=1) + STRANGE / VOLUME
        for name in names:
            own = np.flatnonzero(inks == name)
            ink = _likeliest_ink(looks[own], other[own], 1 - covered, NAMED.get(str(name)))
            likely = (1 - covered) * _density(looks[own], ink[None], INK_SPREAD)[:, 0]
            share[own] = likely / (likely + other[own])
        counts = (covered * of_trains / other[:, None]) * (1 - share)[:, None]
        total = counts.sum(axis=0)
        prior_weight = (TRAIN_SPREAD / OTHER_LIGHT) ** 2
        plastic = (counts.T @ looks + prior_weight * known) / (total + prior_weight)[:, None]
        whose = (total + USUAL) / (total + USUAL).sum()
        covered = float(((1 - share).sum() + USUAL) / (len(looks) + 2 * USUAL))
    return share


def _likeliest_ink(
    looks: Float64s, other: Float64s, share: float, named: tuple[float, float, float] | None
) -> Float64s:
    """Return the scaled Lab that is likeliest the ink of one printed colour's routes, (3,)."""
    fits = share * _density(looks, looks, INK_SPREAD)
    worth = np.log(fits + other[:, None]).sum(axis=0)
    if named is not None:
        worth -= (((looks - np.array(named) * SCALE) / OTHER_INK) ** 2).sum(axis=1) / 2
    best = int(worth.argmax())
    near = fits[:, best] / (fits[:, best] + other)
    return np.asarray(near @ looks / near.sum(), np.float64)


def _density(looks: Float64s, means: Float64s, spread: float) -> Float64s:
    """Return the normal density of colours around each mean, (R, M)."""
    away2 = ((looks[:, None] - means[None]) ** 2).sum(axis=-1) / spread**2
    return np.asarray(np.exp(-away2 / 2) / (spread * np.sqrt(2 * np.pi)) ** 3)
