"""Put real photos through hardships, step by step, and count what nobody is asked about.

    python benchmarks/stress_ladder.py [--hardships light 'half*' plain] [--houses europe]
                                       [--references own another fingerprint] [--exposures 1]
                                       [--colours all named] [--processes 2] [--json FILE]
                                       [--left-out DIR]

Of every state of every shoot one exposure is taken, the largest, and of its board when empty; each
goes through all steps of the hardships (hardships/steps.py), and is found anew and read by the
empty board of its own shoot (`own`), by that of another shoot (`another`; Europe has one shoot
only, so its own), and by the `fingerprint` without any photo. No photo is read by itself.

A photo is refused where a note asks for another one. Its answers are not counted; what is wrong and
certain in such a one is told apart. Players are read with all of the edition's colours and with
only theirs named; other hardships so when asked to with `--colours`.

With `--left-out` each house is read with the net and the weights that were made without it, as
`teach.py` leaves them in its folder.

With `--json` everything is written down after every hardship of a photo, and what stands in that
file is not read again: delete it when the reader has changed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from functools import lru_cache
from pathlib import Path

import cv2
import msgspec
from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.table.photos.score import PhotoScorer, ReadingPlan
from railspotter.webui.words.translation import json_bytes

from composed.library import Library
from hardships.readings import BLANKS, CERTAIN, WITH_DOUBT, Rendered, read_by
from hardships.steps import (
    HARDSHIPS,
    PLAYER_STEPS,
    PLAYERS,
    STAGES,
    Shot,
    colours_kept,
    of_players,
    shot_of,
)
from photos import left_out
from photos.labelled import (
    OWN_BLANKS,
    PHOTOS,
    LabelledPhoto,
    labelled_photos,
    largest_of_states,
    load_label,
    reference_profile,
)

HOUSES = {
    "own-copy": ("shoot-1", "shoot-2"),
    "other-copy": ("shoot-5",),
    "europe": ("shoot-4",),
}
REFERENCES = ("own", "another", "fingerprint")
COLOURS = ("all", "named")
NAMES = (*HARDSHIPS, PLAYERS)


@dataclass(frozen=True, order=True)
class Rung:
    """One step of a hardship, and what it is read by."""

    hardship: str
    step: str
    reference: str  # one of `REFERENCES`
    # Whether all of the edition's are looked for, or only those named that stand on the board.
    colours: str


@dataclass(frozen=True)
class Climbed:
    """A photo on one rung, read."""

    house: str
    rung: Rung
    seen: Rendered


@dataclass(frozen=True)
class Climb:
    """One photo, through one hardship: what a process does at a time."""

    label: Path  # the photo's truth
    house: str
    hardship: str
    references: tuple[str, ...]
    colours: tuple[str, ...]
    done: frozenset[Rung] = frozenset()  # what was read before
    left_out: Path | None = None  # the folder of nets and weights that were made without each house


def chosen_photos(houses: Sequence[str], exposures: int = 1) -> list[tuple[str, LabelledPhoto]]:
    """Return some exposures of every state of the houses' shoots, each with its house."""
    chosen = []
    for house in houses:
        photos = [p for p in labelled_photos(PHOTOS) if p.shoot in HOUSES[house]]
        # An empty board that others are read by is left out where there is another photo of it.
        others = [p for p in photos if p.path.name != OWN_BLANKS.get((p.board, p.shoot))]
        lasting = {p.shoot for p in others if p.is_blank}
        others += [p for p in photos if p not in others and p.shoot not in lasting]
        chosen += [(house, photo) for photo in largest_of_states(others, exposures)]
    return chosen


@lru_cache(maxsize=1)
def library_of(board: str) -> Library:
    """Return the photos of a board, to compose others of."""
    return Library(load_board(board))


@lru_cache(maxsize=4)
def scorer_of(board: str, blank: str, colours: tuple[str, ...] | None) -> PhotoScorer:
    """Return what reads a board by one photo of it empty; by its fingerprint without one."""
    its_board = load_board(board)
    if blank:
        photo = next(p for p in labelled_photos(PHOTOS) if p.path.name == blank)
        profile = reference_profile(photo.path, its_board, photo.corners_px)
    else:
        stand_in = stand_in_profile(its_board)
        if stand_in is None:
            raise SystemExit(f"there is no fingerprint of the board {board!r}")
        profile = stand_in
    return PhotoScorer(ReadingPlan(its_board, load_edition(board), profile, colours))


