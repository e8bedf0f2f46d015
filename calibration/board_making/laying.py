"""Lays out spaces by hand: along the course of others, or straight between two places."""

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace
from railspotter.scoring.board import Place

from .draft import Draft, DraftSpace
from .outlines import SizeMm

USUAL_SPACE_MM = (25.0, 8.0)  # default length and width of a space
FILLED = 0.94  # most share of the way between two places that is filled with spaces


def usual_space_mm(draft: Draft) -> SizeMm:
    """Return the length and width of a draft's spaces, or the default."""
    return draft.space_size_mm if all(draft.space_size_mm) else USUAL_SPACE_MM


def reversed_spaces(spaces: Sequence[DraftSpace]) -> tuple[DraftSpace, ...]:
    """Return spaces in reverse order, with their angles turned by half."""
    turns = ((space, 180 if space.angle_deg <= 0 else -180) for space in reversed(spaces))
    return tuple(replace(s, angle_deg=round(s.angle_deg + turn, 1)) for s, turn in turns)


def lay_evenly(spaces: Sequence[DraftSpace], count: int) -> tuple[DraftSpace, ...]:
    """Return `count` spaces evenly along the course of others, shorter than those if needed.

    >>> one = DraftSpace((50.0, 10.0), 0.0, (60.0, 8.0))
    >>> [space.xy_mm[0] for space in lay_evenly([one], 2)]
    [35.0, 65.0]
    """
    middles = np.array([space.xy_mm for space in spaces], np.float64)
    course = np.vstack([spaces[0].end(-1), middles, spaces[-1].end(1)])
    run = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(course, axis=0), axis=1))])
    # Start, middle and end of each space, alternating.
    at = np.linspace(0, run[-1], 2 * count + 1)
    x, y = (np.interp(at, run, course[:, axis]) for axis in (0, 1))
    angles = np.degrees(np.arctan2(y[2::2] - y[:-2:2], x[2::2] - x[:-2:2]))
    length, width = spaces[0].size_mm
    size = round(min(length, float(run[-1]) / count), 1), width
    return tuple(
        DraftSpace((round(float(u), 2), round(float(v), 2)), round(float(angle), 1), size)
        for u, v, angle in zip(x[1::2], y[1::2], angles, strict=True)
    )


def lay_straight(draft: Draft, a: Place, b: Place, count: int) -> tuple[DraftSpace, ...]:
    """Return spaces in a straight line between two places, beside existing routes."""
    start, end = np.array(a.xy_mm), np.array(b.xy_mm)
    way = end - start
    far = float(np.hypot(*way)) or 1.0
    length, width = usual_space_mm(draft)
    step = min(FILLED * far / count, 1.08 * length)
    size = round(min(length, 0.95 * step), 1), round(width, 1)
    beside = sum(route.ends == {a.id, b.id} for route in draft.laid)
    off = 1.3 * size[1] * ((beside + 1) // 2) * (-1) ** beside
    aside = np.array([-way[1], way[0]]) / far * off
    angle = round(float(np.degrees(np.arctan2(way[1], way[0]))), 1)
    runs = ((number - (count - 1) / 2) * step for number in range(count))
    middles = (
        np.clip((start + end) / 2 + way / far * run + aside, 0, draft.size_mm) for run in runs
    )
    return tuple(
        DraftSpace((round(float(x), 1), round(float(y), 1)), angle, size) for x, y in middles
    )
