"""Where a copy prints its spaces: the board file's routes fitted to the reference.

Printings of one board differ, single routes by 6 mm, and a fold in the reference photo moves what
lies beside it. A printed space is outlined on all four sides; the lanes between two places are
moved together to where the outlines are, not far from how their neighbourhood moved.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from railspotter.scoring.board import Board, Route, Space

from ..arrays import Float32s, Float64s, Picture
from .profile import Offset


@dataclass(frozen=True)
class PrintFitSettings:
    """How far and how finely the print is looked for; chosen by eye on one reference."""

    reach_mm: float = 7.0  # printings were seen to differ by 6 mm
    step_mm: float = 0.5
    # Colour difference per pixel at which an edge counts half: no edge counts for many.
    soft_edge: float = 12.0
    # For each round, what a square millimetre away from the neighbourhood's offset costs, where a
    # complete outline earns about 3.
    pulls: tuple[float, ...] = (0.004, 0.015, 0.015)
    neighbours: int = 7


def fit_print(
    reference: Picture, px_per_mm: float, board: Board, settings: PrintFitSettings | None = None
) -> dict[str, Offset]:
    """Return, for every route, where its print lies, less where the board file has it.

    Board millimetres. Both lanes of a double route have one offset: a lane alone would fit its
    neighbour's print as well as its own.
    """
    s = settings or PrintFitSettings()
    reach = round(s.reach_mm / s.step_mm)
    steps = np.arange(-reach, reach + 1) * s.step_mm
    offsets = np.stack(np.meshgrid(steps, steps), axis=-1)
    across_x, across_y = _gradients(reference)

    pairs: dict[frozenset[str], list[Route]] = {}
    for route in board.routes:
        pairs.setdefault(frozenset((route.a, route.b)), []).append(route)
    strengths, middles = [], []
    for routes in pairs.values():
        spaces = [space for route in routes for space in route.spaces]
        outlines = [
            _outline_strength(across_x, across_y, px_per_mm, space, offsets, s) for space in spaces
        ]
        strengths.append(np.mean(outlines, axis=0))
        middles.append(np.mean([space.xy_mm for space in spaces], axis=0))

    best = _best_offsets(strengths, np.array(middles), offsets, s)
    return {
        route.id: (float(dx), float(dy))
        for routes, (dx, dy) in zip(pairs.values(), best, strict=True)
        for route in routes
    }


def _gradients(reference: Picture) -> tuple[Float32s, Float32s]:
    """Return the change of colour (Lab) per pixel along x and along y, each (H, W, 3)."""
    lab = cv2.cvtColor(reference, cv2.COLOR_BGR2LAB).astype(np.float32)
    soft = cv2.GaussianBlur(lab, (0, 0), 0.8)
    along_x = cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=1 / 8)
    along_y = cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=1 / 8)
    return np.asarray(along_x, np.float32), np.asarray(along_y, np.float32)


def _outline_strength(
    along_x: Float32s,
    along_y: Float32s,
    px_per_mm: float,
    space: Space,
    offsets: Float64s,
    s: PrintFitSettings,
) -> Float32s:
    """Return how much of a space's outline is there, for every offset: about 0 to 5."""
    angle = np.deg2rad(space.angle_deg)
    cos, sin = np.cos(angle), np.sin(angle)
    half_length, half_width = space.size_mm[0] / 2, space.size_mm[1] / 2
    margin = 1.5 * s.reach_mm  # an offset's reach, measured along a turned space's own axes
    along = np.arange(-half_length - margin, half_length + margin, s.step_mm)
    across = np.arange(-half_width - margin, half_width + margin, s.step_mm)
    u, v = np.meshgrid(along, across)
    x = ((space.xy_mm[0] + u * cos - v * sin) * px_per_mm - 0.5).astype(np.float32)
    y = ((space.xy_mm[1] + u * sin + v * cos) * px_per_mm - 0.5).astype(np.float32)
    gx = cv2.remap(along_x, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    gy = cv2.remap(along_y, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)

    def edges(gradient: Float32s, run_mm: tuple[float, float]) -> Float32s:
        strength = np.linalg.norm(gradient, axis=-1)
        size = tuple(max(2, round(run / s.step_mm)) for run in run_mm)
        return np.asarray(cv2.blur(strength / (strength + s.soft_edge), size), np.float32)

    # Edges are averaged over most of a side, so that a corner or a symbol is no side.
    long_sides = edges(cos * gy - sin * gx, (1.8 * half_length, 0))
    short_sides = edges(cos * gx + sin * gy, (0, 1.6 * half_width))
    above, below = _shifted(long_sides, 0, half_width / s.step_mm)
    before, behind = _shifted(short_sides, 1, half_length / s.step_mm)
    # One long side alone is also that of the next lane: both must be there.
    strength = 2 * np.minimum(above, below) + 0.6 * (above + below) + before + behind

    offset_along = cos * offsets[..., 0] + sin * offsets[..., 1]
    offset_across = -sin * offsets[..., 0] + cos * offsets[..., 1]
    column = ((offset_along - along[0]) / s.step_mm).astype(np.float32)
    row = ((offset_across - across[0]) / s.step_mm).astype(np.float32)
    return np.asarray(
        cv2.remap(strength.astype(np.float32), column, row, cv2.INTER_LINEAR), np.float32
    )


def _shifted(values: Float32s, axis: int, steps: float) -> tuple[Float32s, Float32s]:
    """Return the values `steps` before and after each place along an axis."""
    count = round(steps)
    return np.roll(values, count, axis), np.roll(values, -count, axis)


def _best_offsets(
    strengths: list[Float32s], middles: Float64s, offsets: Float64s, s: PrintFitSettings
) -> Float64s:
    """Return the offset of each pair of places, near the median offset of its neighbours."""
    distance = np.linalg.norm(middles[:, None] - middles[None], axis=-1)
    nearest = np.argsort(distance, axis=1)[:, : s.neighbours]
    expected = np.zeros_like(middles)
    best = np.zeros_like(middles)
    for pull in s.pulls:
        for i, strength in enumerate(strengths):
            cost = pull * np.sum((offsets - expected[i]) ** 2, axis=-1)
            row, column = np.unravel_index(np.argmax(strength - cost), strength.shape)
            best[i] = offsets[row, column]
        expected = np.median(best[nearest], axis=1)
    return best
