"""Before a game: it is set up on the page, or its camera is known to work."""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections.abc import Callable

from railspotter.table.display_desk import DisplayDesk
from railspotter.table.errors import TableError
from railspotter.table.home import home
from railspotter.table.set_up.planned_game import Preset
from railspotter.table.set_up.set_up_desk import SetUpDesk
from railspotter.table.set_up.set_up_state import GameHandover
from railspotter.vision.sources.grabber import Grabber

from ..pages import open_set_up_page
from .watching import LOOK_S, hear_quit

# Windows' drivers take up to 30 s to open a camera; a stream's first key picture takes 10.
PATIENCE_S = 30.0
# A frame's number that is never reached: the first picture is left for whoever watches.
NEVER = 2**62


def set_up_game(
    args: argparse.Namespace, given: Preset, display: DisplayDesk, enough: threading.Event
) -> GameHandover | None:
    """Let people set a game up on the page; return it once it has begun.

    None when somebody had enough; then nothing was begun.
    """
    with SetUpDesk(home(), given) as desk, open_set_up_page(args, desk, display) as url:
        print(f"the page is at {url}", flush=True)
        print("set the game up there; Ctrl-C, or 'q' here, ends it", flush=True)
        hear_quit(sys.stdin, enough)
        try:
            while not desk.is_begun.wait(LOOK_S) and not enough.is_set():
                pass
        except KeyboardInterrupt:
            enough.set()
            print(flush=True)
    return desk.begun


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
                f"no picture within {patience_s:.0f} s ({status.said}): no game was begun; check"
                " that the camera works, or name another --source"
            )
        if status.said != said:
            said = status.said
            say(said)
        grabber.latest(NEVER, LOOK_S)
