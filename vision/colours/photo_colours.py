"""Estimates what each player's plastic looks like in one photo, from the photo itself.

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

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from railspotter.calibration.arrays import AnyFloats, Float64s, Indices, Mask

from ..lab import COLOURFUL, LIGHTNESS
from .train_colours import TrainColour

SCALE = np.array([LIGHTNESS, 1.0, 1.0])  # lightness counts less: see `lab.distance2`
# Standard deviation, in Lab units, of each of a camera's `_common_shifts` of all plastic, and of
# the shift of a single plastic without a hue.
SHIFT_SPREAD = 5.0
# The same of a single plastic with a hue, as dyes and cameras differ: in five other houses 18
# plastics were 11 off in a and 8 in b, root mean square; those without a hue (3) were 2 off.
HUE_SHIFT_SPREAD = 10.0
# Spread of plastic in each step of the annealed fit: at first nearly all colours share each train,
# so that none is caught by another one's name.
ANNEALED_SPREADS = (16.0, 12.0, 9.0, 7.0, 5.5, 4.5, 4.0)
# Spread of bare prints around the reference's colour, once the shift of their ink is taken out.
BARE_SPREAD = 6.0
FREEDOM = 4.0  # degrees of freedom of Student's distribution: glare and shade are no rare accidents
NOBODYS = 0.002  # prior share of things that cover spaces and are no player's plastic: cards, hands
VOLUME = 50.0 * 120.0 * 120.0  # volume of Lab in which the colours of such things are uniform
# Weight of each route's log-likelihood when sets of colours are compared: a photo's routes err
# together.
ROUTE_WEIGHT = 0.5
KNOWN = 1.0  # weight, in routes, of the mixture's colour as a prior for the mean of trains
# Prior spread of one colour's routes within a photo, in Lab units, and its weight, in routes.
SCATTER, SCATTER_COUNTS = 5.0, 6.0
ROUNDS = 3
# Log-odds against trains, by shape, from which a route counts as bare when inks are measured.
PLAIN = 2.0


@dataclass(frozen=True, eq=False)
class PhotoColours:
    """A photo's colours of plastic and inks, averaged over the sets of colours that may play."""

    # (C, 3) float64: CIE Lab of each colour's plastic, in the light of the reference.
    lab: Float64s
    # (C,) float64: probability that trains of that colour lie on the board.
    in_play: Float64s
    _inks: dict[str, Float64s]  # each printed colour's Lab shift from the reference
    # Each likely set of colours: its weight, the indices of its colours, all scaled means, (C, 3).
    _sets: tuple[tuple[float, Indices, Float64s], ...]

    def log_shares(self, looks: AnyFloats) -> Float64s:
        """Return log-probabilities of whose plastic a colour is: (n, 3) Lab to (n, C + 1).

        The last column is plastic of no player.
        """
        total: Float64s = np.zeros((len(looks), len(self.lab) + 1))
        for weight, chosen, means in self._sets:
            density = _densities(looks, means)
            of_set = np.full_like(total, 0.0)
            of_set[:, chosen] = (1 - NOBODYS) / len(chosen) * density[:, chosen]
            of_set[:, -1] = NOBODYS / VOLUME
            total += weight * of_set
        return np.asarray(np.log(total / total.sum(axis=1, keepdims=True) + 1e-12), np.float64)

    def by_set(self, least: float) -> "Iterator[tuple[float, PhotoColours]]":
        """Yield each likely set of colours: its weight, and the photo's colours given that set.

        Sets with less than `least` times the highest weight are skipped.
        """
        most = max(weight for weight, *_ in self._sets)
        for weight, chosen, means in self._sets:
            if weight >= least * most:
                plays = np.zeros(len(self.lab))
                plays[chosen] = 1.0
                alone = ((1.0, chosen, means),)
                yield weight, PhotoColours(means / SCALE, plays, self._inks, alone)

    def log_nobodys(self, in_lights: Sequence[AnyFloats]) -> Float64s:
        """Return log-probabilities that colours are no player's plastic, least over lights, (n,).

        `in_lights` are the same pixels' Lab, (n, 3), each time with another light taken out.
        """
        return np.asarray(np.min([self.log_shares(looks)[:, -1] for looks in in_lights], axis=0))

    def bare_as_seen(self, bare: AnyFloats, inks: Sequence[str]) -> Float64s:
        """Return the colours of bare prints in this photo, (n, 3) CIE Lab, from the reference's."""
        return np.asarray(bare + np.array([self._inks[ink] for ink in inks]), np.float64)

    def unlike_bare(
        self,
        looks: AnyFloats,
        bare: AnyFloats,
        inks: Sequence[str],
    ) -> Float64s:
        """Return log-likelihood ratios of plastic against bare print, (n,).

        `looks` and `bare` are (n, 3) Lab: in the photo, and of the print there in the reference, of
        these printed `inks`.
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
    """Fit a photo's colours to what its routes show.

    `trains` are the colours that may be in play, with their priors, `in_play` those that are.
    `looks` and `bare` are (R, 3) Lab in the light of the reference: of each route in the photo, and
    of its print in the reference, whose `inks` are the printed colours. `covered` are the log-odds
    by shape alone that trains stand there.
    """
    ink_shifts = _ink_shifts(looks, bare, inks, covered)
    log_bare = _log_bare(looks, bare, inks, ink_shifts)
    stands = 1 / (1 + np.exp(-np.asarray(covered, np.float64)))
    known = np.array([train.lab for train in trains], np.float64) * SCALE
    prior = _prior_covariance(trains)
    needed = [c for c, train in enumerate(trains) if train.name in in_play]
    every = product((False, True), repeat=len(trains))
    chosen = np.array([some for some in every if any(some) and all(some[c] for c in needed)])
    worth, of_sets = _fit_sets(chosen, known, prior, looks * SCALE, log_bare, stands)
    weights = np.exp(worth - worth.max())
    weights /= weights.sum()
    likely = np.flatnonzero(weights > 1e-4).tolist()
    sets = tuple((float(weights[s]), np.flatnonzero(chosen[s]), of_sets[s]) for s in likely)
    means = np.sum([weight * means for weight, _, means in sets], axis=0)
    means /= sum(weight for weight, *_ in sets)
    plays = np.zeros(len(trains))
    for weight, some, _ in sets:
        plays[some] += weight
    return PhotoColours(means / SCALE, plays, ink_shifts, sets)


@dataclass(frozen=True, eq=False)
class SeenPlastic:
    """Mean and scatter of each player's train colours in a photo, measured where they stand."""

    means: Float64s  # (C, 3) float64 array. CIE Lab, lightness scaled by `SCALE`.
    # (C,) float64: the weight of each mean, in routes, its prior included.
    counts: Float64s
    # (3, 3) float64: inverse covariance of the routes of one colour; they scatter little in a clear
    # photo.
    precision: Float64s

    def log_likeness(
        self,
        looks: AnyFloats,
        own: tuple[AnyFloats, AnyFloats] | None = None,
    ) -> Float64s:
        """Return the log-likelihood of colours, (n, 3) Lab, under each player's trains, (n, C).

        `own` is what the means were fitted to, and its weights: each row's own part is taken out
        first.
        """
        means: Float64s = np.broadcast_to(self.means, (len(looks), *self.means.shape))
        if own is not None:
            learned, taken = own
            left = self.counts - taken  # `KNOWN` at least
            itself = taken[..., None] * np.asarray(learned * SCALE, np.float64)[:, None]
            means = (self.means * self.counts[:, None] - itself) / left[..., None]
        off = np.asarray(looks * SCALE, np.float64)[:, None] - means
        distance2 = np.einsum("nci,ij,ncj->nc", off, self.precision, off)
        return np.asarray(-(FREEDOM + 4) / 2 * np.log1p(distance2 / (FREEDOM + 1)), np.float64)


