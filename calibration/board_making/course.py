"""A route's course, and spaces laid evenly along it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..arrays import Float64s
from .proposal_values import ProposedSpace


def course_of(spaces: Sequence[ProposedSpace]) -> Float64s:
    """Return the line that spaces lie along, from the first one's start to the last one's end.

    Returns
    -------
    (N + 2, 2) float64 array
        Board millimetres: both ends and every middle.
    """
    middles = np.array([space.xy_mm for space in spaces], np.float64)
    start, end = _ahead(spaces[0], -0.5), _ahead(spaces[-1], 0.5)
    return np.vstack([start, middles, end])


def lay_evenly(spaces: Sequence[ProposedSpace], count: int) -> tuple[ProposedSpace, ...]:
    """Return as many spaces as wanted along the course of others.

    They are as long as those, or shorter where that many of them would not fit.

    Examples
    --------
    >>> one = ProposedSpace((50.0, 10.0), 0.0, (60.0, 8.0))
    >>> [space.xy_mm[0] for space in lay_evenly([one], 2)]
    [35.0, 65.0]
    """
    course = course_of(spaces)
    run = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(course, axis=0), axis=1))])
    step = run[-1] / count
    laid = []
    for number in range(count):
        ends = [
            np.array([np.interp(at, run, course[:, axis]) for axis in (0, 1)])
            for at in (number * step, (number + 1) * step)
        ]
        middle = [np.interp((number + 0.5) * step, run, course[:, axis]) for axis in (0, 1)]
        way = ends[1] - ends[0]
        laid.append(
            replace(
                spaces[0],
                xy_mm=(round(float(middle[0]), 2), round(float(middle[1]), 2)),
                angle_deg=round(float(np.degrees(np.arctan2(way[1], way[0]))), 1),
                size_mm=(round(min(spaces[0].size_mm[0], float(step)), 1), spaces[0].size_mm[1]),
                sure=1.0,
            )
        )
    return tuple(laid)


def _ahead(space: ProposedSpace, share: float) -> Float64s:
    angle = np.deg2rad(space.angle_deg)
    off = share * space.size_mm[0] * np.array([np.cos(angle), np.sin(angle)])
    return np.asarray(np.array(space.xy_mm) + off)
