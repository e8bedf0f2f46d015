"""Pseudo terminals, which stand for serial ports: some containers have none."""

import os

import pytest


def terminal() -> tuple[int, int]:
    """Return the two ends of a new pseudo terminal; without any, the test is skipped."""
    try:
        return os.openpty()
    except OSError as error:
        pytest.skip(f"there are no pseudo terminals here: {error}")


def missing_terminals() -> str | None:
    """Say why no port can be simulated here; None where one can."""
    try:
        ends = os.openpty()
    except OSError as error:
        return f"there are no pseudo terminals here: {error}"
    for end in ends:
        os.close(end)
    return None
