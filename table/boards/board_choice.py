"""Recognising the board in a photo, and choosing its edition and calibration profile."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from railspotter.calibration.arrays import Float64s, Picture
from railspotter.calibration.finding.finder import MIRRORED, NOWHERE
from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.calibration.finding.ways import (
    LADDER,
    WHICH_BOARD,
    Candidate,
    FindBy,
    FoundByNone,
    FoundPose,
    find_board,
)
from railspotter.calibration.pose import NotFound
from railspotter.calibration.profiles.features import Features
from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.board import Board, board_names, load_board
from railspotter.scoring.edition import Edition, edition_names, load_edition
from railspotter.scoring.sentence import NOTHING, Sentence, together

from ..errors import HomeError, NoProfileError, PhotoError, TableError
from ..home import ProfileStore
from ..photo_file import READ_PX, load_photo, mirrored_picture, shrunk_to
from .own_boards import load_board_by_name

UNREADABLE = Sentence(
    "the board {name!r} was not measured yet: it can be scored, and played without a camera, but"
    " not read"
)
OTHER_PRINT = Sentence(
    "how the board and the trains of {edition} look is not known, only those of {known}: a photo of"
    " your empty board helps, if you calibrate with it"
)
NOT_RECOGNISED = Sentence(
    "no board was recognised in the picture: show the whole board, from above and in even light;"
    " known are {names}, and every board that you calibrate"
)
BESIDE = Sentence(
    "another board is in the picture too, {title}, and was not read: take a photo of it alone"
)
ANY_PRINT = "any print"
DEFAULT_EDITION = "usa"  # for a user's board that resembles none of the program's


@dataclass(frozen=True)
class RecognisedBoard:
    """The board that a photo shows."""

    id: str
    note: Sentence = NOTHING  # that another known board is in the picture too
    photo: str = ""  # the name of the photo, of several files


def readable_board(name: str) -> Board:
    """Load a board by name or file; raises `TableError` if it lacks the measures to be read."""
    board = load_board_by_name(name)
    if not board.measured:
        raise TableError(UNREADABLE.filled(name=name))
    return board


def edition_on(board: Board, name: str | None = None) -> Edition:
    """Load an edition by name and check that it fits the board; without a name, the board's own.

    Raises `ScoringError` for an unknown edition, `TableError` for one of another board, or if
    neither the caller nor the board names one.
    """
    is_own = board.id not in board_names()
    if is_own and name is None and board.edition is None:
        raise TableError(
            "say by which rules {board!r} is played, or have its file say so",
            board=board.id,
        )
    edition = rules_for(board) if name is None else load_edition(name)
    if edition.board != board.id and not (is_own and edition.board):
        raise TableError(
            "the edition {edition!r} is played on the board {board!r}, not {other!r}",
            edition=edition.id,
            board=edition.board,
            other=board.id,
        )
    return edition


def rules_for(board: Board) -> Edition:
    """Return the board's own edition; by default that of the most similar board."""
    if board.edition is not None:
        return load_edition(board.edition)
    places = {place.id for place in board.places}

    def likeness(edition: Edition) -> tuple[int, bool, bool]:
        there = {place.id for place in load_board(edition.board).places}
        return len(places & there), edition.id == edition.board, edition.id == DEFAULT_EDITION

    return max(board_editions(), key=likeness)


@cache
def board_editions() -> tuple[Edition, ...]:
    """Return all editions with a board, sorted by board, each board's basic edition first."""
    editions = [edition for edition in map(load_edition, edition_names()) if edition.board]
    boards = sorted(
        {e.board for e in editions}, key=lambda board: (board != DEFAULT_EDITION, board)
    )
    return tuple(sorted(editions, key=lambda e: (boards.index(e.board), e.id != e.board, e.title)))


def profile_for(board: Board, store: ProfileStore, name: str | None = None) -> Profile:
    """Return the calibration profile to read a board's photos with.

    It is the profile called `name`, else the board's newest, else a stand-in from the program's
    fingerprint of it. Raises `HomeError` if there is none, `ProfileError` if it is damaged.
    """
    if name is not None:
        return store.load(name)
    try:
        return store.newest(board.id)
    except NoProfileError:
        stand_in = stand_in_profile(board)
        if stand_in is None:
            raise
        return stand_in


