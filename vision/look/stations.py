"""Finds stations, on their city or beside it, over trains too, with their colours.

A station is a house on a square foot. People place it on its city, beside it or astride the first
train of a route that ends there. So patches of a player's colour are searched anywhere near cities,
and a net (`station_net.py`) rates each by its shape. All are assigned to cities together: near,
along a route that ends there, at most one a city.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt
from railspotter.calibration.arrays import Float32s, Float64s, Indices, Int32s, Mask, Picture

from ..colours.train_colours import TrainColour
from ..lab import distance2
from ..printed.board_cache import cached_per_board
from ..printed.printed_board import PrintedBoard, PrintedPlaces, places_of
from .evidence import CAP, see_board
from .placement import STATION
from .station_net import (
    PX_PER_MM,
    SeenGround,
    ask_station_net,
    ground_in,
    ground_of,
    planes,
    see_ground,
)
from .track_look import HEIGHTS_MM, OFF_TRACK_MM
from .view import View

# Most distance of a station from its city's dot: 32 mm were seen.
REACH_MM = 40.0
SOFT_MM = (3.0, 5.0)  # blurs for patches as large as half a station, and as a whole one
# Least evidence of a patch, so blurred; and least likeness, whatever is printed there, of one as
# large as a station: a space of its own colour is narrower.
LEAST, LEAST_LIKE = (0.3, 0.1), 1.2
# Beside trains of its colour a station is no peak: above this mean evidence all points of a grid
# become patches, if no peak is nearer than `BETWEEN_MM`.
ALL_AROUND, GRID_MM, BETWEEN_MM = 1.2, 6.0, 4.5
EVIDENCE = (-2.0, 4.0)  # limits of a pixel's evidence
FIRST = 99.0  # rank of a patch on a city's dot: above any peak
APART_MM = 3.0  # patches nearer to each other are merged
# Least distance between the middles of two stations, by their width.
ONE_STATION_MM = 11.0
SEEN_HEIGHT = 0.5  # height of the middle of a station's image, as a share of its height


# Habits and weights; docs/vision.md says on what they were chosen.
HABIT_MM = 9.0  # distance over which a city's likelihood falls by a factor e
ALONG = 1.0  # log-odds for a city if the station is on the first space of one of its routes
FIRST_SPACE_MM = 10.0  # most distance between a station and the middle of a space under it
MOST = 8.0  # limit of log-odds
PRINTED_MM = 4.5  # radius of the printed mark
LIKE_PRINT = 3.0  # squared standard deviations up to which a pixel of the mark looks like print
ON_DOT_MM = 6.0  # distance from a city's dot within which a house must hide it
MARK_EVEN = 0.8  # visible share of the mark at log-odds 0: with stations .75 at most, on yellow
MARK_WEIGHT = 20.0  # log-odds per share of the mark
# Limits of the mark's log-odds: a visible one has no station on it, whatever plastic is near; a
# hidden one may be hidden by anything.
MARK_RANGE = (-4.0, 3.5)
SHADES = (1.0, 0.75, 0.5)  # factors of the colours of a house's sides
PLAIN = 1.5  # log-odds from which a station owns its pixels before trains are placed


@dataclass(frozen=True, eq=False)
class SeenStations:
    """Odds of a station of each colour at every place."""

    odds: Float32s  # (P, C) float32: log-odds that it stands there
    visible: Float32s  # (P,) float32: visible share of where it would stand, 0 to 1
    mark_shown: Float32s  # (P,) float32: visible share of the printed mark


@dataclass(frozen=True, eq=False)
class Patches:
    """Patches of players' colours that may be stations."""

    at_mm: Float64s  # (n, 2) float64: their middles, as they are seen
    colour: Indices  # (n,) int: the index of each one's colour


@dataclass(frozen=True, eq=False)
class Houses:
    """Candidates for stations, no two of them in one place."""

    foot_mm: Float64s  # (K, 2) float64: the middles of their feet
    odds: Float32s  # (K, C) float32: log-odds that a station of each colour stands there

    @property
    def standing(self) -> Float64s:
        """Log-odds that a station of any colour stands there, (K,)."""
        return np.asarray(self.odds.max(axis=1, initial=-np.inf), np.float64)


