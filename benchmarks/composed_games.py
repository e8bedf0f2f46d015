"""Read composed positions of games: tidy, messy, and in coloured light.

    python benchmarks/composed_games.py [--board usa] [--positions 4] [--json]

Trains are cut from several photos and laid onto blank photos of the same board. Each kind of scene
shows the same positions. `wrong` counts routes that were read wrongly and not asked about; a
picture whose light the reader calls too coloured has been refused and counts as asked.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import msgspec
import numpy as np
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.table.photos.score import PhotoScorer, ReadingPlan

from composed.camera import SENSOR, ComposedCamera, Moment
from composed.check import read
from composed.library import SOURCES, STAGES, Library
from composed.positions import messy, tidy_position, usable
from composed.stage import stage_from
from composed.table import ComposedTable

ROUTES = (10, 70)  # how many routes are taken in a position


@dataclass(frozen=True)
class Scene:
    """A kind of scene."""

    name: str
    is_messy: bool = False
    blue_over_red: float = 1.0

    @property
    def gain_bgr(self) -> tuple[float, float, float]:
        """The cast: green lies between blue and red."""
        return self.blue_over_red, float(np.sqrt(self.blue_over_red)), 1.0


SCENES = (
    Scene("tidy"),
    Scene("messy", is_messy=True),
    Scene("cast 0.7", blue_over_red=0.7),
    Scene("cast 0.5", blue_over_red=0.5),
    Scene("cast 0.3", blue_over_red=0.3),
)


@dataclass
class Count:
    """What was read in the scenes of one kind."""

    scene: str
    pictures: int = 0
    routes: int = 0
    right: int = 0
    wrong: int = 0  # routes read wrongly without a doubt, in pictures that were not refused
    asked_rightly: int = 0  # routes read wrongly with a doubt beside them
    doubts: int = 0
    refused: int = 0  # pictures with a note that they should be taken again


def main(argv: Sequence[str] | None = None) -> int:
    """Compose, read, count and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--board", default="usa", choices=tuple(STAGES))
    parser.add_argument("--positions", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print JSON and no table")
    options = parser.parse_args(argv)
    counts = play(options.board, options.positions, options.seed)
    if options.json:
        print(msgspec.json.encode([asdict(count) for count in counts]).decode())
        return 0
    print(f"{'scene':10s} pictures  routes right  wrong  wrong, asked  doubts each  refused")
    for c in counts:
        print(
            f"{c.scene:10s} {c.pictures:8d} {c.right / c.routes:13.2%} {c.wrong:6d}"
            f" {c.asked_rightly:13d} {c.doubts / c.pictures:12.1f} {c.refused:8d}"
        )
    return 0


def play(board_name: str, positions: int, seed: int) -> list[Count]:
    """Read so many positions in every kind of scene."""
    library = Library(load_board(board_name))
    scorer = PhotoScorer(ReadingPlan(library.board, load_edition(board_name), library.profile))
    cuts = usable(library, SOURCES[board_name])
    sources = [library.source(name) for name in SOURCES[board_name]]
    counts = [Count(scene.name) for scene in SCENES]
    for number, name in enumerate(STAGES[board_name]):
        table = ComposedTable(library.board, stage_from(library, name), sources)
        camera = ComposedCamera(table, SENSOR)
        for one in range(number, positions, len(STAGES[board_name])):
            taken = int(np.random.default_rng([seed, one]).integers(*ROUTES, endpoint=True))
            tidy = tidy_position(library.board, cuts, taken, seed + one)
            for scene, count in zip(SCENES, counts, strict=True):
                trains = messy(library.board, cuts, tidy, seed + one) if scene.is_messy else tidy
                shown = camera.take(trains, Moment(gain_bgr=scene.gain_bgr, number=one))
                answers, reading = read(scorer, shown.picture, shown.truth)
                count.pictures += 1
                count.routes += answers.routes
                count.right += answers.routes_right
                count.doubts += answers.doubts
                count.refused += bool(reading.notes)
                count.asked_rightly += len(answers.wrong) - answers.wrong_and_certain
                count.wrong += 0 if reading.notes else answers.wrong_and_certain
    return counts


if __name__ == "__main__":
    sys.exit(main())
