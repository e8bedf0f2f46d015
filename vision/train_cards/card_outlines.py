"""Which of the places where cards could lie have one: each edge is explained once.

The clearest outline is taken first: of two cards that overlap it is the upper one, whose sides are
all seen. What lies under it is judged by the sides that stick out.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from railspotter.calibration.arrays import AnyFloats, Float64s, Mask, Picture

from .cloth import foreign_to_cloth, share_inside
from .outline_search import LOOSE, SIDE_SHARE, EdgeVectors, edges_of, search_outlines

LONG_PX = 48.0
"""Length of a card's long side in the picture that is searched."""
MOST_PX = 420_000
"""Most pixels of that picture; for many small cards it is made smaller."""
ON_A_SIDE = 15
"""Points at which each side is looked at."""
CARD, PERHAPS = 0.8, 0.62
"""Clearness of the sides that are seen from which on it is a card, or could be one."""
LEAST_SIDE = 0.5
"""Clearness of the third side, with the clearest first: two are any corner's."""
MOST_UNDER, MOST_UNDER_ALL = 0.4, 0.62
"""Share of a card that lies under one other, and under all others, at most."""
LEAST_FOREIGN = 0.08
"""Share of an outline that is no cloth, at least: even on cloth of its own colour a card has a
drawing."""
SAME = (1.6, 1.6, 3.0)
"""Pixels and degrees within which two places are one."""
DRAWN_WITHIN, LINE = 0.75, 0.6
"""Share of the sides where a drawing is looked for, and how clear its lines are."""
NUDGES = ((1.0, 2.0), (0.5, 1.0))
"""Steps in pixels and degrees in which an outline is laid onto its edges."""


@dataclass(frozen=True, eq=False)
class Outline:
    """An outline that a card has, or could have.

    Attributes
    ----------
    corners : (4, 2) float64 array
        In the picture from above; the first side is a long one.
    clearness : float
        How clear the sides are that are seen, 0 to 1.
    seen : float
        Share of it that lies under no other outline.
    foreign : float
        Share of what is seen of it in colours that the cloth rarely has.
    drawn : float
        Share of what is seen of its inside that clear lines are drawn on.
    """

    corners: Float64s
    clearness: float
    seen: float
    foreign: float
    drawn: float


def find_outlines(above: Picture, long: float, short: float) -> list[Outline]:
    """Return cards' outlines, the clearest and uppermost first.

    Parameters
    ----------
    above : (H, W, 3) uint8 array, BGR
        The table from above, in which all cards are `long` by `short` pixels.
    """
    scale = LONG_PX / long
    height, width = above.shape[:2]
    scale = min(scale, float(np.sqrt(MOST_PX / (height * width))))
    size_wh = max(8, round(width * scale)), max(8, round(height * scale))
    small = np.asarray(cv2.resize(above, size_wh, interpolation=cv2.INTER_AREA), np.uint8)
    sides = long * scale, short * scale
    judge = _Judge(edges_of(small), sides)
    places = _once([judge.laid(place) for place in search_outlines(small, *sides)])
    foreign = foreign_to_cloth(small, np.array([judge.corners(place) for place in places]))
    return [
        Outline(one.corners / scale, one.clearness, one.seen, one.foreign, one.drawn)
        for one in _taken(judge, places, foreign)
    ]


def _once(places: list[Float64s]) -> list[Float64s]:
    """Return places without those that are another one again."""
    kept: list[Float64s] = []
    for place in places:
        off = np.abs(np.array(kept).reshape(-1, 3) - place)
        off[:, 2] = np.minimum(off[:, 2], 180 - off[:, 2])
        if not (off < SAME).all(axis=1).any():
            kept.append(place)
    return kept


def _taken(judge: _Judge, places: list[Float64s], foreign: Mask) -> list[Outline]:
    """Take one place after the other, while what is left is clear enough."""
    taken: list[Outline] = []
    left = [
        place for place in places if share_inside(foreign, judge.corners(place), []) > LEAST_FOREIGN
    ]
    judged = [judge.clearness(place, taken) for place in left]
    while True:
        best, most = -1, 0.0
        for number, one in enumerate(judged):
            if one is not None and one[0] > PERHAPS and one[0] * one[1] ** 0.25 > most:
                best, most = number, one[0] * one[1] ** 0.25
        if best < 0:
            return taken
        (clearness, seen), place = judged[best] or (0.0, 0.0), left[best]
        corners, judged[best] = judge.corners(place), None
        others = [one.corners for one in taken if _is_near(one, place, judge.sides[0])]
        share = share_inside(foreign, corners, others)
        if share < LEAST_FOREIGN:
            continue
        middle = corners.mean(axis=0)
        inner = middle + DRAWN_WITHIN * (corners - middle)
        drawn = share_inside(judge.lines, inner, others)
        taken.append(Outline(corners, clearness, seen, share, drawn))
        for number, other in enumerate(left):
            if judged[number] is not None and _is_near(taken[-1], other, judge.sides[0]):
                judged[number] = judge.clearness(other, taken)


def _is_near(outline: Outline, place: Float64s, long: float) -> bool:
    return bool(np.abs(outline.corners.mean(axis=0) - place[:2]).max() < 1.2 * long)