def blank_of(photo: LabelledPhoto, reference: str) -> str | None:
    """Return the file of the empty board to read by, "" for none; None where there is no such."""
    if reference == "fingerprint":
        return ""
    blank = (OWN_BLANKS if reference == "own" else BLANKS).get((photo.board, photo.shoot))
    return None if blank == photo.path.name else blank


def shots(photo: LabelledPhoto, hardship: str) -> Iterator[tuple[str, Shot]]:
    """Yield the steps of a hardship that a photo can show, by name."""
    plain = shot_of(photo, load_board(photo.board).size_mm)
    if hardship != PLAYERS:
        for name, step in HARDSHIPS[hardship].items():
            shot = step(plain)
            if shot is not None:
                yield name, shot
        return
    stage = STAGES.get((photo.board, photo.shoot))
    if stage is None or photo.is_blank or photo.stations:
        return
    library = library_of(photo.board)
    for players in PLAYER_STEPS:
        kept = colours_kept(photo, players)
        if kept is not None:
            yield str(players), of_players(plain, kept, library, stage)
    for name in library.names:
        library.forget(name)


def climb(one: Climb) -> list[Climbed]:
    """Read a photo at all steps of a hardship."""
    photo = load_label(one.label)
    if photo is None:
        raise ValueError(f"{one.label} labels no photo")
    if one.left_out is not None:
        without = one.left_out / f"without-{one.house}"
        left_out.use(without.with_suffix(".onnx"), without.with_suffix(".json"))
    climbed = []
    for step, shot in shots(photo, one.hardship):
        there = tuple(sorted(set(shot.photo.truth["claims"].values())))
        for reference in one.references:
            blank = blank_of(photo, reference)
            for colours in one.colours if blank is not None else ():
                rung = Rung(one.hardship, step, reference, colours)
                if rung in one.done or (colours == "named" and not there):
                    continue
                named = there if colours == "named" else None
                scorer = scorer_of(photo.board, blank or "", named)
                seen = read_by(
                    scorer, shot.photo, shot.picture, reference, f"{rung.hardship} {step}"
                )
                climbed.append(Climbed(one.house, rung, replace(seen, photo=photo.path.stem)))
    return climbed


def figures(photos: Sequence[Rendered]) -> tuple[object, ...]:
    """Return a row of the table: of answers, only those to photos that are not refused count."""
    found = [one for one in photos if one.is_found]
    used = [one for one in found if not one.refused]
    routes, many = sum(one.routes for one in used), max(len(used), 1)
    return (
        len(photos),
        len(found) - len(used),
        len(photos) - len(found),
        routes,
        f"{100 * sum(one.right for one in used) / routes:.2f}" if routes else "-",
        sum(one.with_doubt for one in used),
        sum(len(one.certain) for one in used),
        sum(len(one.certain) for one in found if one.refused),
        f"{sum(one.asked for one in used) / many:.1f}" if used else "-",
        f"{sum(one.asked_stations for one in used) / many:.1f}" if used else "-",
    )


def as_text(climbed: Iterable[Climbed]) -> Iterator[str]:
    """Yield the table: for each reference a row for every step, and one for all."""
    head = ("read by", "hardship", "step", "colours", "photos", "refused", "not found", "routes")
    more = ("right %", WITH_DOUBT, CERTAIN, "certain, refused", "asked a photo", "of stations")
    yield f"| {' | '.join((*head, *more))} |"
    yield "|---" * (len(head) + len(more)) + "|"
    steps = {name: list(by_name) for name, by_name in HARDSHIPS.items()}
    steps[PLAYERS] = [str(players) for players in PLAYER_STEPS]
    by_rung: dict[Rung, list[Rendered]] = defaultdict(list)
    for one in climbed:
        by_rung[one.rung].append(one.seen)
    for reference in REFERENCES:
        here = [rung for rung in by_rung if rung.reference == reference]
        here.sort(
            key=lambda r: (NAMES.index(r.hardship), r.colours, steps[r.hardship].index(r.step))
        )
        for rung in here:
            names = reference, rung.hardship, rung.step, rung.colours
            yield f"| {' | '.join(map(str, (*names, *figures(by_rung[rung]))))} |"
        if here:
            all_of_them = figures([seen for rung in here for seen in by_rung[rung]])
            yield f"| {' | '.join(map(str, (reference, 'all', '', '', *all_of_them)))} |"


