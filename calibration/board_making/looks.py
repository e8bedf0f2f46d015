"""How much something looks like a printed space, and a second look where one should be.

Routes have no holes: beside a sure space lies another, or a place. There a faint outline says as
much as a strong one does elsewhere, if it has its neighbour's colour.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Float32s, Float64s
from .fitting import fit_spaces, inside
from .outlines import Edges, SizeMm

WEIGHTS = np.array([36.1, -2.2, 20.2, 6.1, -2.7, -5.2, -4.8])
# Logistic regression on shoot-1's two empty boards and drawn boards of USA, New York and Europe,
# spaces and the rest weighing the same.
BIAS = -31.8
SURE = 0.5  # from which on a space is believed to have neighbours
GAP_SHARE = 0.05  # gap between two spaces of a line, as a share of a space's length
BENDS_DEG = (-30.0, -20.0, -10.0, 0.0, 10.0, 20.0, 30.0)
ALIKE = 12.0  # Lab distance beyond which a neighbour's colour says nothing for a space
ALIKE_BONUS = 3.0  # added to the logarithm of its odds where it has just its neighbour's colour


@dataclass(frozen=True, eq=False)
class RatedCandidates:
    """Candidates and what was seen of them, the surest first."""

    poses: Float64s  # (N, 3) float64 array. Middle x, y in mm, angle in degrees.
    lab: Float64s
    odds: Float64s  # (N,) float64 array. Logarithm of the odds that it is a space.
    size_mm: SizeMm

    @classmethod
    def at(cls, edges: Edges, lab: Float32s, poses: Float64s, size_mm: SizeMm) -> RatedCandidates:
        """Fit candidates to the outlines they are near, and look at them."""
        fitted = fit_spaces(edges, poses, size_mm)
        seen = inside(lab, edges.px_per_mm, fitted[:, :3], size_mm)
        odds = looks(fitted[:, 3:], seen) @ WEIGHTS + BIAS
        return cls(fitted[:, :3], seen[:, :3], odds, size_mm)

    @property
    def sure(self) -> Float64s:
        """How likely each is a space, 0 to 1."""
        return np.asarray(1 / (1 + np.exp(-self.odds)))

    def sorted(self, least_sure: float) -> RatedCandidates:
        """Return the surest first, of several that mean the same space the first."""
        order = np.argsort(-self.odds, kind="stable")
        order = order[self.sure[order] >= least_sure]
        order = order[apart(self.poses[order], self.size_mm)]
        return RatedCandidates(self.poses[order], self.lab[order], self.odds[order], self.size_mm)

    def with_more(self, other: RatedCandidates) -> RatedCandidates:
        """Return both, these first."""
        return RatedCandidates(
            np.vstack([self.poses, other.poses]),
            np.vstack([self.lab, other.lab]),
            np.concatenate([self.odds, other.odds]),
            self.size_mm,
        )


def looks(sides: Float64s, seen: Float64s) -> Float64s:
    """Return what tells a space from something else, (N, 7), each about 0 to 1."""
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


def second_look(
    edges: Edges, lab: Float32s, looked: RatedCandidates, size_mm: SizeMm, least_sure: float
) -> RatedCandidates:
    """Look at both ends of all sure spaces for fainter ones of their colour."""
    sure = looked.sure >= SURE
    beside = np.vstack([_beside(looked.poses[sure], bend, size_mm) for bend in BENDS_DEG])
    if len(beside) == 0:
        return looked
    fainter = RatedCandidates.at(edges, lab, beside, size_mm)
    neighbour = np.tile(np.repeat(looked.lab[sure], 2, axis=0), (len(BENDS_DEG), 1))
    unlike = np.linalg.norm((fainter.lab - neighbour) * (0.6, 1, 1), axis=1)
    bonus = ALIKE_BONUS * np.maximum(0, 1 - unlike / ALIKE)
    fainter = RatedCandidates(fainter.poses, fainter.lab, fainter.odds + bonus, size_mm)
    fainter = fainter.sorted(least_sure)
    new = apart(np.vstack([looked.poses, fainter.poses]), size_mm, already=len(looked.poses))
    kept = np.array(new, dtype=np.intp) - len(looked.poses)
    return looked.with_more(
        RatedCandidates(fainter.poses[kept], fainter.lab[kept], fainter.odds[kept], size_mm)
    )


def _beside(poses: Float64s, bend_deg: float, size_mm: SizeMm) -> Float64s:
    """Return where the next spaces at both ends would be, two for each pose."""
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
    """Return which poses to keep: of several that mean the same space, the first."""
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