def patches_of_colour(seen: SeenGround, near: Mask, dots_mm: Float64s | None = None) -> Patches:
    """Return the patches that may be stations: local maxima of a colour's evidence, near cities.

    Beside trains of its colour a station is no maximum, so points of a grid and `dots_mm`, where
    houses on cities would be seen, are added if they show the colour.
    """
    at, colours = [], []
    dots = np.zeros((0, 2)) if dots_mm is None else dots_mm
    height, width = near.shape
    on_grid = np.zeros(near.shape, bool)
    on_grid[:: round(GRID_MM * PX_PER_MM), :: round(GRID_MM * PX_PER_MM)] = True
    dot_px = np.clip((dots * PX_PER_MM).astype(int), 0, (width - 1, height - 1))
    for c in range(seen.evidence.shape[-1]):
        evidence = np.clip(np.maximum(seen.evidence, seen.shaded)[..., c], *EVIDENCE)
        peaks: list[list[float]] = []
        like = np.clip(seen.likeness[..., c], *EVIDENCE)
        for values, soft_mm, least in (
            *((evidence, *each) for each in zip(SOFT_MM, LEAST, strict=True)),
            (like, SOFT_MM[1], LEAST_LIKE),
        ):
            mean = cv2.GaussianBlur(values, (0, 0), soft_mm * PX_PER_MM)
            around = np.ones((round(3 * APART_MM * PX_PER_MM) | 1,) * 2, np.uint8)
            is_on = mean[dot_px[:, 1], dot_px[:, 0]] > least
            peaks += np.column_stack([np.full(is_on.sum(), FIRST), dots[is_on]]).tolist()
            is_peak = (mean >= cv2.dilate(mean, around)) & (mean > least) & near
            rows, columns = np.nonzero(is_peak)
            at_mm = (np.column_stack([columns, rows]) + 0.5) / PX_PER_MM
            peaks += np.column_stack([mean[is_peak], at_mm]).tolist()
        mean = cv2.GaussianBlur(evidence, (0, 0), SOFT_MM[1] * PX_PER_MM)
        rows, columns = np.nonzero(on_grid & near & (mean > ALL_AROUND))
        at_mm = (np.column_stack([columns, rows]) + 0.5) / PX_PER_MM
        kept = _apart(np.array(sorted(peaks, reverse=True)).reshape(-1, 3)[:, 1:], APART_MM)
        away = np.linalg.norm(at_mm[:, None] - kept[None], axis=-1).min(axis=1, initial=np.inf)
        kept = np.concatenate([kept, at_mm[away > BETWEEN_MM]])
        at.append(kept)
        colours += [c] * len(kept)
    return Patches(np.concatenate(at), np.array(colours, np.intp))


def _apart(at_mm: Float64s, least_mm: float) -> Float64s:
    """Return the points, of (n, 2), that are at least `least_mm` from all kept ones before them."""
    kept = np.empty_like(at_mm)
    count = 0
    for point in at_mm:
        if not (((kept[:count] - point) ** 2).sum(axis=1) < least_mm**2).any():
            kept[count] = point
            count += 1
    return kept[:count]


@cached_per_board
def _near_cities(printed: PrintedBoard, reach_mm: float) -> Mask:
    """Return which pixels of the ground lie near a city, (H, W)."""
    near = np.zeros(ground_of(printed).spaces.shape, np.uint8)
    for x, y in np.rint(places_of(printed).xy_mm * PX_PER_MM).astype(int).tolist():
        cv2.circle(near, (x, y), round(reach_mm * PX_PER_MM), (1,), -1)
    return near > 0


