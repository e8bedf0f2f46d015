"""`railspotter play`: watch a game through a camera and keep its score."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from railspotter.calibration.profiles import Profile
from railspotter.scoring import (
    Board,
    Edition,
    board_names,
    load_edition,
    number_problem,
    number_rule,
)
from railspotter.table.boards import edition_on, profile_for
from railspotter.table.errors import TableError
from railspotter.table.game_log import (
    GameLog,
    GameStarted,
    GameStore,
    Player,
    check_start,
)
from railspotter.table.home import ProfileStore, home
from railspotter.table.live_table import LiveTable
from railspotter.table.memory import give_back_large_memory
from railspotter.table.own_trains import TRAINS_HELP, keeper, parse_trains, with_trains
from railspotter.table.photos import readable_board
from railspotter.table.pieces import trains_of
from railspotter.table.recordings import Recorder
from railspotter.table.set_up import (
    Cards,
    ChosenPlayer,
    GameHandover,
    demo_table,
    parse_computer,
    parse_player,
    seated,
)
from railspotter.vision.sources import Grabber, NoCamera, PostedFrames, Source, parse_source

from ..next_game import NextGame
from ..pages import add_address, add_https, open_desk, open_page
from ..source_argument import camera_host, source_text
from ..telling import add_mqtt, open_publisher
from ..terminal import OK, TypedCommands, set_up_game, wait_for_picture, watch

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

DEMO, PHONE, NONE = "demo", "phone", "none"

NO_SOURCE = (
    "say what watches the board: --source 0 (or leave '--no-page' out and choose on the page)"
)

BESIDE_NONE = (
    "'--{option}' is for what a camera sees: leave it out, or name a camera with '--source'"
)


@dataclass(frozen=True, eq=False)
class _Plan:
    """What is to be watched: a new game, or the `game` that goes on.

    Attributes
    ----------
    profile : Profile or None
        None without a camera.
    set_up : callable
        Is handed the table before it begins to watch.
    """

    source: Source
    profile: Profile | None
    started: GameStarted | None = None
    game: str = ""
    set_up: Callable[[LiveTable], None] = lambda table: None


def add_to(subparsers: Subparsers) -> None:
    """Add the command to the program's parser; `args.run(args)` returns the exit code."""
    parser = subparsers.add_parser(
        "play",
        description=(
            "Watch a board while a game is played on it: every claim is saved when the hand is"
            " gone, and shown here. Type 'help' while it runs. Nothing is lost, whatever happens:"
            " '--resume' goes on with the game. If you name no board, players or source here, the"
            " page asks for them, and remembers what was chosen last time."
        ),
        epilog=(
            "examples: railspotter play --host 0.0.0.0 --https (you choose everything on a phone);"
            " railspotter play --board usa --source 0 --players Ann:red Bo:blue;"
            " railspotter play --board usa --source phone --https --players Ann:red Bo:blue;"
            " railspotter play --board usa --source none --cards phones --players Ann:red Bo:blue"
            " (no camera: routes are tapped on the map);"
            " railspotter play --source demo (a demo game, nothing else needed)"
        ),
    )
    parser.add_argument(
        "--board",
        metavar="BOARD",
        help=f"one of: {', '.join(board_names())}; or your own, by its id or file",
    )
    parser.add_argument(
        "--edition", metavar="EDITION", help="the rules, where a board has several (default: BOARD)"
    )
    parser.add_argument(
        "--source",
        type=source_text,
        help="a camera's number or name, a URL, a video, a folder of photos; docs/sources.md lists"
        " them. 'env:NAME' and '@FILE' read an address with a password from there. 'phone'"
        " is a phone's browser (see --https), 'demo' is a demo game, 'none' is no camera: routes"
        " are tapped on the page's map",
    )
    parser.add_argument(
        "--allow-camera",
        action="append",
        default=[],
        type=camera_host,
        metavar="HOST",
        help="a name, address or network (192.168.1.0/24) in this network or on this computer at"
        " which a phone may choose a camera on the page; may be given several times. The host of"
        " --source may be chosen anyway",
    )
    parser.add_argument(
        "--players",
        nargs="+",
        default=[],
        metavar="NAME:COLOUR",
        help="who plays, in turn order, as Ann:red Bo:blue",
    )
    parser.add_argument(
        "--cards",
        choices=("table", "phones"),
        default="table",
        help="where the train cards and tickets are: on the table, as printed (%(default)s), or"
        " dealt to the players' phones, which also say what is paid",
    )
    parser.add_argument(
        "--computer",
        action="append",
        default=[],
        metavar="STRENGTH:COLOUR",
        help="a computer plays along, as easy:blue, medium:blue or hard:blue; may be given several"
        " times. Cards are on phones then, and somebody lays its trains",
    )
    parser.add_argument(
        "--any-number",
        action="store_true",
        help="so many play though the box says otherwise; the game keeps it as a house rule",
    )
    parser.add_argument(
        "--profile",
        metavar="NAME",
        help="the profile to read with (default: the board's newest; without one, its fingerprint)",
    )
    parser.add_argument(
        "--trains",
        nargs="+",
        default=[],
        type=parse_trains,
        metavar="NAME=#RRGGBB",
        help=TRAINS_HELP,
    )
    parser.add_argument("--name", default="", help="what the game is called in 'railspotter games'")
    parser.add_argument(
        "--resume", metavar="GAME", help="go on with a game: its id or name, or the beginning of it"
    )
    parser.add_argument(
        "--display",
        metavar="DISPLAY",
        help="a display beside the board, as auto, wled:/dev/ttyUSB0 or http://192.168.1.7;"
        " docs/guide-display.md lists them (default: the one chosen on the page the last time)",
    )
    parser.add_argument(
        "--record",
        metavar="FOLDER",
        help="keep the pictures of what moves, which '--source FOLDER' shows again: GBs a game",
    )
    parser.add_argument(
        "--no-markers",
        action="store_true",
        help="the score markers stay in the box: do not look for them on the track, nor say where"
        " they go",
    )
    add_address(parser)
    add_https(parser)
    add_mqtt(parser)
    parser.add_argument("--no-page", action="store_true", help="open no page, only this terminal")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Watch until the source is over, or somebody has had enough; return the exit code."""
    give_back_large_memory()
    store = GameStore(home())
    plan = _plan(args, store) if _says_all(args) else None
    with ExitStack() as stack:
        desk = stack.enter_context(open_desk(args.display))
        publisher = stack.enter_context(open_publisher(args))
        typed = TypedCommands(sys.stdin)
        if plan is None:
            begun = set_up_game(args, desk, typed)
            if begun is None:
                return OK
            grabber = stack.enter_context(_handed_on(begun.grabber))
            plan = _Plan(grabber.source, begun.profile, game=begun.game, set_up=begun.set_up)
            log = stack.enter_context(_gone_on_with(store, begun))
        elif plan.started is None:
            log = stack.enter_context(store.open(plan.game))
            grabber = stack.enter_context(_working(plan.source))
        else:
            grabber = stack.enter_context(_working(plan.source))
            log = stack.enter_context(_begun(store, plan.started, grabber))

        first, recorder = log.id, None
        if args.record and plan.profile is not None:
            recorder = stack.enter_context(_recorder(args.record, log, plan.profile))
        elif args.record:  # what was said here was chosen otherwise on the page
            print("nothing is recorded: there is no camera", flush=True)

        profile = plan.profile
        tables: list[LiveTable] = []

        def set_up(table: LiveTable) -> None:
            tables.append(table)
            if publisher is not None:
                publisher.follow(table)
            if args.no_markers:
                table.without_markers()
            if recorder is not None and table.log.id == first:
                table.look_on(recorder.looked)
            _keep_learned(table, is_told=bool(args.trains))
            plan.set_up(table)

        while True:
            next_game = NextGame(store, log)
            code = watch(
                log,
                grabber,
                profile,
                words=typed,
                lights=desk,
                page=partial(open_page, args, next_game=next_game, desk=desk),
                set_up=set_up,
                is_left=next_game.has_begun,
            )
            if next_game.game is None:
                return code
            profile = tables[-1].profile  # somebody may have calibrated meanwhile
            log = stack.enter_context(store.open(next_game.game))


def _says_all(args: argparse.Namespace) -> bool:
    """Tell whether nothing has to be asked for; without a page, nobody can be asked."""
    is_told = args.source == DEMO or (
        args.source and (args.resume or (args.board and args.players))
    )
    return bool(is_told or args.no_page)


def _keep_learned(table: LiveTable, *, is_told: bool) -> None:
    """Have kept what a table learns of its board and trains, and at once what it was told."""
    if (profile := table.profile) is None:
        return
    if (keep := keeper(ProfileStore(home()), profile)) is not None:
        table.keep_learned(keep)
        if is_told:  # so that '--resume' knows them
            keep(profile)


def _recorder(folder: str, log: GameLog, profile: Profile) -> Recorder:
    def say(said: str) -> None:
        print(f"          {said}", flush=True)

    return Recorder(Path(folder), log.id, log.state.table.started, profile, say=say)


@contextmanager
def _working(source: Source) -> Iterator[Grabber]:
    """Open a source, and wait until it has given a picture."""
    with Grabber(source) as grabber:
        # Phones get there by the page, which needs a game.
        if not isinstance(source, PostedFrames | NoCamera):
            wait_for_picture(grabber, say=lambda said: print(f"          {said}", flush=True))
        yield grabber


@contextmanager
def _begun(store: GameStore, started: GameStarted, grabber: Grabber) -> Iterator[GameLog]:
    """Begin a game; nothing is left of it where it cannot be shown and watched after all."""
    log = store.create(started, time.time())
    is_shown = True
    try:
        with log:
            yield log
    except TableError:
        is_shown = False
        raise
    finally:
        # A phone that was waited for may never have come.
        has_come = grabber.status.grabbed or isinstance(grabber.source, NoCamera)
        if len(log.state.events) == 1 and not (is_shown and has_come):
            store.delete(log.id)


@contextmanager
def _gone_on_with(store: GameStore, begun: GameHandover) -> Iterator[GameLog]:
    """Go over to the game that was set up; a new one that cannot be shown leaves nothing."""
    log = store.open(begun.game)
    try:
        with log:
            yield log
    except TableError:
        if begun.is_new and len(log.state.events) == 1:
            store.delete(begun.game)
        raise


@contextmanager
def _handed_on(grabber: Grabber) -> Iterator[Grabber]:
    """Stop a grabber that runs already, in the end."""
    try:
        yield grabber
    finally:
        grabber.stop()


def _plan(args: argparse.Namespace, store: GameStore) -> _Plan:
    """Refuse what cannot be played, before there is a game."""
    profiles = ProfileStore(home())
    if not args.source:
        raise TableError(NO_SOURCE)
    if args.source == DEMO:
        _refuse_beside_demo(args)
        shown = demo_table()
        if args.resume:
            game = store.find(args.resume)
            return _Plan(shown.source, shown.profile, game=game, set_up=shown.set_up)
        started = GameStarted(shown.edition.id, shown.players, name=args.name)
        return _Plan(shown.source, shown.profile, started, set_up=shown.set_up)
    source = parse_source(args.source, {PHONE: PostedFrames(), NONE: NoCamera()})
    if isinstance(source, PostedFrames) and args.no_page:
        raise TableError("a phone can be the camera only through the page: leave '--no-page' out")
    if isinstance(source, NoCamera):
        return _without_camera(args, source, store)
    if args.resume:
        game = store.find(args.resume)
        going_on = store.read(game).table
        profile = with_trains(profile_for(going_on.board, profiles, args.profile), args.trains)
        played = load_edition(going_on.started.edition)
        trains_of(played, profile, [player.colour for player in going_on.players])
        return _Plan(source, profile, game=game)
    board, edition = _board_and_edition(args)
    players = _players(args.players, args.computer)
    profile = profile_for(board, profiles, args.profile)
    profile = with_trains(profile, args.trains)
    # Colours that the box does not have.
    trains_of(edition, profile, [player.colour for player in players])
    return _Plan(source, profile, _started(args, board, edition, players))


def _without_camera(args: argparse.Namespace, source: Source, store: GameStore) -> _Plan:
    """Return what is played where nobody sees the board: no profile is needed."""
    for option in ("profile", "trains", "record"):
        if getattr(args, option):
            raise TableError(BESIDE_NONE.format(option=option))
    if args.resume:
        return _Plan(source, None, game=store.find(args.resume))
    board, edition = _board_and_edition(args)
    players = _players(args.players, args.computer)
    if unknown := sorted({player.colour for player in players} - {*edition.colours}):
        raise TableError(
            "{title} has no {colours}: it has {known}",
            title=edition.title,
            colours=" and no ".join(unknown),
            known=", ".join(edition.colours),
        )
    return _Plan(source, None, _started(args, board, edition, players))


def _started(
    args: argparse.Namespace, board: Board, edition: Edition, players: tuple[Player, ...]
) -> GameStarted:
    """Return a new game's first fact; one that no game can have is refused."""
    own = None if board.id in board_names() else board
    cards: Cards = "phones" if args.computer else args.cards
    if not args.any_number and (number := number_problem(edition, len(players))):
        raise TableError(f"{number}; with '--any-number' they do")
    rules = number_rule(edition, len(players))
    started = GameStarted(edition.id, players, args.name, own, rules, cards)
    check_start(started)
    return started


def _refuse_beside_demo(args: argparse.Namespace) -> None:
    """Refuse what the demo game has of its own, rather than play it otherwise than was said."""
    for option in ("board", "edition", "players", "profile", "trains"):
        if getattr(args, option):
            raise TableError(
                f"the demo game has its own board and players: leave '--{option}' out, or name a"
                " camera with '--source'"
            )


def _board_and_edition(args: argparse.Namespace) -> tuple[Board, Edition]:
    if not args.board:
        raise TableError("say which board it is: --board usa")
    board = readable_board(args.board)
    return board, edition_on(board, args.edition)


def _players(texts: Sequence[str], computers: Sequence[str] = ()) -> tuple[Player, ...]:
    """Read who plays: people, then computers.

    Examples
    --------
    >>> [(player.seat, player.colour) for player in _players(["Ann:red", "blue"])]
    [('ann', 'red'), ('blue', 'blue')]
    """
    if not texts:
        raise TableError("say who plays: --players Ann:red Bo:blue")
    chosen = (parse_player(text) for text in texts)
    # Without a page nobody gets to write a name: the colour is it.
    people = (ChosenPlayer(one.name or one.colour, one.colour) for one in chosen)
    return seated((*people, *map(parse_computer, computers)))
