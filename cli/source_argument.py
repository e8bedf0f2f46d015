"""What stands behind `--source` and `--allow-camera`."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from railspotter.scoring.bounded_file import read_bounded
from railspotter.vision.sources.network import camera_address
from railspotter.vision.sources.source import SourceUnusableError

ENVIRONMENT, FILE = "env:", "@"


def source_text(text: str) -> str:
    """Return the text of a source, which may be kept in the environment or in a file.

    Every user of a computer sees the arguments of every program: no place for a password.

    Parameters
    ----------
    text : str
        ``env:NAME`` for what that variable holds, ``@FILE`` for the first line of a file; all else
        is the source itself.

    Raises
    ------
    argparse.ArgumentTypeError
        When there is nothing to read.

    Examples
    --------
    >>> source_text("0")
    '0'
    >>> source_text("env:NOT_THERE")
    Traceback (most recent call last):
    ...
    argparse.ArgumentTypeError: there is nothing in the variable 'NOT_THERE'
    """
    if text.startswith(ENVIRONMENT):
        name = text.removeprefix(ENVIRONMENT)
        kept = os.environ.get(name, "").strip()
        if not kept:
            raise argparse.ArgumentTypeError(f"there is nothing in the variable {name!r}")
        return kept
    if text.startswith(FILE):
        path = Path(text.removeprefix(FILE)).expanduser()
        try:
            kept = read_bounded(path).decode().partition("\n")[0].strip()
        except (OSError, UnicodeDecodeError) as error:
            raise argparse.ArgumentTypeError(f"cannot read {str(path)!r}") from error
        if not kept:
            raise argparse.ArgumentTypeError(f"there is nothing in {str(path)!r}")
        return kept
    return text


def camera_text(text: str) -> str:
    """Return the address of a camera that pages may choose; `text` is read as a source's is.

    Raises
    ------
    argparse.ArgumentTypeError
        When it is none.

    Examples
    --------
    >>> camera_text("http://192.168.1.20:8080/video")
    'http://192.168.1.20:8080/video'
    """
    try:
        return camera_address(source_text(text))
    except SourceUnusableError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
