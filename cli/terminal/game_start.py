"""Before a game: it is set up on the page, and its camera is known to work.

A camera works when its first picture is there; before, no game is begun.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import msgspec
from railspotter.scoring.malformed import misfit
from railspotter.table.display_desk import DisplayDesk
from railspotter.table.errors import TableError
from railspotter.table.game_log import GameStore
from railspotter.table.home import home
from railspotter.table.set_up import (
    Choices,
    GameHandover,
    Preset,
    SetUpDesk,
    parse_computer,
    parse_player,
)
from railspotter.vision.sources import Grabber

from ..pages import open_set_up_page
from .terminal_table import LOOK_S, TypedCommands

PATIENCE_S = 30.0
"""Windows' drivers take up to 30 s to open a camera; a stream's first key picture takes 10."""
NEVER = 2**62
"""A frame's number that is never reached: the first picture is left for whoever watches."""


def set_up_game(
    args: argparse.Namespace, display: DisplayDesk, typed: TypedCommands
) -> GameHandover | None:
    """Let people set a game up on the page; return it once it has begun.

    Parameters
    ----------
    args : Namespace
        Of `railspotter play`: what it says is chosen already.
    typed : TypedCommands
        What people type: 'quit' ends it.

    Returns
    -------
    GameHandover or None
        None when somebody had enough; then nothing was begun.
    """
    given = given_by(args, GameStore(home()))
    with SetUpDesk(home(), given) as desk, open_set_up_page(args, desk, display) as url:
        print(f"the page is at {url}", flush=True)
        print("set the game up there; Ctrl-C, or 'quit' here, ends it", flush=True)
        typed.listen()
        try:
            while not desk.is_begun.wait(LOOK_S) and not typed.is_ended.is_set():
                pass
        except KeyboardInterrupt:
            typed.is_ended.set()
            print(flush=True)
    return desk.begun


def given_by(args: argparse.Namespace, store: GameStore) -> Preset:
    """Return what the command line says of a game that is to be set up.

    Raises
    ------
    TableError
        When it names a game that is not there, or what no game can have.
    """
    choices = Choices(
        edition=args.edition or "",
        board=args.board or "",
        players=(*map(parse_player, args.players), *map(parse_computer, args.computer)),
        cards=args.cards,
        any_number=args.any_number,
        source=args.source or "",
    )
    chosen = msgspec.to_builtins(choices)
    try:
        msgspec.convert(chosen, Choices)
    except msgspec.ValidationError as error:
        raise TableError(misfit(chosen, Choices)) from error
    game = store.find(args.resume) if args.resume else ""
    return Preset(
        choices, args.profile, tuple(args.trains), args.name, game, tuple(args.allow_camera)
    )


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
