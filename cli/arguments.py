"""Arguments that several commands share, and the reading and writing of files."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import BinaryIO, TypeAlias

from railspotter.scoring.board import board_names, load_board
from railspotter.scoring.bounded_file import read_bounded
from railspotter.scoring.json_text import decode_text
from railspotter.scoring.sentence import raised_as
from railspotter.table.errors import TableError
from railspotter.table.whole_file import write_whole
from railspotter.vision.sources.network import camera_address
from railspotter.vision.sources.source import SourceUnusableError

ENVIRONMENT, FILE = "env:", "@"
MOST_DIGITS = 18  # more than any number that means something
Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def resolve_source(text: str) -> str:
    """Resolve `env:NAME` to a variable's value, and `@FILE` to the first line of a file.

    Other text is returned unchanged. They keep passwords out of the arguments, which all users of a
    computer can see. Raises `argparse.ArgumentTypeError` if there is nothing to read.

    >>> resolve_source("0")
    '0'
    >>> resolve_source("env:NOT_THERE")
    Traceback (most recent call last):
    ...
    argparse.ArgumentTypeError: there is nothing in the variable 'NOT_THERE'
    """
    if text.startswith(ENVIRONMENT):
        name = text.removeprefix(ENVIRONMENT)
        where, kept = f"the variable {name!r}", os.environ.get(name, "")
    elif text.startswith(FILE):
        path = Path(text.removeprefix(FILE)).expanduser()
        try:
            where, kept = repr(str(path)), decode_text(read_bounded(path)).partition("\n")[0]
        except (OSError, UnicodeDecodeError) as error:
            raise argparse.ArgumentTypeError(f"cannot read {str(path)!r}") from error
    else:
        return text
    if not kept.strip():
        raise argparse.ArgumentTypeError(f"there is nothing in {where}")
    return kept.strip()


def parse_camera_address(text: str) -> str:
    """Parse a camera's address, after `resolve_source`; raises `argparse.ArgumentTypeError`.

    >>> parse_camera_address("http://192.168.1.20:8080/video")
    'http://192.168.1.20:8080/video'
    """
    try:
        return camera_address(resolve_source(text))
    except SourceUnusableError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def add_board(parser: argparse.ArgumentParser, *, default: str | None = None) -> None:
    """Add `--board`, required unless the help can say what is taken without it."""
    names = ", ".join(name for name in board_names() if load_board(name).measured)
    without = f" (default: {default})" if default else ""
    parser.add_argument(
        "--board",
        required=default is None,
        metavar="BOARD",
        help=f"one of: {names}; or your own, by its id or file{without}",
    )


def add_edition(parser: argparse.ArgumentParser) -> None:
    """Add `--edition`."""
    parser.add_argument(
        "--edition", metavar="EDITION", help="the rules, where a board has several (default: BOARD)"
    )


def add_profile(parser: argparse.ArgumentParser) -> None:
    """Add `--profile`."""
    parser.add_argument(
        "--profile",
        metavar="NAME",
        help="the profile to read with (default: the board's newest; without one, its fingerprint)",
    )


def add_trains(parser: argparse.ArgumentParser) -> None:
    """Add `--trains`."""
    from railspotter.table.own_trains import TRAINS_HELP, parse_trains  # large

    parser.add_argument(
        "--trains",
        nargs="+",
        default=[],
        type=parse_trains,
        metavar="NAME=#RRGGBB",
        help=TRAINS_HELP,
    )


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """Return an argument type: an integer in a range."""

    def parse(text: str) -> int:
        is_number = text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS
        if not (is_number and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(f"{text!r} is not a number from {least} to {most}")
        return int(text)

    return parse


def number(
    least: float, most: float, what: str = "number", unit: str = ""
) -> Callable[[str], float]:
    """Return an argument type: a number in a range."""

    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(
                f"{text!r} is not a {what} from {least:g} to {most:g}{unit}"
            )
        return value

    return parse


def add_corners(parser: argparse.ArgumentParser, what: str) -> None:
    """Add `--corners`; `what` ends its help: what they are for, or what is done without them."""
    parser.add_argument(
        "--corners",
        nargs=4,
        type=_corner,
        metavar="x,y",
        help="the printed board's corners in the photo's pixels as it is stored, clockwise from its"
        f" top left{what}",
    )


def _corner(text: str) -> tuple[float, float]:
    """Parse a corner (x, y) in pixels.

    >>> _corner("12,34.5")
    (12.0, 34.5)
    """
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a corner: write it as x,y") from None
    return x, y


@contextmanager
def open_input(file: str) -> Iterator[BinaryIO]:
    """Open a file, or standard input for `-`; raises `TableError` if it cannot be read."""
    if file == "-" and sys.stdin is None:
        raise TableError("cannot read '-': nothing comes in, for standard input is closed")
    unreadable = raised_as(TableError, OSError, "cannot read {file!r}: {error}", file=file)
    with unreadable, _opened(file) as opened:
        yield opened


def _opened(file: str) -> AbstractContextManager[BinaryIO]:
    return nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb")


def read_input(file: str) -> bytes:
    """Read a file, or standard input for `-`, up to a size limit."""
    with open_input(file) as opened:
        return read_bounded(opened)


def refuse_to_overwrite(path: Path, *, is_forced: bool) -> None:
    """Raise an error if the file exists, unless it may be overwritten."""
    if path.is_dir() or (path.exists() and not is_forced):
        raise TableError(
            f"{str(path)!r} is there already: name another file, or overwrite it with --force"
        )


def write_output(path: Path, content: bytes) -> None:
    """Write a file atomically, or raise an error that says why it failed."""
    with raised_as(TableError, OSError, "cannot write {path!r}: {error}", path=str(path)):
        write_whole(path, content)