class StationFinder:
    """Finds stations in one photo."""

    def __init__(
        self,
        view: View,
        size_mm: tuple[float, float, float],
        lit: Picture,
        colours: Sequence[TrainColour],
    ) -> None:
        self._view, self._size_mm, self._lit, self._colours = view, size_mm, lit, colours
        self._places = places_in(lit, view.printed)
        seen = see_ground(lit, ground_in(self._places), colours)
        dots = places_of(view.printed).xy_mm
        leans = view.viewpoint.lean_mm(dots, SEEN_HEIGHT * size_mm[2])
        near = _near_cities(view.printed, round(REACH_MM + float(np.hypot(*leans.T).max())))
        patches = self._off_track(patches_of_colour(seen, near, dots + leans))
        self.houses = self._weighed_by_marks(self._rated(seen, patches))

    def _off_track(self, patches: Patches) -> Patches:
        """Return the patches without those on the score track, whose dark discs are as large."""
        at_mm, steps = patches.at_mm, np.reshape(self._view.printed.board.score_track, (-1, 2))
        feet = (at_mm - self._view.viewpoint.lean_mm(at_mm, height) for height in HEIGHTS_MM)
        away = [np.linalg.norm(foot[:, None] - steps[None], axis=-1) for foot in feet]
        is_off = np.min(away, axis=(0, 2), initial=np.inf) > OFF_TRACK_MM
        return Patches(at_mm[is_off], patches.colour[is_off])

    def _rated(self, seen: SeenGround, patches: Patches) -> Houses:
        """Return the net's candidates for stations, the likeliest of those in one place."""
        eye, height_mm = self._view.viewpoint, self._size_mm[2]
        # A patch is the middle of a house's image; its foot is nearer to the camera.
        foot = patches.at_mm - eye.lean_mm(patches.at_mm, SEEN_HEIGHT * height_mm)
        lean = eye.lean_mm(foot, height_mm)
        log_odds = ask_station_net(planes(seen, patches.at_mm, patches.colour, lean))
        order = np.argsort(-log_odds)
        kept = _apart(foot[order], ONE_STATION_MM)
        odds = np.full((len(kept), len(self._colours)), -MOST, np.float32)
        for k, at in enumerate(kept):
            here = np.hypot(*(foot - at).T) < ONE_STATION_MM / 2
            np.maximum.at(odds[k], patches.colour[here], log_odds[here])
        return Houses(kept, np.clip(odds, -MOST, MOST))

    def sure_pixels(self) -> npt.NDArray[np.uint8]:
        """Return the pixels of sure stations before trains are placed, (H, W): `STATION` or 0."""
        owner = np.zeros(self._lit.shape[:2], np.uint8)
        for k in np.flatnonzero(self.houses.standing > PLAIN):
            cv2.fillConvexPoly(owner, self._silhouette(self.houses.foot_mm[k]), STATION)
        return owner

    def look(self, owner: npt.NDArray[np.uint8]) -> SeenStations:
        """Return the odds of a station at every place, around the trains that own pixels."""
        printed = self._view.printed
        assigned = assignment_shares(printed, self.houses)
        shares = np.exp(self.houses.odds - self.houses.odds.max(axis=1, keepdims=True, initial=-99))
        shares /= shares.sum(axis=1, keepdims=True)
        of_colours = np.einsum("kp,kc->pc", assigned, shares)
        least = np.exp(-MOST)
        stands = np.clip(of_colours, least, 1 - least)
        mark, visible = self._marks(owner)
        odds = np.log(stands) - np.log1p(-stands)
        return SeenStations(odds.astype(np.float32), visible, mark)

    def _weighed_by_marks(self, houses: Houses) -> Houses:
        """Return the houses; those on a city's dot gain or lose log-odds by its visible mark."""
        shown, _ = self._marks(np.zeros(self._lit.shape[:2], np.uint8))
        away = np.linalg.norm(houses.foot_mm[:, None] - self._places.xy_mm[None], axis=-1)
        on_dot = np.clip(MARK_WEIGHT * (MARK_EVEN - shown), *MARK_RANGE)
        added = np.where(away < ON_DOT_MM, on_dot[None], 0.0).sum(axis=1)
        odds = np.clip(houses.odds + added[:, None], -MOST, MOST)
        return Houses(houses.foot_mm, odds.astype(np.float32))

    def _marks(self, owner: npt.NDArray[np.uint8]) -> tuple[Float32s, Float32s]:
        """Return each place's share of its mark that looks like print, and the visible share."""
        places = self._places
        seen = see_board(self._lit, places.print_range)
        at = places.windows_of_seen[:, places.from_middle_mm <= PRINTED_MM]
        owned = owner.reshape(-1)[places.window_pixels[:, places.from_middle_mm <= PRINTED_MM]]
        in_sight = (owned == 0) | (owned == STATION)
        distance = seen.print_distance2[at]
        few = 0.25 * at.shape[1]
        shown = ((distance < LIKE_PRINT) & in_sight).sum(axis=1)
        share = (shown + 0.8 * few) / (in_sight.sum(axis=1) + few)
        lab = seen.lab[at]
        away = [
            distance2(lab, tuple(shade * np.array(c.lab))) / c.spread**2
            for c in self._colours
            for shade in SHADES
        ]
        strange = (distance >= CAP) & (np.min(away, axis=0) >= CAP) & in_sight
        hidden = strange.sum(axis=1) / (in_sight.sum(axis=1) + few)
        return share.astype(np.float32), (1 - hidden).astype(np.float32)

    def _silhouette(self, foot_mm: Float64s) -> Int32s:
        """Return a station's outline, taken for round, in the rectified picture, in pixels."""
        length, width, height = self._size_mm
        turn = np.linspace(0, 2 * np.pi, 16, endpoint=False)
        radius = (length + width) / 4 * 1.1  # between the circles in and around the square
        foot = foot_mm + radius * np.column_stack([np.cos(turn), np.sin(turn)])
        outline = np.vstack([foot, foot + self._view.viewpoint.lean_mm(foot, height)])
        px = np.rint(outline * self._view.printed.px_per_mm - 0.5).astype(np.int32)
        return np.asarray(cv2.convexHull(px), np.int32)


