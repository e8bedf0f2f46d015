"""Judged photos, counted: one row for each group of them.

An exposure counts once, whatever number of sizes its file exists in: within a row each file weighs
one over the number of its exposure's files there. Seconds are of files: sizes differ in them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from photos.judgement import Answers, JudgedPhoto, Seconds
from photos.labelled import COARSE_SHOOTS, LabelledPhoto


@dataclass(frozen=True)
class Corners:
    """How far the worst corner of a photo is off, in millimetres on the board."""

    median: float  # median, p90: Over exposures, each the mean of its files
    p90: float
    most: float  # over all files


@dataclass(frozen=True)
class Times:
    """Seconds, medians over the files; a ratio is of the total to OpenCV's decoding."""

    load: float
    yardstick: float
    find: float
    read: float
    total: float
    most: float
    ratio: float


@dataclass(frozen=True)
class Row:
    """A group of photos, counted."""

    group: str
    exposures: int
    files: int
    found: float  # found, all_right: Exposures; a fraction where the sizes of one disagree
    # None when no board was found. The shoots with coarse truth stand for themselves only.
    corners: Corners | None
    spaces_right: float  # spaces_right, routes_right: Shares, over the photos that were found
    routes_right: float
    all_right: float
    wrong_and_certain: float  # wrong_and_certain, doubts: Routes per photo that was found
    doubts: float
    seconds: Times


def groups_of(
    photos: Sequence[JudgedPhoto], fitted: Collection[str]
) -> dict[str, list[JudgedPhoto]]:
    """Return the groups that a table has a row for, by name; empty ones are left out."""

    def held_out(photo: LabelledPhoto) -> bool:
        return photo.shoot not in fitted

    belongs: dict[str, Callable[[LabelledPhoto], bool]] = {
        "all": lambda photo: True,
        "occupied": lambda photo: not photo.is_blank,
        "blank": lambda photo: photo.is_blank,
        "held out": held_out,
        "held out, occupied": lambda photo: held_out(photo) and not photo.is_blank,
    }
    groups = {name: [p for p in photos if test(p.photo)] for name, test in belongs.items()}
    for photo in sorted(photos, key=lambda p: p.photo.shoot):
        name = photo.photo.shoot if held_out(photo.photo) else f"{photo.photo.shoot} (fitted)"
        groups.setdefault(name, []).append(photo)
    for photo in sorted(photos, key=lambda p: p.photo.state):
        if photo.photo.state:
            groups.setdefault(f"state {photo.photo.state}", []).append(photo)
    for photo in sorted(photos, key=lambda p: max(p.photo.truth["size_px"])):
        groups.setdefault(f"size {photo.photo.size_class}", []).append(photo)
    return {name: group for name, group in groups.items() if group}


def summarise(group: str, photos: Sequence[JudgedPhoto]) -> Row:
    """Return the row of a group."""
    files = Counter(p.photo.exposure for p in photos)
    judged = [(p.answers, 1 / files[p.photo.exposure]) for p in photos if p.answers is not None]

    def sum_of(count: Callable[[Answers], float]) -> float:
        return sum(weight * count(answers) for answers, weight in judged)

    def share(part: Callable[[Answers], float], whole: Callable[[Answers], float]) -> float:
        return sum_of(part) / max(sum_of(whole), 1e-9)

    return Row(
        group=group,
        exposures=len(files),
        files=len(photos),
        found=sum(weight for _, weight in judged),
        corners=_corners(photos),
        spaces_right=share(lambda a: a.spaces_right, lambda a: a.spaces),
        routes_right=share(lambda a: a.routes_right, lambda a: a.routes),
        all_right=sum_of(lambda a: a.is_right),
        wrong_and_certain=share(lambda a: a.wrong_and_certain, lambda a: 1),
        doubts=share(lambda a: a.doubts, lambda a: 1),
        seconds=_times(photos),
    )


def _corners(photos: Sequence[JudgedPhoto]) -> Corners | None:
    fine = [p for p in photos if p.photo.shoot not in COARSE_SHOOTS]
    by_exposure: dict[str, list[float]] = {}
    for p in fine or photos:
        if p.corner_mm is not None:
            by_exposure.setdefault(p.photo.exposure, []).append(p.corner_mm)
    if not by_exposure:
        return None
    means = [float(np.mean(errors)) for errors in by_exposure.values()]
    return Corners(
        median=float(np.median(means)),
        p90=float(np.percentile(means, 90)),
        most=max(max(errors) for errors in by_exposure.values()),
    )


def _times(photos: Sequence[JudgedPhoto]) -> Times:
    def median(seconds: Callable[[Seconds], float]) -> float:
        return float(np.median([seconds(p.seconds) for p in photos]))

    return Times(
        load=median(lambda s: s.load),
        yardstick=median(lambda s: s.yardstick),
        find=median(lambda s: s.find),
        read=median(lambda s: s.read),
        total=median(lambda s: s.total),
        most=max(p.seconds.total for p in photos),
        ratio=median(lambda s: s.total / s.yardstick),
    )
