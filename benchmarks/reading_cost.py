"""Say what a photo costs from its file on, and what reading one board of a live table costs.

    python benchmarks/reading_cost.py [--readings 12] [--of photo-1920 photo-12mp usa drawn]

photo-*  a photo as a file, 1920 pixels wide and as large as a phone takes it, decoded, found and
         read again and again, as by the process that reads a table's photos
usa, europe  a photo that a live table sees, read with the photo of its empty board
drawn    pictures of a drawn game at 1280 x 720, as a camera sees them that stands still

Each in a process of its own, for the sake of its memory. The first round computes what depends on
the print and the camera's place alone; medians are of the later ones, which find it there. A
picture is decoded before every reading, so that a busy machine slows both.
"""

import argparse
import multiprocessing
import resource
import sys
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

import cv2
import numpy as np
from railspotter.calibration.finding.finder import find_by_print
from railspotter.calibration.pose import Pose
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.table.photo_file import load_photo, parse_photo, to_jpeg
from railspotter.table.photos.score import FoundBoard, PhotoScorer, ReadingPlan
from railspotter.table.pieces import pieces_of_edition
from railspotter.vision.decoding import decode
from railspotter.vision.printed.printed_board import PrintedBoard, with_site_routes
from railspotter.vision.watching.looks import Look, read

from live.games import GameScene
from live.photos import stream_profile
from photos.labelled import PHOTOS, LabelledPhoto, labelled_photos

SIDES_PX = {"photo-1920": 1920, "photo-12mp": 4032}
PHOTO_NAMES = {"usa": "IMG_4142_1920", "europe": "cropped1_12-12"}
SUBJECTS = (*SIDES_PX, *PHOTO_NAMES, "drawn")
WIDEST_PX = 1920
SEED, MOMENTS = 1, 8  # the drawn game, and in how many of its pictures it is read
QUALITY = 90
T = TypeVar("T")
StepTimes = dict[str, list[tuple[float, float]]]  # by step, elapsed and processor milliseconds


def clock(work: Callable[..., T], argument: object, times: list[tuple[float, float]]) -> T:
    """Return the result of some work, and append what it took."""
    began = time.perf_counter(), time.process_time()
    result = work(argument)
    times.append((1000 * (time.perf_counter() - began[0]), 1000 * (time.process_time() - began[1])))
    return result


def subject_photo(name: str) -> LabelledPhoto:
    """Return the labelled photo of a subject."""
    stem = PHOTO_NAMES.get(name, PHOTO_NAMES["usa"])
    return next(one for one in labelled_photos(PHOTOS) if one.path.stem == stem)


def time_photo_steps(name: str, rounds: int) -> StepTimes:
    """Read a photo's file so often, and return what each step took."""
    photo = subject_photo(name)
    profile = stream_profile(photo.board, photo.shoot, "joined")
    plan = ReadingPlan(load_board(photo.board), load_edition(photo.board), profile)
    picture, scorer = load_photo(photo.path), PhotoScorer(plan)
    scale = SIDES_PX[name] / max(picture.shape)
    sized = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    content = to_jpeg(np.asarray(sized, np.uint8), QUALITY)
    times: StepTimes = {"decode": [], "find": [], "read": []}
    for _ in range(rounds):
        found = clock(scorer.find, clock(parse_photo, content, times["decode"]), times["find"])
        assert isinstance(found, FoundBoard), found
        clock(scorer.read, [found], times["read"])
    return times


def photo_looks(name: str) -> list[Look]:
    """Return a photo as a live table reads it."""
    photo = subject_photo(name)
    picture = load_photo(photo.path)
    scale = min(1.0, WIDEST_PX / picture.shape[1])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    board, edition = load_board(photo.board), load_edition(photo.board)
    profile = stream_profile(photo.board, photo.shoot, "joined")
    printed = PrintedBoard.of(with_site_routes(board), profile)
    pieces = pieces_of_edition(edition, board, profile, None, printed)
    pose = find_by_print(np.asarray(small, np.uint8), profile)
    assert isinstance(pose, Pose), pose
    return [Look(np.asarray(small, np.uint8), pose, 0.0, printed, pieces)]


def drawn_looks() -> list[Look]:
    """Return pictures of a drawn game, from its first trains to its last."""
    scene = GameScene.draw(load_edition("usa"), "calm", SEED, (1280, 720))
    edition = scene.enactment.played.start.edition
    board = load_board(edition.board)
    printed = PrintedBoard.of(with_site_routes(board), scene.profile)
    pieces = pieces_of_edition(edition, board, scene.profile, None, printed)
    looks = []
    for at_s in np.linspace(0.1, 0.95, MOMENTS) * scene.duration_s:
        picture, _ = scene.take(float(at_s))
        pose = find_by_print(picture, scene.profile)
        if isinstance(pose, Pose):
            in_play = frozenset(scene.colours)
            looks.append(Look(picture, pose, float(at_s), printed, pieces, in_play))
    return looks


def time_readings(looks: Sequence[Look], rounds: int) -> StepTimes:
    """Return the times of so many readings, of one picture after the other."""
    times: StepTimes = {"decode": [], "read": []}
    for number in range(rounds):
        look = looks[number % len(looks)]
        clock(decode, to_jpeg(look.picture, QUALITY), times["decode"])
        clock(read, look, times["read"])
    return times


def print_costs(name: str, rounds: int) -> None:
    """Print a row for each step of a subject."""
    if name in SIDES_PX:
        times = time_photo_steps(name, rounds)
    else:
        times = time_readings(drawn_looks() if name == "drawn" else photo_looks(name), rounds)
    decoding_ms = np.median(times["decode"][1:], axis=0)[1]
    for step, each in times.items():
        (first, *_), (wall_ms, cpu_ms) = each, np.median(each[1:], axis=0)
        ratio = cpu_ms / decoding_ms
        print(f"{name:11} {step:7} {first[1]:9.0f} {wall_ms:8.0f} {cpu_ms:7.0f} {ratio:6.1f}")
    memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{name:11} {memory_mb:.0f} MB at most", flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure each subject in a process of its own."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--readings", type=int, default=12, help="of each, at least 2")
    parser.add_argument("--of", nargs="+", choices=SUBJECTS, default=SUBJECTS)
    options = parser.parse_args(argv)
    print(f"{'of':11} {'step':7} {'first, ms':>9} {'elapsed':>8} {'of cpu':>7} {'ratio':>6}")
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        pool.starmap(print_costs, [(name, max(2, options.readings)) for name in options.of], 1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