def fit_train_looks(
    colours: PhotoColours,
    looks: AnyFloats,
    shares: AnyFloats,
) -> tuple[SeenPlastic, Float64s]:
    """Fit the mean colours of each player's trains in a photo.

    `looks` are the Lab of its routes, (R, 3), `shares` are the probabilities that each colour's
    trains stand there, (R, C). Also returns the weight of each route in each mean, (R, C).
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
        distance2 = np.einsum("rci,ij,rcj->rc", off, precision, off)
        # What is far off, under glare or another train, counts less.
        further = shares * (FREEDOM + 4) / (FREEDOM + 1 + distance2)
    return SeenPlastic(means, total, precision), counted


def _fit_sets(
    chosen: Mask,
    known: Float64s,
    prior: Float64s,
    looks: Float64s,
    log_bare: Float64s,
    stands: Float64s,
) -> tuple[Float64s, Float64s]:
    """Fit sets of colours, (S, C): their log-evidence, (S,), and their scaled means, (S, C, 3)."""
    sets, count = chosen.shape
    precision = np.linalg.inv(prior)
    means = np.broadcast_to(known, (sets, *known.shape))
    weight, total = np.zeros((sets, count)), np.zeros((sets, len(looks)))
    log_stands = np.log(stands)[:, None]
    others = np.column_stack([np.log(NOBODYS / VOLUME) + log_stands, np.log1p(-stands) + log_bare])
    others = np.broadcast_to(others, (sets, *others.shape))
    # Of a colour that is not in the set there is none.
    log_part = np.where(chosen, np.log((1 - NOBODYS) / chosen.sum(axis=1, keepdims=True)), -np.inf)
    for spread in ANNEALED_SPREADS:
        distance2 = _distance2(looks, means)
        of_colours = _log_density(distance2, spread) + log_part[:, None] + log_stands
        total = np.logaddexp.reduce(np.concatenate([of_colours, others], axis=2), axis=2)
        shares = np.exp(of_colours - total[..., None])
        # Student's distribution as a mean of normal ones: what is far off counts less.
        counts = shares * (FREEDOM + 3) / (FREEDOM + distance2 / spread**2) / spread**2
        weight = counts.sum(axis=1)
        seen = (counts.transpose(0, 2, 1) @ looks).reshape(sets, -1)
        posterior = precision + np.repeat(weight, 3, axis=1)[..., None] * np.eye(3 * count)
        means = np.linalg.solve(posterior, (precision @ known.reshape(-1) + seen)[..., None])
        means = means.reshape(sets, count, 3)
    off = (means - known).reshape(sets, -1)
    moved = np.einsum("si,ij,sj->s", off, precision, off)
    narrowing = np.eye(3 * count) + prior * np.repeat(weight, 3, axis=1)[:, None]
    _, narrowed = np.linalg.slogdet(narrowing)
    return ROUTE_WEIGHT * total.sum(axis=1) - 0.5 * (moved + narrowed), means


def _prior_covariance(trains: Sequence[TrainColour]) -> Float64s:
    """Return the prior covariance of all plastics' colours, (3C, 3C), in scaled units."""
    lab = np.array([train.lab for train in trains], np.float64)
    alone = np.where(np.linalg.norm(lab[:, 1:], axis=1) > COLOURFUL, HUE_SHIFT_SPREAD, SHIFT_SPREAD)
    spread = np.diag(np.repeat(alone, 3) ** 2)
    for way in _common_shifts(lab):
        moved = SHIFT_SPREAD * (way * SCALE).reshape(-1)
        spread += np.outer(moved, moved)
    return np.asarray(spread, np.float64)


