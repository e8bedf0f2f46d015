"""The set-up of `railspotter play`: open while people choose, until the game begins."""

from __future__ import annotations

import argparse

import msgspec
from railspotter.table.display_desk import DisplayDesk
from railspotter.table.errors import TableError
from railspotter.table.game_log import GameStore
from railspotter.table.home import home
from railspotter.table.set_up import Choices, GameHandover, Preset, SetUpDesk, parse_player

from ..pages import open_set_up_page
from .terminal_table import LOOK_S, TypedCommands


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
        print("the game is set up there; Ctrl-C, or 'quit' here, ends it", flush=True)
        typed.listen()
        try:
            while not desk.is_begun.wait(LOOK_S) and not typed.had_enough.is_set():
                pass
        except KeyboardInterrupt:
            typed.had_enough.set()
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
        players=tuple(parse_player(text) for text in args.players),
        source=args.source or "",
    )
    try:
        msgspec.convert(msgspec.to_builtins(choices), Choices)
    except msgspec.ValidationError as error:
        raise TableError(f"{error}") from error
    game = store.find(args.resume) if args.resume else ""
    return Preset(choices, args.profile, tuple(args.trains), args.name, game)
