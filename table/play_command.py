"""`railspotter play`: watch a game through a camera and keep its score."""

from __future__ import annotations

import argparse
import re
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, TextIO

from railspotter.calibration.profile import Profile
from railspotter.scoring import Edition, Standing, board_names, load_edition
from railspotter.vision.sources import Grabber, Source, parse_source
from railspotter.vision.train_colours import plastic, trains_in_play

from .board_choice import profile_for
from .errors import TableError
from .game_log import Event, GameLog, GameStarted, GameStore, Player, answer_of
from .home import ProfileStore, home
from .live_table import LiveTable, TableView
from .photo_score import readable_board
from .play_words import do
from .read_command import edition_on
from .told_text import event_lines, question, scores, who

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

DEMO = "demo"
LOOK_S = 0.2
"""So often it is looked whether the game's source is over, or somebody had enough."""


Show = Callable[[Standing, Edition], None]
"""Shows a standing somewhere, and does not wait for it."""
Display = Callable[[str], AbstractContextManager[Show]]
"""Opens a display by its name."""


def add_to(subparsers: Subparsers, display: Display) -> None:
    """Add the command to the program's parser; `args.run(args)` returns the exit code.

    Parameters
    ----------
    display : callable
        Opens what `--display` names.
    """
    parser = subparsers.add_parser(
        "play",
        help="watch a game through a camera and keep its score",
        description=(
            "Watch a board while a game is played on it: every claim is written down when the hand"
            " is gone, and said here. Type 'help' while it runs. Nothing that was said is lost,"
            " whatever happens: '--resume' goes on with the game."
        ),
        epilog=(
            "examples: railspotter play --board usa --source 0 --players Ann:red Bo:blue;"
            " railspotter play --source demo (a drawn game, nothing else needed)"
        ),
    )
    parser.add_argument("--board", metavar="BOARD", help=f"one of: {', '.join(board_names())}")
    parser.add_argument(
        "--edition", metavar="EDITION", help="the rules, where a board has several (default: BOARD)"
    )
    parser.add_argument(
        "--source",
        required=True,
        help="a camera's number or name, a URL, a video, a folder of photos; docs/sources.md lists"
        " them. 'demo' is a drawn game",
    )
    parser.add_argument(
        "--players",
        nargs="+",
        default=[],
        metavar="NAME:COLOUR",
        help="who plays, in turn order, as Ann:red Bo:blue",
    )
    parser.add_argument(
        "--profile",
        metavar="NAME",
        help="the profile to read with (default: the board's newest; without one, its fingerprint)",
    )
    parser.add_argument("--name", default="", help="what the game is called in 'railspotter games'")
    parser.add_argument(
        "--resume", metavar="GAME", help="go on with a game: its id or name, or the beginning of it"
    )
    parser.add_argument(
        "--display",
        metavar="DISPLAY",
        help="a display beside the board, as auto, wled:/dev/ttyUSB0 or http://192.168.1.7;"
        " docs/guide-display.md lists them",
    )
    parser.set_defaults(run=run, open_display=display)


def run(args: argparse.Namespace) -> int:
    """Watch until the source is over, or somebody has had enough; return the exit code."""
    store, profiles = GameStore(home()), ProfileStore(home())
    if args.source == DEMO:
        from .demo_table import demo_table

        shown = demo_table()
        log = _log_of(args, store, shown.edition, shown.players)
        return _watch(args, log, shown.source, shown.profile)
    source = parse_source(args.source)
    if args.resume:
        game = store.find(args.resume)
        profile = profile_for(store.read(game).table.board, profiles, args.profile)
        return _watch(args, store.open(game), source, profile)
    edition, players = _edition(args), _players(args.players)
    # Refused before there is a game: what cannot be read, and colours that the box does not have.
    profile = profile_for(readable_board(edition.board), profiles, args.profile)
    trains_in_play([player.colour for player in players], plastic(edition.plastic))
    return _watch(args, _log_of(args, store, edition, players), source, profile)