def _common_shifts(lab: Float64s) -> list[Float64s]:
    """Return the ways in which cameras shift all colours at once, (C, 3) each, 1 Lab unit long."""
    lightness, a, b = (np.zeros_like(lab) for _ in range(3))
    lightness[:, 0], a[:, 1], b[:, 2] = 1, 1, 1
    contrast, chroma = np.zeros_like(lab), np.zeros_like(lab)
    contrast[:, 0] = (lab[:, 0] - 50) / 30
    chroma[:, 1:] = lab[:, 1:] / 40
    return [lightness, contrast, chroma, a, b]


def _ink_shifts(
    looks: AnyFloats,
    bare: AnyFloats,
    inks: Sequence[str],
    covered: AnyFloats,
) -> dict[str, Float64s]:
    """Return each ink's Lab shift from the reference in this photo, by its bare routes."""
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
    distance2 = (((looks - expected) * SCALE) ** 2).sum(axis=1)
    return np.asarray(_log_density(distance2, BARE_SPREAD), np.float64)


def _distance2(looks: Float64s, means: Float64s) -> Float64s:
    """Return squared distances of colours from means: (n, 3) and (..., C, 3) to (..., n, C)."""
    square = np.einsum("ni,ni->n", looks, looks)[:, None] + (means**2).sum(axis=-1)[..., None, :]
    return np.asarray(square - 2 * looks @ np.moveaxis(means, -1, -2), np.float64)


def _log_density(distance2: Float64s, spread: float) -> Float64s:
    """Return the log-density of Student's distribution in three dimensions, up to a constant."""
    tail = -(FREEDOM + 3) / 2 * np.log1p(distance2 / (FREEDOM * spread**2))
    return np.asarray(tail - 3 * np.log(spread) - 2.6, np.float64)


def _densities(looks: AnyFloats, means: Float64s) -> Float64s:
    distance2 = _distance2(np.asarray(looks * SCALE, np.float64), means)
    return np.exp(_log_density(distance2, ANNEALED_SPREADS[-1]))
