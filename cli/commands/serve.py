"""`railspotter serve`: a page that reads photos sent from a phone."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from railspotter.table.errors import TableError
from railspotter.table.home import home
from railspotter.table.photos import PhotoScorer
from railspotter.webui import WebError, serve_page

from ..pages import LOCAL, add_address, add_https, https_of, say, score_files
from .read import add_scorer_arguments, make_scorer

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_to(subparsers: Subparsers) -> None:
    """Add the command to the program's parser; `args.run(args)` returns the exit code."""
    parser = subparsers.add_parser(
        "serve",
        description="Open a page on which a phone sends a photo of the board and gets the score.",
        epilog="example: railspotter serve --board usa --host 0.0.0.0",
    )
    add_scorer_arguments(parser, board_is_required=True)
    add_address(parser)
    add_https(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until somebody has had enough; return the exit code."""
    kept: PhotoScorer | None = None

    def scorer() -> PhotoScorer:
        """Return what reads photos; the profile is looked for until there is one."""
        nonlocal kept
        if kept is None or kept.is_by_numbers:  # someone may have calibrated meanwhile
            kept = make_scorer(args)
        return kept

    try:
        scorer()
    except TableError as error:
        # The page says so too, and works as soon as there is one.
        print(f"railspotter: {error}", file=sys.stderr)
    if args.host not in (LOCAL, "localhost", "::1"):
        print("everyone in this network can open the page and send photos", flush=True)
    try:
        serve_page(
            lambda content, name: score_files(scorer, [(content, name)]),
            args.host,
            args.port,
            score_together=lambda files: score_files(scorer, files),
            home=home(),
            say=say,
            https=https_of(args),
        )
    except WebError as error:
        raise TableError(str(error)) from error
    return 0