def in_words(one: Climbed) -> str:
    """Return which photo it is, on which rung.

    Examples
    --------
    >>> seen = Rendered("IMG_1", "shoot-1", "own", "", "", True, 9, 9, 0, 0, ())
    >>> in_words(Climbed("europe", Rung("light", "2000 K", "own", "named"), seen))
    'IMG_1, light 2000 K, by own, colours named'
    """
    rung = one.rung
    return (
        f"{one.seen.photo}, {rung.hardship} {rung.step}, by {rung.reference},"
        f" colours {rung.colours}"
    )


def prepare_process() -> None:
    """Leave ctrl-C to the parent, and the other cores to others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cv2.setNumThreads(1)


def climb_all(climbs: Sequence[Climb], processes: int) -> Iterator[list[Climbed]]:
    """Read everything, telling on stderr how far it has come."""
    started = time.monotonic()
    # Forked processes would share OpenCV's threads, which do not survive that.
    context = multiprocessing.get_context("spawn")
    with context.Pool(processes, prepare_process) as pool:
        for number, climbed in enumerate(pool.imap_unordered(climb, climbs), 1):
            took = time.monotonic() - started
            last = f", {climbed[-1].seen.photo} {climbed[-1].rung.hardship}" if climbed else ""
            print(f"{number} of {len(climbs)}, {took:.0f} s{last}", file=sys.stderr, flush=True)
            yield climbed


def stored(file: Path | None) -> list[Climbed]:
    """Return what was read before."""
    if file is None or not file.exists():
        return []
    return msgspec.json.decode(file.read_bytes(), type=list[Climbed])


def store(file: Path, climbed: Sequence[Climbed]) -> None:
    """Write everything down, so that the file is whole at any moment."""
    whole = file.with_suffix(".part")
    whole.write_bytes(msgspec.json.format(json_bytes(climbed), indent=1) + b"\n")
    whole.replace(file)


def main(argv: Sequence[str] | None = None) -> int:
    """Climb, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hardships", nargs="+", default=["*"], metavar="GLOB")
    parser.add_argument("--references", nargs="+", default=[*REFERENCES], choices=REFERENCES)
    parser.add_argument("--houses", nargs="+", default=[*HOUSES], choices=HOUSES)
    parser.add_argument("--exposures", type=int, default=1, help="of each state")
    parser.add_argument("--only", nargs="+", default=["*"], metavar="GLOB", help="photos so named")
    parser.add_argument("--colours", nargs="+", choices=COLOURS, help="for every hardship")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep everything there")
    parser.add_argument("--left-out", type=Path, metavar="DIR", help="where teach.py worked")
    options = parser.parse_args(argv)
    names = [n for n in NAMES if any(fnmatch(n, glob) for glob in options.hardships)]
    photos = [
        (house, photo)
        for house, photo in chosen_photos(options.houses, options.exposures)
        if any(fnmatch(photo.path.name, glob) for glob in options.only)
    ]
    if not photos or not names:
        print("no photos, or no such hardship", file=sys.stderr)
        return 2
    seen = stored(options.json)
    done: dict[str, set[Rung]] = defaultdict(set)
    for one in seen:
        done[one.seen.photo].add(one.rung)
    climbs = [
        Climb(
            photo.path.with_suffix(".json"),
            house,
            name,
            tuple(options.references),
            tuple(options.colours or (COLOURS if name == PLAYERS else COLOURS[:1])),
            frozenset(done[photo.path.stem]),
            options.left_out,
        )
        for house, photo in photos
        for name in names
    ]
    try:
        for climbed in climb_all(climbs, options.processes):
            seen += climbed
            for one in climbed:
                for wrong in one.seen.certain:
                    apart = f" ({one.seen.refused})" if one.seen.refused else ""
                    print(f"{in_words(one)}: {wrong}{apart}", file=sys.stderr)
            if options.json:
                store(options.json, seen)
    except KeyboardInterrupt:
        print("stopped: this is what there is", file=sys.stderr)
    print(*as_text(seen), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
