"""Read score markers on drawn boards and in real photos, and say how well it went.

    python benchmarks/score_markers.py [--drawn SEEDS] [--photos DIR] [--only GLOB] [--wrong]

Markers lie alone on their step, between two numbers, side by side, on each other, toppled, or are
away. Drawn boards are copies with plastic of their own in changing light, calibrated from a picture
of them empty. The labelled photos show no markers: as they are, none may be read in them; and discs
in the photo's own colours are drawn into them. Wrong is every number but the one a marker stands
at, and any number at all of one that is away or lies between two.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

import cv2
import numpy as np
from railspotter.calibration.pose import NotFound
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring import load_board, load_edition
from railspotter.simulation.virtual_board import (
    CameraSetup,
    Copy,
    Light,
    Scene,
    Sensor,
    VirtualCamera,
    stand_trains,
)
from railspotter.table.photo_file import load_photo
from railspotter.table.photos.photo_score import PhotoScorer
from railspotter.vision.reading import read_by_cues
from railspotter.vision.readings import MarkerReading

from markers.into_photos import plastic_in, with_markers
from markers.laid import LaidMarker, lay_markers
from photos.labelled import PHOTOS, REFERENCES, labelled_photos, reference_profile

EDITIONS = ("usa", "europe")
SIZE_WH = (1600, 1200)
CLAIMED = 0.4
TILTS_DEG = (3, 10, 20, 30, 38)


@dataclass(frozen=True)
class Judged:
    """What was said of one marker in one picture."""

    group: str
    picture: str
    marker: LaidMarker
    said: MarkerReading

    @property
    def verdict(self) -> str:
        """Whether it was "right", "wrong" or "unclear"."""
        if self.said.at is None:
            return "unclear"
        return "right" if self.said.at == self.marker.at else "wrong"


def judge(
    group: str, picture: str, laid: Iterable[LaidMarker], said: Mapping[str, MarkerReading]
) -> Iterator[Judged]:
    """Hold what was said of a picture's markers against what was laid."""
    for marker in laid:
        if marker.colour in said:
            yield Judged(group, picture, marker, said[marker.colour])


def read_drawn(edition_id: str, seed: int) -> Iterator[Judged]:
    """Calibrate one drawn copy, and read its markers from every side."""
    edition = load_edition(edition_id)
    board = load_board(edition.board)
    rng = np.random.default_rng([seed, 22])
    copy = Copy(seed, ink_spread=5.0, plastic_spread=7.0, train_size_mm=edition.train_size_mm)
    empty = VirtualCamera(board, copy, CameraSetup(SIZE_WH, tilt_deg=3), Sensor(seed=seed))
    shown = empty.take(Scene())
    profile = make_profile(shown.picture, board, shown.corners_px, "drawn", "2026-01-01T00:00:00")
    scorer = PhotoScorer(board, edition, profile)
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
        yield from judge(f"drawn {edition_id}", name, laid, read_by_cues(found.view).markers)


def read_photos(folder: Path, only: str) -> Iterator[Judged]:
    """Read the labelled photos as they are, and with markers drawn into them."""
    photos = labelled_photos(folder)
    for board_id in EDITIONS:
        board, edition = load_board(board_id), load_edition(board_id)
        reference = next((p for p in photos if p.path.name == REFERENCES[board_id]), None)
        if reference is None:
            continue
        profile = reference_profile(reference.path, board, reference.corners_px)
        scorer = PhotoScorer(board, edition, profile)
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
            as_it_is = read_by_cues(found.view).markers
            yield from judge(f"{photo.shoot}, as it is", name, nothing, as_it_is)
            if photo.is_blank:
                continue
            rng = np.random.default_rng([len(name), *name.encode()])
            plastic = plastic_in(photo, picture, found)
            laid = lay_markers(board, sorted(plastic), rng, upright=True)
            again = scorer.find(with_markers(picture, found, laid, plastic, rng))
            if isinstance(again, NotFound):
                print(f"{name} with markers: the board was not found: {again.reason}")
                continue
            said = read_by_cues(again.view).markers
            yield from judge(f"{photo.shoot}, laid in", name, laid, said)


def table(judged: Sequence[Judged]) -> Iterator[str]:
    """Yield a row for each group and way to lie."""
    yield f"{'':26}{'':9}{'markers':>8}{'right':>8}{'unclear':>8}{'wrong':>8}{'read':>8}"
    counts = Counter((one.group, one.marker.how, one.verdict) for one in judged)
    for group, how in dict.fromkeys(sorted((one.group, one.marker.how) for one in judged)):
        right, unclear, wrong = (
            counts[group, how, verdict] for verdict in ("right", "unclear", "wrong")
        )
        total = right + unclear + wrong
        yield (
            f"{group:26}{how:9}{total:8}{right:8}{unclear:8}{wrong:8}{100 * right / total:7.1f}%"
        )


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
    options = parser.parse_args(argv)
    cv2.setNumThreads(1)
    judged = [
        one
        for edition in EDITIONS
        for seed in range(options.first, options.first + options.drawn)
        for one in read_drawn(edition, seed)
    ]
    judged += read_photos(options.photos, options.only)
    print(*table(judged), sep="\n")
    if options.wrong:
        for one in judged:
            alone = one.marker.how == "alone" and one.verdict == "unclear"
            if one.verdict == "wrong" or alone:
                at = f"{one.marker.how} at {one.marker.at}"
                print(f"  {one.picture}: {one.marker.colour} {at}: {one.said.at} {one.said.why}")
    return int(any(one.verdict == "wrong" for one in judged))


if __name__ == "__main__":
    sys.exit(main())
