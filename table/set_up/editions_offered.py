"""Which editions can be set up: those whose board can be read, and the user's own boards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from railspotter.scoring import Board, Colour, Edition, board_names, edition_names, load_board
from railspotter.scoring import load_edition as load

from ..boards import OwnBoards
from ..errors import HomeError, NoBoardError

USUAL = "usa"
"""Whose rules a board of one's own has that is like none of the program's."""


@dataclass(frozen=True)
class OfferedEdition:
    """A board and its rules, to choose from.

    Attributes
    ----------
    id : str
        The edition's.
    title : str
        The box's; of a board of one's own, that board's.
    players : tuple of int
        Fewest and most.
    colours : tuple of str
        The colours of the box, and of the user's own trains.
    is_own : bool
        Whether the board is the user's own.
    """

    id: str
    title: str
    board: str
    players: tuple[int, int]
    colours: tuple[Colour, ...]
    train_word: str
    is_own: bool = False


class EditionsOffered:
    """What can be chosen, the program's editions first. Several threads may use it at once.

    Parameters
    ----------
    folder : Path
        The data directory.
    """

    def __init__(self, folder: Path) -> None:
        self._boards = OwnBoards(folder)
        self._read: dict[str, tuple[int, Board | None]] = {}

    def all(self) -> tuple[OfferedEdition, ...]:
        """Return all editions; a board file that cannot be read is passed over."""
        own = (self._own(name) for name in self._boards.ids())
        return (*_shipped(), *(offered(board) for board in own if board and board.measured))

    def _own(self, name: str) -> Board | None:
        path = self._boards.path(name)
        try:
            stamp = path.stat().st_mtime_ns
        except OSError:
            return None
        known = self._read.get(name)
        if known is None or known[0] != stamp:
            try:
                known = stamp, self._boards.read(name)
            except (HomeError, NoBoardError):
                known = stamp, None
            self._read[name] = known
        return known[1]


def offered(
    board: Board, edition: Edition | None = None, own: Sequence[Colour] = ()
) -> OfferedEdition:
    """Return a board and its rules as they are offered.

    Parameters
    ----------
    edition : Edition, optional
        The rules; without them those that fit the board best.
    own : sequence of str
        Colours of the user's own trains.
    """
    edition = edition or rules_for(board)
    is_own = board.id not in board_names()
    return OfferedEdition(
        edition.id,
        board.title if is_own else edition.title,
        board.id,
        edition.players,
        tuple(dict.fromkeys((*edition.colours, *own))),
        edition.train_word,
        is_own,
    )


def rules_for(board: Board) -> Edition:
    """Return the rules by which a board is probably played: those of the one most like it.

    Examples
    --------
    >>> rules_for(load_board("europe")).id, rules_for(load_board("usa")).id
    ('europe', 'usa')
    """
    places = {place.id for place in board.places}

    def likeness(edition: Edition) -> tuple[int, bool, bool]:
        there = {place.id for place in load_board(edition.board).places}
        return len(places & there), edition.id == edition.board, edition.id == USUAL

    return max(_editions(), key=likeness)


@cache
def _editions() -> tuple[Edition, ...]:
    """Return the editions of boards that can be read; the plainest of each board first."""
    found = [load(name) for name in edition_names()]
    readable = [one for one in found if one.board and load_board(one.board).measured]
    order = sorted({one.board for one in readable}, key=lambda board: (board != USUAL, board))
    return tuple(
        sorted(readable, key=lambda one: (order.index(one.board), one.id != one.board, one.title))
    )


@cache
def _shipped() -> tuple[OfferedEdition, ...]:
    return tuple(offered(load_board(one.board), one) for one in _editions())
