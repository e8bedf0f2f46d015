"""Say what a photo costs from its file to its reading, by steps, and how much memory at most.

    python benchmarks/photo_cost.py [--photos 5] [--photo IMG_4142_1920]

A photo as it is, and made as large as a phone takes it (12 MP), each in a process of its own: read
again and again by one that is there already, as a table's is, with the photo of its empty board.
Elapsed time on all cores and processor time, medians, and both over decoding the small picture.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.table.photo_file import load_photo, parse_photo, to_jpeg
from railspotter.table.photos.score import FoundBoard, PhotoScorer, ReadingPlan

from live.photo_scenes import profile_of
from photos.labelled import PHOTOS, labelled_photos

SIDES_PX = (1920, 4032)
QUALITY = 92
Result = TypeVar("Result")


def timed(work: Callable[[], Result], spent: list[tuple[float, float]]) -> Result:
    """Do some work and note its elapsed and processor milliseconds."""
    began = time.perf_counter(), time.process_time()
    result = work()
    spent.append((1000 * (time.perf_counter() - began[0]), 1000 * (time.process_time() - began[1])))
    return result


def sized(path: Path, side_px: int) -> bytes:
    """Return a photo as a file in which its longer side has so many pixels."""
    picture = load_photo(path)
    scale = side_px / max(picture.shape)
    made = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return to_jpeg(np.asarray(made, np.uint8), QUALITY)


def measure(name: str, side_px: int, photos: int) -> None:
    """Read one photo so often, and print what it took."""
    photo = next(one for one in labelled_photos(PHOTOS) if one.path.stem == name)
    board, edition = load_board(photo.board), load_edition(photo.board)
    scorer = PhotoScorer(
        ReadingPlan(board, edition, profile_of(photo.board, photo.shoot, "joined"))
    )
    content = sized(photo.path, side_px)
    steps: dict[str, list[tuple[float, float]]] = {"decode": [], "find": [], "read": []}
    for _ in range(photos + 1):
        seen = timed(partial(parse_photo, content), steps["decode"])
        found = timed(partial(scorer.find, seen), steps["find"])
        assert isinstance(found, FoundBoard), found
        timed(partial(scorer.read, [found]), steps["read"])
    said = []
    for step, spent in steps.items():
        wall, cpu = (statistics.median(values) for values in zip(*spent[1:], strict=True))
        said.append(f"{step} {wall:.0f} ({cpu:.0f})")
    memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    taken = ", ".join(said)
    print(f"{name}, {side_px} px: ms elapsed (of a processor): {taken}; {memory_mb:.0f} MB")


def main(argv: Sequence[str] | None = None) -> int:
    """Measure each size in a process of its own."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--photos", type=int, default=5, help="read at each size (default: 5)")
    parser.add_argument("--photo", default="IMG_4142_1920")
    parser.add_argument("--side", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.side is not None:
        measure(options.photo, options.side, options.photos)
        return 0
    for side_px in SIDES_PX:
        said = ["--photos", str(options.photos), "--photo", options.photo, "--side", str(side_px)]
        subprocess.run([sys.executable, str(Path(__file__)), *said], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
