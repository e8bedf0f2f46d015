"""`railspotter demo`: shows the program at work on a drawn board and a drawn game."""

import argparse
import sys
import threading

from railspotter.table.errors import TableError
from railspotter.table.home import home
from railspotter.table.memory import configure_malloc
from railspotter.table.photos.scored_photo_text import to_text
from railspotter.table.set_up.demo import demo_score
from railspotter.table.set_up.planned_game import demo_games, demo_handover

from ..arguments import Subparsers
from ..mqtt_options import add_mqtt, open_publisher
from ..pages import add_address, add_https, open_display, open_table_page
from ..table_service import TableService
from ..terminal.watching import stop_on_quit


def add_to(subparsers: Subparsers) -> None:
    """Add the command to the program's parser; `args.run(args)` returns the exit code."""
    parser = subparsers.add_parser(
        "demo",
        description=(
            "Draw a board with trains on it, read it as a photo would be, print the scores, and"
            " open the table's page, on which a demo game is played and read."
        ),
        epilog="example: railspotter demo --port 8080",
    )
    add_address(parser)
    add_https(parser)
    add_mqtt(parser)
    parser.add_argument("--no-page", action="store_true", help="print the scores and stop")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print a drawn board's scores, then play a drawn game; return the exit code."""
    configure_malloc()
    print("drawing a board, and a game on it ...", flush=True)
    photo = demo_score()
    if photo.reason is not None:
        raise TableError(photo.reason)
    print(to_text(photo, is_file=False), flush=True)
    if args.no_page:
        return 0
    stop = threading.Event()
    stop_on_quit(sys.stdin, stop)
    with (
        open_display(None) as display,
        open_publisher(args) as publisher,
        open_table_page(args, display) as page,
    ):
        service = TableService(page, stop, display, publisher)
        return service.run(demo_handover(demo_games(home())))
