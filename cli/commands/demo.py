"""`railspotter demo`: everything, shown on a board that the program draws, game after game."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from railspotter.table.errors import TableError
from railspotter.table.game_log import GameStarted, GameStore, PointsCounted, TicketRevealed
from railspotter.table.live_table import LiveTable
from railspotter.table.memory import give_back_large_memory
from railspotter.table.photos import to_text
from railspotter.table.set_up import LIVE_SEED, DemoTable, demo_score, demo_scorer, demo_table
from railspotter.vision.sources import Grabber

from ..pages import add_address, add_https, open_desk, open_page
from ..telling import add_mqtt, open_publisher
from ..terminal import OK, Lights, Page, TypedCommands, watch

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

REST_S = 30.0
"""Seconds that a final score stays before the next game begins. Chosen."""


def add_to(subparsers: Subparsers) -> None:
    """Add the command to the program's parser; `args.run(args)` returns the exit code."""
    parser = subparsers.add_parser(
        "demo",
        description=(
            "Draw a board with trains on it, read it as a photo would be, print the scores, and"
            " open a page on which a demo game is played and read."
        ),
        epilog="example: railspotter demo --port 8080",
    )
    add_address(parser)
    add_https(parser)
    add_mqtt(parser)
    parser.add_argument("--no-page", action="store_true", help="print the scores and stop")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print a drawn board's scores, then play drawn games; return the exit code."""
    print("drawing a board, and a game on it ...", flush=True)
    photo = demo_score(demo_scorer())
    if photo.reason is not None:
        raise TableError(photo.reason)
    print(to_text(photo, is_file=False), flush=True)
    if args.no_page:
        return 0
    with open_desk(None) as desk, open_publisher(args) as publisher:
        return play_demo(
            lambda table: open_page(args, table, desk=desk),
            lights=desk,
            follow=publisher.follow if publisher is not None else lambda table: None,
        )


def play_demo(
    page: Page,
    make_table: Callable[[int], DemoTable] = demo_table,
    typed: TypedCommands | None = None,
    rest_s: float = REST_S,
    *,
    lights: Lights | None = None,
    follow: Callable[[LiveTable], None] = lambda table: None,
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
    follow : callable
        Is handed each table before it begins to watch.
    """
    give_back_large_memory()
    typed = typed or TypedCommands(sys.stdin)
    with tempfile.TemporaryDirectory(prefix="railspotter-demo-") as folder:
        store = GameStore(Path(folder))
        for seed in count(LIVE_SEED):
            _play(make_table(seed), f"Game {seed}", store, page, typed, rest_s, lights, follow)
            if typed.is_ended.is_set():
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
    follow: Callable[[LiveTable], None],
) -> None:
    def at_end(table: LiveTable) -> None:
        held = [(seat, ticket) for seat, hand in shown.tickets.items() for ticket in hand]
        table.write([TicketRevealed(seat, ticket) for seat, ticket in held])
        table.end()
        table.write([PointsCounted()])
        typed.is_ended.wait(rest_s)

    def set_up(table: LiveTable) -> None:
        shown.set_up(table)
        follow(table)

    started = GameStarted(shown.edition.id, shown.players, name=name)
    with store.create(started, time.time()) as log, Grabber(shown.source) as grabber:
        watch(
            log,
            grabber,
            shown.profile,
            words=typed,
            lights=lights,
            page=page,
            set_up=set_up,
            at_end=at_end,
            is_kept=False,
        )
