"""Read score markers on drawn boards and in real photos, and say how well it went.

    python benchmarks/score_markers.py [--drawn SEEDS] [--photos DIR] [--only GLOB] [--wrong]
                                       [--leave-out]

Markers lie alone on their step, between two numbers, side by side, on each other, toppled, or are
away. Drawn boards are copies with plastic of their own in changing light, calibrated from a picture
of them empty. The labelled photos show no markers: as they are, none may be read in them; and discs
in the photo's own colours are drawn into them. Wrong is every number but the one a marker stands
at, and any number at all of one that is away or lies between two.

With `--leave-out` everything is read for several heights of markers, and each copy or house with
the height that did best on all others: what to expect of one that nobody looked at.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from railspotter.calibration.pose import NotFound
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Light, Sensor
from railspotter.simulation.virtual_board.placing import stand_trains
from railspotter.simulation.virtual_board.printed_copy import Copy
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera
from railspotter.table.photo_file import load_photo
from railspotter.table.photos.score import PhotoScorer, ReadingPlan
from railspotter.vision.look.view import View
from railspotter.vision.reading.cue_reader import weigh
from railspotter.vision.reading.score_markers import MarkerSettings, read_markers
from railspotter.vision.readings import MarkerReading

from markers.into_photos import plastic_in, with_markers
from markers.laid import LaidMarker, lay_markers
from photos.labelled import PHOTOS, REFERENCES, labelled_photos, reference_profile

EDITIONS = ("usa", "europe")
SIZE_WH = (1600, 1200)
CLAIMED = 0.4
TILTS_DEG = (3, 10, 20, 30, 38)
HIGH_MM = MarkerSettings().high_mm
OTHER_HEIGHTS_MM = (0.0, 3.0, 7.0)


@dataclass(frozen=True)
class Judged:
    """What was said of one marker in one picture."""

    group: str
    home: str  # the drawn copy, or the shoot of the photo
    picture: str
    marker: LaidMarker
    said: Mapping[float, MarkerReading]  # by how high markers were taken to be, mm

    def verdict(self, high_mm: float = HIGH_MM) -> str:
        """Tell whether it was "right", "wrong" or "unclear"."""
        at = self.said[high_mm].at
        if at is None:
            return "unclear"
        return "right" if at == self.marker.at else "wrong"


def judge(
    group: str,
    home: str,
    picture: str,
    laid: Iterable[LaidMarker],
    view: View,
    heights_mm: Sequence[float],
) -> Iterator[Judged]:
    """Read a picture's markers and hold what is said against what was laid."""
    weighed = weigh(view)
    first = weighed.first
    said = {
        high_mm: read_markers(
            weighed.view, first.picture, first.colours, MarkerSettings(high_mm=high_mm)
        )
        for high_mm in heights_mm
    }
    for marker in laid:
        if marker.colour in said[HIGH_MM]:
            of_marker = {high_mm: read[marker.colour] for high_mm, read in said.items()}
            yield Judged(group, home, picture, marker, of_marker)


def read_drawn(edition_id: str, seed: int, heights_mm: Sequence[float]) -> Iterator[Judged]:
    """Calibrate one drawn copy, and read its markers from every side."""
    edition = load_edition(edition_id)
    board = load_board(edition.board)
    rng = np.random.default_rng([seed, 22])
    copy = Copy(seed, ink_spread=5.0, plastic_spread=7.0, train_size_mm=edition.train_size_mm)
    empty = VirtualCamera(board, copy, CameraSetup(SIZE_WH, tilt_deg=3), Sensor(seed=seed))
    shown = empty.take(Scene())
    profile = make_profile(shown.picture, board, shown.corners_px, "drawn", "2026-01-01T00:00:00")
    scorer = PhotoScorer(ReadingPlan(board, edition, profile))
    for number, tilt in enumerate(TILTS_DEG):
        view = CameraSetup(
            SIZE_WH,
            tilt_deg=tilt,
            heading_deg=float(rng.uniform(-180, 180)),
            distance_mm=float(rng.uniform(800, 1200)),
        )
        light = Light(
            strength=float(rng.uniform(0.7, 1.15)),
            gain_bgr=(float(rng.uniform(0.75, 1.1)), 1.0, float(rng.uniform(0.9, 1.1))),
            from_deg=float(rng.uniform(0, 360)),
            height_deg=float(rng.uniform(35, 75)),
            ambient=float(rng.uniform(0.35, 0.6)),
            softness=float(rng.choice([0.01, 0.04, 0.12, 0.3])),
        )
        sensor = Sensor(noise=float(rng.uniform(1.5, 5)), seed=seed * 10 + number)
        camera = VirtualCamera(board, copy, view, sensor)
        colours = rng.choice(edition.colours, len(board.routes))
        claims = {
            route.id: str(colour)
            for route, colour in zip(board.routes, colours, strict=True)
            if rng.random() < CLAIMED
        }
        laid = lay_markers(camera.printed, edition.colours, rng)
        pieces = stand_trains(camera.printed, claims, seed + number)
        pieces += tuple(marker.piece for marker in laid if marker.how != "away")
        found = scorer.find(camera.take(Scene(pieces, light=light)).picture)
        name = f"{edition_id} {seed} at {tilt} degrees"
        if isinstance(found, NotFound):
            print(f"{name}: the board was not found: {found.reason}")
            continue
        home = f"{edition_id} {seed}"
        yield from judge(f"drawn {edition_id}", home, name, laid, found.view, heights_mm)


