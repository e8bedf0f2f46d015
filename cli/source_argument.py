"""What stands behind `--source` and `--allow-camera`."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from railspotter.scoring.bounded_file import read_bounded
from railspotter.vision.sources import AllowedHosts, SourceUnusableError

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


def camera_host(text: str) -> str:
    """Return a host at which phones may choose a camera.

    Raises
    ------
    argparse.ArgumentTypeError
        When it is none.

    Examples
    --------
    >>> camera_host("192.168.1.0/24")
    '192.168.1.0/24'
    >>> camera_host("http://cam/")
    Traceback (most recent call last):
    ...
    argparse.ArgumentTypeError: 'http://cam/' is no host: write a name, an address or a network
    """
    try:
        AllowedHosts.parse([text])
    except SourceUnusableError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text
