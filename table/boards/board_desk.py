"""The user's boards for whoever makes them: files, drafts, and routes proposed meanwhile."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal

from railspotter.calibration.board_making.errors import BoardMakingError
from railspotter.calibration.board_making.places import place_id
from railspotter.calibration.board_making.printed_spaces import FoundSpace, find_spaces
from railspotter.calibration.board_making.proposal import proposal_of
from railspotter.scoring.board import Board, board_names, load_board
from railspotter.scoring.sentence import NOTHING, Sentence

from ..errors import BoardKeptError, ChangedBoardError, DraftError, NoBoardError, TableError
from ..photo_file import parse_photo, to_jpeg
from .draft import BoardDraft, board_of, draft_of, new_draft
from .draft_store import DraftStore, KeptDraft
from .own_boards import OwnBoards
from .picture import board_photo, seen_from_above, whole_picture

Step = Literal["", "waiting", "finding spaces", "stringing routes"]
TRIES = 3  # to string routes while somebody goes on editing; then edits wait for it
MOST_FOUND = 3  # boards of which the spaces that were found are kept in memory

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Work:
    """What the program does with a draft; `problem` is why it could not."""

    step: Step = ""
    problem: Sentence = NOTHING


class BoardDesk:
    """The boards and drafts in a data directory. Several threads may use it at once.

    Parameters
    ----------
    folder : Path
        The data directory; it need not exist yet.
    """

    def __init__(self, folder: Path) -> None:
        self.boards = OwnBoards(folder)
        self.drafts = DraftStore(folder)
        self._lock = threading.Lock()
        self._one_at_a_time = threading.Lock()
        self._work: dict[str, Work] = {}
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

        Raises
        ------
        DraftError, NoBoardError, BoardKeptError
            When there can be no such draft.
        """
        with self._lock:
            if onto is not None and onto in self.boards.names():
                if onto in self.drafts.names():
                    raise BoardKeptError("the board {name!r} is being made already", name=onto)
                return self.drafts.add(draft_of(self.board(onto), onto, size_mm or (1.0, 1.0)))
            if onto is not None:
                board = self.board(onto)
                if board.size_mm == (1.0, 1.0) and size_mm is None:
                    raise DraftError("nobody measured this board yet: give its width and height")
                draft = draft_of(board, self._free_id(title or onto), size_mm or board.size_mm)
                return self.drafts.add(replace(draft, title=title or board.title))
            if size_mm is None:
                raise DraftError("give the board's width and height")
            return self.drafts.add(new_draft(self._free_id(title), title, size_mm))

    def put_photo(self, draft: str, content: bytes) -> KeptDraft:
        """Keep a draft's photo; raises `PhotoError` for none."""
        self.drafts.load(draft)
        return self.drafts.put_photo(draft, board_photo(content))

    def put_corners(self, draft: str, corners: tuple[tuple[float, float], ...]) -> KeptDraft:
        """Say where the board is in the photo; without corners it is the whole photo."""
        kept = self.drafts.load(draft)
        photo = parse_photo(self.drafts.photo(draft))
        corners = corners or whole_picture(kept.photo_px)
        above = seen_from_above(photo, corners, kept.now.proposal.size_mm)
        return self.drafts.put_corners(draft, corners, to_jpeg(above))

    def change(
        self, draft: str, seen: int, change: Callable[[BoardDraft], BoardDraft]
    ) -> KeptDraft:
        """Edit a draft that was seen; raises as `DraftStore.change` and what the edit raises."""
        return self.drafts.change(draft, lambda kept: kept.then(change(kept.now)), seen)

    def step(self, draft: str, seen: int, *, is_back: bool) -> KeptDraft:
        """Take the last edit back, or do it again."""

        def moved(kept: KeptDraft) -> KeptDraft:
            history = kept.history.undone() if is_back else kept.history.redone()
            return replace(kept, history=history)

        return self.drafts.change(draft, moved, seen)

    def save(self, draft: str, seen: int) -> Board:
        """Write a draft as the board file that is played with."""
        kept = self.drafts.load(draft)
        if kept.number != seen:
            raise ChangedBoardError("the board was changed meanwhile, on another page")
        board = board_of(kept.now)
        self.boards.keep(board)
        return board

    def delete(self, board: str) -> None:
        """Delete a board and the draft of it, whichever there is; raises `NoBoardError`."""
        if board not in self.boards.names() and board not in self.drafts.names():
            raise NoBoardError("there is no board {name!r}", name=board)
        if board in self.drafts.names():
            self.drafts.delete(board)
        if board in self.boards.names():
            self.boards.delete(board)

    def propose(self, draft: str, space_size_mm: tuple[float, float] | None) -> None:
        """Begin to look for routes on a draft's picture; `work` says how far it is.

        Raises
        ------
        DraftError
            When places are missing, or it is being done already.
        NoBoardError
            Without a picture.
        """
        kept = self.drafts.load(draft)
        self.drafts.above(draft)
        if len(kept.now.proposal.places) < 2:
            raise DraftError("routes run between places: put two of them on the picture at least")
        with self._lock:
            if self._work.get(draft, Work()).step:
                raise DraftError("routes are being looked for already")
            self._work[draft] = Work("waiting")
        threading.Thread(
            target=self._propose, args=(draft, space_size_mm), name="proposing", daemon=True
        ).start()

    def _propose(self, draft: str, space_size_mm: tuple[float, float] | None) -> None:
        problem = NOTHING
        try:
            with self._one_at_a_time:
                self._say(draft, "finding spaces")
                spaces = self._spaces(draft, space_size_mm)
                self._say(draft, "stringing routes")
                self._string(draft, spaces)
        except (BoardMakingError, TableError) as error:
            problem = error.sentence
        except Exception:
            log.exception("proposing routes of %s", draft)
            problem = Sentence("something went wrong here")
        with self._lock:
            self._work[draft] = Work("", problem)

    def _say(self, draft: str, step: Step) -> None:
        with self._lock:
            self._work[draft] = Work(step)

    def _spaces(
        self, draft: str, space_size_mm: tuple[float, float] | None
    ) -> tuple[FoundSpace, ...]:
        kept = self.drafts.load(draft)
        above = self.drafts.above(draft)
        key = (draft, kept.corners_px, hash(above), space_size_mm)
        with self._lock:
            if key in self._found:
                return self._found[key]
        spaces = tuple(find_spaces(parse_photo(above), kept.now.proposal.size_mm, space_size_mm))
        with self._lock:
            self._found[key] = spaces
            while len(self._found) > MOST_FOUND:
                self._found.pop(next(iter(self._found)))
        return spaces

    def _string(self, draft: str, spaces: tuple[FoundSpace, ...]) -> None:
        """Lay routes between the places as they are; whatever was settled meanwhile stays."""
        for _ in range(TRIES):
            kept = self.drafts.load(draft)
            proposed = _proposed(kept.now, spaces)
            with contextlib.suppress(ChangedBoardError):
                self.drafts.change(draft, partial(_then, draft=proposed), kept.number)
                return
        # Somebody edits all the time: they wait this once.
        self.drafts.change(draft, lambda now: now.then(_proposed(now.now, spaces)))

    def _free_id(self, title: str) -> str:
        base = place_id(title)[:70] or "board"
        taken = {*board_names(), *self.boards.names(), *self.drafts.names()}
        number = 2
        free = base
        while free in taken:
            free, number = f"{base}-{number}", number + 1
        return free


def _then(kept: KeptDraft, draft: BoardDraft) -> KeptDraft:
    return kept.then(draft)


def _proposed(draft: BoardDraft, spaces: tuple[FoundSpace, ...]) -> BoardDraft:
    old = draft.proposal
    settled = [route for route in old.routes if route.is_accepted]
    new = proposal_of(spaces, old.size_mm, old.places, settled)
    rejected = {frozenset(s.xy_mm for s in route.spaces) for route in old.rejected}
    routes = tuple(
        route
        for route in new.routes
        if route.is_accepted or frozenset(s.xy_mm for s in route.spaces) not in rejected
    )
    size = new.space_size_mm if all(new.space_size_mm) else old.space_size_mm
    return replace(
        draft,
        proposal=replace(new, routes=routes, rejected=old.rejected, space_size_mm=size),
    )
