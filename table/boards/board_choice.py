"""Which board a photo shows, by which rules it is played, and what it is read with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
from railspotter.calibration.arrays import Picture
from railspotter.calibration.finding.alignment import Alignment
from railspotter.calibration.finding.feature_pose import FrameFeatures
from railspotter.calibration.finding.finder import MIRRORED, NOWHERE, find_board, reason_of_any
from railspotter.calibration.finding.fingerprint import stand_in_profile
from railspotter.calibration.finding.outline_fit import find_by_network
from railspotter.calibration.finding.proof import TooSmall
from railspotter.calibration.pose import Grounds, NotFound, better_measured
from railspotter.calibration.profiles.features import Features
from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.board import Board, board_names, load_board
from railspotter.scoring.edition import Edition, edition_names, load_edition
from railspotter.scoring.sentence import NOTHING, Sentence, together

from ..errors import NoProfileError, PhotoError, TableError
from ..home import ProfileStore
from ..photo_file import READ_PX, brought_down, load_photo, turned_over
from .own_boards import board_called

UNREADABLE = Sentence(
    "the board {name!r} was not measured yet: it can be scored, and played without a camera, but"
    " not read"
)
OTHER_PRINT = Sentence(
    "how the board and the trains of {edition} look is not known, only those of {known}: a photo of"
    " your empty board helps ('railspotter calibrate', or the page's calibration)"
)
ANY_PRINT = "any print"
USUAL = "usa"  # whose rules a board of one's own has that is like none of the program's


def readable_board(name: str) -> Board:
    """Return a board that photos can be read of: the program's, the user's own, or in a file.

    Raises `TableError` for an unmeasured one.
    """
    board = board_called(name)
    if not board.measured:
        raise TableError(UNREADABLE.filled(name=name))
    return board


def edition_on(board: Board, name: str | None = None) -> Edition:
    """Return an edition that is played on a board; without a name, the board's own.

    Raises `ScoringError` when there is no such edition, `TableError` when it is played on another
    board, or none is named for a board that names none.
    """
    is_own = board.id not in board_names()
    if is_own and name is None and board.edition is None:
        raise TableError(
            "say by which rules {board!r} is played: --edition usa, or have its file say so",
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
    """Return the rules that a board names; without, those of the board that is most like it."""
    if board.edition is not None:
        return load_edition(board.edition)
    places = {place.id for place in board.places}

    def likeness(edition: Edition) -> tuple[int, bool, bool]:
        there = {place.id for place in load_board(edition.board).places}
        return len(places & there), edition.id == edition.board, edition.id == USUAL

    return max(board_editions(), key=likeness)


@cache
def board_editions() -> tuple[Edition, ...]:
    """Return the editions that are played on a board; the plainest of each board first."""
    found = [one for one in map(load_edition, edition_names()) if one.board]
    order = sorted({one.board for one in found}, key=lambda board: (board != USUAL, board))
    return tuple(
        sorted(found, key=lambda one: (order.index(one.board), one.id != one.board, one.title))
    )


def profile_for(board: Board, store: ProfileStore, name: str | None = None) -> Profile:
    """Return what a board's photos are read with.

    That is the profile of that name, else the board's newest, else one drawn from its fingerprint.
    Raises `HomeError` or `ProfileError` when there is nothing to read it with, or the profile is
    damaged; with what to do.
    """
    if name is not None:
        return store.load(name)
    try:
        return store.newest(board.id)
    except NoProfileError:
        stand_in = stand_in_for(board)
        if stand_in is None:
            raise
        return stand_in


def note_on_print(edition: Edition, profile: Profile | None) -> Sentence:
    """Return what helps where nobody knows an edition's print; nothing where there is a photo.

    `profile` is what its board is read with; None where there is nothing.
    """
    if not edition.own_print or (profile is not None and not profile.is_drawn):
        return NOTHING
    return OTHER_PRINT.filled(edition=edition.title, known=load_edition(edition.board).title)


def with_advice(reason: Sentence, edition: Edition, profile: Profile) -> Sentence:
    """Return why a board was not found, with what helps where nobody knows its print."""
    return together(filter(None, (reason, note_on_print(edition, profile))))


def profile_of_any_print(board: Board) -> Profile:
    """Return what a board's photos are read with of whose print nothing is known.

    Its reference is blank: the board is found by where its routes run, or by a person's corners.
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


