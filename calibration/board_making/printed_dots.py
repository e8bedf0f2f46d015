"""Finds the printed dots of places in a picture of an empty board from straight above.

Dots are round, look alike on one board, and rows of spaces run to them. So circles of all sizes are
searched where rows end; those that look alike and explain most ends give the look of this board's
dots; and everything with that look is proposed as a place, surer if rows run to it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from math import dist

import cv2
import numpy as np
from msgspec.structs import replace

from ..arrays import Float32s, Float64s, GreyPicture, Mask, Picture
from .draft import Draft, DraftPlace
from .lines import FARTHEST_JOINT, REACH, DirectedSpaces
from .outlines import Edges, SizeMm, box_px
from .printed_spaces import WORK_PX_PER_MM, FoundSpace, at_work_scale

# Radii that are searched, as shares of a space's length.
RADII = np.arange(0.10, 0.30, 0.02)
NEAR_SIZES = np.array([0.85, 1.0, 1.15])  # radii of the second search, as shares of the usual
DIRECTIONS = 16  # sampling points of a circle
SOFT_RIM = 40.0  # colour gradient (Lab per mm) at which a dot's rim has strength 0.5
LEAST_ROUND = 0.2  # least roundness of a candidate, 0 to 1
MOST_OF_A_SIZE = 400  # candidates of each radius
SURE_ROW = 0.5  # probability from which a space is part of a row
SURE_PRINT = 0.75  # ... and from which no dot is on it
ASIDE = 0.35  # most distance, as a share of a space's length, of a dot from its row's line
RINGS = 7  # concentric rings whose colours are compared
MOST_LOOKS = 150  # circles that are tried as the look of all dots
SEED_ROWS = 2  # rows to a dot for its full rating
LEAST_SURE = 0.2  # least rating of a dot
MOST_DOTS = 300  # more than any board has places
ALIKE = 0.5  # share of the best rating from which circles are averaged for the look
LIGHT = (0.5, 1, 1)  # weights of Lab: a lamp makes one end of a board lighter
UNLIKE = 30.0  # mean Lab distance of rings at which likeness is 0
OTHER_SIZE = 0.35  # log-ratio of radii at which likeness is 0


@dataclass(frozen=True)
class FoundDot:
    """A dot that may be a printed place."""

    xy_mm: tuple[float, float]
    radius_mm: float
    sure: float  # rating, 0 to 1


def with_dots(draft: Draft, dots: Sequence[FoundDot]) -> Draft:
    """Return a draft with numbered places proposed at dots that have none yet.

    Older proposed places are removed, unless an accepted route ends there.
    """
    ended = {end for route in draft.routes if route.is_accepted for end in (route.a, route.b)}
    kept = tuple(p for p in draft.places if not p.is_proposed or p.id in ended)
    left = {place.id for place in draft.places} - {place.id for place in kept}
    placed = [place.xy_mm for place in kept if place.is_placed]
    taken = {place.id for place in kept}
    numbers = (n for n in count(1) if f"place-{n}" not in taken)
    free = (d for d in dots if all(dist(d.xy_mm, other) > 2 * d.radius_mm for other in placed))
    new = tuple(
        DraftPlace(f"place-{n}", f"? {n}", dot.xy_mm, is_proposed=True)
        for dot, n in zip(free, numbers, strict=False)
    )
    routes = tuple(route for route in draft.routes if not route.ends & left)
    return replace(draft, places=(*kept, *new), routes=routes)


@dataclass(frozen=True, eq=False)
class _Circles:
    """Round outlines, N of them."""

    xy_mm: Float64s  # (N, 2)
    radius_mm: Float64s
    roundness: Float64s  # completeness of the outline, 0 to 1


@dataclass(frozen=True, eq=False)
class _Rows:
    """Free ends of rows of spaces, M of them."""

    ends: Float64s  # (M, 2) in mm
    along: Float64s  # (M, 2), unit vectors outwards
    length_mm: float  # of a space

    @classmethod
    def of(cls, spaces: Sequence[FoundSpace]) -> "_Rows":
        every = DirectedSpaces.of(spaces)
        far = np.linalg.norm(every.end[:, None] - every.start[None], axis=-1)
        goes_on = far < FARTHEST_JOINT * every.length_mm
        free = ~(goes_on & (every.along @ every.along.T > 0.5)).any(axis=1)
        return cls(every.end[free], every.along[free], every.length_mm)

    def count_at_pixels(self, shape: tuple[int, ...]) -> GreyPicture:
        """Return the number of rows that run to each pixel, 4 at most, (H, W)."""
        rows = np.zeros(shape, np.uint8)
        beside = self.along[:, ::-1] * (-1, 1)
        for end, along, across in zip(self.ends, self.along, beside, strict=True):
            far = end + REACH * self.length_mm * along
            aside = ASIDE * self.length_mm * across
            corners = np.stack([end - aside, far - aside, far + aside, end + aside])
            one = np.zeros(shape, np.uint8)
            cv2.fillConvexPoly(one, (corners * WORK_PX_PER_MM).round().astype(np.int32), 1)
            rows += one
        return np.asarray(np.minimum(rows, 4), np.uint8)

    def run_to(self, circles: _Circles) -> Mask:
        """Return whether each row runs to each circle, (N, M)."""
        to_circle = (circles.xy_mm[:, None] - self.ends[None]) / self.length_mm
        ahead = np.sum(to_circle * self.along, axis=-1)
        aside = np.abs(to_circle[..., 0] * self.along[:, 1] - to_circle[..., 1] * self.along[:, 0])
        return np.asarray((ahead > 0) & (ahead < REACH) & (aside < ASIDE))


def find_dots(
    picture: Picture, size_mm: SizeMm, spaces: Sequence[FoundSpace]
) -> tuple[FoundDot, ...]:
    """Find the dots of places, the surest first.

    Parameters
    ----------
    picture : (H, W, 3) uint8 array, BGR
        The empty board from straight above, edge to edge.
    spaces : sequence of FoundSpace
        Of `find_spaces`, for this picture.
    """
    sure = [space for space in spaces if space.sure >= SURE_ROW]
    if not sure:
        return ()
    work = at_work_scale(picture, size_mm)
    rows = _Rows.of(sure)
    wanted = rows.count_at_pixels(work.shape[:2])
    for space in sure:
        if space.sure >= SURE_PRINT:  # symbols on spaces are no dots
            cv2.fillConvexPoly(wanted, box_px(space, WORK_PX_PER_MM), 0)
    edges = Edges.of(work, WORK_PX_PER_MM)
    circles = _circles(edges, wanted, RADII * rows.length_mm, MOST_OF_A_SIZE)
    look = _usual_look(circles, rows.run_to(circles), _looks(work, circles))
    if look is None:
        return ()
    # Now everywhere, in case a row was missed or a space is none.
    circles = _circles(
        edges, np.full_like(wanted, 1), look.radius_mm * NEAR_SIZES, 10 * MOST_OF_A_SIZE
    )
    like = look.likeness(circles, _looks(work, circles))
    runs_to = rows.run_to(circles).sum(axis=1)
    rated = circles.roundness * like * (0.5 + np.minimum(runs_to, SEED_ROWS) / (2 * SEED_ROWS))
    rated = np.where(rated < LEAST_SURE, 0, rated)
    found = [
        FoundDot(
            (round(float(circles.xy_mm[i][0]), 1), round(float(circles.xy_mm[i][1]), 1)),
            round(float(circles.radius_mm[i]), 2),
            round(float(rated[i]), 3),
        )
        for i in _apart(circles, rated)[:MOST_DOTS]
    ]
    return tuple(found)


def _circles(edges: Edges, wanted: GreyPicture, radii_mm: Float64s, most: int) -> _Circles:
    """Return the most complete circles of each radius.

    `wanted` is the number of rows that run to each pixel, (H, W); 0 where no dot can be.
    """
    angles = np.arange(DIRECTIONS) * 2 * np.pi / DIRECTIONS
    across = []
    for angle in angles:
        c, s = np.cos(angle), np.sin(angle)
        change = np.sqrt(np.maximum(c * c * edges.xx + 2 * s * c * edges.xy + s * s * edges.yy, 0))
        soft = np.asarray(change / (change + SOFT_RIM), np.float32)
        across.append(np.asarray(cv2.dilate(soft, np.ones((3, 3), np.uint8)), np.float32))
    found: list[tuple[Float64s, Float64s, Float64s]] = []
    for radius_mm in radii_mm:
        radius = radius_mm * edges.px_per_mm
        sides = [
            _shifted(one, radius * np.cos(angle), radius * np.sin(angle))
            for one, angle in zip(across, angles, strict=True)
        ]
        every = np.sort(np.stack(sides), axis=0)
        # The faintest quarter counts as much as the whole: an arc is no circle.
        faintest = every[: DIRECTIONS // 4].mean(axis=0)
        roundness = np.asarray(0.5 * every.mean(axis=0) + 0.5 * faintest, np.float32)
        around = cv2.dilate(roundness, np.ones((5, 5), np.uint8))
        is_peak = (roundness >= around) & (roundness > LEAST_ROUND) & (wanted > 0)
        row, column = np.nonzero(is_peak)
        strength = roundness[row, column].astype(np.float64)
        likely = strength * wanted[row, column]
        best = np.argsort(-likely, kind="stable")[:most]
        at = np.column_stack([column, row])[best].astype(np.float64) + 0.5
        found.append((at / edges.px_per_mm, np.full(len(best), radius_mm), strength[best]))
    return _Circles(*(np.concatenate(part) for part in zip(*found, strict=True)))


def _shifted(image: Float32s, dx: float, dy: float) -> Float32s:
    """Return an image shifted, so that every pixel shows the one at (dx, dy) from it."""
    way = np.array([[1, 0, dx], [0, 1, dy]], np.float64)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(image, way, image.shape[::-1], flags=flags), np.float32)


def _looks(work: Picture, circles: _Circles) -> Float64s:
    """Return the median colours of each circle's rings, inside first, (N, RINGS, 3) Lab."""
    many = len(circles.radius_mm)
    if not many:
        return np.zeros((0, RINGS, 3))
    lab = cv2.GaussianBlur(cv2.cvtColor(work, cv2.COLOR_BGR2LAB), (0, 0), 0.8).astype(np.float32)
    angles = np.arange(DIRECTIONS) * 2 * np.pi / DIRECTIONS
    shares = (np.arange(RINGS) + 0.5) / RINGS
    around = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    points = (
        circles.xy_mm[:, None, None]
        + circles.radius_mm[:, None, None, None] * shares[None, :, None, None] * around[None, None]
    ) * WORK_PX_PER_MM - 0.5
    flat = points.reshape(many, -1, 2).astype(np.float32)
    colours = cv2.remap(lab, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR)
    return np.asarray(np.median(colours.reshape(many, RINGS, DIRECTIONS, 3), axis=2), np.float64)


