"""What each player's plastic looks like in this photo, told by the photo itself.

Trains of one player look alike within a photo and unlike the bare print beside them. A mixture is
fitted to what lies on all spaces at once: one kind of look for each colour that is in play, one for
bare print, one for plastic of nobody's. What is known beforehand is the box's plastic in ordinary
light, how far cameras and lamps move all colours *together*, and how far each moves by itself; so
that dark green bodies beside darker black ones are green, and alone may be either.

All 2^C - 1 sets of colours in play are tried, and answers averaged over them by how likely each set
makes the photo: a colour that explains nothing is in none that counts.

References
----------
.. [1] C. M. Bishop, Pattern Recognition and Machine Learning (2006), sections 4.4 (Laplace's
   approximation), 9.2 (mixtures by EM) and 10.2 (robust mixtures).
.. [2] N. Ueda, R. Nakano, Deterministic annealing EM algorithm, Neural Networks 11 (1998).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from railspotter.calibration.arrays import AnyFloats, Float64s, Indices, Mask

from ..lab import COLOURFUL, LIGHTNESS
from .train_colours import TrainColour

SCALE = np.array([LIGHTNESS, 1.0, 1.0])  # lightness counts less: see `lab.distance2`
# By how much, in Lab units at most colours, a camera moves all plastic in each of the ways of
# `_together`, and plastic without a hue by itself, one standard deviation.
MOVED = 5.0
# How far plastic with a hue looks by itself from the box's, as dyes and cameras differ: in five
# other houses 18 plastics lay 11 off in a and 8 in b, root mean square; what has none (3) lay 2.
DYED = 10.0
# Spreads that plastic is given, from step to step: at first nearly all colours share each train, so
# that none is caught by another one's name.
ANNEALED = (16.0, 12.0, 9.0, 7.0, 5.5, 4.5, 4.0)
# Spread of bare prints around what the reference shows, once their ink's own step is taken out.
BARE_SPREAD = 6.0
FREEDOM = 4.0  # degrees of freedom of Student's distribution: glare and shade are no rare accidents
NOBODYS = 0.002  # share of what covers spaces that is no player's plastic: a card, a hand
VOLUME = 50.0 * 120.0 * 120.0  # volume of the looks that such things may have, in cubic units
# What each route counts when sets of colours are compared: routes of a photo err together.
CREDIT = 0.5
KNOWN = 1.0  # how many routes what the mixture says of a colour weighs as much as
# How routes of one colour scatter in usual photos, and how many routes that weighs as much as.
SCATTER, SCATTER_COUNTS = 5.0, 6.0
ROUNDS = 3
# Log-odds by shape up to which nothing is taken to lie on a route, for its ink to be learned.
PLAIN = 2.0


@dataclass(frozen=True, eq=False)
class PhotoColours:
    """What the photo says about its own colours."""

    # (C, 3) float64: what each colour's plastic looks like, in the light of the reference.
    lab: Float64s
    # (C,) float64: how probable it is that trains of that colour lie on the board.
    in_play: Float64s
    _inks: dict[str, Float64s]
    _sets: tuple[tuple[float, Indices, Float64s], ...]

    def log_shares(self, looks: AnyFloats) -> Float64s:
        """Return whose plastic each look is, if it is any: (n, 3) Lab to (n, C + 1), logarithms.

        The last column is plastic of nobody's.
        """
        total: Float64s = np.zeros((len(looks), len(self.lab) + 1))
        for weight, chosen, means in self._sets:
            density = _densities(looks, means)
            of_set = np.full_like(total, 0.0)
            of_set[:, chosen] = (1 - NOBODYS) / len(chosen) * density[:, chosen]
            of_set[:, -1] = NOBODYS / VOLUME
            total += weight * of_set
        return np.asarray(np.log(total / total.sum(axis=1, keepdims=True) + 1e-12), np.float64)

    def by_set(self, least: float) -> Iterator[tuple[float, PhotoColours]]:
        """Yield how likely sets of colours are, and what the photo says if one is in play.

        Sets less likely than `least` of the likeliest are passed over.
        """
        most = max(weight for weight, *_ in self._sets)
        for weight, chosen, means in self._sets:
            if weight >= least * most:
                plays = np.zeros(len(self.lab))
                plays[chosen] = 1.0
                alone = ((1.0, chosen, means),)
                yield weight, PhotoColours(means / SCALE, plays, self._inks, alone)

    def log_nobodys(self, in_lights: Sequence[AnyFloats]) -> Float64s:
        """Return how likely looks are no player's plastic in any light, (n,), as logarithms.

        Parameters
        ----------
        in_lights : sequence of (n, 3) arrays
            CIE Lab of the same looks, each time with another light taken out.
        """
        return np.asarray(np.min([self.log_shares(looks)[:, -1] for looks in in_lights], axis=0))

    def bare_as_seen(self, bare: AnyFloats, inks: Sequence[str]) -> Float64s:
        """Return what bare prints look like in this photo, (n, 3) CIE Lab."""
        return np.asarray(bare + np.array([self._inks[ink] for ink in inks]), np.float64)

    def unlike_bare(
        self,
        looks: AnyFloats,
        bare: AnyFloats,
        inks: Sequence[str],
    ) -> Float64s:
        """Return how much likelier looks are plastic's than bare print's, (n,), as logarithms.

        Parameters
        ----------
        looks, bare : (n, 3) arrays
            CIE Lab: what is seen, and what the print shows there in the reference.
        inks : sequence of str
            The printed colour of each.
        """
        plastic: Float64s = np.full(len(looks), NOBODYS / VOLUME)
        for weight, chosen, means in self._sets:
            density = _densities(looks, means)[:, chosen]
            plastic += weight * (1 - NOBODYS) * density.mean(axis=1)
        return np.asarray(np.log(plastic) - _log_bare(looks, bare, inks, self._inks), np.float64)


def photo_colours(
    trains: Sequence[TrainColour],
    looks: AnyFloats,
    bare: AnyFloats,
    inks: Sequence[str],
    covered: AnyFloats,
    in_play: Collection[str] = (),
) -> PhotoColours:
    """Learn a photo's colours from what lies on its routes.

    Parameters
    ----------
    trains : sequence of TrainColour
        What is known beforehand of the colours that may be in play.
    looks, bare : (R, 3) arrays
        CIE Lab in the light of the reference: what is seen on each route, and what its print shows
        there in the reference.
    inks : sequence of str
        The printed colour of each route.
    covered : (R,) array
        Log-odds by shape alone that trains stand there.
    in_play : collection of str
        Colours that are known to be.
    """
    of_inks = _steps_of_inks(looks, bare, inks, covered)
    log_bare = _log_bare(looks, bare, inks, of_inks)
    stands = 1 / (1 + np.exp(-np.asarray(covered, np.float64)))
    known = np.array([train.lab for train in trains], np.float64) * SCALE
    prior = _prior_covariance(trains)
    needed = [c for c, train in enumerate(trains) if train.name in in_play]
    every = product((False, True), repeat=len(trains))
    chosen = np.array([some for some in every if any(some) and all(some[c] for c in needed)])
    worth, of_sets = _fit(chosen, known, prior, looks * SCALE, log_bare, stands)
    weights = np.exp(worth - worth.max())
    weights /= weights.sum()
    likely = np.flatnonzero(weights > 1e-4).tolist()
    sets = tuple((float(weights[s]), np.flatnonzero(chosen[s]), of_sets[s]) for s in likely)
    means = np.sum([weight * means for weight, _, means in sets], axis=0)
    means /= sum(weight for weight, *_ in sets)
    plays = np.zeros(len(trains))
    for weight, some, _ in sets:
        plays[some] += weight
    return PhotoColours(means / SCALE, plays, of_inks, sets)


@dataclass(frozen=True, eq=False)
class SeenPlastic:
    """What each player's trains look like where it is known that they stand, with scatter."""

    means: Float64s  # (C, 3) float64 array. CIE Lab, lightness scaled by `SCALE`.
    # (C,) float64: how many routes, and what is known beforehand, each mean is made of.
    counts: Float64s
    # (3, 3) float64: the inverse of how routes of one colour scatter in this photo: little in a
    # clear one.
    precision: Float64s

    def log_likeness(
        self,
        looks: AnyFloats,
        own: tuple[AnyFloats, AnyFloats] | None = None,
    ) -> Float64s:
        """Return how well looks fit each colour's trains, (n, C), as logarithms."""
        means: Float64s = np.broadcast_to(self.means, (len(looks), *self.means.shape))
        if own is not None:
            learned, taken = own
            left = self.counts - taken  # `KNOWN` at least
            itself = taken[..., None] * np.asarray(learned * SCALE, np.float64)[:, None]
            means = (self.means * self.counts[:, None] - itself) / left[..., None]
        off = np.asarray(looks * SCALE, np.float64)[:, None] - means
        away2 = np.einsum("nci,ij,ncj->nc", off, self.precision, off)
        return np.asarray(-(FREEDOM + 4) / 2 * np.log1p(away2 / (FREEDOM + 1)), np.float64)


