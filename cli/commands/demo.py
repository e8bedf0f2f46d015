"""`railspotter demo`: everything, shown on a board that the program draws."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from railspotter.table.errors import TableError
from railspotter.table.photos import to_text
from railspotter.table.set_up import demo_score, demo_scorer

from ..demo import play_demo
from ..pages import add_address, add_https, open_desk, open_page

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_to(subparsers: Subparsers) -> None:
    """Add the command to the program's parser; `args.run(args)` returns the exit code."""
    parser = subparsers.add_parser(
        "demo",
        help="show everything on a board drawn by the program",
        description=(
            "Draw a board with trains on it, read it as a photo would be, print the scores, and"
            " open a page on which a drawn game is played and read."
        ),
        epilog="example: railspotter demo --port 8080",
    )
    add_address(parser)
    add_https(parser)
    parser.add_argument("--no-page", action="store_true", help="print the scores and stop")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print a drawn board's scores, then play drawn games; return the exit code."""
    print("drawing a board, and a game on it ...", flush=True)
    photo = demo_score(demo_scorer())
    if photo.reason is not None:
        raise TableError(photo.reason)
    print(to_text(photo, is_file=False), flush=True)
    if args.no_page:
        return 0
    with open_desk(None) as desk:
        return play_demo(lambda table: open_page(args, table, desk=desk), lights=desk)
