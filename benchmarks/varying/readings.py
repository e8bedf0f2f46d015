"""The readings of a small set of photos, to be compared with one another."""

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.calibration.pose import NotFound
from railspotter.calibration.profiles.profile_file import from_bytes, to_bytes
from railspotter.scoring.board import load_board
from railspotter.scoring.edition import load_edition
from railspotter.table.photo_file import load_photo
from railspotter.table.photos.score import FoundBoard, PhotoScorer, ReadingPlan

from hardships.steps import HARDSHIPS, make_shot
from photos.judgement import judge, judge_stations
from photos.labelled import PHOTOS, REFERENCES, LabelledPhoto, labelled_photos, reference_profile

# By set: photos that are read as one (most are read alone), a hardship that they go through, and
# whether by a photo of the empty board or without one.
PHOTO_SETS: dict[str, tuple[tuple[str, str, bool], ...]] = {
    # An early game of Europe, few pixels, by the fingerprint: much of it is asked about, or nearly.
    "first": (("house6_800", "", False),),
    "second": (
        ("other_copy_1_1920", "", True),  # another copy: its tones, its prints elsewhere
        ("cropped5s_12-12", "", True),  # with stations
        ("IMG_4141_1008", "", True),  # trains pushed aside, glare
        ("IMG_4144_1008 IMG_4132_1008", "", True),  # two photos read as one, hard light
        ("IMG_4136_1008", "lens 0.15", True),  # low light from aside, blurred
        ("pale_print_empty_1000", "", True),  # another print, with folds
        ("house5_1500", "", False),  # cut off: refused
    ),
}


@cache
def _photos_by_name() -> dict[str, LabelledPhoto]:
    return {photo.path.stem: photo for photo in labelled_photos(PHOTOS)}


def prepare(folder: str) -> Iterator[list[str]]:
    """Write the profiles and changed photos for readings; yield the modules that read photos."""
    for board, blank in REFERENCES.items():
        Path(folder, f"{board}.npz").write_bytes(to_bytes(_make_profile(board, blank)))
    for names, hardship, _ in (one for photos in PHOTO_SETS.values() for one in photos):
        for name in names.split() if hardship else ():
            photo, (kind, _, step) = _photos_by_name()[name], hardship.partition(" ")
            shot = HARDSHIPS[kind][step](make_shot(photo, load_board(photo.board).size_mm))
            if shot is not None:
                cv2.imwrite(str(Path(folder, f"{name} {_file_name(hardship)}.png")), shot.picture)
    yield sorted(name for name in sys.modules if name.startswith("railspotter."))


def read_set(folder: str, photo_set: str, anew: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Read a set of photos, with new profiles where asked for."""
    cv2.setNumThreads(1)
    scorers: dict[tuple[str, bool], PhotoScorer] = {}
    for names, hardship, has_blank in PHOTO_SETS[photo_set]:
        photos = [_photos_by_name()[name] for name in names.split()]
        board = photos[0].board
        at = board, has_blank
        if at not in scorers:
            profile = stand_in_profile(load_board(board))
            if has_blank and anew:
                profile = _make_profile(board, REFERENCES[board])
            elif has_blank:
                profile = from_bytes(Path(folder, f"{board}.npz").read_bytes())
            assert profile is not None
            scorers[at] = PhotoScorer(ReadingPlan(load_board(board), load_edition(board), profile))
        paths = [photo.path for photo in photos]
        if hardship:
            paths = [Path(folder, f"{path.stem} {_file_name(hardship)}.png") for path in paths]
        yield f"{names} {hardship}".strip(), outcome(scorers[at], photos, paths)


def outcome(scorer: PhotoScorer, photos: list[LabelledPhoto], paths: list[Path]) -> dict[str, Any]:
    """Return what was read in photos of one board, and the number of errors."""
    found = [scorer.find(load_photo(path)) for path in paths]
    boards = [one for one in found if isinstance(one, FoundBoard)]
    reasons = [str(one.reason) for one in found if isinstance(one, NotFound)]
    if not boards:
        return {"reasons": reasons}
    together = scorer.read(boards)
    reading = scorer.count(boards, together.reading, photos[0].path.name)
    if reading.reason is not None:
        return {"reasons": [*reasons, str(reading.reason)]}
    board, doubts = scorer.plan.board, [doubt.spot for doubt in reading.doubts]
    doubted = {kind: {s.id for s in doubts if s.kind == kind} for kind in ("route", "station")}
    claims = {**reading.claims, **together.reading.uncounted}
    wrong = judge(photos[0], board.route_by_id, claims, doubted["route"]).wrong
    built = judge_stations(photos[0], board.place_by_id, reading.stations, doubted["station"])
    wrong += built.wrong if built and scorer.plan.edition.stations else ()
    passed = [str(one.passed.reason) for one in boards if one.passed is not None]
    return {
        "reasons": [*reasons, *passed],
        "corners_px": [one.corners_px.tolist() for one in boards],
        "px_per_mm": [float(np.ptp(one.corners_px[:, 0]) / board.size_mm[0]) for one in boards],
        "answers": {f"{spot.kind} {spot.id}": whose for spot, whose in reading.held.items()},
        "asked": {
            f"{doubt.spot.kind} {doubt.spot.id}": [str(doubt.why), *map(str, doubt.alternatives)]
            for doubt in reading.doubts
        },
        "notes": [str(note) for note in reading.notes],
        "wrong": len(wrong),
        "certain": sum(not one.doubted for one in wrong),
        "odds": {
            f"{spot.kind} {spot.id}": piece.confidence
            for spot, piece in together.reading.pieces.items()
        },
    }


def _make_profile(board: str, blank: str) -> Any:
    photo = _photos_by_name()[Path(blank).stem]
    return reference_profile(photo.path, load_board(board), photo.corners_px)


def _file_name(hardship: str) -> str:
    return hardship.replace("%", "percent")
