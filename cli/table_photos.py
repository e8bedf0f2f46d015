"""Reads photos that phones send to a table's page: of its game's board, or of any other."""

import argparse
from collections.abc import Callable, Mapping

from railspotter.calibration.errors import CalibrationError
from railspotter.scoring.board import Board, load_board
from railspotter.scoring.edition import Edition
from railspotter.scoring.errors import ScoringError
from railspotter.scoring.sentence import raised_as
from railspotter.table.boards.board_choice import RecognisedBoard, board_editions, profile_for
from railspotter.table.errors import SetUpError, TableError
from railspotter.table.home import ProfileStore, home
from railspotter.table.photo_file import Files
from railspotter.table.photo_reader.messages import Corners
from railspotter.table.photo_reader.reader import PhotoReader
from railspotter.table.photos.score import ReadingPlan
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.table.ticket_photos.reading import SeenTickets
from railspotter.webui.sessions.photo_queue import PhotoReading
from railspotter.webui.sessions.services import GameSession, Session

from .commands.read import add_scorer_arguments, named_board, reading_plan


def any_photo() -> argparse.Namespace:
    """Return the arguments where nothing is said of photos."""
    parser = argparse.ArgumentParser()
    add_scorer_arguments(parser)
    return parser.parse_args([])


class TablePhotos:
    """Scores photos by the rules of what runs at the table, else of the board that they show.

    `args` are those of `read.add_scorer_arguments`; `now` returns what runs.
    """

    def __init__(
        self, args: argparse.Namespace, reader: PhotoReader, now: Callable[[], Session | None]
    ) -> None:
        self._args, self._reader, self._now = args, reader, now
        self._named = named_board(args)
        self._kept: dict[str, ReadingPlan] = {}  # the last one, by game or board: it is large

    def reading(self) -> PhotoReading:
        """Return the functions that read photos."""
        reader = self._reader
        return PhotoReading(
            self._score,
            reader.plain_photo,
            reader.upright_photo,
            self._score,
            self._tickets,
            self._boards,
            lambda: reader.step,
        )

    def _score(
        self, files: Files, corners_px: Corners | None = None, board: str = ""
    ) -> ScoredPhoto:
        self._reader.gives_way = isinstance(self._now(), GameSession)
        plan = self._plan_of_table()
        if plan is not None:
            return self._reader.score(plan, files, corners_px)
        name = self._named or board
        shown = RecognisedBoard(name) if name else self._reader.board_in(files)
        with raised_as(TableError, (ScoringError, CalibrationError)):
            plan = self._plan_of_board(shown.id)
            return self._reader.score(plan, files, corners_px).with_note(shown.note)

    def _tickets(self, files: Files, board: Board, edition: Edition) -> SeenTickets:
        self._reader.gives_way = isinstance(self._now(), GameSession)
        return self._reader.tickets_in(files, board, edition)

    def _plan_of_table(self) -> ReadingPlan | None:
        """Return the reading plan of the game that runs or is set up; None without one."""
        now = self._now()
        if now is None:
            return None
        if not isinstance(now, GameSession):
            try:
                return now.desk.reading_plan()
            except SetUpError:  # nothing is chosen yet
                return None
        table, game = now.table, now.table.log.state.table
        if table.log.id not in self._kept:
            self._kept.clear()
            profile = table.profile or profile_for(game.board, ProfileStore(home()))
            self._kept[table.log.id] = ReadingPlan(game.board, game.edition, profile)
        return self._kept[table.log.id]

    def _plan_of_board(self, board: str) -> ReadingPlan:
        """Return the reading plan of a board, made again once the board has been calibrated."""
        plan = self._kept.get(board)
        if plan is None or (
            plan.profile.is_drawn
            and not profile_for(plan.board, ProfileStore(home())).is_drawn  # it is calibrated now
        ):
            self._kept.clear()
            self._kept[board] = plan = reading_plan(self._args, board)
        return plan

    def _boards(self) -> Mapping[str, str]:
        """Return the titles of the built-in readable boards by id: that of the first edition.

        It is empty while the board is known.
        """
        titles: dict[str, str] = {}
        if self._named is not None or self._plan_of_table() is not None:
            return titles
        for edition in board_editions():
            if load_board(edition.board).measured:
                titles.setdefault(edition.board, edition.title)
        return titles
