"""Put real photos through hardships, step by step, and count what nobody is asked about.

    python benchmarks/read_hardships.py [--hardships light 'half*' plain] [--houses europe]
                                        [--references own another fingerprint] [--exposures 1]
                                        [--only GLOB ...] [--processes 2] [--json FILE]
                                        [--left-out DIR]

Of every state of every shoot one exposure is taken, the largest, and of its board when empty; each
goes through all steps of the hardships (hardships/steps.py), and is found anew and read by the
empty board of its own shoot (`own`), by that of another shoot (`another`; Europe has one shoot
only, so its own), and by the `fingerprint` without any photo. No photo is read by itself.

Of boards that are cut (`parts`) or lie under hands and cards (`covered`) routes in sight count, and
beside them how many of the others are said to be unseen, and how many asked about.

A photo is refused where a note asks for another one. Its answers are not counted; what is wrong and
certain in such a one is told apart. Players are read with all of the edition's colours and with
only theirs named. With `--left-out` each house is read with the net and the weights that were made
without it, as `teach.py` leaves them in its folder.
"""

import argparse
import multiprocessing
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path

import cv2
import msgspec
from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.table.photos.score import PhotoScorer, ReadingPlan
from railspotter.webui.words.translation import json_bytes

from composed.library import Library
from hardships.fewer_players import PLAYER_STEPS, PLAYERS, choose_colours, recompose
from hardships.squeezed_lanes import SQUEEZED, squeezed_shots
from hardships.steps import HARDSHIPS, Shot, make_shot
from photos.judgement import judge, judge_stations
from photos.labelled import (
    GROUND_PHOTOS,
    HOUSE_SHOOTS,
    JUDGING_SHOOTS,
    OTHER_BLANKS,
    OWN_BLANKS,
    PHOTOS,
    LabelledPhoto,
    labelled_photos,
    largest_of_states,
    read_with,
    reference_profile,
)

REFERENCES = ("own", "another", "fingerprint")
HARDSHIP_NAMES = (*HARDSHIPS, PLAYERS, SQUEEZED)
ALL_SHOOTS = HOUSE_SHOOTS | JUDGING_SHOOTS
RETAKE_WORDS = "another photo"  # words of every note that asks for one
TABLE_HEAD = (
    *("read by", "hardship", "step", "colours", "photos", "refused", "not found", "routes"),
    *("right %", "wrong with a doubt", "wrong and certain", "certain, refused"),
    *("needless a photo", "asked a photo", "of stations", "unseen, told", "asked"),
)


@dataclass(frozen=True)
class Reading:
    """A photo on one step of a hardship, read."""

    photo: str
    house: str
    hardship: str
    step: str
    reference: str  # one of `REFERENCES`
    # Whether all of the edition's are looked for, or only those named that stand on the board.
    colours: str
    refused: str = ""  # why the photo is of no use
    is_found: bool = False
    routes: int = 0
    right: int = 0
    with_doubt: int = 0  # wrong, and asked about
    needless: int = 0  # doubts about routes that were read rightly
    certain: tuple[str, ...] = ()  # what is wrong and certain, in words
    asked: int = 0  # asked, asked_stations: All doubts about routes, and about stations
    asked_stations: int = 0
    unseen: int = 0  # routes that the picture does not show
    told_unseen: int = 0  # of these, those that are said to be unseen
    asked_unseen: int = 0  # of these, those that are asked about
    overlooked: tuple[str, ...] = ()  # routes that it shows and that are said to be unseen


def choose_photos(houses: Sequence[str], exposures: int = 1) -> list[tuple[str, LabelledPhoto]]:
    """Return some exposures of every state of the houses' shoots, each with its house."""
    chosen = []
    for house in houses:
        photos = [p for p in labelled_photos(PHOTOS) if p.shoot in ALL_SHOOTS[house]]
        # An empty board that others are read by is left out where there is another photo of it.
        others = [p for p in photos if p.path.stem != OWN_BLANKS.get(p.shoot)]
        lasting = {p.shoot for p in others if p.is_blank}
        others += [p for p in photos if p not in others and p.shoot not in lasting]
        chosen += [(house, photo) for photo in largest_of_states(others, exposures)]
    return chosen


@lru_cache(maxsize=1)
def load_library(board: str) -> Library:
    """Return the photos of a board, to compose others of."""
    return Library(load_board(board))


