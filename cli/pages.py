"""Opens pages and displays for a command, with the arguments for the pages' addresses."""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path

import msgspec
from railspotter.firmware_bridge.display_controller import DisplayController
from railspotter.firmware_bridge.errors import BridgeError
from railspotter.firmware_bridge.ports import is_of_a_neighbour
from railspotter.table.boards.board_choice import profile_for
from railspotter.table.clock import clock_fault
from railspotter.table.display_control import DisplayChoice, DisplayControl, display_choice_file
from railspotter.table.errors import HomeError, TableError
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import GameLog
from railspotter.table.home import ProfileStore, home
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.memory import MemoryTrimmer
from railspotter.table.photo_reader.reader import PhotoReader
from railspotter.table.photos.score import ReadingPlan
from railspotter.table.set_up.game_set_up import GameSetUp
from railspotter.table.whole_file import remove_unfinished
from railspotter.webui.served_pages import PlayPage, ServingOptions, SetUpPage
from railspotter.webui.serving.https import Https
from railspotter.webui.sessions.photo_queue import PhotoReading

from .arguments import whole_number

LOCAL, EVERYWHERE = "127.0.0.1", "0.0.0.0"  # noqa: S104  # only at the user's choice
PORT, MOST_PORT = 8000, 2**16 - 1


class NextGame:
    """Starts the next game of a table with the same players."""

    def __init__(self, store: GameStore, log: GameLog) -> None:
        self._store, self._log = store, log
        self.game: str | None = None  # its id, once started: the pages then switch to it

    def has_begun(self) -> bool:
        """Tell whether the next game has been started."""
        return self.game is not None

    def begin(self, prepare: Callable[[Path], None] = lambda path: None) -> None:
        """Start a game with the remaining players, their colours and rules.

        `prepare` is called with the new game's file before the pages switch to it. Raises
        `TableError` if this game has not ended, or the next one exists or cannot be written.
        """
        table = self._log.state.table
        if not table.ended:
            raise TableError("this game is still going: end it first")
        if self.game is not None:
            raise TableError("the next game has begun already")
        there = tuple(p for p in table.players if p.seat not in table.left) or table.players
        started = msgspec.structs.replace(table.started, players=there, name=table.name)
        with self._store.create(started, time.time()) as log:
            prepare(log.path)
            self.game = log.id


def add_address(parser: argparse.ArgumentParser) -> None:
    """Add `--port` and `--host`."""
    parser.add_argument(
        "--port",
        type=whole_number(0, MOST_PORT),
        default=PORT,
        help="the page's port (%(default)s)",
    )
    parser.add_argument(
        "--host",
        default=LOCAL,
        help="the address to listen on (%(default)s: this computer only;"
        " 0.0.0.0: everyone in the same network)",
    )


def add_https(parser: argparse.ArgumentParser) -> None:
    """Add `--https` and `--http-port`."""
    parser.add_argument(
        "--https",
        action="store_true",
        help="serve the page over https, as a phone that films needs it; a second page, on plain"
        " http, tells how phones trust this computer",
    )
    parser.add_argument(
        "--http-port",
        type=whole_number(0, MOST_PORT),
        metavar="PORT",
        help="with --https: that second page's port (default: the one after --port)",
    )


@contextmanager
def open_display(chosen: str | None) -> Iterator[DisplayControl]:
    """Open the display named by `chosen`, or the one last chosen on the page."""
    file = display_choice_file(home())
    control_of = partial(
        DisplayController, display=chosen, keep=file.save, may_open=is_of_a_neighbour
    )
    try:
        control = control_of(file.load())
    except (HomeError, BridgeError) as error:
        control = control_of(DisplayChoice())
        # The game is played without the display.
        print(f"railspotter: the display chosen last time is not used: {error}", file=sys.stderr)
    with control:
        yield control


@contextmanager
def open_page(
    args: argparse.Namespace,
    table: LiveTable,
    *,
    next_game: NextGame | None = None,
    display: DisplayControl,
) -> Iterator[str | None]:
    """Open the page of a table that is not watching yet, at `args.host` and `args.port`.

    Yields its address, or None if `args.no_page` is set. Raises `WebError`.
    """
    if args.no_page:
        yield None
        return
    state = table.log.state.table

    @cache
    def plan() -> ReadingPlan:
        profile = table.profile or profile_for(state.board, ProfileStore(home()))
        return ReadingPlan(state.board, state.edition, profile)

    reader = PhotoReader(gives_way=True)
    page = PlayPage(
        table,
        serving_options(args),
        _photo_reading(reader, plan),
        again=next_game.begin if next_game else None,
        desk=display,
    )
    with reader, MemoryTrimmer(), page:
        yield page.url


@contextmanager
def open_set_up_page(
    args: argparse.Namespace, set_up: GameSetUp, display: DisplayControl
) -> Iterator[str]:
    """Open the page on which a game is set up, at `args.host` and `args.port`; yield its address.

    Sets `args.port` to the page's port. Raises `WebError` if it cannot be opened.
    """
    reader = PhotoReader()
    page = SetUpPage(
        set_up,
        home(),
        serving_options(args),
        _photo_reading(reader, set_up.reading_plan),
        display=display,
    )
    with reader, MemoryTrimmer(), page:
        args.port = page.server.port  # the game's page uses it, too
        yield page.url


def _photo_reading(reader: PhotoReader, plan: Callable[[], ReadingPlan]) -> PhotoReading:
    """Return the functions that read photos sent to a page, by the current reading plan."""
    return PhotoReading(
        lambda files: reader.score(plan(), files),
        reader.plain_photo,
        reader.upright_photo,
        lambda files, corners_px, _: reader.score(plan(), files, corners_px),
    )


def serving_options(args: argparse.Namespace) -> ServingOptions:
    """Return the server's options from the arguments of `add_address` and `add_https`."""

    def let_in() -> None:
        args.host = EVERYWHERE  # later pages are served to the whole network, too

    remove_unfinished(home())
    if fault := clock_fault(home()):
        print(f"railspotter: {fault}", file=sys.stderr)
    https = Https(home(), args.http_port) if args.https else None
    return ServingOptions(args.host, args.port, say, let_in, https)


def say(text: str) -> None:
    """Print a text; characters the terminal cannot encode become question marks."""
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding), flush=True)
