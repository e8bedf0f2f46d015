"""Read drawn Europe boards with stations from ever steeper sides, and say how well it went.

    python benchmarks/drawn_stations.py [--seeds 300 301 ...] [--wrong]

Each seed is a copy of the board with plastic of its own, calibrated from a picture of it empty; on
about 60 of 100 routes trains stand, a third of the pictures shows them straight on their spaces,
the others two or three times as carelessly laid, and on 4 to 12 cities stations. It is read from a
side, in a light and by a noisy sensor that the seed chooses, at every tilt.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from railspotter.calibration.pose import NotFound
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.scoring.spot import of_kind
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.simulation.virtual_board.light import Light
from railspotter.simulation.virtual_board.placing import stand_stations, stand_trains
from railspotter.simulation.virtual_board.printed_copy import Copy
from railspotter.simulation.virtual_board.scene import Scene
from railspotter.simulation.virtual_board.sensor import Sensor
from railspotter.simulation.virtual_board.virtual_camera import VirtualCamera
from railspotter.table.photos.score import PhotoScorer, ReadingPlan

BOARD, EDITION = load_board("europe"), load_edition("europe")
SEEDS = (300, 301, 302, 303, 304)
TILTS_DEG = (5, 15, 25, 35, 45)
SIZE_WH = (1600, 1200)
CLAIMED = 0.6
STATIONS = 4, 12
LOOSENESS = (1.0, 2.0, 3.0)


@dataclass(frozen=True)
class Judged:
    """What was said of one place in one picture."""

    seed: int
    tilt_deg: int
    place: str
    said: str | None  # said, truth: Whose station stands there, None for none
    truth: str | None
    is_asked: bool  # whether there is a doubt about it


def read_copy(seed: int) -> Iterator[Judged]:
    """Calibrate one copy, and read it at every tilt."""
    rng = np.random.default_rng([seed, 77])
    copy = Copy(
        seed=seed,
        stray_print_mm=2.0,
        ink_spread=5.0,
        plastic_spread=7.0,
        train_size_mm=EDITION.train_size_mm,
    )
    above = CameraSetup(SIZE_WH, tilt_deg=3)
    empty = VirtualCamera(BOARD, copy, above, Sensor(seed=seed)).take(Scene())
    profile = make_profile(empty.picture, BOARD, empty.corners_px, "drawn", "2026-01-01T00:00:00")
    scorer = PhotoScorer(ReadingPlan(BOARD, EDITION, profile))

    def some_colour() -> str:
        return EDITION.colours[rng.integers(len(EDITION.colours))]

    shuffled = rng.permutation(len(BOARD.routes))
    claims = {BOARD.routes[r].id: some_colour() for r in shuffled if rng.random() < CLAIMED}
    places = rng.permutation(list(BOARD.place_by_id))
    count = rng.integers(*STATIONS, endpoint=True)
    built = {str(place): some_colour() for place in places[:count]}
    for number, tilt in enumerate(TILTS_DEG):
        view = CameraSetup(
            SIZE_WH,
            tilt_deg=tilt,
            heading_deg=float(rng.uniform(-180, 180)),
            distance_mm=float(rng.uniform(800, 1200)),
        )
        light = Light(
            strength=float(rng.uniform(0.7, 1.15)),
            gain_bgr=(float(rng.uniform(0.7, 1.1)), 1.0, float(rng.uniform(0.9, 1.1))),
            from_deg=float(rng.uniform(0, 360)),
            height_deg=float(rng.uniform(35, 75)),
            ambient=float(rng.uniform(0.35, 0.6)),
            softness=float(rng.choice([0.01, 0.04, 0.12, 0.3])),
        )
        sensor = Sensor(noise=float(rng.uniform(1.5, 5)), seed=seed * 10 + number)
        camera = VirtualCamera(BOARD, copy, view, sensor)
        looseness = float(rng.choice(LOOSENESS))
        pieces = stand_trains(camera.printed, claims, seed + number, looseness)
        pieces += stand_stations(camera.printed, built, seed + number)
        found = scorer.find(camera.take(Scene(pieces, light=light)).picture)
        if isinstance(found, NotFound):
            print(f"{seed} at {tilt} degrees: the board was not found: {found.reason}")
            continue
        reading = scorer.read([found]).reading
        for place, seen in of_kind("station", reading.pieces).items():
            yield Judged(seed, tilt, place, seen.colour, built.get(place), seen.doubt is not None)


def figures(judged: Sequence[Judged]) -> tuple[int, ...]:
    """Return a row of the table."""
    wrong = [one for one in judged if one.said != one.truth]
    return (
        len({(one.seed, one.tilt_deg) for one in judged}),
        sum(one.truth is not None for one in judged),
        sum(one.truth is not None and one.said == one.truth for one in judged),
        sum(one.said is None for one in wrong),
        sum(one.truth is None for one in wrong),
        sum(one.said is not None and one.truth is not None for one in wrong),
        sum(not one.is_asked for one in wrong),
        sum(one.is_asked for one in judged),
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Read the pictures and print a row for each tilt."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", nargs="+", type=int, default=SEEDS, help="which copies")
    parser.add_argument("--wrong", action="store_true", help="name what was read wrongly")
    options = parser.parse_args(argv)
    cv2.setNumThreads(1)
    judged = [one for seed in options.seeds for one in read_copy(seed)]
    heads = ("pictures", "stations", "right", "missed", "invented", "colour", "certain", "asked")
    print("tilt".ljust(12), *(head.rjust(8) for head in heads))
    for tilt in TILTS_DEG:
        row = figures([one for one in judged if one.tilt_deg == tilt])
        print(f"{tilt} degrees".ljust(12), *(str(value).rjust(8) for value in row))
    print("all".ljust(12), *(str(value).rjust(8) for value in figures(judged)))
    if options.wrong:
        for one in judged:
            if one.said != one.truth:
                asked = "asked" if one.is_asked else "certain"
                print(f"  {one.seed} {one.tilt_deg} {one.place}: {one.said}, {one.truth}; {asked}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