class _Judge:
    """Looks at outlines in one picture."""

    def __init__(self, edges: EdgeVectors, sides: tuple[float, float]) -> None:
        self.edges, self.sides = edges, sides
        self.height, self.width = edges.right.shape[:2]
        steep = np.hypot(*(np.linalg.norm(way, axis=2) for way in (edges.right, edges.down)))
        self.lines = steep > LINE
        reach = max(1, round(LOOSE * sides[0]))
        self.offsets = np.arange(-reach, reach + 1, dtype=np.float64)
        steps = np.linspace(-SIDE_SHARE, SIDE_SHARE, ON_A_SIDE) / 2
        long, short = sides
        half = np.full(ON_A_SIDE, 0.5)
        self.points = np.concatenate(
            [
                np.column_stack([steps * long, -half * short]),
                np.column_stack([half * long, steps * short]),
                np.column_stack([-steps * long, half * short]),
                np.column_stack([-half * long, -steps * short]),
            ]
        )
        self.normals = np.repeat([(0, -1), (1, 0), (0, 1), (-1, 0)], ON_A_SIDE, axis=0)

    def corners(self, place: Float64s) -> Float64s:
        """Return a place's corners."""
        long, short = self.sides
        box = np.array([(-long, -short), (long, -short), (long, short), (-long, short)]) / 2
        return np.asarray(place[:2] + box @ _turned(place[2]).T, np.float64)

    def laid(self, place: Float64s) -> Float64s:
        """Lay a place onto its edges: moved and turned a little."""
        best, most = place[:3], self._mean(place[:3])
        for step_px, step_deg in NUDGES:
            for axis, step in ((0, step_px), (1, step_px), (2, step_deg)):
                for sign in (-1, 1):
                    tried = best.copy()
                    tried[axis] += sign * step
                    if (mean := self._mean(tried)) > most:
                        best, most = tried, mean
        return np.asarray(best, np.float64)

    def _mean(self, place: Float64s) -> float:
        """Return the clearness of all four sides exactly where they should be."""
        vectors = self._normal_change(place, np.zeros(1))
        return float(np.linalg.norm(vectors.reshape(4, ON_A_SIDE, 3).mean(axis=1), axis=1).mean())

    def clearness(self, place: Float64s, taken: list[Outline]) -> tuple[float, float] | None:
        """Return how clear what is seen of the sides is, and how much of the card is seen.

        None where it lies under others by more than cards that overlap slightly.
        """
        corners = self.corners(place)
        seen, under = 1.0, 0.0
        points = place[:2] + self.points @ _turned(place[2]).T
        shown = ((points >= 1) & (points < (self.width - 1, self.height - 1))).all(axis=1)
        own = np.ones(len(points), bool)
        area = self.sides[0] * self.sides[1]
        for other in taken:
            if not _is_near(other, place, self.sides[0]):
                continue
            shared, _ = cv2.intersectConvexConvex(
                corners.astype(np.float32), other.corners.astype(np.float32)
            )
            under += shared / area
            if shared > MOST_UNDER * area or under > MOST_UNDER_ALL:
                return None
            depth = inward(points, other.corners)
            shown &= depth < 1.5
            own &= depth < -2.5
        seen -= under
        vectors = self._normal_change(place, self.offsets).reshape(-1, 4, ON_A_SIDE, 3)
        weights = (shown * np.where(own, 1.0, 0.5)).reshape(4, ON_A_SIDE)
        counts = weights.sum(axis=1)
        mean = (vectors * weights[..., None]).sum(axis=2) / np.maximum(counts, 1e-9)[:, None]
        clear = np.linalg.norm(mean, axis=-1).max(axis=0)
        if shown.mean() < 0.4 or counts.sum() < 0.3 * len(points):
            return None
        third = np.sort(clear[counts > 0.25 * ON_A_SIDE])[::-1][:3]
        if len(third) < 2 or third[-1] < LEAST_SIDE:
            return None
        return float((clear * counts).sum() / counts.sum()), seen

    def _normal_change(self, place: Float64s, offsets: AnyFloats) -> Float64s:
        """Return how the picture changes across the sides, (offsets, points, 3)."""
        turned = _turned(place[2])
        normals = self.normals @ turned.T
        at = place[:2] + self.points @ turned.T + offsets[:, None, None] * normals
        column, row = np.rint(at).astype(int).transpose(2, 0, 1)
        column, row = column.clip(0, self.width - 1), row.clip(0, self.height - 1)
        right, down = self.edges.right[row, column], self.edges.down[row, column]
        return np.asarray(right * normals[:, :1] + down * normals[:, 1:], np.float64)


def _turned(degrees: float) -> Float64s:
    turn = np.deg2rad(degrees)
    return np.array([(np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))])


def inward(points: Float64s, corners: Float64s) -> Float64s:
    """Return how far each point is inside of a card, less than 0 outside."""
    along = np.roll(corners, -1, axis=0) - corners
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    inner = np.column_stack([-along[:, 1], along[:, 0]])
    off = np.einsum("pki,ki->pk", points[:, None] - corners[None], inner)
    return np.asarray(off.min(axis=1), np.float64)
