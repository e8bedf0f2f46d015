"""A game's file: the text form of a game, into which what a photo shows is put."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace
from railspotter.scoring.answer import board_of, parse_game
from railspotter.scoring.board import Board
from railspotter.scoring.bounded_file import read_bounded
from railspotter.scoring.edition import Colour, Edition
from railspotter.scoring.errors import ScoringError
from railspotter.scoring.game import BoardGame, edition_of, game_text

from ..errors import TableError
from ..whole_file import write_whole
from .scored_photo import ScoredPhoto, stations_by_colour


class GameFile:
    """A game of an edition with a board, in a file; `TableError` where there is none."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            game = parse_game(read_bounded(path))
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

    def save(self, photo: ScoredPhoto) -> None:
        """Put what a photo shows into the file and keep everything else: players, tickets.

        Its claims, its stations where the game has them, what stands on the sites whose spaces
        the board file knows, and which spaces carry the pins of an accessible board. Where it
        cannot be written (`TableError`) the old game is still there.
        """
        game = self._game.with_claims(photo.claims)
        if self.edition.stations:
            game = replace(game, stations=stations_by_colour(photo.stations))
        read = {site.id for site in self.board.sites if site.space is not None}
        unread = {site: colour for site, colour in game.sites.items() if site not in read}
        if self.edition.one_piece_a_route:
            game = replace(game, pins={**game.pins, **photo.pins})
        if self.board.sites:
            game = replace(game, sites=dict(sorted({**unread, **photo.sites}.items())))
        try:
            write_whole(self._path, (game_text(game) + "\n").encode())
        except OSError as error:
            raise TableError(f"{self._path}: cannot be written: {error.strerror}") from error
