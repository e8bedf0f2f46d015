"""The user's boards for whoever makes them: files, drafts, and routes proposed meanwhile."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from msgspec.structs import replace
from railspotter.calibration.board_making.draft import Draft, draft_of, finished_board
from railspotter.calibration.board_making.printed_dots import FoundDot, find_dots, with_dots
from railspotter.calibration.board_making.printed_spaces import FoundSpace, find_spaces
from railspotter.calibration.board_making.stringing import with_proposals
from railspotter.calibration.errors import BoardMakingError, OutlineError
from railspotter.scoring.board import Board, board_names, load_board
from railspotter.scoring.errors import BoardError
from railspotter.scoring.gaps import board_gaps
from railspotter.scoring.sentence import NOTHING, Sentence

from ..errors import (
    BoardKeptError,
    ChangedBoardError,
    DraftError,
    HomeError,
    NoBoardError,
    TableError,
)
from ..photo_file import brought_down, parse_photo, to_jpeg
from .board_choice import rules_for
from .draft_store import ABOVE, PHOTO, DraftStore, KeptDraft
from .edits import DraftChange, edited
from .own_boards import OwnBoards
from .picture import Corners, seen_from_above, sides_px, whole_picture
from .tables import free_id, place_id

Step = Literal["", "waiting", "finding spaces", "finding places", "stringing routes"]
TRIES = 3  # to string routes while somebody goes on editing; then edits wait for it
# The most pixels of a photo's longer side; a board has some 1600 where two are a millimetre.
LARGEST_PX = 4000
LEAST_SIDE_PX = 50  # of the board in its photo
MOST_FOUND = 3  # boards of which the spaces that were found are kept in memory

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Work:
    """What the program does with a draft; `problem` is why it could not."""

    step: Step = ""
    problem: Sentence = NOTHING


@dataclass(frozen=True)
class DraftCheck:
    """What the board that a draft gives would be."""

    problem: Sentence = NOTHING  # why there can be none
    problem_names: Sequence[str] = ()  # what stands in that
    notes: Sequence[Sentence] = ()  # what is odd about it
    is_saved: bool = False  # whether its file is just that
    measured: bool = False


class BoardDesk:
    """The boards and drafts in a data directory, which need not exist yet; for several threads."""

    def __init__(self, folder: Path) -> None:
        self.boards = OwnBoards(folder)
        self.drafts = DraftStore(folder)
        self._lock = threading.Lock()
        self._one_at_a_time = threading.Lock()
        self._work: dict[str, Work] = {}
        # By what they were found in; whoever looks is the only one who does.
        self._found: dict[tuple[object, ...], tuple[FoundSpace, ...]] = {}

    def work(self, draft: str) -> Work:
        """Return what the program does with a draft just now."""
        with self._lock:
            return self._work.get(draft, Work())

    def board(self, name: str) -> Board:
        """Return a board of the program's or of the user's; raises `NoBoardError`."""
        return load_board(name) if name in board_names() else self.boards.load(name)

    def take_in(self, content: bytes) -> Board:
        """Keep the board in a file; raises as `OwnBoards.take_in`, and for one being made."""
        with self._lock:
            return self.boards.take_in(content)

    def begin(self, title: str, size_mm: tuple[float, float] | None, onto: str | None) -> KeptDraft:
        """Begin a draft: of a new board, or of one that is to be completed or changed.

        Raises `DraftError`, `NoBoardError` or `BoardKeptError` when there can be no such draft.
        """
        with self._lock:
            if onto is None:
                if size_mm is None:
                    raise DraftError("give the board's width and height")
                name = self._free_id(title)
                return self.drafts.add(
                    Draft(id=name, title=title, places=(), size_mm=size_mm, complete=False)
                )
            is_own = onto in self.boards.names()
            if is_own and onto in self.drafts.names():
                raise BoardKeptError("the board {name!r} is being made already", name=onto)
            board = self.board(onto)
            if not is_own:
                if board.size_mm == (1.0, 1.0) and size_mm is None:
                    raise DraftError("nobody measured this board yet: give its width and height")
                name = self._free_id(title or onto)
                board = replace(board, id=name, title=title or board.title)
            draft = draft_of(board, size_mm or (1.0, 1.0))
            # The ids of routes follow their ends, which may be set anew.
            routes = (replace(r, id="") if r.spaces else r for r in draft.routes)
            places = (*draft.placed, *draft.unplaced)
            return self.drafts.add(replace(draft, places=places, routes=tuple(routes)))

    def put_photo(self, draft: str, content: bytes) -> KeptDraft:
        """Keep a draft's photo and forget another one's corners; raises `PhotoError` for none."""
        self.drafts.load(draft)
        photo = brought_down(parse_photo(content, LARGEST_PX), LARGEST_PX)
        size_px = photo.shape[1], photo.shape[0]
        return self.drafts.put_picture(
            draft, PHOTO, to_jpeg(photo), photo_px=size_px, corners_px=()
        )

    def put_corners(self, draft: str, corners: Corners) -> KeptDraft:
        """Say where the board is in the photo; without corners it is the whole photo."""
        kept = self.drafts.load(draft)
        photo = parse_photo(self.drafts.photo(draft))
        corners = corners or whole_picture(photo)
        if sides_px(corners).min() < LEAST_SIDE_PX:
            raise DraftError("the corners are too near to each other")
        try:
            above = seen_from_above(photo, corners, kept.now.size_mm)
        except OutlineError as error:
            raise DraftError(str(error)) from error
        return self.drafts.put_picture(draft, ABOVE, to_jpeg(above), corners_px=corners)

    def edit(self, draft: str, said: DraftChange) -> KeptDraft:
        """Edit a draft that was seen; raises as `DraftStore.change` and `edited`."""
        return self.drafts.change(draft, lambda kept: kept.then(edited(kept.now, said)), said.seen)

    def step(self, draft: str, seen: int, by: int) -> KeptDraft:
        """Take the last edit back, or do it again."""
        return self.drafts.change(draft, lambda kept: kept.stepped(by), seen)

    def save(self, draft: str, seen: int) -> Board:
        """Write a draft as the board file that is played with."""
        kept = self.drafts.load(draft)
        if kept.number != seen:
            raise ChangedBoardError("the board was changed meanwhile, on another page")
        try:
            board, _ = finished_board(kept.now)
        except BoardMakingError as error:
            raise DraftError(str(error)) from error
        self.boards.keep(board)
        return board

    def check(self, draft: Draft) -> DraftCheck:
        """Return what is wrong with the board that a draft gives, and whether its file is that."""
        try:
            board, notes = finished_board(draft)
        except (BoardError, BoardMakingError) as error:
            values = error.sentence.values.values()
            names = [value for value in values if isinstance(value, str)]
            return DraftCheck(error.sentence, names)
        is_saved = False
        with contextlib.suppress(HomeError):
            is_saved = self.boards.load(draft.id) == board
        doubts = draft.doubts if draft.laid else ()
        gaps = board_gaps(board, rules_for(board))
        notes = (*doubts, *notes, *gaps)
        return DraftCheck(notes=notes, is_saved=is_saved, measured=board.measured)

    def delete(self, board: str) -> None:
        """Delete a board and the draft of it, whichever there is; raises `NoBoardError`."""
        if board not in self.boards.names() and board not in self.drafts.names():
            raise NoBoardError("there is no board {name!r}", name=board)
        if board in self.drafts.names():
            self.drafts.delete(board)
        if board in self.boards.names():
            self.boards.delete(board)

    def propose(
        self, draft: str, space_size_mm: tuple[float, float] | None, *, places: bool = False
    ) -> None:
        """Begin to look for routes on a draft's picture, and for places first where that is asked.

        `work` says how far it is. Raises `DraftError` when places are missing, or it is being done
        already, `NoBoardError` without a picture.
        """
        kept = self.drafts.load(draft)
        self.drafts.above(draft)
        if len(kept.now.placed) < 2 and not places:
            raise DraftError("routes run between places: put two of them on the picture at least")
        with self._lock:
            if self._work.get(draft, Work()).step:
                raise DraftError("routes are being looked for already")
            self._work[draft] = Work("waiting")
        threading.Thread(
            target=self._propose, args=(draft, space_size_mm, places), name="proposing", daemon=True
        ).start()

    def _propose(self, draft: str, space_size_mm: tuple[float, float] | None, places: bool) -> None:
        problem = NOTHING
        try:
            with self._one_at_a_time:
                self._say(draft, "finding spaces")
                spaces = self._spaces(draft, space_size_mm)
                dots = None
                if places:
                    self._say(draft, "finding places")
                    dots = self._dots(draft, spaces)
                self._say(draft, "stringing routes")
                self._string(draft, spaces, dots)
        except (BoardMakingError, TableError) as error:
            problem = error.sentence
        except Exception:
            log.exception("proposing routes of %s", draft)
            problem = Sentence("something went wrong here")
        self._say(draft, "", problem)

    def _say(self, draft: str, step: Step, problem: Sentence = NOTHING) -> None:
        with self._lock:
            self._work[draft] = Work(step, problem)

    def _spaces(
        self, draft: str, space_size_mm: tuple[float, float] | None
    ) -> tuple[FoundSpace, ...]:
        kept = self.drafts.load(draft)
        above = self.drafts.above(draft)
        key = (draft, kept.corners_px, hash(above), space_size_mm)
        if key not in self._found:
            self._found[key] = find_spaces(parse_photo(above), kept.now.size_mm, space_size_mm)
            while len(self._found) > MOST_FOUND:
                self._found.pop(next(iter(self._found)))
        return self._found[key]

    def _dots(self, draft: str, spaces: tuple[FoundSpace, ...]) -> tuple[FoundDot, ...]:
        above = parse_photo(self.drafts.above(draft))
        dots = find_dots(above, self.drafts.load(draft).now.size_mm, spaces)
        if len(dots) < 2:
            raise DraftError("no dots of places were found on the picture: tap them yourself")
        return dots

    def _string(
        self, draft: str, spaces: tuple[FoundSpace, ...], dots: tuple[FoundDot, ...] | None
    ) -> None:
        """Lay routes between the places as they are; whatever was settled meanwhile stays."""

        def strung(now: Draft) -> Draft:
            return with_proposals(now if dots is None else with_dots(now, dots), spaces)

        for _ in range(TRIES):
            kept = self.drafts.load(draft)
            proposed = partial(KeptDraft.then, draft=strung(kept.now))
            with contextlib.suppress(ChangedBoardError):
                self.drafts.change(draft, proposed, kept.number)
                return
        # Somebody edits all the time: they wait this once.
        self.drafts.change(draft, lambda now: now.then(strung(now.now)))

    def _free_id(self, title: str) -> str:
        taken = {*board_names(), *self.boards.names(), *self.drafts.names()}
        return free_id(place_id(title)[:70] or "board", taken)
