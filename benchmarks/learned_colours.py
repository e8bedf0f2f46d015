"""Learn trains' colours on one photo, read the others: of its light, and of other lights.

    python benchmarks/learned_colours.py [--board usa] [--only GLOB] [--teachers GLOB ...]
                                         [--own-set]

Learned is from one train of each colour on grey or white print, as `railspotter colours` does, and
from up to 25 claims in any order, as a live table does. What is read is never what taught. With
`--own-set` the trains are given other colours first (`composed/plastic.py`), and the same photos
are read by rough swatches, 12 Lab units off, by the set-up and by claims.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatch

import numpy as np
from railspotter.calibration.pose import NotFound
from railspotter.calibration.profiles.profile import LearnedColour, route_of_key, space_key
from railspotter.scoring.board import Board, load_board
from railspotter.scoring.edition import load_edition
from railspotter.table.photo_file import load_photo
from railspotter.table.photos.score import PhotoScorer, ReadingPlan
from railspotter.vision.colours.learned_colours import (
    Learned,
    in_photo,
    lab_of,
    swatch_of,
    table_trains,
    teaches,
    with_seen,
)
from railspotter.vision.colours.train_colours import TrainColour
from railspotter.vision.look.view import View
from railspotter.vision.reading.cue_reader import read_by_cues
from railspotter.vision.reading.train_lessons import Lesson, easy_spaces, lessons

from composed.plastic import OWN_SET, in_own_set
from photos.labelled import PHOTOS, REFERENCES, LabelledPhoto, load_set, reference_profile

Found = list[tuple[LabelledPhoto, View]]
MOST_CLAIMS = 25
SWATCH_OFF = 12.0  # Lab units that somebody's swatch is beside the plastic


def main(argv: Sequence[str] | None = None) -> int:
    """Print what learning is worth."""
    options = _options(argv)
    board = load_board(options.board)
    found = _found(board, options.only)
    naming = {name: name for name in load_edition(options.board).colours}
    if options.own_set:
        naming = {name: own for name, (own, _) in OWN_SET.items()}
        found = [(photo, in_own_set(photo, view)) for photo, view in found]
        swatches = _rough_swatches()
        print("known by rough swatches:", _read(found, naming, swatches, board), flush=True)
        known = swatches
    else:
        known = {}
        print("nothing learned:", _read(found, naming, known, board), flush=True)
    for teacher in options.teachers:
        photo, view = next((p, v) for p, v in found if fnmatch(p.path.name, teacher))
        others = [(p, v) for p, v in found if p is not photo]
        before = _read(others, naming, known, board)
        for how, learned in (
            ("one train each", _set_up(photo, view, naming, known)),
            ("its claims", _by_claims(photo, view, naming, known)),
        ):
            same = [(p, v) for p, v in others if p.light == photo.light]
            after = _read(others, naming, learned, board)
            print(
                f"{photo.path.name}, {how}: others before {before}, after {after};"
                f" of them in its own light {_read(same, naming, learned, board)}",
                flush=True,
            )
    return 0


def _found(board: Board, only: str) -> Found:
    photos = load_set(PHOTOS, board.id)
    blank = next(p for p in photos if p.path.name == REFERENCES[board.id])
    profile = reference_profile(blank.path, board, blank.corners_px)
    scorer = PhotoScorer(ReadingPlan(board, load_edition(board.id), profile))
    found = []
    for photo in photos:
        if fnmatch(photo.path.name, only) and photo is not blank:
            seen = scorer.find(load_photo(photo.path))
            if not isinstance(seen, NotFound):
                found.append((photo, seen.view))
    return found


def _read(found: Found, naming: Mapping[str, str], learned: Learned, board: Board) -> str:
    """Return how well photos are read with what was learned."""
    routes = wrong = certain = asked = 0
    for photo, view in found:
        trains = _trains(view, naming, learned)
        seen = in_photo(trains, learned, view.rectified, view.printed)
        reading = read_by_cues(_with_trains(view, seen))
        doubted = {doubt.spot.id for doubt in reading.doubts if doubt.spot.kind == "route"}
        unlabelled = set(photo.half_filled) | set(photo.truth.get("not_labelled_routes") or ())
        for route in board.routes:
            if route.id in unlabelled:
                continue
            true = photo.truth["claims"].get(route.id)
            is_wrong = reading.claims.get(route.id) != (true and naming[true])
            routes += 1
            wrong += is_wrong
            certain += is_wrong and route.id not in doubted
            asked += route.id in doubted
    return f"{wrong} of {routes} wrong, {certain} without a doubt, {asked} asked"


def _trains(view: View, naming: Mapping[str, str], learned: Learned) -> tuple[TrainColour, ...]:
    known = {train.name: train for train in table_trains(view.pieces.trains, learned, view.printed)}
    return tuple(known[name] for name in naming.values())


def _with_trains(view: View, trains: tuple[TrainColour, ...]) -> View:
    return replace(view, pieces=replace(view.pieces, trains=trains))


def _spaces(photo: LabelledPhoto, view: View, true: str, name: str) -> list[str]:
    """Return the spaces on which trains of a colour stand whose print does not look like them."""
    plain = easy_spaces(view, name)
    return [
        key
        for route in view.printed.board.routes
        if photo.truth["claims"].get(route.id) == true and route.id not in photo.half_filled
        for key in (space_key(route.id, number) for number in range(route.length))
        if key in plain
    ]


def _set_up(photo: LabelledPhoto, view: View, naming: Mapping[str, str], known: Learned) -> Learned:
    """Return what one train of each colour teaches, as `railspotter colours` learns."""
    chance = random.Random(photo.path.name)
    view = _with_trains(view, _trains(view, naming, known))
    printed = {route.id: route.colour for route in view.printed.board.routes}
    placed = {}
    for true, name in naming.items():
        keys = _spaces(photo, view, true, name)
        quiet = [key for key in keys if printed[route_of_key(key)] in ("grey", "white")]
        if quiet or keys:
            placed[chance.choice(quiet or keys)] = name
    learned = dict(known)
    for one in lessons(view, placed).values():
        if known:  # plastic of the user's own is what the set-up shows
            learned[one.colour] = (LearnedColour(one.colour, swatch=swatch_of(one.lab)),)
        learned = dict(with_seen(learned, one.colour, one.light, one.lab))
    return learned


def _by_claims(
    photo: LabelledPhoto, view: View, naming: Mapping[str, str], known: Learned
) -> Learned:
    """Return what claims teach, as a live table learns."""
    chance = random.Random(photo.path.name)
    trains = _trains(view, naming, known)
    moved = in_photo(trains, known, view.rectified, view.printed)
    view = _with_trains(view, moved)
    placed = {k: n for t, n in naming.items() for k in _spaces(photo, view, t, n)}
    by_claim: dict[tuple[str, str], list[Lesson]] = {}
    for key, one in lessons(view, placed).items():
        if one.is_there and one.is_calm:
            by_claim.setdefault((route_of_key(key), one.colour), []).append(one)
    claims = list(by_claim.items())
    chance.shuffle(claims)
    learned = known
    for (_, name), seen in claims[:MOST_CLAIMS]:
        lightness, a, b = np.median([one.lab for one in seen], axis=0).tolist()
        if teaches(trains, name, (lightness, a, b)):
            learned = with_seen(learned, name, seen[0].light, (lightness, a, b))
    return learned


def _rough_swatches() -> Learned:
    chance = np.random.default_rng(7)
    learned = {}
    for name, srgb in OWN_SET.values():
        off = chance.normal(size=3)
        lab = np.array(lab_of(srgb)) + SWATCH_OFF * off / np.linalg.norm(off)
        swatch = swatch_of((float(lab[0]), float(lab[1]), float(lab[2])))
        learned[name] = (LearnedColour(name, swatch=swatch),)
    return learned


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--board", default="usa", choices=("usa", "europe"))
    parser.add_argument("--only", metavar="GLOB", default="*_1008.jpg", help="photos to read")
    parser.add_argument(
        "--teachers",
        nargs="+",
        metavar="GLOB",
        default=["IMG_4066*", "IMG_4132*", "IMG_4142*", "IMG_4149*"],
        help="photos to learn from, each by itself",
    )
    parser.add_argument("--own-set", action="store_true", help="give the trains other colours")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())
