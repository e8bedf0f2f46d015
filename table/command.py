"""The `railspotter` command: where the program is put together."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

from railspotter.calibration.errors import CalibrationError
from railspotter.scoring import ScoringError
from railspotter.vision.errors import VisionError

from . import (
    board_command,
    calibrate_command,
    colours_command,
    display_command,
    doctor_command,
    games_command,
    markers_command,
    play_command,
    read_command,
    render_command,
    replay_command,
    score_command,
)
from .address import LOCAL, add_address, add_https
from .again import Again
from .display_desk import DisplayChoice, DisplayDesk
from .errors import HomeError, TableError
from .home import home
from .kept_display import KeptDisplay
from .live_table import LiveTable
from .photo_file import parse_photo
from .photo_score import PhotoScorer
from .same_board import score_together
from .scored_photo import ScoredPhoto
from .set_up import SetUpDesk

FAILED = 2


def main(argv: list[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    argv : list of str, optional
        The arguments; without it, those of the process.

    Returns
    -------
    int
        The exit code: 0 well done, 1 a replay that differs from the log, 2 a bad file or
        argument, 3 a board that was not found.
    """
    args = build_parser().parse_args(argv)
    run: Callable[[argparse.Namespace], int] = args.run
    try:
        return run(args)
    except (TableError, ScoringError, CalibrationError, VisionError) as error:
        print(f"railspotter: {error}", file=sys.stderr)
        return FAILED
    except BrokenPipeError:
        # Whoever read the output has enough. What is still buffered must not fail once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    parser: argparse.ArgumentParser = _Parser(
        prog="railspotter",
        description="Reads a photo of a board and keeps the score.",
        epilog="'railspotter COMMAND --help' tells more about each.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    calibrate_command.add_to(commands)
    markers_command.add_to(commands)
    colours_command.add_to(commands)
    read_command.add_to(commands)
    score_command.add_to(commands)
    play_command.add_to(commands, _desk_of, _page_of, _set_up_page_of)
    games_command.add_to(commands)
    replay_command.add_to(commands)
    render_command.add_to(commands)
    display_command.add_to(commands, _display)
    board_command.add_to(commands)
    doctor_command.add_to(commands)

    serve = commands.add_parser(
        "serve",
        help="open a page that reads photos sent from a phone",
        description="Open a page on which a phone sends a photo of the board and gets the score.",
        epilog="example: railspotter serve --board usa --host 0.0.0.0",
    )
    read_command.add_scorer_arguments(serve, board_is_required=True)
    add_address(serve)
    add_https(serve)
    serve.set_defaults(run=_serve)

    demo = commands.add_parser(
        "demo",
        help="show everything on a board drawn by the program",
        description=(
            "Draw a board with trains on it, read it as a photo would be, print the scores, and"
            " open a page on which a drawn game is played and read."
        ),
        epilog="example: railspotter demo --port 8080",
    )
    add_address(demo)
    add_https(demo)
    demo.add_argument("--no-page", action="store_true", help="print the scores and stop")
    demo.set_defaults(run=_demo)
    return parser


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with an argument in one line, like all that goes wrong."""

    def error(self, message: str) -> NoReturn:
        self.exit(FAILED, f"railspotter: {message} (see '{self.prog} --help')\n")


def _serve(args: argparse.Namespace) -> int:
    scorer: PhotoScorer | None = None

    def score(files: Sequence[tuple[bytes, str]]) -> ScoredPhoto:
        """Score uploads of one board; the profile is looked for until there is one."""
        nonlocal scorer
        try:
            if scorer is None or scorer.is_by_numbers:  # someone may have calibrated meanwhile
                scorer = read_command.make_scorer(args)
            photos = [(name, parse_photo(content)) for content, name in files]
            return score_together(scorer, photos)
        except (ScoringError, CalibrationError, VisionError) as error:
            raise TableError(str(error)) from error

    try:
        scorer = read_command.make_scorer(args)
    except TableError as error:
        # The page says so too, and works as soon as there is one.
        print(f"railspotter: {error}", file=sys.stderr)
    return _open_page(args, lambda content, name: score([(content, name)]), together=score)


def _demo(args: argparse.Namespace) -> int:
    from .demo import demo_score, demo_scorer
    from .demo_play import play_demo
    from .scored_photo_text import to_text

    print("drawing a board, and a game on it ...", flush=True)
    photo = demo_score(demo_scorer())
    if photo.reason is not None:
        raise TableError(photo.reason)
    print(to_text(photo, is_file=False), flush=True)
    if args.no_page:
        return 0
    with _desk_of(None) as desk:
        return play_demo(lambda table: _page_of(args, table, desk=desk), lights=desk)


def _display(args: argparse.Namespace) -> int:
    from railspotter.firmware_bridge import BridgeError, Strip
    from railspotter.firmware_bridge.terminal import list_displays, preview_display, try_display

    try:
        if args.what == "list":
            return list_displays()
        strip = Strip(args.leds, args.brightness, args.palette, is_reversed=args.reversed)
        if args.what == "test":
            return try_display(args.display, strip, args.seconds)
        return preview_display(strip, args.turn, args.png)
    except BridgeError as error:
        raise TableError(str(error)) from error


@contextmanager
def _desk_of(display: str | None) -> Iterator[DisplayDesk]:
    """Open the display that is named, or else the one that was chosen on the page last."""
    from railspotter.firmware_bridge import BridgeError, Desk

    file = KeptDisplay(home())
    try:
        desk = Desk(file.load(), display, keep=file.save)
    except (HomeError, BridgeError) as error:
        try:
            desk = Desk(DisplayChoice(), display, keep=file.save)
        except BridgeError as named_badly:
            raise TableError(str(named_badly)) from error
        # An old choice is no reason to play no game.
        print(f"railspotter: the display chosen last is passed over: {error}", file=sys.stderr)
    with desk:
        yield desk


@contextmanager
def _page_of(
    args: argparse.Namespace,
    table: LiveTable,
    again: Again | None = None,
    desk: DisplayDesk | None = None,
) -> Iterator[str | None]:
    """Open the page of a running game."""
    if args.no_page:
        yield None
        return
    from railspotter.webui import Https, PlayPage, WebError

    state = table.log.state.table
    scorer: PhotoScorer | None = None

    def score(files: Sequence[tuple[bytes, str]]) -> ScoredPhoto:
        nonlocal scorer
        if scorer is None:
            scorer = PhotoScorer(state.board, state.edition, table.profile)
        try:
            photos = [(name, parse_photo(content)) for content, name in files]
            return score_together(scorer, photos)
        except (ScoringError, CalibrationError, VisionError) as error:
            raise TableError(str(error)) from error

    try:
        page = PlayPage(
            table,
            args.host,
            args.port,
            lambda content, name: score([(content, name)]),
            score,
            say=_say,
            again=again.begin if again else None,
            desk=desk,
            https=Https(home(), args.http_port) if args.https else None,
        )
        with page:
            yield page.url
    except WebError as error:
        raise TableError(str(error)) from error


@contextmanager
def _set_up_page_of(
    args: argparse.Namespace, set_up: SetUpDesk, desk: DisplayDesk
) -> Iterator[str]:
    """Open the page on which a game is set up."""
    from railspotter.webui import Https, SetUpPage, WebError

    def score(files: Sequence[tuple[bytes, str]]) -> ScoredPhoto:
        plan, profile = set_up.plan, set_up.profile
        if plan is None or profile is None:
            raise TableError("choose the edition first, and let its board be found")
        try:
            edition = plan.edition.with_house_rules(plan.house_rules)
            photos = [(name, parse_photo(content)) for content, name in files]
            return score_together(PhotoScorer(plan.board, edition, profile), photos)
        except (ScoringError, CalibrationError, VisionError) as error:
            raise TableError(str(error)) from error

    try:
        page = SetUpPage(
            set_up,
            home(),
            args.host,
            args.port,
            lambda content, name: score([(content, name)]),
            score,
            say=_say,
            display=desk,
            https=Https(home(), args.http_port) if args.https else None,
        )
        with page:
            args.port = page.server.port  # the game's page follows there
            yield page.url
    except WebError as error:
        raise TableError(str(error)) from error


def _say(text: str) -> None:
    """Print a text; the signs that a terminal does not know as question marks."""
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding), flush=True)


def _open_page(
    args: argparse.Namespace,
    score: Callable[[bytes, str], ScoredPhoto],
    together: Callable[[Sequence[tuple[bytes, str]]], ScoredPhoto] | None = None,
) -> int:
    from railspotter.webui import Https, WebError, serve_page

    if args.host not in (LOCAL, "localhost", "::1"):
        print("everyone in this network can open the page and send photos", flush=True)
    try:
        serve_page(
            score,
            args.host,
            args.port,
            score_together=together,
            home=home(),
            say=_say,
            https=Https(home(), args.http_port) if args.https else None,
        )
    except WebError as error:
        raise TableError(str(error)) from error
    return 0
