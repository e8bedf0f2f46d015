"""Spoil real photos step by step, and count how often the reason that is told is the true one.

    python benchmarks/refusal_reasons.py [--only GLOB ...] [--spoils dark flicker] [--processes 2]

Of every state of every shoot one photo is taken, the largest, and all of unnamed shoots. Each is
spoilt (hardships/spoiling.py) and read by its board's fingerprint. Where it is refused, or another
photo is asked for, the reason is told to be *true*, another fault of the picture (*wrong*), or none
(*print*: another print, something that lies on the board). The same photos are refused for reasons
that are no fault of the picture (`OTHERWISE`): of these each fault that is told is a wrong one.
"""

import argparse
import multiprocessing
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from fnmatch import fnmatch
from functools import cache

import cv2
import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.calibration.finding.finder import STITCHED, TWO_BOARDS, known_prints
from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.calibration.finding.picture_faults import (
    FLICKERING,
    PARTLY_SHARP,
    TOO_BLURRED,
    TOO_DARK,
)
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.table.photo_file import load_photo
from railspotter.table.photos.score import PhotoScorer, ReadingPlan

from hardships.spoiling import SPOILS
from photos.labelled import PHOTOS, LabelledPhoto, labelled_photos, largest_of_states

RETAKE_WORDS = "another photo"  # words of every note that asks for one
LONGEST_PX = 1920
# The sentences that are true of what was spoilt. In portrait mode most of the board is blurred.
TRUE = {
    "dark": (TOO_DARK,),
    "out of focus": (TOO_BLURRED,),
    "shaken": (TOO_BLURRED,),
    "portrait mode": (PARTLY_SHARP, TOO_BLURRED),
    "flicker": (FLICKERING,),
    "panorama": (STITCHED,),
    "two boards": (TWO_BOARDS,),
}
FAULTS = (TOO_DARK, FLICKERING, PARTLY_SHARP, TOO_BLURRED, STITCHED, TWO_BOARDS)


def cover(picture: Picture, share: float) -> Picture:
    """Lay a patterned cloth over a share of the picture, from its left."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[:height, :width]
    cloth = np.where(((x // 24 + y // 24) % 2)[..., None] > 0, (150, 140, 190), (170, 190, 200))
    return np.where((x < share * width)[..., None], cloth, picture).astype(np.uint8)


def crop(picture: Picture, share: float) -> Picture:
    """Leave a share of the picture, from its left."""
    return np.ascontiguousarray(picture[:, : round(share * picture.shape[1])])


def lay_beside(picture: Picture, share: float) -> Picture:
    """Lay the same board beside itself, smaller and turned round."""
    height, width = (round(side * share) for side in picture.shape[:2])
    small = cv2.resize(picture[::-1, ::-1], (width, height), interpolation=cv2.INTER_AREA)
    below = ((0, picture.shape[0] - height), (0, 0), (0, 0))
    return np.hstack([picture, np.pad(small, below, constant_values=90)])


# What a photo is refused for that is no fault of it, and two boards.
OTHERWISE: Mapping[str, tuple[Callable[[Picture, float], Picture], tuple[float, ...]]] = {
    "sound": (lambda picture, _: picture, (1.0,)),
    "covered": (cover, (0.5, 0.7, 0.9)),
    "cut off": (crop, (0.2, 0.35, 0.5)),
    "two boards": (lay_beside, (1.0, 0.7)),
}
WAYS = {**SPOILS, **OTHERWISE}


@cache
def scorer_of(board_id: str) -> PhotoScorer:
    """Return what reads a board by its fingerprint."""
    board = load_board(board_id)
    profile = stand_in_profile(board)
    if profile is None:
        raise SystemExit(f"{board_id} has no fingerprint")
    return PhotoScorer(ReadingPlan(board, load_edition(board_id), profile))


def told_of(photo: LabelledPhoto, way: str, step: float) -> tuple[str, float, str, str, str]:
    """Return how a spoilt photo is answered: the way, the step, what it is, its name, the words."""
    cv2.setNumThreads(1)
    picture = load_photo(photo.path)
    shrunk = LONGEST_PX / max(picture.shape[:2])
    if shrunk < 1:
        small = cv2.resize(picture, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA)
        picture = np.asarray(small, np.uint8)
    spoil, _ = WAYS[way]
    read = scorer_of(photo.board).score([(photo.path.name, spoil(picture, step))])
    asking = [note for note in read.notes if RETAKE_WORDS in note and "picture" in note]
    if read.found and not asking:
        return way, step, "read", photo.path.name, f"{len(read.doubts)} doubts"
    said = read.reason or asking[0]
    told = next((fault for fault in FAULTS if fault in said), None)
    kind = "print" if told is None else "true" if told in TRUE.get(way, ()) else "wrong"
    return way, step, kind, photo.path.name, said


def main() -> None:
    """Print what was not told truly as it comes, then a row for every way and step."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="+", default=["*"], metavar="GLOB", help="photos by name")
    parser.add_argument("--spoils", nargs="+", default=[*WAYS], choices=[*WAYS])
    parser.add_argument("--processes", type=int, default=2)
    args = parser.parse_args()
    photos = [
        photo
        for photo in largest_of_states(labelled_photos(PHOTOS))
        if any(fnmatch(photo.path.name, glob) for glob in args.only)
        and photo.board in known_prints()
    ]
    tasks = [(photo, way, step) for way in args.spoils for step in WAYS[way][1] for photo in photos]
    context = multiprocessing.get_context("spawn")
    answers = []
    with ProcessPoolExecutor(args.processes, mp_context=context) as pool:
        for answer in pool.map(told_of, *zip(*tasks, strict=True)):
            answers.append(answer)
            way, step, kind, name, said = answer
            if kind == "wrong" or (kind == "print" and way in TRUE):
                print(f"{way} {step:g}, {name}: {said}", flush=True)
    counts = Counter(answer[:3] for answer in answers)
    print("| spoilt | step | photos | read | true | wrong | print |\n|---|---|---|---|---|---|---|")
    for way, step in dict.fromkeys(answer[:2] for answer in answers):
        row = [counts[way, step, kind] for kind in ("read", "true", "wrong", "print")]
        print("|", " | ".join(map(str, (way, step, len(photos), *row))), "|")


if __name__ == "__main__":
    main()