def assignment_shares(printed: PrintedBoard, houses: Houses) -> Float64s:
    """Return the probability that each house stands and belongs to each place, (K, P).

    At most one place a house and one house a place: marginals by belief propagation (Williams and
    Lau, Approximate evaluation of marginal association probabilities with belief propagation,
    2014).
    """
    weight = np.exp(houses.standing)[:, None] * _place_priors(printed, houses.foot_mm)
    to_house = np.ones_like(weight)
    for _ in range(20):
        total = 1 + (weight * to_house).sum(axis=1, keepdims=True)
        to_place = weight / (total - weight * to_house)
        to_house = 1 / (1 + to_place.sum(axis=0, keepdims=True) - to_place)
    belief = weight * to_house
    return np.asarray(belief / (1 + belief.sum(axis=1, keepdims=True)), np.float64)


def _place_priors(printed: PrintedBoard, foot_mm: Float64s) -> Float64s:
    """Return the prior share of each place for stations at some points, (K, P); 0 out of reach."""
    places = places_of(printed).xy_mm
    away = np.linalg.norm(foot_mm[:, None] - places[None], axis=-1)
    log = -away / HABIT_MM
    names = [place.id for place in printed.board.places]
    for r, route in enumerate(printed.board.routes):
        first = int(printed.first_space[r])
        for place, space in ((route.a, first), (route.b, first + route.length - 1)):
            under = np.linalg.norm(foot_mm - printed.xy_mm[space], axis=1) < FIRST_SPACE_MM
            p = names.index(place)
            log[under, p] = np.maximum(log[under, p], ALONG - away[under, p] / HABIT_MM)
    share = np.exp(log - log.max(axis=1, keepdims=True, initial=-99.0))
    share[away > REACH_MM] = 0
    return np.asarray(share / np.maximum(share.sum(axis=1, keepdims=True), 1e-9), np.float64)


def places_in(lit: Picture, printed: PrintedBoard) -> PrintedPlaces:
    """Return a board's places; for a drawing, which has no marks, with the mark of this photo.

    Most places have no station, so the median over all of them is the mark.
    """
    places = places_of(printed)
    if not printed.is_drawn:
        return places
    soft = cv2.GaussianBlur(lit, (0, 0), 0.6).reshape(-1, 3)[places.window_pixels]
    return replace(places, mark=np.asarray(np.median(soft, axis=0), np.uint8))
