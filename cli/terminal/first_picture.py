"""A camera is known to work when its first picture is there; before, no game is begun."""

from __future__ import annotations

import time
from collections.abc import Callable

from railspotter.table.errors import TableError
from railspotter.vision.sources import Grabber

PATIENCE_S = 30.0
"""Windows' drivers take up to 30 s to open a camera; a stream's first key picture takes 10."""
LOOK_S = 0.2
NEVER = 2**62
"""A frame's number that is never reached: the first picture is left for whoever watches."""


def wait_for_picture(
    grabber: Grabber,
    patience_s: float = PATIENCE_S,
    say: Callable[[str], None] = lambda said: None,
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Return when a source has given a picture.

    Parameters
    ----------
    say : callable
        Is told what the source does meanwhile, in sentences.

    Raises
    ------
    TableError
        When it gave none for so long, or says that it never will.
    """
    until_s, said = clock() + patience_s, ""
    while True:
        status = grabber.status
        if status.grabbed:
            return
        if status.is_over:
            raise TableError(status.said)
        if clock() > until_s:
            raise TableError(
                f"no picture within {patience_s:.0f} s ({status.said}): nothing was begun; see that"
                " the camera works, or name another --source"
            )
        if status.said != said:
            said = status.said
            say(said)
        grabber.latest(NEVER, LOOK_S)
