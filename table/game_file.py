"""A game's file: the text form of a game, into which a photo's claims are put."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from railspotter.scoring import Board, Colour, Edition, RouteId, ScoringError
from railspotter.scoring.answer import board_of, parse_game
from railspotter.scoring.game import BoardGame, edition_of, game_text

from .errors import TableError
from .whole_file import write_whole


class GameFile:
    """A game of an edition with a board, in a file.

    Parameters
    ----------
    path : Path

    Raises
    ------
    TableError
        When it cannot be read, or holds no game on a board.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            game = parse_game(path.read_bytes())
            if not isinstance(game, BoardGame):
                raise TableError(f"{path}: the Card Game has no board to photograph")
            self._game = game
            self.edition: Edition = edition_of(game)
            self.board: Board = board_of(game, path.parent)
        except OSError as error:
            raise TableError(f"{path}: the file cannot be read: {error.strerror}") from error
        except ScoringError as error:
            raise TableError(f"{path}: {error}") from error

    @property
    def colours(self) -> tuple[Colour, ...]:
        """The players' colours; none where the game does not name its players."""
        return tuple(player.colour for player in self._game.players)

    def save_claims(self, claims: Mapping[RouteId, Colour]) -> None:
        """Put other claims into the file and keep everything else: players, tickets, stations.

        Raises
        ------
        TableError
            When it cannot be written; the old game is then still there.
        """
        try:
            write_whole(self._path, (game_text(self._game.with_claims(claims)) + "\n").encode())
        except OSError as error:
            raise TableError(f"{self._path}: cannot be written: {error.strerror}") from error
