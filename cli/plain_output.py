"""What is printed, without signs that command a terminal."""

from __future__ import annotations

import re
from typing import Any, TextIO

# All control characters but tabs and line ends, and what turns the direction of a text.
COMMANDS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)


class PlainOutput:
    r"""A stream that passes a text on without commands to the terminal.

    Names of players, places and cameras come from phones, files and the network. One of them with
    an escape sequence could clear the screen, or print what the program never said.

    Examples
    --------
    >>> import sys
    >>> print("Ann\x1b[2J won", file=PlainOutput(sys.stdout))
    Ann[2J won
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text; return its length, whatever was left out."""
        self._stream.write(COMMANDS.sub("", text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
