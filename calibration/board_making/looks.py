"""Fits candidates for printed spaces to their outlines, and rates them.

Candidates come from coarse steps of angle and position. Here each is moved until its four sides lie
on edges, and its inside is measured. Routes have no holes: beside a sure space is another, or a
place. So a faint outline counts there, if it has its neighbour's colour.
"""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from ..arrays import Float32s, Float64s, Indices
from .outlines import Edges, SizeMm, points_on, sampled
from .print_colours import LIGHTNESS_WEIGHT

# Steps that are tried around a candidate's angle, position and size.
TURNS_DEG = (-5.0, -2.5, 0.0, 2.5, 5.0)
ALONG_MM = (-1.6, -0.8, 0.0, 0.8, 1.6)
ACROSS_MM = (-1.0, -0.5, 0.0, 0.5, 1.0)
LENGTHS_MM = (-2.0, -1.0, 0.0, 1.0, 2.0)
WIDTHS_MM = (-1.5, -0.75, 0.0, 0.75, 1.5)
# Sampling points inside a space, as shares of its length and width.
END_ALONG = np.array([-0.38, -0.34, -0.3, -0.26, 0.26, 0.3, 0.34, 0.38])
MIDDLE_ALONG, INNER_ACROSS = np.linspace(-0.22, 0.22, 7), np.array([-0.22, 0.0, 0.22])
# Logistic regression on shoot-1's two empty boards and drawn boards of USA, New York and Europe,
# spaces and the rest weighing the same.
WEIGHTS = np.array([36.1, -2.2, 20.2, 6.1, -2.7, -5.2, -4.8])
BIAS = -31.8
SURE = 0.5  # probability from which a space's neighbours are searched
GAP_SHARE = 0.05  # gap between two spaces of a line, as a share of a space's length
BENDS_DEG = (-30.0, -20.0, -10.0, 0.0, 10.0, 20.0, 30.0)
ALIKE = 12.0  # Lab distance from a neighbour beyond which there is no bonus
ALIKE_BONUS = 3.0  # log-odds added to a space with exactly its neighbour's colour


@dataclass(frozen=True, eq=False)
class RatedCandidates:
    """Candidates with their colours and log-odds, the surest first."""

    poses: Float64s  # (N, 3) float64: middle x, y in mm, angle in degrees
    lab: Float64s
    odds: Float64s  # (N,) float64: log-odds that it is a space
    size_mm: SizeMm

    @classmethod
    def at(cls, edges: Edges, lab: Float32s, poses: Float64s, size_mm: SizeMm) -> "RatedCandidates":
        """Fit candidates to nearby outlines, and rate them."""
        fitted = snap_to_outlines(edges, poses, size_mm)
        seen = inside(lab, edges.px_per_mm, fitted[:, :3], size_mm)
        odds = rating_features(fitted[:, 3:], seen) @ WEIGHTS + BIAS
        return cls(fitted[:, :3], seen[:, :3], odds, size_mm)

    @property
    def sure(self) -> Float64s:
        """Probability that each is a space, 0 to 1."""
        return np.asarray(1 / (1 + np.exp(-self.odds)))

    def sorted(self, least_sure: float) -> "RatedCandidates":
        """Return candidates sorted by probability, without duplicates and unsure ones."""
        order = np.argsort(-self.odds, kind="stable")
        order = order[self.sure[order] >= least_sure]
        return self.only(order[apart(self.poses[order], self.size_mm)])

    def only(self, order: Indices) -> "RatedCandidates":
        """Return the candidates at some indices, in that order."""
        return RatedCandidates(self.poses[order], self.lab[order], self.odds[order], self.size_mm)

    def with_more(self, other: "RatedCandidates") -> "RatedCandidates":
        """Return the candidates followed by others."""
        return RatedCandidates(
            np.vstack([self.poses, other.poses]),
            np.vstack([self.lab, other.lab]),
            np.concatenate([self.odds, other.odds]),
            self.size_mm,
        )


def rating_features(sides: Float64s, seen: Float64s) -> Float64s:
    """Return the seven features of the logistic regression, (N, 7), each about 0 to 1."""
    return np.column_stack(
        [
            sides[:, :2].min(axis=1),
            sides[:, :2].max(axis=1),
            sides[:, 2:].min(axis=1),
            sides[:, 2:].max(axis=1),
            np.minimum(seen[:, 3] / 20, 1.5),
            np.minimum(seen[:, 4] / 20, 1.5),
            np.minimum(np.hypot(seen[:, 1] - 128, seen[:, 2] - 128) / 50, 1),
        ]
    )


def with_faint_neighbours(
    edges: Edges, lab: Float32s, looked: RatedCandidates, least_sure: float
) -> RatedCandidates:
    """Add faint candidates of the same colour at both ends of all sure spaces."""
    sure, size_mm = looked.sure >= SURE, looked.size_mm
    beside = np.vstack([_beside(looked.poses[sure], bend, size_mm) for bend in BENDS_DEG])
    if len(beside) == 0:
        return looked
    faint = RatedCandidates.at(edges, lab, beside, size_mm)
    neighbour = np.tile(np.repeat(looked.lab[sure], 2, axis=0), (len(BENDS_DEG), 1))
    unlike = np.linalg.norm((faint.lab - neighbour) * (LIGHTNESS_WEIGHT, 1, 1), axis=1)
    bonus = ALIKE_BONUS * np.maximum(0, 1 - unlike / ALIKE)
    faint = replace(faint, odds=faint.odds + bonus).sorted(least_sure)
    both, known = looked.with_more(faint), len(looked.poses)
    new = apart(both.poses, size_mm, already=known)
    return both.only(np.array([*range(known), *new], np.intp))