@dataclass(frozen=True, eq=False)
class _Look:
    """The look of a board's dots."""

    rings: Float64s  # (RINGS, 3) Lab
    radius_mm: float

    def likeness(self, circles: _Circles, looks: Float64s) -> Float64s:
        """Return the likeness of each circle to that look, 0 to 1."""
        unlike = np.linalg.norm((looks - self.rings) * LIGHT, axis=-1).mean(axis=-1) / UNLIKE
        other = np.abs(np.log(circles.radius_mm / self.radius_mm)) / OTHER_SIZE
        return np.asarray((1 - np.minimum(unlike, 1)) * (1 - np.minimum(other, 1)))


def _usual_look(circles: _Circles, runs_to: Mask, looks: Float64s) -> _Look | None:
    """Return the look of the board's dots; None if no row runs to a circle.

    Of groups of circles that look alike, it is that of which the fewest explain the most ends.
    """
    rows = np.minimum(runs_to.sum(axis=1), 4)
    tried = np.argsort(-circles.roundness * rows, kind="stable")[:MOST_LOOKS]
    best: Float64s | None = None
    most = 0.0
    for i in tried[rows[tried] > 0].tolist():
        look = _Look(looks[i], float(circles.radius_mm[i]))
        rated = look.likeness(circles, looks) * circles.roundness
        some = np.nonzero(rated > 0)[0]
        explained = (runs_to[some] * rated[some, None]).max(axis=0, initial=0).sum()
        explained -= rated[_apart(circles, rated)].sum()
        if explained > most:
            best, most = rated, float(explained)
    if best is None:
        return None
    alike = best >= ALIKE * best.max()
    return _Look(np.median(looks[alike], axis=0), float(np.median(circles.radius_mm[alike])))


def _apart(circles: _Circles, rated: Float64s) -> list[int]:
    """Return the indices of circles by rating, without those that overlap a better one."""
    chosen: list[int] = []
    for i in np.argsort(-rated, kind="stable").tolist():
        if rated[i] <= 0:
            break
        far = np.linalg.norm(circles.xy_mm[chosen] - circles.xy_mm[i], axis=-1)
        if (far > 2 * circles.radius_mm[i]).all():
            chosen.append(i)
    return chosen
