"""The format of logged facts, and how facts of older formats are read.

Each event is stored with the number of the format it was written in, and stays as it is: what is
read is brought up to date, step by step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from .errors import EventError, NewerFormatError
from .events import Event, parse_event

FORMAT = 1
"""Raise it with every change that an older program could not read, and add a step below."""

Step = Callable[[dict[str, Any]], dict[str, Any]]
"""Takes the JSON of a fact in some format, returns it in the next one."""

STEPS: Mapping[int, Step] = {}
"""By the format that a step starts from; there is none yet."""


def require_known(format: int, what: str, newest: int = FORMAT) -> None:
    """Refuse a format that is newer than this program.

    Raises
    ------
    NewerFormatError
        It says what to do.
    """
    if format > newest:
        raise NewerFormatError(
            f"{what} was written by a newer railspotter (format {format}; this one knows {newest}):"
            " update railspotter to read it"
        )


def read_event(
    seq: int,
    at_s: float,
    fact: str,
    format: int,
    *,
    steps: Mapping[int, Step] = STEPS,
    newest: int = FORMAT,
) -> Event:
    """Return an event from what is stored of it.

    Parameters
    ----------
    fact : str
        Its JSON, in `format`.

    Raises
    ------
    EventError
        When it is no fact.
    NewerFormatError
        When this program is too old for it.
    """
    require_known(format, f"event {seq}", newest)
    try:
        content = msgspec.json.decode(fact)
        for step in range(format, newest):
            content = steps[step](content)
    except (msgspec.DecodeError, LookupError, TypeError, RecursionError) as error:
        raise EventError(f"event {seq}: {error!r}") from error
    try:
        return parse_event(msgspec.json.encode({"seq": seq, "at_s": at_s, "fact": content}))
    except EventError as error:
        raise EventError(f"event {seq}: {error}") from error
