"""Photos of every light read by some reference, and what of it nobody was asked about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.table.photo_file import load_photo
from railspotter.table.photos.score import PhotoScorer, ReadingPlan

from hardships.renderings import RENDERINGS
from photos.judgement import judge, judge_stations
from photos.labelled import PHOTOS, LabelledPhoto, labelled_photos

LARGEST_PX = 1920
# For each shoot, the empty board that its photos are read by: another shoot's, if there is one.
BLANKS = {
    ("usa", "shoot-1"): "IMG_4169_1920.jpg",
    ("usa", "shoot-2"): "blank_rectified_1500x990.jpg",
    ("usa", "shoot-5"): "blank_rectified_1500x990.jpg",
    ("europe", "shoot-4"): "cropped_blank.jpg",
}
ASKS_FOR_ANOTHER = "another photo"  # words of every note that asks for one
RIGHT, WITH_DOUBT, CERTAIN = "right", "wrong with a doubt", "wrong and certain"


@dataclass(frozen=True)
class Rendered:
    """One photo as one camera would have rendered it, read."""

    photo: str
    shoot: str
    kind: str  # what it was read by
    rendering: str
    refused: str  # why the photo is of no use, empty where it is
    is_found: bool
    routes: int
    right: int
    with_doubt: int
    needless: int  # doubts about routes that were read rightly
    certain: tuple[str, ...]  # what is wrong and certain, in words
    asked: int = 0  # asked, asked_stations: All doubts about routes, and about stations
    asked_stations: int = 0


def sample(exposures: int, shoots: Sequence[str]) -> list[LabelledPhoto]:
    """Return some exposures of every light, by lot, the largest picture of each that will do."""
    by_light: dict[str, dict[str, LabelledPhoto]] = defaultdict(dict)
    for photo in labelled_photos(PHOTOS):
        blank = photo.path.name in BLANKS.values()
        if not blank and photo.shoot in shoots and photo.size_class != "12mp":
            at_light = by_light[photo.light + photo.state]
            before = at_light.get(photo.exposure)
            if before is None or max(photo.truth["size_px"]) > max(before.truth["size_px"]):
                at_light[photo.exposure] = photo
    rng = np.random.default_rng(1)
    chosen = []
    for light in sorted(by_light):
        photos = [by_light[light][name] for name in sorted(by_light[light])]
        picks = rng.permutation(len(photos))[:exposures]
        chosen += [photos[i] for i in sorted(picks)]
    return chosen


def picture_of(photo: LabelledPhoto) -> Picture:
    """Return a photo no larger than is needed."""
    picture = load_photo(photo.path)
    shrink = min(1.0, LARGEST_PX / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


@lru_cache(maxsize=1)
def scorer_of(board: str, shoot: str, kind: str, rendering: str) -> PhotoScorer:
    """Return what reads photos of a shoot by one kind of reference, one camera's at a time."""
    its_board = load_board(board)
    profile = stand_in_profile(its_board) if kind == "fingerprint" else None
    if profile is None:
        blanks = (p for p in labelled_photos(PHOTOS) if p.path.name == BLANKS[board, shoot])
        blank = next(blanks)
        picture = load_photo(blank.path)
        if kind == "same":
            picture = RENDERINGS[rendering](picture)
        last = np.array([picture.shape[1] - 1, picture.shape[0] - 1])
        scale = np.divide(picture.shape[1::-1], blank.truth["size_px"])
        corners = np.clip(blank.corners_px * scale, 0, last)
        profile = make_profile(picture, its_board, corners, "benchmark", "")
    return PhotoScorer(ReadingPlan(its_board, load_edition(board), profile))


def read_by(
    scorer: PhotoScorer, photo: LabelledPhoto, picture: Picture, kind: str, rendering: str
) -> Rendered:
    """Find and read a picture, and hold it against a photo's truth."""
    reading = scorer.score([(photo.path.name, picture)])
    names = photo.path.stem, photo.shoot, kind, rendering
    if reading.reason is not None:
        return Rendered(*names, reading.reason, False, 0, 0, 0, 0, ())
    board = scorer.plan.board
    doubted = {d.spot.id for d in reading.doubts if d.spot.kind == "route"}
    answers = judge(photo, board.route_by_id, reading.claims, doubted)
    certain = [f"{w.route}: {w.said}, is {w.truth}" for w in answers.wrong if not w.doubted]
    asked = {d.spot.id for d in reading.doubts if d.spot.kind == "station"}
    if scorer.plan.edition.stations:
        stations = judge_stations(photo, board.place_by_id, reading.stations, asked)
        wrong = stations.wrong if stations else ()
        certain += [f"station {w.place}: {w.said}, is {w.truth}" for w in wrong if not w.doubted]
    with_doubt = sum(w.doubted for w in answers.wrong)
    half = photo.half_filled
    labelled = {route for route in doubted if route in photo.truth["spaces"] and route not in half}
    refused = next((note for note in reading.notes if ASKS_FOR_ANOTHER in note), "")
    return Rendered(
        *names,
        refused,
        True,
        answers.routes,
        answers.routes_right,
        with_doubt,
        len(labelled) - with_doubt,
        tuple(certain),
        len(doubted),
        len(asked),
    )
