"""A live table in the terminal: what happens is said, until somebody has had enough."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TextIO

from railspotter.table.game_text.event_lines import damage_lines
from railspotter.table.game_text.score_lines import scores
from railspotter.table.live_table.computers import Computers
from railspotter.table.live_table.live_table import LiveTable
from railspotter.vision.sources.grabber import Grabber, GrabberState

from .terminal_log import TerminalLog

OK, FAILED = 0, 2
LOOK_S = 0.2  # seconds between two looks whether the game's source is over, or somebody had enough
QUIT = ("q", "quit", "exit")

# The page of a table, which opens as the block begins and gives its address; None without one.
Page = AbstractContextManager[str | None]


def hear_quit(words: TextIO, enough: threading.Event) -> None:
    """Set `enough` once somebody types `q`; everything else is said on the page."""

    def listen() -> None:
        for line in words:
            if line.strip() in QUIT:
                enough.set()
                return
            if line.strip():
                print("here 'q' alone does something: it stops. All else is on the page")

    threading.Thread(target=listen, name="words", daemon=True).start()


def watch(
    table: LiveTable,
    grabber: Grabber,
    enough: threading.Event,
    *,
    page: Page | None = None,
    is_left: Callable[[], bool] = lambda: False,
    at_end: Callable[[], None] = lambda: None,
    is_kept: bool = True,
) -> int:
    """Watch a game until its source is over, or somebody has had enough; return the exit code.

    Parameters
    ----------
    table : LiveTable
        Does not watch yet.
    grabber : Grabber
        The table's, running.
    enough : threading.Event
        Set when somebody wants to stop; Ctrl-C sets it.
    is_left : callable
        Tells whether everybody has left for another game.
    at_end : callable
        Called when the source is over.
    is_kept : bool
        Whether the game can be gone on with later.
    """
    log = table.log
    table.subscribe(TerminalLog().update)
    for line in damage_lines(log):
        print(line, flush=True)
    print(
        f"watching {log.state.table.name or log.id[:8]}; Ctrl-C, or 'q' here, ends it", flush=True
    )
    with page or nullcontext() as url, table, Computers(table):
        if url is not None:
            print(f"the page is at {url}", flush=True)
        try:
            while not enough.wait(LOOK_S) and not is_left():
                if table.view.is_over:
                    print(table.view.camera, flush=True)
                    at_end()
                    break
        except KeyboardInterrupt:
            enough.set()
            print(flush=True)
        is_broken = grabber.status.doing is GrabberState.FAILED
    print(scores(log.state.table), flush=True)
    if is_kept and (grabber.status.grabbed or len(log.state.events) > 1):
        print(f"'railspotter play --resume {log.id[:8]}' goes on with this game", flush=True)
    return FAILED if is_broken else OK