def fit_train_looks(
    colours: PhotoColours,
    looks: AnyFloats,
    shares: AnyFloats,
) -> tuple[SeenPlastic, Float64s]:
    """Return what each colour's trains look like where they stand, fitted to the photo.

    Parameters
    ----------
    looks : (R, 3) array
        CIE Lab of what is seen on each route.
    shares : (R, C) array
        How probable it is that each colour's trains stand there; they sum to 1 at most.

    Returns
    -------
    SeenPlastic
    (R, C) float64 array
        How much each route counts in each mean.
    """
    scaled, known = looks * SCALE, colours.lab * SCALE
    further = np.asarray(shares, np.float64)
    for _ in range(ROUNDS):
        counted = further
        total = KNOWN + counted.sum(axis=0)
        means = (KNOWN * known + counted.T @ scaled) / total[:, None]
        off = scaled[:, None] - means
        scatter = np.einsum("rc,rci,rcj->ij", counted, off, off)
        scatter += SCATTER_COUNTS * SCATTER**2 * np.eye(3)
        precision = np.linalg.inv(scatter / (shares.sum() + SCATTER_COUNTS))
        away2 = np.einsum("rci,ij,rcj->rc", off, precision, off)
        # What is far off, under glare or another train, counts less.
        further = shares * (FREEDOM + 4) / (FREEDOM + 1 + away2)
    return SeenPlastic(means, total, precision), counted


