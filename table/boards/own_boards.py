"""The user's own boards: board files in the data directory, beside the boards of the program."""

import re
from pathlib import Path

from railspotter.calibration.board_making.draft import board_text
from railspotter.scoring.board import Board, board_names, load_board, parse_board
from railspotter.scoring.bounded_file import MOST_BYTES
from railspotter.scoring.errors import BoardError
from railspotter.scoring.sentence import StatedError

from ..errors import BoardKeptError, HomeError, NotKeptError, TableError
from ..home import home
from ..whole_file import KeptFolder

ID = re.compile(r"[a-z0-9]+(-{1,2}[a-z0-9]+)*")
MOST_LETTERS = 80
MOST_BOARDS = 300


class OwnBoards(KeptFolder[Board]):
    """The board files in a data directory, which need not exist yet."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "boards", is_id, checked_board, board_file_content, _missing)

    def damaged_error(self, path: Path, why: StatedError) -> StatedError:
        """Return the error for a file that is no valid board."""
        return HomeError(f"{path}: {why}")

    def load(self, name: str) -> Board:
        """Return a board; raises `NotKeptError`, or `HomeError` for a file that cannot be read."""
        found = super().load(name)
        if found.id != name:
            raise HomeError(
                "{path}: its id is {name!r}: name the file {other}.json",
                path=self.path(name),
                name=found.id,
                other=found.id,
            )
        return found

    def save(self, board: Board) -> Path:
        """Save a board, replacing one of the same id; raises `HomeError`."""
        path = self.path(board.id)
        if board.id in board_names():
            raise BoardKeptError(
                "the program has a board {name!r}: give yours another id", name=board.id
            )
        if not path.exists() and len(self.names()) >= MOST_BOARDS:
            raise HomeError("{n} boards are kept already: delete old ones", n=MOST_BOARDS)
        return self.write(board.id, board)

    def import_board(self, content: bytes) -> Board:
        """Validate a board file's content and save it as a new board.

        Raises `BoardError` if it is invalid, `BoardKeptError` if its id is taken, `HomeError` if
        it cannot be written.
        """
        board = checked_board(content)
        if self.path(board.id).exists():
            raise BoardKeptError(
                "there is a board {name!r} already: delete it first", name=board.id
            )
        self.save(board)
        return board


def _missing(board: str) -> NotKeptError:
    return NotKeptError("there is no board {name!r}", name=board)


def board_file_content(board: Board) -> bytes:
    """Encode a board as the content of a board file."""
    return board_text(board).encode()


def is_id(text: str) -> bool:
    """Tell whether a text can be a board's id.

    >>> is_id("my-map"), is_id("../usa")
    (True, False)
    """
    return len(text) <= MOST_LETTERS and ID.fullmatch(text) is not None


def checked_board(content: bytes) -> Board:
    """Parse the content of an untrusted board file; raises `BoardError`."""
    if len(content) > MOST_BYTES:
        raise BoardError("the file is larger than {n} MB", n=MOST_BYTES // 1_000_000)
    return parse_board(content)


def load_board_by_name(name: str) -> Board:
    """Load a board of the program or the user by its id, or a `.json` file by its path.

    Raises `ScoringError` or `TableError`.
    """
    own = OwnBoards(home())
    if name.endswith(".json") or name in board_names():
        return load_board(name)
    if name in own.names():
        return own.load(name)
    known = ", ".join((*board_names(), *own.names()))
    raise TableError("there is no board {name!r}; known are {error}", name=name, error=known)
