"""Read real photos as other cameras would have rendered them, and count what nobody is asked about.

    python benchmarks/other_cameras.py [--exposures 2] [--renderings 'gamma*' plain]
                                       [--references another fingerprint same] [--shoots shoot-1]
                                       [--json FILE]

A seeded sample of exposures of every shoot and light, at most 1920 pixels wide, is rendered
(camera_renderings.py), found anew and read. The reference is the empty board of another shoot as
it is (`another`; Europe has one shoot only, so its own), the fingerprint without any photo, or
(`same`) the empty board of another shoot rendered by the same camera.

A photo is refused where its board is not found, or where a note asks for another photo: what is
wrong and certain in such a one is told apart.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from functools import lru_cache
from pathlib import Path

import cv2
import left_out
import msgspec
import numpy as np
from camera_renderings import RENDERINGS
from photo_judgement import judge, judge_stations
from photo_set import PHOTOS, LabelledPhoto, labelled_photos
from railspotter.calibration.arrays import Picture
from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.calibration.pose import NotFound
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring import load_board, load_edition
from railspotter.scoring.spot import of_kind
from railspotter.table.photo_file import load_photo
from railspotter.table.photos.photo_score import PhotoScorer
from railspotter.vision.reading.cue_reader import read_by_cues

LARGEST_PX = 1920
BLANKS = {
    ("usa", "shoot-1"): "IMG_4169_1920.jpg",
    ("usa", "shoot-2"): "blank_rectified_1500x990.jpg",
    ("usa", "shoot-5"): "blank_rectified_1500x990.jpg",
    ("europe", "shoot-4"): "cropped_blank.jpg",
}
"""For each shoot, the empty board that its photos are read by: another shoot's, if there is one."""
KINDS = ("another", "fingerprint", "same")
ASKS_FOR_ANOTHER = "another photo"
"""Words of every note that asks for one."""
RIGHT, WITH_DOUBT, CERTAIN = "right", "wrong with a doubt", "wrong and certain"


@dataclass(frozen=True)
class Rendered:
    """One photo as one camera would have rendered it, read.

    Attributes
    ----------
    kind : str
        What it was read by.
    refused : str
        Why the photo is of no use, empty where it is.
    needless : int
        Doubts about routes that were read rightly.
    certain : tuple of str
        What is wrong and certain, in words.
    asked, asked_stations : int
        All doubts about routes, and about stations.
    """

    photo: str
    shoot: str
    kind: str
    rendering: str
    refused: str
    is_found: bool
    routes: int
    right: int
    with_doubt: int
    needless: int
    certain: tuple[str, ...]
    asked: int = 0
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
    return PhotoScorer(its_board, load_edition(board), profile)


def read(photo: LabelledPhoto, picture: Picture, kind: str, rendering: str) -> Rendered:
    """Find and read one rendered photo, and hold it against its truth."""
    # What does not depend on the rendering is kept from one to the next.
    made_by = rendering if kind == "same" else "plain"
    scorer = scorer_of(photo.board, photo.shoot, kind, made_by)
    return read_by(scorer, photo, RENDERINGS[rendering](picture), kind, rendering)


def read_by(
    scorer: PhotoScorer, photo: LabelledPhoto, picture: Picture, kind: str, rendering: str
) -> Rendered:
    """Find and read a picture, and hold it against a photo's truth.

    Parameters
    ----------
    kind, rendering : str
        What the scorer's reference and the picture are called.
    """
    found = scorer.find(picture)
    names = photo.path.stem, photo.shoot, kind, rendering
    if isinstance(found, NotFound):
        return Rendered(*names, found.reason, False, 0, 0, 0, 0, ())
    reading = read_by_cues(found.view)
    board = scorer.board
    doubted = {d.spot.id for d in reading.doubts if d.spot.kind == "route"}
    answers = judge(photo, board.route_by_id, reading.claims, doubted)
    certain = [f"{w.route}: {w.said}, is {w.truth}" for w in answers.wrong if not w.doubted]
    asked = {d.spot.id for d in reading.doubts if d.spot.kind == "station"}
    if scorer.edition.stations:
        stations = judge_stations(photo, board.place_by_id, of_kind("station", reading.held), asked)
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


def as_text(seen: Iterable[Rendered]) -> Iterator[str]:
    """Yield the table, a line for each kind of reference and rendering."""
    by_name: dict[tuple[str, str], list[Rendered]] = defaultdict(list)
    for one in seen:
        by_name[one.kind, one.rendering].append(one)
    head = ("read by", "rendered as", "photos", "not found", "refused", "routes", "right %")
    more = (WITH_DOUBT, CERTAIN, "certain, refused", "needless a photo")
    yield f"| {' | '.join((*head, *more))} |"
    yield "|---" * (len(head) + len(more)) + "|"
    for (kind, rendering), photos in by_name.items():
        found = [one for one in photos if one.is_found]
        used = [one for one in found if not one.refused]
        routes = sum(one.routes for one in found)
        figures = (
            len(photos),
            len(photos) - len(found),
            len(found) - len(used),
            routes,
            f"{100 * sum(one.right for one in found) / max(routes, 1):.2f}",
            sum(one.with_doubt for one in found),
            sum(len(one.certain) for one in used),
            sum(len(one.certain) for one in found if one.refused),
            f"{sum(one.needless for one in used) / max(len(used), 1):.1f}",
        )
        yield f"| {kind} | {rendering} | {' | '.join(map(str, figures))} |"


def main(argv: Sequence[str] | None = None) -> int:
    """Render, read and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--exposures", type=int, default=1, help="of each light")
    parser.add_argument("--renderings", nargs="+", default=["*"], metavar="GLOB")
    parser.add_argument("--references", nargs="+", default=["another"], choices=KINDS)
    shoots = sorted({shoot for _, shoot in BLANKS})
    parser.add_argument("--shoots", nargs="+", default=shoots, choices=shoots)
    parser.add_argument("--only", default="*", metavar="GLOB", help="photos of such names")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything there, too")
    left_out.add_options(parser)
    options = parser.parse_args(argv)
    left_out.read_with(options)
    photos = [
        photo
        for photo in sample(options.exposures, options.shoots)
        if fnmatch(photo.path.name, options.only)
    ]
    names = [n for n in RENDERINGS if any(fnmatch(n, glob) for glob in options.renderings)]
    if not photos or not names:
        print("no photos, or no such rendering", file=sys.stderr)
        return 2
    photos.sort(key=lambda photo: (photo.board, photo.shoot))
    seen = []
    for kind in options.references:
        for name in names if kind == "same" else [""]:
            for photo in photos:
                picture = picture_of(photo)
                for rendering in [name] if kind == "same" else names:
                    one = read(photo, picture, kind, rendering)
                    seen.append(one)
                    for wrong in one.certain:
                        apart = f" ({one.refused})" if one.refused else ""
                        print(f"{one.photo}, {kind}, {rendering}: {wrong}{apart}", flush=True)
                    if not one.is_found:
                        print(f"{one.photo}, {kind}, {rendering}: {one.refused}", flush=True)
    print(*as_text(seen), sep="\n")
    if options.json:
        document = [asdict(one) for one in seen]
        options.json.write_bytes(msgspec.json.format(msgspec.json.encode(document)) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
