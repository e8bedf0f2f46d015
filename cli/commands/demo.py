"""`railspotter demo`: shows the program at work on drawn boards, game after game."""

import argparse
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path

from railspotter.table.display_control import DisplayFeed
from railspotter.table.errors import TableError
from railspotter.table.game_log.course_facts import GameStarted
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.memory import configure_malloc
from railspotter.table.photos.scored_photo_text import to_text
from railspotter.table.set_up.demo import LIVE_SEED, DemoTable, demo_score, demo_table
from railspotter.vision.sources.grabber import Grabber

from ..arguments import Subparsers
from ..mqtt_options import add_mqtt, open_publisher
from ..pages import add_address, add_https, open_display, open_page
from ..terminal.watching import OK, Page, stop_on_quit, watch

REST_S = 30.0  # seconds from a final score to the next game; chosen


def add_to(subparsers: Subparsers) -> None:
    """Add the command to the program's parser; `args.run(args)` returns the exit code."""
    parser = subparsers.add_parser(
        "demo",
        description=(
            "Draw a board with trains on it, read it as a photo would be, print the scores, and"
            " open a page on which a demo game is played and read."
        ),
        epilog="example: railspotter demo --port 8080",
    )
    add_address(parser)
    add_https(parser)
    add_mqtt(parser)
    parser.add_argument("--no-page", action="store_true", help="print the scores and stop")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print a drawn board's scores, then play drawn games; return the exit code."""
    print("drawing a board, and a game on it ...", flush=True)
    photo = demo_score()
    if photo.reason is not None:
        raise TableError(photo.reason)
    print(to_text(photo, is_file=False), flush=True)
    if args.no_page:
        return 0
    with open_display(None) as display, open_publisher(args) as publisher:

        def prepare(table: LiveTable) -> None:
            table.subscribe(DisplayFeed(display).update)
            if publisher is not None:
                publisher.follow(table)

        stop = threading.Event()
        stop_on_quit(sys.stdin, stop)
        page = partial(open_page, args, display=display)
        return play_demo(page, stop, prepare=prepare)


def play_demo(
    page: Callable[[LiveTable], Page],
    stop: threading.Event,
    make_table: Callable[[int], DemoTable] = demo_table,
    rest_s: float = REST_S,
    prepare: Callable[[LiveTable], None] = lambda table: None,
) -> int:
    """Play drawn games, without keeping their logs, until `stop` is set; return the exit code.

    `prepare` is called with each game's table.
    """
    configure_malloc()
    with tempfile.TemporaryDirectory(prefix="railspotter-demo-") as folder:
        store = GameStore(Path(folder))
        for seed in count(LIVE_SEED):
            shown = make_table(seed)
            started = GameStarted(shown.edition.id, shown.players, name=f"Game {seed}")
            with store.create(started, time.time()) as log, Grabber(shown.source) as grabber:
                table = LiveTable(log, grabber, shown.profile)
                shown.set_up(table)
                prepare(table)
                at_end = partial(_end_game, table, shown, stop, rest_s)
                watch(table, grabber, stop, page=page(table), at_end=at_end, is_kept=False)
            if stop.is_set():
                break
    return OK


def _end_game(table: LiveTable, shown: DemoTable, stop: threading.Event, rest_s: float) -> None:
    """Wait for `rest_s` with the final score, also of a game whose source broke."""
    shown.end(table)
    stop.wait(rest_s)