def _watch(args: argparse.Namespace, log: GameLog, source: Source, profile: Profile) -> int:
    if not args.display:
        return watch(log, source, profile)
    with args.open_display(args.display) as show:
        return watch(log, source, profile, show=show)


def watch(
    log: GameLog,
    source: Source,
    profile: Profile,
    words: TextIO | None = None,
    show: Show | None = None,
) -> int:
    """Watch a game, say what happens, and do what people type."""
    words = sys.stdin if words is None else words
    with log, Grabber(source) as grabber, LiveTable(log, grabber, profile) as table:
        title = log.state.table.name or log.id[:8]
        print(f"watching {title}; type 'help' for what can be said", flush=True)
        had_enough = threading.Event()
        teller = _Teller()
        table.subscribe(teller.told)
        if show is not None:
            table.subscribe(lambda view, events: _show_on(show, view))
        threading.Thread(
            target=_listen, args=(words, table, had_enough), name="words", daemon=True
        ).start()
        try:
            while not had_enough.wait(LOOK_S):
                if table.view.is_over:
                    print(table.view.camera, flush=True)
                    break
        except KeyboardInterrupt:
            print(flush=True)
        print(scores(log.state.table), flush=True)
        print(f"'railspotter play --resume {log.id[:8]}' goes on with this game", flush=True)
    return 0


def _show_on(show: Show, view: TableView) -> None:
    table = view.game.table
    show(answer_of(table).standing, load_edition(table.started.edition))


def _listen(words: TextIO, table: LiveTable, had_enough: threading.Event) -> None:
    """Do what people type, line by line."""
    for line in words:
        if line.strip() in ("quit", "exit"):
            had_enough.set()
            return
        try:
            reply = do(line, table)
        except TableError as error:
            reply = f"railspotter: {error}"
        if reply:
            print(reply, flush=True)


class _Teller:
    """Says on the terminal what is new at a table."""

    def __init__(self) -> None:
        self._last: TableView | None = None

    def told(self, view: TableView, events: tuple[Event, ...]) -> None:
        """Say what is new; called by the table."""
        last, self._last = self._last, view
        table = view.game.table
        for event in events:
            for line in event_lines(event, view.game):
                print(f"{time.strftime('%H:%M:%S')}  {line}", flush=True)
        if events:
            print(f"          {scores(table)}", flush=True)
        asked = last.questions if last else ()
        for number, one in enumerate(view.questions, start=1):
            if one not in asked:
                print(question(number, one.doubt, table), flush=True)
        if view.joining is not None and (last is None or last.joining is None):
            lying = ", ".join(
                f"{count} of {who(colour, table)}"
                for colour in sorted(set(view.joining.values()))
                if (count := list(view.joining.values()).count(colour))
            )
            print(f"trains lie on the board already: claims {lying}. Right? (yes)", flush=True)
        for now, before in (
            (view.camera, last and last.camera),
            (view.board, last and last.board),
            (view.trouble and f"not written down yet: {view.trouble}", last and last.trouble),
        ):
            if now and now != before and not now.endswith(before or "\n"):
                print(f"          {now}", flush=True)


def _edition(args: argparse.Namespace) -> Edition:
    if not args.board:
        raise TableError("say which board it is: --board usa")
    return edition_on(readable_board(args.board), args.edition)


def _players(texts: Sequence[str]) -> tuple[Player, ...]:
    """Read who plays.

    Examples
    --------
    >>> [(player.seat, player.colour) for player in _players(["Ann:red", "blue"])]
    [('ann', 'red'), ('blue', 'blue')]
    """
    if not texts:
        raise TableError("say who plays: --players Ann:red Bo:blue")
    players: list[Player] = []
    for number, text in enumerate(texts, start=1):
        name, _, colour = text.rpartition(":")
        name = name or colour
        seat = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-") or f"seat-{number}"
        if seat in (player.seat for player in players):
            seat = f"{seat}-{number}"
        players.append(Player(seat, colour, name))
    return tuple(players)


def _log_of(
    args: argparse.Namespace, store: GameStore, edition: Edition, players: tuple[Player, ...]
) -> GameLog:
    return store.create(GameStarted(edition.id, players, name=args.name), time.time())