def stand_in_for(board: Board) -> Profile | None:
    """Return what reads a board by the print that comes with the program; None where none does."""
    is_known = board.id in board_names() and board == load_board(board.id)
    return _stand_in(board.id) if is_known else None


def recognised_board(photos: Sequence[str], store: ProfileStore) -> str | dict[str, Sentence]:
    """Return the id of the board that the first photo file shows in which one is recognised.

    Where none is, why not, by the files' names; `PhotoError` where none of them is a usable photo.
    """
    reasons: dict[str, Sentence] = {}
    broken: list[PhotoError] = []
    for name in photos:
        try:
            shown = board_shown([load_photo(name)], store)
        except PhotoError as error:
            reasons[name] = error.sentence
            broken.append(PhotoError(f"{name}: {error}"))
            continue
        if isinstance(shown, str):
            return shown
        reasons[name] = shown.reason
    if len(broken) == len(photos):
        raise broken[0]
    return reasons


def board_shown(pictures: Iterable[Picture], store: ProfileStore) -> str | NotFound:
    """Return the id of the board that the first picture shows in which one is recognised.

    Where none is, the first picture's reason is that of reading it as the board that is in it.
    """
    boards = [board for board in map(load_board, board_names()) if board.measured]
    lost: NotFound | None = None
    for picture in pictures:
        small = brought_down(picture, READ_PX)
        shown = _shown(small, boards, store)
        if isinstance(shown, NotFound) and shown.reason == MIRRORED:
            shown = _shown(turned_over(small), boards, store)
        if isinstance(shown, str):
            return shown
        if isinstance(shown, TooSmall):
            shown = shown.scaled_up(picture.shape[1] / small.shape[1])
        lost = shown if lost is None else lost
    return NotFound(NOWHERE) if lost is None else lost


def _shown(picture: Picture, boards: Sequence[Board], store: ProfileStore) -> str | NotFound:
    """Return the board in a picture: by the user's own profiles, by fingerprints, by routes."""
    own = []
    for board in boards:
        try:
            own.append(store.newest(board.id))
        except NoProfileError:
            continue
    known = [stand_in for board in boards if (stand_in := _stand_in(board.id)) is not None]
    features = FrameFeatures(picture)
    by_own = _best(features, own)
    if isinstance(by_own, str):
        return by_own
    # All of them: a profile may be of another copy than the one in the picture.
    by_numbers = _best(features, known)
    if isinstance(by_numbers, NotFound) and by_numbers.grounds <= Grounds.PRINT:
        fits = ((find_by_network(picture, board), board.id) for board in boards)
        seen = [(fit.pose.agreement, board) for fit, board in fits if isinstance(fit, Alignment)]
        if seen:
            return max(seen)[1]
    reasons = [r for r in (by_own, by_numbers) if isinstance(r, NotFound) and r.reason != NOWHERE]
    if isinstance(by_numbers, NotFound) and reasons:
        return better_measured(*reasons)
    if isinstance(by_numbers, NotFound):
        names = ", ".join(sorted({one.board for one in [*own, *known]}))
        return NotFound(
            Sentence(
                "no board was recognised in the picture: show the whole board, from above and in"
                " even light; known are {names}, and every board that you calibrate ('railspotter"
                " calibrate')",
                names=names,
            )
        )
    return by_numbers


def _best(features: FrameFeatures, profiles: Iterable[Profile]) -> str | NotFound:
    """Return the board of the profile that most features agree on."""
    found = [(find_board(features, one), one.board) for one in profiles]
    agreed = [(pose.inliers, board) for pose, board in found if not isinstance(pose, NotFound)]
    if agreed:
        return max(agreed)[1]
    return reason_of_any(lost for lost, _ in found if isinstance(lost, NotFound))


@cache
def _stand_in(board: str) -> Profile | None:
    return stand_in_profile(load_board(board))