def read_photos(folder: Path, only: str, heights_mm: Sequence[float]) -> Iterator[Judged]:
    """Read the labelled photos as they are, and with markers drawn into them."""
    photos = labelled_photos(folder)
    for board_id in EDITIONS:
        board, edition = load_board(board_id), load_edition(board_id)
        reference = next((p for p in photos if p.path.name == REFERENCES[board_id]), None)
        if reference is None:
            continue
        profile = reference_profile(reference.path, board, reference.corners_px)
        scorer = PhotoScorer(ReadingPlan(board, edition, profile))
        for photo in photos:
            name = photo.path.name
            if photo.board != board_id or photo is reference or not fnmatch(name, only):
                continue
            picture = load_photo(photo.path)
            found = scorer.find(picture)
            if isinstance(found, NotFound):
                print(f"{name}: the board was not found: {found.reason}")
                continue
            nothing = [LaidMarker(colour, "away", None) for colour in scorer.colours]
            home, group = photo.shoot, f"{photo.shoot}, as it is"
            yield from judge(group, home, name, nothing, found.view, heights_mm)
            if photo.is_blank:
                continue
            rng = np.random.default_rng([len(name), *name.encode()])
            plastic = plastic_in(photo, picture, found)
            laid = lay_markers(board, sorted(plastic), rng, upright=True)
            again = scorer.find(with_markers(picture, found, laid, plastic, rng))
            if isinstance(again, NotFound):
                print(f"{name} with markers: the board was not found: {again.reason}")
                continue
            group = f"{photo.shoot}, laid in"
            yield from judge(group, home, name, laid, again.view, heights_mm)


def table(judged: Sequence[Judged]) -> Iterator[str]:
    """Yield a row for each group and way to lie."""
    yield f"{'':26}{'':9}{'markers':>8}{'right':>8}{'unclear':>8}{'wrong':>8}{'read':>8}"
    counts = Counter((one.group, one.marker.how, one.verdict()) for one in judged)
    for group, how in dict.fromkeys(sorted((one.group, one.marker.how) for one in judged)):
        right, unclear, wrong = (
            counts[group, how, verdict] for verdict in ("right", "unclear", "wrong")
        )
        total = right + unclear + wrong
        yield (
            f"{group:26}{how:9}{total:8}{right:8}{unclear:8}{wrong:8}{100 * right / total:7.1f}%"
        )


def left_out(judged: Sequence[Judged]) -> Iterator[str]:
    """Yield what each copy or house reads with the height that was chosen on all others."""
    homes = sorted({one.home for one in judged})
    by_home = {home: [one for one in judged if one.home == home] for home in homes}
    for kind in ("drawn", "shoot"):
        of_kind = [home for home in homes if by_home[home][0].group.startswith(kind)]
        counts, chosen = Counter[str](), Counter[float]()
        for home in of_kind:
            others = [one for other in of_kind if other != home for one in by_home[other]]
            best = max(judged[0].said, key=partial(_worth, others))
            chosen[best] += 1
            alone = [one for one in by_home[home] if one.marker.how == "alone"]
            counts.update(one.verdict(best) for one in alone)
            counts["wrong of any"] += _count(by_home[home], "wrong", best)
        yield f"{kind}, each with the height that did best on the others, {dict(chosen)}:"
        yield f"  alone {counts['right']} right, {counts['unclear']} unclear; " + (
            f"wrong of any {counts['wrong of any']}"
        )


def _worth(judged: Sequence[Judged], high_mm: float) -> tuple[int, int, bool]:
    """Return how well a height did: nothing wrong comes first, then what is read."""
    wrong, right = (_count(judged, verdict, high_mm) for verdict in ("wrong", "right"))
    return -wrong, right, high_mm == HIGH_MM


def _count(judged: Sequence[Judged], verdict: str, high_mm: float) -> int:
    return sum(one.verdict(high_mm) == verdict for one in judged)


def main(argv: Sequence[str] | None = None) -> int:
    """Read everything and print the table; what is wrong ends it with 1."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--drawn", type=int, default=8, help="drawn copies of each board")
    parser.add_argument("--first", type=int, default=0, help="the first copy's seed")
    parser.add_argument("--photos", type=Path, default=PHOTOS, help="a folder of labelled photos")
    parser.add_argument("--only", metavar="GLOB", default="*", help="photos of such names")
    parser.add_argument("--wrong", action="store_true", help="name what was wrong or unclear")
    parser.add_argument(
        "--leave-out", action="store_true", help="choose the markers' height on all other copies"
    )
    options = parser.parse_args(argv)
    heights_mm = (HIGH_MM, *(OTHER_HEIGHTS_MM if options.leave_out else ()))
    cv2.setNumThreads(1)
    judged = [
        one
        for edition in EDITIONS
        for seed in range(options.first, options.first + options.drawn)
        for one in read_drawn(edition, seed, heights_mm)
    ]
    judged += read_photos(options.photos, options.only, heights_mm)
    print(*table(judged), sep="\n")
    if options.leave_out:
        print(*left_out(judged), sep="\n")
    if options.wrong:
        for one in judged:
            alone = one.marker.how == "alone" and one.verdict() == "unclear"
            if one.verdict() == "wrong" or alone:
                at = f"{one.marker.how} at {one.marker.at}"
                said = one.said[HIGH_MM]
                print(f"  {one.picture}: {one.marker.colour} {at}: {said.at} {said.why}")
    return int(any(one.verdict() == "wrong" for one in judged))


if __name__ == "__main__":
    sys.exit(main())
