"""The board editor's service: board files, drafts, and routes proposed in a background thread."""

import contextlib
import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Literal

from msgspec.structs import replace
from railspotter.calibration.board_making.draft import Draft, draft_of, finished_board
from railspotter.calibration.board_making.outlines import SizeMm
from railspotter.calibration.board_making.printed_dots import FoundDot, find_dots, with_dots
from railspotter.calibration.board_making.printed_spaces import FoundSpace, find_spaces
from railspotter.calibration.board_making.stringing import with_proposals
from railspotter.calibration.errors import BoardMakingError, OutlineError
from railspotter.scoring.board import Board, board_names, load_board
from railspotter.scoring.errors import BoardError
from railspotter.scoring.gaps import board_gaps
from railspotter.scoring.sentence import NOTHING, Sentence, raised_as

from ..errors import BoardKeptError, ChangedError, DraftError, HomeError, NotKeptError, TableError
from ..photo_file import parse_photo, shrunk_to, to_jpeg
from .board_choice import rules_for
from .draft_store import ABOVE, PHOTO, DraftStore, KeptDraft
from .edits import DraftChange, apply_edit
from .own_boards import OwnBoards
from .picture import Corners, corners_of_picture, rectified_board, sides_px
from .tables import free_id, place_id

Step = Literal["", "waiting", "finding spaces", "finding places", "stringing routes"]
# The most pixels of a photo's longer side; a board has some 1600 where two are a millimetre.
LARGEST_PX = 4000
LEAST_SIDE_PX = 50  # of the board in its photo
MOST_CACHED = 3  # pictures whose found spaces are cached

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Work:
    """The state of a draft's background job; `problem` is why it failed."""

    step: Step = ""
    problem: Sentence = NOTHING


@dataclass(frozen=True)
class DraftCheck:
    """The result of checking whether a draft makes a valid board."""

    problem: Sentence = NOTHING  # why the draft makes no board
    problem_names: Sequence[str] = ()  # ids and names that the problem mentions
    notes: Sequence[Sentence] = ()  # warnings
    is_saved: bool = False  # whether the board's file is identical
    measured: bool = False