def _beside(poses: Float64s, bend_deg: float, size_mm: SizeMm) -> Float64s:
    """Return the poses of next spaces at both ends, two for each pose."""
    half = size_mm[0] * (0.5 + GAP_SHARE / 2)
    parts = []
    for back in (0.0, 180.0):
        angle = np.deg2rad(poses[:, 2] + back)
        after = np.deg2rad(poses[:, 2] + back + bend_deg)
        x = poses[:, 0] + half * (np.cos(angle) + np.cos(after))
        y = poses[:, 1] + half * (np.sin(angle) + np.sin(after))
        parts.append(np.column_stack([x, y, np.degrees(after) % 180]))
    return np.stack(parts, axis=1).reshape(-1, 3)


def apart(poses: Float64s, size_mm: SizeMm, already: int = 0) -> list[int]:
    """Return the indices of poses without duplicates: of several for one space the first."""
    cell = size_mm[0]
    kept: list[int] = []
    cells: dict[tuple[int, int], list[int]] = {}
    for i, (x, y, angle) in enumerate(poses.tolist()):
        column, row = int(x // cell), int(y // cell)
        turn = np.deg2rad(angle)
        c, s = float(np.cos(turn)), float(np.sin(turn))
        near = [
            j
            for u in (column - 1, column, column + 1)
            for v in (row - 1, row, row + 1)
            for j in cells.get((u, v), ())
        ]
        for j in near if i >= already else ():
            dx, dy = x - float(poses[j, 0]), y - float(poses[j, 1])
            if (
                abs(c * dx + s * dy) < 0.25 * size_mm[0]
                and abs(c * dy - s * dx) < 0.4 * size_mm[1]
                and abs((angle - float(poses[j, 2]) + 90) % 180 - 90) < 20
            ):
                break
        else:
            if i >= already:
                kept.append(i)
            cells.setdefault((column, row), []).append(i)
    return kept


def snap_to_outlines(edges: Edges, poses: Float64s, size_mm: SizeMm) -> Float64s:
    """Return candidates moved onto nearby outlines, (N, 7).

    Columns are x, y, angle, and the strength of the edge along each side, 0 to 1, long sides first.
    """
    best = np.full(len(poses), -1.0)
    fitted = np.zeros((len(poses), 7))
    for turn, along, across in product(TURNS_DEG, ALONG_MM, ACROSS_MM):
        tried = moved(poses, turn, along, across)
        sides = edges.along_sides(tried, size_mm)
        # A small cost of moving breaks ties.
        earned = _completeness(sides) - 0.01 * (abs(turn) / 5 + abs(along) + abs(across))
        better = earned > best
        best[better] = earned[better]
        fitted[better] = np.column_stack([tried, sides])[better]
    return fitted


def fit_size(edges: Edges, poses: Float64s, size_mm: SizeMm) -> SizeMm:
    """Return the median of the best sizes of spaces, near a first guess."""
    tried = np.array(list(product(LENGTHS_MM, WIDTHS_MM))) + size_mm
    worths = np.array([_completeness(edges.along_sides(poses, size)) for size in tried])
    length, width = np.median(tried[np.argmax(worths, axis=0)], axis=0)
    return round(float(length), 1), round(float(width), 1)


def moved(poses: Float64s, turn_deg: float, along_mm: float, across_mm: float) -> Float64s:
    """Return poses shifted along their own axes and rotated."""
    angle = np.deg2rad(poses[:, 2])
    c, s = np.cos(angle), np.sin(angle)
    x = poses[:, 0] + c * along_mm - s * across_mm
    y = poses[:, 1] + s * along_mm + c * across_mm
    return np.column_stack([x, y, poses[:, 2] + turn_deg])


def inside(lab: Float32s, px_per_mm: float, poses: Float64s, size_mm: SizeMm) -> Float64s:
    """Return the colours of spaces and their evenness, (N, 5).

    Columns are the median L, a, b of both ends, since the middle may have a symbol; the mean
    distance of the ends from it; and the mean distance of the middle from its own median.
    """
    ends = _sampled_lab(lab, px_per_mm, poses, size_mm, END_ALONG)
    colour = np.median(ends, axis=1)
    uneven = np.linalg.norm(ends - colour[:, None], axis=-1).mean(axis=1)
    middle = _sampled_lab(lab, px_per_mm, poses, size_mm, MIDDLE_ALONG)
    off = np.linalg.norm(middle - np.median(middle, axis=1)[:, None], axis=-1)
    return np.column_stack([colour, uneven, off.mean(axis=1)])


def _sampled_lab(
    lab: Float32s, px_per_mm: float, poses: Float64s, size_mm: SizeMm, along: Float64s
) -> Float64s:
    u, v = np.meshgrid(along * size_mm[0], INNER_ACROSS * size_mm[1])
    x, y = points_on(poses, np.broadcast_to(u.ravel(), (len(poses), u.size)), v.ravel())
    return sampled(lab, x, y, px_per_mm)


def _completeness(sides: Float64s) -> Float64s:
    """Return the completeness of outlines, 0 to 1: of opposite sides the weaker one counts more."""
    long_sides, short_sides = sides[:, :2], sides[:, 2:]
    return np.asarray(
        0.3 * (long_sides.min(axis=1) + long_sides.mean(axis=1))
        + 0.2 * (short_sides.min(axis=1) + short_sides.mean(axis=1))
    )
