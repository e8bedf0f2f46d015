"""`railspotter serve`: a page that reads photos sent from a phone."""

import argparse
import sys

from railspotter.calibration.errors import CalibrationError
from railspotter.scoring.board import load_board
from railspotter.scoring.errors import ScoringError
from railspotter.table.boards.board_choice import RecognisedBoard, board_editions, profile_for
from railspotter.table.boards.own_boards import load_board_by_name
from railspotter.table.errors import TableError
from railspotter.table.home import ProfileStore, home
from railspotter.table.memory import MemoryTrimmer, configure_malloc
from railspotter.table.photo_file import Files
from railspotter.table.photo_reader.messages import Corners
from railspotter.table.photo_reader.reader import PhotoReader
from railspotter.table.photos.score import PhotoScorer, ReadingPlan
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.webui.served_pages import PhotosPage
from railspotter.webui.sessions.photo_queue import PhotoReading

from ..arguments import Subparsers
from ..pages import LOCAL, add_address, add_https, serving_options
from .read import add_scorer_arguments, named_board, reading_plan


def add_to(subparsers: Subparsers) -> None:
    """Add the command to the program's parser; `args.run(args)` returns the exit code."""
    parser = subparsers.add_parser(
        "serve",
        description="Open a page on which a phone sends a photo of the board and gets the score.",
        epilog="example: railspotter serve --host 0.0.0.0",
    )
    add_scorer_arguments(parser)
    add_address(parser)
    add_https(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted; return the exit code."""
    configure_malloc()
    kept: dict[str, ReadingPlan] = {}
    named = named_board(args)
    if args.board:
        load_board_by_name(args.board)

    def plan(board: str) -> ReadingPlan:
        """Return the reading plan of a board, made again once the board has been calibrated.

        Only the last board's plan is kept, as it is large.
        """
        plan = kept.get(board)
        if plan is None or (
            plan.profile.is_drawn
            and not profile_for(plan.board, ProfileStore(home())).is_drawn  # it is calibrated now
        ):
            kept.clear()
            kept[board] = plan = reading_plan(args, board)
        return plan

    def score(files: Files, corners_px: Corners | None = None, board: str = "") -> ScoredPhoto:
        name = named or board
        shown = RecognisedBoard(name) if name else reader.board_in(files)
        try:
            return reader.score(plan(shown.id), files, corners_px).with_note(shown.note)
        except (ScoringError, CalibrationError) as error:
            raise TableError(str(error)) from error

    try:
        if named is not None:
            PhotoScorer(plan(named))  # says what is wrong with the players' colours
    except TableError as error:
        # The page reports it, too, and works as soon as it is solved.
        print(f"railspotter: {error}", file=sys.stderr)
    if args.host not in (LOCAL, "localhost", "::1"):
        print("everyone in this network can open the page and send photos", flush=True)
    with (
        PhotoReader() as reader,
        MemoryTrimmer(),
        PhotosPage(
            home(),
            serving_options(args),
            PhotoReading(
                score, reader.plain_photo, reader.upright_photo, score, {} if named else _boards()
            ),
        ) as page,
    ):
        page.server.wait()
    return 0


def _boards() -> dict[str, str]:
    """Return the titles of the built-in readable boards by id: that of each one's first edition."""
    titles: dict[str, str] = {}
    for edition in board_editions():
        if load_board(edition.board).measured:
            titles.setdefault(edition.board, edition.title)
    return titles
