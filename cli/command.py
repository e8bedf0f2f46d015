"""The `railspotter` command: where the program is put together."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from typing import NoReturn, TextIO, cast

from railspotter.calibration.errors import CalibrationError
from railspotter.scoring import ScoringError
from railspotter.simulation.errors import SimulationError
from railspotter.table.errors import TableError
from railspotter.vision.errors import VisionError

from . import commands, doctor
from .plain_output import PlainOutput

COMMANDS = (
    commands.calibrate,
    commands.markers,
    commands.colours,
    commands.read,
    commands.score,
    commands.play,
    commands.games,
    commands.replay,
    commands.render,
    commands.display,
    commands.board,
    doctor,
    commands.serve,
    commands.demo,
)
"""In the order of the help."""
FAILED = 2
FAMILIES = (TableError, ScoringError, CalibrationError, VisionError, SimulationError)
"""Errors whose text is told to whoever gave the command."""


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
    with (
        redirect_stdout(cast(TextIO, PlainOutput(sys.stdout))),
        redirect_stderr(cast(TextIO, PlainOutput(sys.stderr))),
    ):
        return _run(build_parser().parse_args(argv))


def _run(args: argparse.Namespace) -> int:
    run: Callable[[argparse.Namespace], int] = args.run
    try:
        return run(args)
    except FAMILIES as error:
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
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add_to(subparsers)
    return parser


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with an argument in one line, like all that goes wrong."""

    def error(self, message: str) -> NoReturn:
        self.exit(FAILED, f"railspotter: {message} (see '{self.prog} --help')\n")
