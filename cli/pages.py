"""Opens pages and displays for a command, with the arguments for the pages' addresses."""

import argparse
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from railspotter.firmware_bridge.display_controller import DisplayController
from railspotter.firmware_bridge.errors import BridgeError
from railspotter.firmware_bridge.ports import is_of_a_neighbour
from railspotter.table.clock import clock_fault
from railspotter.table.display_control import DisplayChoice, DisplayControl, display_choice_file
from railspotter.table.errors import HomeError
from railspotter.table.home import home
from railspotter.table.memory import MemoryTrimmer
from railspotter.table.photo_reader.reader import PhotoReader
from railspotter.table.whole_file import remove_unfinished
from railspotter.webui.served_pages import ServingOptions, TablePage
from railspotter.webui.serving.https import Https

from .arguments import whole_number
from .table_photos import TablePhotos, any_photo

LOCAL = "127.0.0.1"
PORT, MOST_PORT = 8000, 2**16 - 1


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
def open_table_page(
    args: argparse.Namespace,
    display: DisplayControl,
    photo_args: argparse.Namespace | None = None,
) -> Iterator[TablePage]:
    """Open a table's page at `args.host` and `args.port`; raises `WebError`.

    `photo_args` are those of `read.add_scorer_arguments`, if photos are spoken of.
    """
    with PhotoReader() as reader, MemoryTrimmer():
        photos = TablePhotos(photo_args or any_photo(), reader, lambda: page.services.now)
        page = TablePage(home(), serving_options(args), photos.reading(), display=display)
        with page:
            yield page


def serving_options(args: argparse.Namespace) -> ServingOptions:
    """Return the server's options from the arguments of `add_address` and `add_https`."""
    remove_unfinished(home())
    if fault := clock_fault(home()):
        print(f"railspotter: {fault}", file=sys.stderr)
    https = Https(home(), args.http_port) if args.https else None
    table = getattr(args, "table", None) or socket.gethostname().partition(".")[0]
    return ServingOptions(args.host, args.port, say, https, name=table)


def say(text: str) -> None:
    """Print a text; characters the terminal cannot encode become question marks."""
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding), flush=True)
