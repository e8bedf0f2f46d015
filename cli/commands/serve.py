"""`railspotter serve`: a table's page, on which photos are scored and games begin."""

import argparse
import sys
import threading
import time

from railspotter.table.boards.own_boards import load_board_by_name
from railspotter.table.errors import TableError
from railspotter.table.home import home
from railspotter.table.memory import configure_malloc
from railspotter.table.photos.score import PhotoScorer
from railspotter.table.set_up.game_set_up import HomeWish
from railspotter.table.set_up.planned_game import Preset

from ..arguments import Subparsers
from ..pages import add_address, add_https, open_display, open_table_page
from ..table_service import TableService, wish_to_go_on
from ..terminal.watching import stop_on_quit
from .read import add_scorer_arguments, named_board, reading_plan


def add_to(subparsers: Subparsers) -> None:
    """Add the command to the program's parser; `args.run(args)` returns the exit code."""
    parser = subparsers.add_parser(
        "serve",
        description="Open the table's page: a phone sends a photo of the board there and gets the"
        " score, or begins a game. The arguments about photos hold for photos alone.",
        epilog="example: railspotter serve --host 0.0.0.0",
    )
    add_scorer_arguments(parser)
    add_address(parser)
    add_https(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted; return the exit code."""
    configure_malloc()
    if args.board:
        load_board_by_name(args.board)
    try:
        if (named := named_board(args)) is not None:
            PhotoScorer(reading_plan(args, named))  # says what is wrong with the players' colours
    except TableError as error:
        # The page reports it, too, and works as soon as it is solved.
        print(f"railspotter: {error}", file=sys.stderr)
    stop = threading.Event()
    with open_display(None) as display, open_table_page(args, display, args) as page:
        stop_on_quit(sys.stdin, stop)
        service = TableService(page, stop, display, given=Preset(trains=tuple(args.trains)))
        return service.run(wish_to_go_on(home(), time.time()) or HomeWish())