@lru_cache(maxsize=4)
def make_scorer(board: str, blank: str, colours: tuple[str, ...] | None = None) -> PhotoScorer:
    """Return what reads a board by one photo of it empty; by its fingerprint without one."""
    its_board = load_board(board)
    profile = stand_in_profile(its_board)
    if blank:
        photo = next(p for p in labelled_photos(PHOTOS) if p.path.stem == blank)
        profile = reference_profile(photo.path, its_board, photo.corners_px)
    if profile is None:
        raise SystemExit(f"there is no fingerprint of the board {board!r}")
    return PhotoScorer(ReadingPlan(its_board, load_edition(board), profile, colours))


def reference_blank(photo: LabelledPhoto, reference: str) -> str | None:
    """Return the photo of the empty board to read by, "" for none; None where there is no such."""
    if reference == "fingerprint":
        return ""
    blank = (OWN_BLANKS if reference == "own" else OTHER_BLANKS).get(photo.shoot)
    return None if blank == photo.path.stem else blank


def make_shots(photo: LabelledPhoto, hardship: str) -> Iterator[tuple[str, Shot]]:
    """Yield the steps of a hardship that a photo can show, by name."""
    plain = make_shot(photo, load_board(photo.board).size_mm)
    if hardship in HARDSHIPS:
        for name, step in HARDSHIPS[hardship].items():
            shot = step(plain)
            if shot is not None:
                yield name, shot
        return
    stage = GROUND_PHOTOS.get(photo.shoot)
    if stage is None or photo.is_blank or photo.stations:
        return
    library = load_library(photo.board)
    if hardship == SQUEEZED:
        yield from squeezed_shots(plain, library, stage)
    for players in PLAYER_STEPS if hardship == PLAYERS else ():
        kept = choose_colours(photo, players)
        if kept is not None:
            yield str(players), recompose(plain, kept, library, stage)
    for name in library.names:
        library.drop(name)


def read_shot(
    house: str, hardship: str, step: str, reference: str, colours: str, shot: Shot, name: str
) -> Reading | None:
    """Find and read a shot, and hold it against its truth; None where there is nothing to do."""
    photo, there = shot.photo, tuple(sorted(set(shot.photo.truth["claims"].values())))
    blank = reference_blank(photo, reference)
    if blank is None or (colours == "named" and not there):
        return None
    scorer = make_scorer(photo.board, blank, there if colours == "named" else None)
    about = partial(Reading, name, house, hardship, step, reference, colours)
    pictures = (shot.picture, *shot.others)
    reading = scorer.score((f"{n} {photo.path.name}", one) for n, one in enumerate(pictures, 1))
    if reading.reason is not None:
        return about(reading.reason)
    board = scorer.plan.board
    doubted = {d.spot.id for d in reading.doubts if d.spot.kind == "route"}
    unseen = {spot.id for spot in reading.unseen}
    overlooked = tuple(sorted(unseen & set(photo.truth["spaces"])))
    in_sight = [route for route in board.route_by_id if route not in unseen]
    answers = judge(photo, in_sight, reading.claims, doubted)
    certain = [f"{w.at}: {w.said}, is {w.truth}" for w in answers.wrong if not w.doubted]
    asked = {d.spot.id for d in reading.doubts if d.spot.kind == "station"}
    if scorer.plan.edition.stations:
        places = [place for place in board.place_by_id if place not in unseen]
        stations = judge_stations(photo, places, reading.stations, asked)
        wrong = stations.wrong if stations else ()
        certain += [f"station {w.at}: {w.said}, is {w.truth}" for w in wrong if not w.doubted]
    with_doubt = sum(w.doubted for w in answers.wrong)
    labelled = doubted & set(photo.truth["spaces"]) - photo.half_filled
    return about(
        next((note for note in reading.notes if RETAKE_WORDS in note), ""),
        True,
        answers.routes + len(overlooked),
        answers.routes_right,
        with_doubt,
        len(labelled) - with_doubt,
        tuple(certain),
        len(doubted),
        len(asked),
        len(photo.unseen),
        len(photo.unseen & unseen),
        len(photo.unseen & (doubted - unseen)),
        overlooked,
    )