def _fit(
    chosen: Mask,
    known: Float64s,
    prior: Float64s,
    looks: Float64s,
    log_bare: Float64s,
    stands: Float64s,
) -> tuple[Float64s, Float64s]:
    """Fit sets of colours, (S, C): what each is worth, (S,), and its means, (S, C, 3)."""
    sets, count = chosen.shape
    precision = np.linalg.inv(prior)
    means = np.broadcast_to(known, (sets, *known.shape))
    weight, total = np.zeros((sets, count)), np.zeros((sets, len(looks)))
    log_stands = np.log(stands)[:, None]
    others = np.column_stack([np.log(NOBODYS / VOLUME) + log_stands, np.log1p(-stands) + log_bare])
    others = np.broadcast_to(others, (sets, *others.shape))
    # Of a colour that is not in the set there is none.
    log_part = np.where(chosen, np.log((1 - NOBODYS) / chosen.sum(axis=1, keepdims=True)), -np.inf)
    for spread in ANNEALED:
        away2 = _away2(looks, means)
        of_colours = _log_density(away2, spread) + log_part[:, None] + log_stands
        total = np.logaddexp.reduce(np.concatenate([of_colours, others], axis=2), axis=2)
        shares = np.exp(of_colours - total[..., None])
        # Student's distribution as a mean of normal ones: what is far off counts less.
        counts = shares * (FREEDOM + 3) / (FREEDOM + away2 / spread**2) / spread**2
        weight = counts.sum(axis=1)
        seen = (counts.transpose(0, 2, 1) @ looks).reshape(sets, -1)
        held = precision + np.repeat(weight, 3, axis=1)[..., None] * np.eye(3 * count)
        means = np.linalg.solve(held, (precision @ known.reshape(-1) + seen)[..., None])
        means = means.reshape(sets, count, 3)
    off = (means - known).reshape(sets, -1)
    moved = np.einsum("si,ij,sj->s", off, precision, off)
    narrowing = np.eye(3 * count) + prior * np.repeat(weight, 3, axis=1)[:, None]
    _, narrowed = np.linalg.slogdet(narrowing)
    return CREDIT * total.sum(axis=1) - 0.5 * (moved + narrowed), means


