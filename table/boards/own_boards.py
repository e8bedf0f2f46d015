"""The user's own boards: board files in the data directory, beside the boards of the program."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
from railspotter.calibration.board_making.growing import board_text
from railspotter.scoring.board import Board, board_names, load_board, parse_board
from railspotter.scoring.bounded_file import MOST_BYTES, read_bounded
from railspotter.scoring.errors import BoardError
from railspotter.scoring.malformed import MALFORMED, malformed

from ..errors import BoardKeptError, HomeError, NoBoardError, TableError
from ..home import home
from ..whole_file import write_kept

ID = re.compile(r"[a-z0-9]+(-{1,2}[a-z0-9]+)*")
MOST_LETTERS = 80
MOST_ON_BOARD = 1000  # places, routes, sites or tickets; the printed boards have some hundred
MOST_BOARDS = 300


class _Amounts(msgspec.Struct):
    """How much a board file holds, before it is looked at closely."""

    places: list[msgspec.Raw] = []
    routes: list[msgspec.Raw] = []
    sites: list[msgspec.Raw] = []
    tickets: list[msgspec.Raw] = []


class OwnBoards:
    """The board files in a data directory.

    Parameters
    ----------
    folder : Path
        The data directory; it need not exist yet.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "boards"

    def ids(self) -> tuple[str, ...]:
        """Return the boards' ids, in their order."""
        stems = (path.stem for path in self.folder.glob("*.json"))
        return tuple(sorted(stem for stem in stems if is_id(stem)))

    def read(self, board: str) -> Board:
        """Return a board.

        Raises
        ------
        NoBoardError
            When there is none of that id.
        HomeError
            When its file cannot be read or is damaged.
        """
        path = self.path(board)
        try:
            found = checked_board(read_bounded(path))
        except FileNotFoundError as error:
            raise NoBoardError("there is no board {name!r}", name=board) from error
        except OSError as error:
            raise HomeError(
                "cannot read {path}: {error}", path=path, error=error.strerror
            ) from error
        except BoardError as error:
            raise HomeError(f"{path}: {error}") from error
        if found.id != board:
            raise HomeError(
                "{path}: its id is {name!r}: name the file {other}.json",
                path=path,
                name=found.id,
                other=found.id,
            )
        return found

    def keep(self, board: Board) -> Path:
        """Write a board, in place of an older one of its id; raises `HomeError`."""
        path = self.path(board.id)
        if board.id in board_names():
            raise BoardKeptError(
                "the program has a board {name!r}: give yours another id", name=board.id
            )
        if not path.exists() and len(self.ids()) >= MOST_BOARDS:
            raise HomeError("{n} boards are kept already: delete old ones", n=MOST_BOARDS)
        write_kept(path, file_of(board))
        return path

    def take_in(self, content: bytes) -> Board:
        """Keep the board in a file's content.

        Raises
        ------
        BoardError
            When it is none, with the place of the fault.
        BoardKeptError
            When there is a board of its id already.
        HomeError
            When it cannot be written.
        """
        board = checked_board(content)
        if self.path(board.id).exists():
            raise BoardKeptError(
                "there is a board {name!r} already: delete it first", name=board.id
            )
        self.keep(board)
        return board

    def delete(self, board: str) -> None:
        """Delete a board's file; raises `NoBoardError` or `HomeError`."""
        try:
            self.path(board).unlink()
        except FileNotFoundError as error:
            raise NoBoardError("there is no board {name!r}", name=board) from error
        except OSError as error:
            raise HomeError(
                "cannot delete {path}: {error}", path=f"the board {board!r}", error=error.strerror
            ) from error

    def path(self, board: str) -> Path:
        """Return where a board's file is; raises `NoBoardError` for what is no id."""
        if not is_id(board):
            raise NoBoardError("there is no board {name!r}", name=board)
        return self.folder / f"{board}.json"


def file_of(board: Board) -> bytes:
    """Return a board as the content of a board file."""
    return board_text(board).encode()


def is_id(text: str) -> bool:
    """Tell whether a text can be a board's id.

    Examples
    --------
    >>> is_id("my-map"), is_id("../usa")
    (True, False)
    """
    return len(text) <= MOST_LETTERS and ID.fullmatch(text) is not None


def checked_board(content: bytes) -> Board:
    """Return the board in a file's content, which may be anything."""
    if len(content) > MOST_BYTES:
        raise BoardError("the file is larger than {n} MB", n=MOST_BYTES // 1_000_000)
    try:
        amounts = msgspec.json.decode(content, type=_Amounts)
    except MALFORMED as error:
        raise BoardError(malformed(content, _Amounts)) from error
    for kind in ("places", "routes", "sites", "tickets"):
        if (count := len(getattr(amounts, kind))) > MOST_ON_BOARD:
            raise BoardError(
                "{kind}: {n} of them; a board may have {most}",
                kind=kind,
                n=count,
                most=MOST_ON_BOARD,
            )
    return parse_board(content)


def board_called(name: str) -> Board:
    """Return a board by the name of one of the program's, of one of the user's, or as a file.

    Raises
    ------
    ScoringError, TableError
        When there is none, or it is wrong.
    """
    own = OwnBoards(home())
    if name.endswith(".json") or name in board_names():
        return load_board(name)
    if name in own.ids():
        return own.read(name)
    known = ", ".join((*board_names(), *own.ids()))
    raise TableError("there is no board {name!r}; known are {error}", name=name, error=known)
