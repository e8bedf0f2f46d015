"""The running demonstration: drawn games, one after the other, before the live table."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

from railspotter.table.game_log import GameStarted, GameStore, TicketRevealed
from railspotter.table.live_table import LiveTable
from railspotter.table.set_up import LIVE_SEED, DemoTable, demo_table
from railspotter.vision.sources import Grabber

from .memory import give_back_large_memory
from .terminal import OK, Lights, Page, TypedCommands, watch

REST_S = 30.0
"""How long a final score stays before the next game begins. Chosen."""


def play_demo(
    page: Page,
    make_table: Callable[[int], DemoTable] = demo_table,
    typed: TypedCommands | None = None,
    rest_s: float = REST_S,
    *,
    lights: Lights | None = None,
) -> int:
    """Play drawn games until somebody has had enough; return the exit code.

    Their logs are thrown away. At the end of each the players show their tickets.

    Parameters
    ----------
    make_table : callable
        Returns the game of a seed.
    typed : TypedCommands, optional
        What people type; without it, standard input.
    lights : Lights, optional
        A display beside the board.
    """
    give_back_large_memory()
    typed = typed or TypedCommands(sys.stdin)
    with tempfile.TemporaryDirectory(prefix="railspotter-demo-") as folder:
        store = GameStore(Path(folder))
        for seed in count(LIVE_SEED):
            _play(make_table(seed), f"Game {seed}", store, page, typed, rest_s, lights)
            if typed.had_enough.is_set():
                break
    return OK


def _play(
    shown: DemoTable,
    name: str,
    store: GameStore,
    page: Page,
    typed: TypedCommands,
    rest_s: float,
    lights: Lights | None,
) -> None:
    def at_end(table: LiveTable) -> None:
        held = [(seat, ticket) for seat, hand in shown.tickets.items() for ticket in hand]
        table.write([TicketRevealed(seat, ticket) for seat, ticket in held])
        table.end()
        typed.had_enough.wait(rest_s)

    started = GameStarted(shown.edition.id, shown.players, name=name)
    with store.create(started, time.time()) as log, Grabber(shown.source) as grabber:
        watch(
            log,
            grabber,
            shown.profile,
            words=typed,
            lights=lights,
            page=page,
            set_up=shown.set_up,
            at_end=at_end,
            is_kept=False,
        )
