"""The `railspotter` command: parses the command line and runs the command that it names."""

import argparse
import errno
import io
import os
import re
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn, TextIO, cast

# The purpose of each command, in the order of the help.
COMMANDS = {
    "calibrate": "make a profile of your own board from a photo of it, empty",
    "markers": "write a sheet of markers to print and lay at a board's corners",
    "colours": "show the program one train of each colour, so that it knows your plastic",
    "read": "read photos of a board and print the scores",
    "tickets": "read which tickets lie in photos",
    "score": "print the standing of a game, or its final score",
    "play": "watch a game through a camera and keep its score",
    "games": "list, show, rename, export, import and delete games",
    "replay": "tell a game event by event",
    "render": "draw pictures of a game, each with the truth beside it",
    "display": "a display beside the board: what is plugged in, try it, preview it",
    "board": "make a board file from a picture of a board, check one, or list what is on it",
    "doctor": "check cameras, light, profiles, disk and network before a game",
    "hall": "show all tables that tell a broker, on one screen",
    "serve": "open a page that reads photos sent from a phone",
    "demo": "show everything on a board drawn by the program",
}
FAILED = 2
LONG_WORD = re.compile(r"(\S{200})\S{200,}")
# All control characters except tabs and line ends, and marks that change a text's direction.
CONTROL_CHARACTERS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
# Printed without arguments.
FIRST_STEPS = """\
Railspotter reads a Ticket to Ride board and keeps the score. To begin:

  railspotter demo             see everything on a board that the program draws
  railspotter read PHOTO.jpg   score a photo of your board
  railspotter play --host 0.0.0.0 --https
                               watch a game; phones at the table follow it
  railspotter doctor           are camera, disk and network ready?

'railspotter --help' lists every command.\
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return the exit code.

    It is 0 for success, 2 for a bad file or argument, 3 for a board that was not found.
    """
    return run(parse_arguments(sys.argv[1:] if argv is None else argv))


def parse_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """Parse the command line, and import its command.

    Without arguments, prints the first steps and exits as for a bad argument.
    """
    if not argv:
        print(FIRST_STEPS, file=sys.stderr)
        raise SystemExit(FAILED)
    with _plain_output():
        return build_parser(argv[:1]).parse_args(argv)


def run(args: argparse.Namespace) -> int:
    """Run a parsed command; return the exit code."""
    with _plain_output():
        return _run(args)


def _run(args: argparse.Namespace) -> int:
    # Imported here to keep `--help` fast; the command has imported it already.
    from railspotter.scoring.sentence import StatedError

    work: Callable[[argparse.Namespace], int] = args.run
    try:
        code = work(args)
        sys.stdout.flush()
    except StatedError as error:
        print(f"railspotter: {error}", file=sys.stderr)
        return FAILED
    except BrokenPipeError:
        # The reader has closed the pipe; the buffered output must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except _OutputError as error:
        print(f"railspotter: the output cannot be written: {error}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        print("railspotter: a file's name is too long", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return 130
    return code


class _OutputError(Exception):
    """Standard output cannot be written, as where a disk is full."""


def build_parser(known: Collection[str] = tuple(COMMANDS)) -> argparse.ArgumentParser:
    """Return the parser of all commands; it has the arguments only of the `known` ones."""
    parser: argparse.ArgumentParser = _Parser(
        prog="railspotter",
        description="Reads a photo of a board and keeps the score.",
        epilog="'railspotter COMMAND --help' tells more about each.",
    )
    parser.add_argument("--version", action=_Version, help="print the program's version and end")
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, purpose in COMMANDS.items():
        if name in known:
            place = ".doctor.doctor" if name == "doctor" else f".commands.{name}"
            import_module(place, __package__).add_to(subparsers)
        else:
            subparsers.add_parser(name, help=purpose)
    return parser


class PlainOutput:
    r"""A stream that removes control characters, and so escape sequences, from text.

    Names come from phones, files and the network; an escape sequence in one could clear the screen
    or fake the program's output.

    >>> print("Ann\x1b[2J won", file=PlainOutput(sys.stdout))
    Ann[2J won
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream or Path(os.devnull).open("w")  # noqa: SIM115  # it was closed
        if isinstance(self._stream, io.TextIOWrapper):  # letters that it does not have
            self._stream.reconfigure(errors="backslashreplace")

    def write(self, text: str) -> int:
        """Write a cleaned text; return the length of the original."""
        with output_errors():
            self._stream.write(CONTROL_CHARACTERS.sub("", text))
        return len(text)

    def flush(self) -> None:
        """Write what is buffered."""
        with output_errors():
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def output_errors() -> Iterator[None]:
    """Say in one sentence that standard output cannot be written."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _OutputError(error.strerror or str(error)) from error


@contextmanager
def _plain_output() -> Iterator[None]:
    with (
        redirect_stdout(cast(TextIO, PlainOutput(sys.stdout))),
        redirect_stderr(cast(TextIO, PlainOutput(sys.stderr))),
    ):
        yield


class _Version(argparse.Action):
    """Prints the installed version, and exits."""

    def __init__(self, option_strings: Sequence[str], dest: str, **more: Any) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, **more)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import version  # slow

        print(f"railspotter {version('railspotter')}")
        parser.exit()


class _Parser(argparse.ArgumentParser):
    """A parser that reports an invalid argument in one line, like all errors."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        # Numbers below 0, and corners beside a picture, are no options.
        self._negative_number_matcher = re.compile(r"-[\d.]+(,-?[\d.]+)?$")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the arguments, and report unknown ones with this command's name."""
        found, unknown = super().parse_known_args(args, namespace)
        options = [word.partition("=")[0] for word in unknown if word.startswith("-")]
        if options:
            near = _nearest(options[0], self._option_string_actions)
            self.error(f"{self.prog!r} has no option {options[0]!r}{near}")
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if isinstance(action, argparse._SubParsersAction) and value not in action.choices:
            near = _nearest(value, action.choices)
            self.error(f"{self.prog!r} has no {str(action.metavar).lower()} {value!r}{near}")
        super()._check_value(action, value)

    def error(self, message: str) -> NoReturn:
        message = LONG_WORD.sub(r"\1...", message)  # as a number of thousands of digits
        self.exit(FAILED, f"railspotter: {message} (see '{self.prog} --help')\n")


def _nearest(word: str, known: Collection[str]) -> str:
    """Suggest the most similar name as a question, if there is one.

    >>> _nearest("--borad", ["--board", "--json"]), _nearest("x", ["--board"])
    (": did you mean '--board'?", '')
    """
    near = get_close_matches(word, known, n=1)
    return f": did you mean {near[0]!r}?" if near else ""