def read_steps(
    job: tuple[str, LabelledPhoto, str], references: Sequence[str], left_out: Path | None
) -> list[Reading]:
    """Read a photo at all steps of a hardship."""
    house, photo, hardship = job
    cv2.setNumThreads(1)
    if left_out is not None:
        without = left_out / f"without-{house}"
        read_with(without.with_suffix(".onnx"), without.with_suffix(".json"))
    readings = [
        read_shot(house, hardship, step, reference, colours, shot, photo.path.stem)
        for step, shot in make_shots(photo, hardship)
        for reference in references
        for colours in (("all", "named") if hardship == PLAYERS else ("all",))
    ]
    return [reading for reading in readings if reading is not None]


def row_figures(readings: Sequence[Reading]) -> tuple[object, ...]:
    """Return a row of the table: of answers, only those to photos that are not refused count."""
    found = [one for one in readings if one.is_found]
    used = [one for one in found if not one.refused]
    routes, many = sum(one.routes for one in used), max(len(used), 1)
    return (
        len(readings),
        len(found) - len(used),
        len(readings) - len(found),
        routes,
        f"{100 * sum(one.right for one in used) / routes:.2f}" if routes else "-",
        sum(one.with_doubt for one in used),
        sum(len(one.certain) for one in used),
        sum(len(one.certain) for one in found if one.refused),
        f"{sum(one.needless for one in used) / many:.1f}",
        f"{sum(one.asked for one in used) / many:.1f}",
        f"{sum(one.asked_stations for one in used) / many:.1f}",
        f"{sum(one.told_unseen for one in used)} of {sum(one.unseen for one in used)}",
        sum(one.asked_unseen for one in used),
    )


def table_lines(readings: Iterable[Reading]) -> Iterator[str]:
    """Yield the table: for each reference a row for every step, and one for all."""
    yield f"| {' | '.join(TABLE_HEAD)} |"
    yield "|---" * len(TABLE_HEAD) + "|"
    by_step: dict[tuple[str, str, str, str], list[Reading]] = defaultdict(list)
    for one in readings:
        by_step[one.reference, one.hardship, one.step, one.colours].append(one)
    for reference in REFERENCES:
        here = {step: seen for step, seen in by_step.items() if step[0] == reference}
        if here:
            here[reference, "all", "", ""] = list(chain.from_iterable(here.values()))
        for step, seen in here.items():
            yield f"| {' | '.join(map(str, (*step, *row_figures(seen))))} |"


def problem_lines(one: Reading) -> Iterator[str]:
    """Yield what is wrong and certain in a reading, in words, or why there is none."""
    where = f"{one.photo}, {one.hardship} {one.step}, by {one.reference}, colours {one.colours}"
    apart = f" ({one.refused})" if one.refused else ""
    yield from (f"{where}: {wrong}{apart}" for wrong in one.certain)
    yield from (f"{where}: {route} is in sight, said to be unseen" for route in one.overlooked)
    if not one.is_found:
        yield f"{where}: {one.refused}"


def main(argv: Sequence[str] | None = None) -> int:
    """Read, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hardships", nargs="+", default=["*"], metavar="GLOB")
    parser.add_argument("--references", nargs="+", default=[*REFERENCES], choices=REFERENCES)
    parser.add_argument("--houses", nargs="+", default=[*HOUSE_SHOOTS], choices=ALL_SHOOTS)
    parser.add_argument("--exposures", type=int, default=1, help="of each state")
    parser.add_argument("--only", nargs="+", default=["*"], metavar="GLOB", help="photos so named")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything there, too")
    parser.add_argument("--left-out", type=Path, metavar="DIR", help="where teach.py worked")
    options = parser.parse_args(argv)
    jobs = [
        (house, photo, name)
        for house, photo in choose_photos(options.houses, options.exposures)
        if any(fnmatch(photo.path.name, glob) for glob in options.only)
        for name in HARDSHIP_NAMES
        if any(fnmatch(name, glob) for glob in options.hardships)
    ]
    if not jobs:
        print("no photos, or no such hardship", file=sys.stderr)
        return 2
    work = partial(read_steps, references=options.references, left_out=options.left_out)
    readings: list[Reading] = []
    # Forked processes would share OpenCV's threads, which do not survive that.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(options.processes, context) as pool:
        for number, seen in enumerate(pool.map(work, jobs), 1):
            readings += seen
            print(f"{number} of {len(jobs)}", file=sys.stderr)
            for line in chain.from_iterable(map(problem_lines, seen)):
                print(line, flush=True)
            if options.json:
                options.json.write_bytes(msgspec.json.format(json_bytes(readings)) + b"\n")
    print(*table_lines(readings), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