class BoardDesk:
    """The boards and drafts of a data directory, which need not exist yet. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        self.boards = OwnBoards(folder)
        self.drafts = DraftStore(folder)
        self._lock = threading.Lock()
        self._job_lock = threading.Lock()  # one background job at a time
        self._jobs: dict[str, Work] = {}

    def work(self, draft: str) -> Work:
        """Return the state of a draft's background job."""
        with self._lock:
            return self._jobs.get(draft, Work())

    def board(self, name: str) -> Board:
        """Load one of the program's or the user's boards; raises `NotKeptError`."""
        return load_board(name) if name in board_names() else self.boards.load(name)

    def import_board(self, content: bytes) -> Board:
        """Import an uploaded board file; raises as `OwnBoards.import_board`."""
        with self._lock:
            return self.boards.import_board(content)

    def begin(self, title: str, size_mm: SizeMm | None, onto: str | None) -> KeptDraft:
        """Create a draft of a new board, or of the existing board `onto` to be changed.

        Raises `DraftError`, `NotKeptError` or `BoardKeptError`.
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
            # Routes get new ids from their ends, which the user may change.
            routes = (replace(r, id="") if r.spaces else r for r in draft.routes)
            places = (*draft.placed, *draft.unplaced)
            return self.drafts.add(replace(draft, places=places, routes=tuple(routes)))

    def put_photo(self, draft: str, content: bytes) -> KeptDraft:
        """Store a draft's photo and reset its corners; raises `PhotoError`."""
        self.drafts.load(draft)
        photo = shrunk_to(parse_photo(content, LARGEST_PX), LARGEST_PX)
        size_px = photo.shape[1], photo.shape[0]
        return self.drafts.put_picture(
            draft, PHOTO, to_jpeg(photo), photo_px=size_px, corners_px=()
        )

    def put_corners(self, draft: str, corners: Corners) -> KeptDraft:
        """Set the board's corners in the photo (default: the whole photo) and rectify it."""
        kept = self.drafts.load(draft)
        photo = parse_photo(self.drafts.photo(draft))
        corners = corners or corners_of_picture(photo)
        if sides_px(corners).min() < LEAST_SIDE_PX:
            raise DraftError("the corners are too near to each other")
        with raised_as(DraftError, OutlineError):
            above = rectified_board(photo, corners, kept.now.size_mm)
        return self.drafts.put_picture(draft, ABOVE, to_jpeg(above), corners_px=corners)

    def edit(self, draft: str, edit: DraftChange) -> KeptDraft:
        """Apply an edit to a draft; raises as `DraftStore.change` and `apply_edit`."""
        return self.drafts.change(
            draft, lambda kept: kept.with_edit(apply_edit(kept.now, edit)), edit.seen
        )

    def step(self, draft: str, seen: int, by: int) -> KeptDraft:
        """Undo (`by` -1) or redo (1) an edit."""
        return self.drafts.change(draft, lambda kept: kept.at_version(kept.at + by), seen)

    def save(self, draft: str, seen: int) -> Board:
        """Save a draft as a playable board file; raises `ChangedError` or `DraftError`."""
        kept = self.drafts.load(draft)
        if kept.number != seen:
            raise ChangedError("the board was changed meanwhile, on another page")
        with raised_as(DraftError, BoardMakingError):
            board, _ = finished_board(kept.now)
        self.boards.save(board)
        return board

    def check(self, draft: Draft) -> DraftCheck:
        """Validate the board that a draft makes, and compare it with the saved file."""
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
        """Delete a board and its draft; raises `NotKeptError` if there is neither."""
        if board not in self.boards.names() and board not in self.drafts.names():
            raise NotKeptError("there is no board {name!r}", name=board)
        with self._lock:
            self._jobs.pop(board, None)
        if board in self.drafts.names():
            self.drafts.delete(board)
        if board in self.boards.names():
            self.boards.delete(board)

    def propose(self, draft: str, space_size_mm: SizeMm | None, *, places: bool = False) -> None:
        """Start a background job that finds a draft's routes, and before them its places if asked.

        `work` reports its progress. Raises `DraftError` if places are missing or a job is running,
        `NotKeptError` without a picture.
        """
        kept = self.drafts.load(draft)
        self.drafts.above(draft)
        if len(kept.now.placed) < 2 and not places:
            raise DraftError("routes run between places: put two of them on the picture at least")
        with self._lock:
            if self._jobs.get(draft, Work()).step:
                raise DraftError("routes are being looked for already")
            self._jobs[draft] = Work("waiting")
        threading.Thread(
            target=self._propose, args=(draft, space_size_mm, places), name="proposing", daemon=True
        ).start()

    def _propose(self, draft: str, space_size_mm: SizeMm | None, places: bool) -> None:
        problem = NOTHING
        try:
            with self._job_lock:
                self._set_work(draft, "finding spaces")
                above, size_mm = self.drafts.above(draft), self.drafts.load(draft).now.size_mm
                spaces = _spaces_on(above, size_mm, space_size_mm)
                dots: tuple[FoundDot, ...] | None = None
                if places:
                    self._set_work(draft, "finding places")
                    dots = find_dots(parse_photo(above), size_mm, spaces)
                    if len(dots) < 2:
                        raise DraftError(
                            "no dots of places were found on the picture: tap them yourself"
                        )
                self._set_work(draft, "stringing routes")
                # Edits wait for it; on a large board it takes less than a second.
                self.drafts.change(draft, partial(_with_routes, spaces=spaces, dots=dots))
        except (BoardMakingError, TableError) as error:
            problem = error.sentence
        except Exception:
            log.exception("proposing routes of %s", draft)
            problem = Sentence("something went wrong here")
        self._set_work(draft, "", problem)

    def _set_work(self, draft: str, step: Step, problem: Sentence = NOTHING) -> None:
        with self._lock:
            if draft in self._jobs:  # else it was deleted meanwhile
                self._jobs[draft] = Work(step, problem)

    def _free_id(self, title: str) -> str:
        taken = {*board_names(), *self.boards.names(), *self.drafts.names()}
        return free_id(place_id(title)[:70] or "board", taken)


@lru_cache(MOST_CACHED)
def _spaces_on(
    above: bytes, size_mm: SizeMm, space_size_mm: SizeMm | None
) -> tuple[FoundSpace, ...]:
    return find_spaces(parse_photo(above), size_mm, space_size_mm)


def _with_routes(
    kept: KeptDraft, spaces: tuple[FoundSpace, ...], dots: tuple[FoundDot, ...] | None
) -> KeptDraft:
    now = kept.now if dots is None else with_dots(kept.now, dots)
    return kept.with_edit(with_proposals(now, spaces))
