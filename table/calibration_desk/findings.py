"""What is wrong with a picture of a board, and where in the picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from railspotter.calibration.pose import Pose
from railspotter.calibration.profiles import Grid, PictureQuality, Remark, Verdict, VerdictSettings

Point = tuple[float, float]
Outline = tuple[Point, ...]


@dataclass(frozen=True)
class Finding:
    """One thing that is not good.

    Attributes
    ----------
    about : str
        As `calibration.verdict.Remark` has it.
    grade : str
        `usable` or `poor`.
    said : str
        What it is and what helps, without full stop.
    outlines_px : tuple of tuple of (float, float)
        The parts of the board where it is, in the picture; empty where it is all of it.
    """

    about: str
    grade: str
    said: str
    outlines_px: tuple[Outline, ...] = ()


def findings(
    verdict: Verdict, pose: Pose, settings: VerdictSettings | None = None
) -> tuple[Finding, ...]:
    """Return what a verdict remarks, with the places in the picture that it was measured in."""
    s = settings or VerdictSettings()
    return tuple(
        Finding(
            remark.about,
            remark.grade.name.lower(),
            remark.words,
            tuple(_outline(cell, verdict.picture, pose) for cell in _cells(remark, verdict, s)),
        )
        for remark in verdict.remarks
    )


def _cells(remark: Remark, verdict: Verdict, s: VerdictSettings) -> Iterator[tuple[int, int]]:
    """Yield the cells, (row, column), that a remark is about."""
    picture = verdict.picture
    if remark.about == "glare":
        yield from _worse(picture.glare, s.glare.good)
    elif remark.about == "sharpness":
        yield from _worse(picture.blur_mm, s.blur_mm.good)
    elif remark.about == "resolution":
        rows, columns = len(picture.glare), len(picture.glare[0])
        corners = ((0, 0), (0, columns - 1), (rows - 1, columns - 1), (rows - 1, 0))
        for fine, cell in zip(picture.corners_px_per_mm, corners, strict=True):
            if fine < s.px_per_mm.good:
                yield cell


def _worse(grid: Grid, good: float) -> Iterator[tuple[int, int]]:
    for row, values in enumerate(grid):
        for column, value in enumerate(values):
            if value is not None and value > good:
                yield row, column


def _outline(cell: tuple[int, int], picture: PictureQuality, pose: Pose) -> Outline:
    rows, columns = len(picture.glare), len(picture.glare[0])
    row, column = cell
    steps = np.array([(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)])
    corners = pose.seen_at(steps / (columns, rows) * pose.size_mm)
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners)