def _prior_covariance(trains: Sequence[TrainColour]) -> Float64s:
    """Return how far the plastics may look from what is known, (3C, 3C), in scaled units."""
    lab = np.array([train.lab for train in trains], np.float64)
    alone = np.where(np.linalg.norm(lab[:, 1:], axis=1) > COLOURFUL, DYED, MOVED)
    spread = np.diag(np.repeat(alone, 3) ** 2)
    for way in _together(lab):
        moved = MOVED * (way * SCALE).reshape(-1)
        spread += np.outer(moved, moved)
    return np.asarray(spread, np.float64)


def _together(lab: Float64s) -> list[Float64s]:
    """Return the ways in which cameras move all colours at once, (C, 3) each: about a Lab unit."""
    lightness, a, b = (np.zeros_like(lab) for _ in range(3))
    lightness[:, 0], a[:, 1], b[:, 2] = 1, 1, 1
    contrast, chroma = np.zeros_like(lab), np.zeros_like(lab)
    contrast[:, 0] = (lab[:, 0] - 50) / 30
    chroma[:, 1:] = lab[:, 1:] / 40
    return [lightness, contrast, chroma, a, b]


def _steps_of_inks(
    looks: AnyFloats,
    bare: AnyFloats,
    inks: Sequence[str],
    covered: AnyFloats,
) -> dict[str, Float64s]:
    """Return how far each ink looks from the reference's in this photo, where its print is bare."""
    names, free = np.array(inks), covered < -PLAIN
    off = np.asarray(looks - bare, np.float64)
    common = np.median(off[free], axis=0) if free.any() else np.zeros(3)
    steps = {}
    for name in np.unique(names):
        own = off[free & (names == name)]
        step = np.median(own, axis=0) if len(own) else common
        steps[str(name)] = common + (step - common) * len(own) / (len(own) + 1.5)
    return steps


def _log_bare(
    looks: AnyFloats,
    bare: AnyFloats,
    inks: Sequence[str],
    steps: dict[str, Float64s],
) -> Float64s:
    expected = bare + np.array([steps[ink] for ink in inks])
    away2 = (((looks - expected) * SCALE) ** 2).sum(axis=1)
    return np.asarray(_log_density(away2, BARE_SPREAD), np.float64)


def _away2(looks: Float64s, means: Float64s) -> Float64s:
    """Return how far looks are from means: (n, 3) and (..., C, 3) to (..., n, C)."""
    square = np.einsum("ni,ni->n", looks, looks)[:, None] + (means**2).sum(axis=-1)[..., None, :]
    return np.asarray(square - 2 * looks @ np.moveaxis(means, -1, -2), np.float64)


def _log_density(away2: Float64s, spread: float) -> Float64s:
    """Return Student's density in three dimensions, but for what is the same everywhere."""
    tail = -(FREEDOM + 3) / 2 * np.log1p(away2 / (FREEDOM * spread**2))
    return np.asarray(tail - 3 * np.log(spread) - 2.6, np.float64)


def _densities(looks: AnyFloats, means: Float64s) -> Float64s:
    away2 = _away2(np.asarray(looks * SCALE, np.float64), means)
    return np.exp(_log_density(away2, ANNEALED[-1]))