def calibration_advice(edition: Edition, profile: Profile | None) -> Sentence:
    """Return advice to calibrate if the edition's artwork is unknown, else an empty sentence."""
    if not edition.own_print or (profile is not None and not profile.is_drawn):
        return NOTHING
    return OTHER_PRINT.filled(edition=edition.title, known=load_edition(edition.board).title)


def with_calibration_advice(reason: Sentence, edition: Edition, profile: Profile) -> Sentence:
    """Return the reason why a board was not found, followed by `calibration_advice`."""
    return together(filter(None, (reason, calibration_advice(edition, profile))))


def blank_profile(board: Board) -> Profile:
    """Return a profile with a blank reference, for a board whose artwork is unknown.

    The board is then found by its routes' geometry, or by corners that a person sets.
    """
    width, height = (round(side) for side in board.size_mm)
    return Profile(
        name=ANY_PRINT,
        board=board.id,
        size_mm=board.size_mm,
        made_at="",
        reference=np.full((height, width, 3), 128, np.uint8),
        px_per_mm=1.0,
        features=Features(np.zeros((0, 2)), np.zeros((0, 128), np.uint8)),
        print_offsets_mm={route.id: (0.0, 0.0) for route in board.routes},
        is_drawn=True,
    )


def recognise_board_in_files(
    photos: Sequence[str], store: ProfileStore
) -> RecognisedBoard | dict[str, Sentence]:
    """Return the board in the first photo file in which one is recognised.

    Otherwise return the reasons by file name. Raises `PhotoError` if no file is a usable photo.
    """
    reasons: dict[str, Sentence] = {}
    broken: list[PhotoError] = []
    for name in photos:
        try:
            shown = recognise_board([load_photo(name)], store)
        except PhotoError as error:
            reasons[name] = error.sentence
            broken.append(PhotoError(f"{name}: {error}"))
            continue
        if isinstance(shown, RecognisedBoard):
            return replace(shown, photo=name)
        reasons[name] = shown.reason
    if len(broken) == len(photos):
        raise broken[0]
    return reasons


def recognise_board(pictures: Iterable[Picture], store: ProfileStore) -> RecognisedBoard | NotFound:
    """Return the board in the first picture in which one is recognised.

    Otherwise return the first picture's reason.
    """
    candidates = [
        Candidate(board, _own_profile(board, store))
        for board in map(load_board, board_names())
        if board.measured
    ]
    lost: NotFound | None = None
    for picture in pictures:
        shown = find_in_photo(picture, candidates, WHICH_BOARD)
        if isinstance(shown, FoundPose):
            note = BESIDE.filled(title=shown.beside[0].title) if shown.beside else NOTHING
            return RecognisedBoard(shown.candidate.board.id, note)
        lost = shown if lost is None else lost
    if lost is not None and lost.reason != NOWHERE:
        return lost
    known = sorted(one.board.id for one in candidates if one.own or one.stand_in)
    return NotFound(NOWHERE if lost is None else NOT_RECOGNISED.filled(names=", ".join(known)))


def _own_profile(board: Board, store: ProfileStore) -> Profile | None:
    with suppress(HomeError):  # none yet, or damaged, which is said when it is read with
        return store.newest(board.id)
    return None


def find_in_photo(
    picture: Picture,
    candidates: Sequence[Candidate],
    methods: Sequence[FindBy] = LADDER,
    corners_px: Float64s | None = None,
) -> FoundPose | NotFound:
    """Return what `find_board` finds in a photo of any size, downscaled to `READ_PX`.

    A mirrored photo is flipped. `corners_px`, (4, 2), are the photo's.
    """
    small = shrunk_to(picture, READ_PX)
    times = picture.shape[1] / small.shape[1]
    corners = None if corners_px is None else (corners_px + 0.5) / times - 0.5
    # Photos are read in the millimetres of the board's file, whatever the copy's.
    size_mm = candidates[0].board.size_mm
    found = find_board([small], candidates, methods, corners=corners, size_mm=size_mm)
    if isinstance(found, FoundByNone) and found.reason == MIRRORED:
        found = find_board([mirrored_picture(small)], candidates, methods, size_mm=size_mm)
        found = found if isinstance(found, FoundByNone) else replace(found, is_mirrored=True)
    return found.scaled_up(times) if isinstance(found, FoundByNone) else found
