"""Read labelled photos of real boards and say how well it went, held against the truth.

    python benchmarks/read_photos.py [--photos DIR] [--only GLOB]
                                     [--profile-from PHOTO | --without-reference] [--json FILE]
                                     [--net ONNX --weights JSON]

Every board that there are photos of, and one photo of it empty, is read with a profile made from
that one photo, or without any by the board's fingerprint, as the program does before anybody has
calibrated.
"""

import argparse
import re
import resource
import sys
import time
from collections.abc import Callable, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import ParamSpec, TypeVar

import cv2
import msgspec
import numpy as np
from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.calibration.pose import NotFound
from railspotter.scoring.board import Board, board_names, load_board
from railspotter.scoring.edition import load_edition
from railspotter.table.photo_file import load_photo
from railspotter.table.photos.score import PhotoScorer, ReadingPlan
from railspotter.vision.reading.cues import cue_weights
from railspotter.webui.words.translation import json_bytes

from photos.judgement import JudgedPhoto, Seconds, judge, judge_stations, worst_corner_mm
from photos.labelled import (
    PHOTOS,
    REFERENCES,
    LabelledPhoto,
    labelled_photos,
    load_label,
    read_with,
    reference_profile,
)
from photos.report import LEGEND, BoardRun, as_json, as_text

P = ParamSpec("P")
T = TypeVar("T")


def main(argv: Sequence[str] | None = None) -> int:
    """Read the photos, print the table, write the JSON if asked to."""
    options = _options(argv)
    read_with(options.net, options.weights)
    references = _references(options.photos, options.profile_from)
    apart = {photo.path.resolve() for photo in references.values()}
    photos = [
        photo
        for photo in labelled_photos(options.photos)
        if photo.path.resolve() not in apart and fnmatch(photo.path.name, options.only)
    ]
    runs = []
    for board in board_names():
        chosen = [photo for photo in photos if photo.board == board]
        reference = None if options.without_reference else references.get(board)
        if chosen and (reference is not None or options.without_reference):
            runs.append(read_board(load_board(board), reference, chosen))
            print(*as_text(runs[-1]), "", sep="\n", flush=True)
        elif chosen:
            print(f"{board}: no photo of it empty among these, so nothing to read it by\n")
    if not runs:
        print(f"no photos to read in {options.photos}", file=sys.stderr)
        return 2
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(LEGEND)
    print(f"Peak memory of the process, decoding included: {peak_mb:.0f} MB")
    if options.json:
        document = {"peak_memory_mb": peak_mb, "boards": [as_json(run) for run in runs]}
        options.json.write_bytes(msgspec.json.format(json_bytes(document)) + b"\n")
    return 0


def read_board(
    board: Board, reference: LabelledPhoto | None, photos: Sequence[LabelledPhoto]
) -> BoardRun:
    """Read all photos of a board, the first one twice: once to be warm."""
    if reference is None:
        profile = stand_in_profile(board)
    else:
        profile = reference_profile(reference.path, board, reference.corners_px)
    if profile is None:
        raise SystemExit(f"the board {board.id!r} has no fingerprint to be read by")
    scorer = PhotoScorer(ReadingPlan(board, load_edition(board.id), profile))
    read_photo(photos[0], board, scorer)
    judged = [read_photo(photo, board, scorer) for photo in photos]
    shoots = {photo.shoot for photo in photos}
    fitted = tuple(sorted(shoots & set(re.findall(r"shoot-\d+", cue_weights().fitted_to))))
    source = f"the board's {profile.name}" if reference is None else reference.path.name
    return BoardRun(board.id, source, fitted, tuple(judged))


def read_photo(photo: LabelledPhoto, board: Board, scorer: PhotoScorer) -> JudgedPhoto:
    """Find the board in a photo, read it, and judge the reading."""
    content = np.frombuffer(photo.path.read_bytes(), np.uint8)
    yardstick = min(timed(cv2.imdecode, content, cv2.IMREAD_COLOR)[1] for _ in range(3))
    picture, load = timed(load_photo, photo.path)
    found, find = timed(scorer.find, picture)
    if isinstance(found, NotFound):
        return JudgedPhoto(photo, found.reason, Seconds(load, yardstick, find))
    together, read = timed(scorer.read, [found])
    reading, score = timed(scorer.count, [found], together.reading, photo.path.name)
    seconds = Seconds(load, yardstick, find, read, score)
    if reading.reason is not None:
        return JudgedPhoto(photo, reading.reason, seconds)
    doubted: dict[str, set[str]] = {"route": set(), "station": set(), "site": set()}
    for doubt in reading.doubts:
        doubted[doubt.spot.kind].add(doubt.spot.id)
    # Routes that the photo shows and that are said to be unseen are left to the players too.
    unseen = {spot.id for spot in reading.unseen if spot.kind == "route"}
    doubted["route"] |= unseen - set(photo.truth.get("unseen", ()))
    claims = {**reading.claims, **together.reading.uncounted}  # trains of nobody's, too
    stations = judge_stations(photo, board.place_by_id, reading.stations, doubted["station"])
    return JudgedPhoto(
        photo,
        None,
        seconds,
        worst_corner_mm(found.corners_px, photo.corners_px, board.size_mm),
        judge(photo, board.route_by_id, claims, doubted["route"]),
        stations if scorer.plan.edition.stations else None,
    )


def timed(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> tuple[T, float]:
    """Do some work, and return its result and the seconds it took."""
    started = time.perf_counter()
    result = work(*args, **kwargs)
    return result, time.perf_counter() - started


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--photos", type=Path, default=PHOTOS, help="a folder of photos, each with its truth"
    )
    parser.add_argument(
        "--only", metavar="GLOB", default="*", help="read photos of such names, as *_1920.jpg"
    )
    empty = parser.add_mutually_exclusive_group()
    empty.add_argument(
        "--profile-from",
        metavar="PHOTO",
        type=Path,
        help="a photo of the empty board, its truth beside it, to make that board's profile from",
    )
    empty.add_argument(
        "--without-reference",
        action="store_true",
        help="read with nothing but what comes with the program",
    )
    parser.add_argument("--json", metavar="FILE", type=Path, help="write everything there, too")
    parser.add_argument("--net", type=Path, metavar="ONNX", help="instead of the program's own")
    parser.add_argument("--weights", type=Path, metavar="JSON", help="instead of the program's own")
    return parser.parse_args(argv)


def _references(folder: Path, profile_from: Path | None) -> dict[str, LabelledPhoto]:
    """Return, for each board that can be read, the photo to make its profile from."""
    references = {}
    for photo in [*labelled_photos(PHOTOS), *labelled_photos(folder)]:
        if photo.path.name == REFERENCES.get(photo.board):
            references[photo.board] = photo
    if profile_from is not None:
        label = profile_from.with_suffix(".json")
        chosen = load_label(label) if label.is_file() else None
        if chosen is None:
            raise SystemExit(f"no truth beside {profile_from}: it says where the board is")
        references[chosen.board] = chosen
    return references


if __name__ == "__main__":
    sys.exit(main())
