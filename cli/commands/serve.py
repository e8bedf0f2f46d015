"""`railspotter serve`: a page that reads photos sent from a phone."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from railspotter.calibration.pose import NotFound
from railspotter.scoring import Board
from railspotter.table.boards import board_shown, profile_for
from railspotter.table.errors import TableError, UnrecognisedError
from railspotter.table.home import ProfileStore, home
from railspotter.table.photo_file import parse_photo
from railspotter.table.photos import PhotoScorer, ScoredPhoto
from railspotter.vision.decoding import ENOUGH_PX
from railspotter.webui import WebError, serve_page

from ..memory import give_back_large_memory
from ..pages import LOCAL, Files, add_address, add_https, https_of, say, score_files
from .read import add_scorer_arguments, make_scorer, named_board

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


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
    """Serve until somebody has had enough; return the exit code."""
    give_back_large_memory()
    kept: dict[str, PhotoScorer] = {}
    named = named_board(args)

    def scorer(board: str) -> PhotoScorer:
        """Return what reads photos of a board; its profile is looked for until there is one."""
        scorer = kept.get(board)
        # What it has prepared takes longer than reading: it is not made anew for each photo. Nor is
        # it kept for another board: it is large.
        if scorer is None or (scorer.is_by_numbers and _is_calibrated(scorer.board)):
            kept.clear()
            kept[board] = scorer = make_scorer(args, board)
        return scorer

    def score(files: Files) -> ScoredPhoto:
        return score_files(lambda: scorer(named or _board_in(files)), files)

    try:
        if named is not None:
            scorer(named)
    except TableError as error:
        # The page says so too, and works as soon as there is one.
        print(f"railspotter: {error}", file=sys.stderr)
    if args.host not in (LOCAL, "localhost", "::1"):
        print("everyone in this network can open the page and send photos", flush=True)
    try:
        serve_page(
            lambda content, name: score([(content, name)]),
            args.host,
            args.port,
            score_together=score,
            home=home(),
            say=say,
            https=https_of(args),
        )
    except WebError as error:
        raise TableError(str(error)) from error
    return 0


def _is_calibrated(board: Board) -> bool:
    """Tell whether someone has made a profile of a board."""
    return not profile_for(board, ProfileStore(home())).is_drawn


def _board_in(files: Files) -> str:
    """Return the board that the first photo shows in which one is recognised."""
    pictures = (parse_photo(content, ENOUGH_PX) for content, _ in files)
    shown = board_shown(pictures, ProfileStore(home()))
    if isinstance(shown, NotFound):
        raise UnrecognisedError(shown.reason)
    return shown
