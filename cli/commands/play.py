"""`railspotter play`: watch a game through a camera and keep its score."""

import argparse
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path

import msgspec
from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.board import board_names
from railspotter.scoring.gaps import board_gaps
from railspotter.scoring.json_text import misfit
from railspotter.scoring.legality import number_problem
from railspotter.table.boards import board_choice
from railspotter.table.boards.own_boards import load_board_by_name
from railspotter.table.errors import TableError
from railspotter.table.game_log.budgets import HOST
from railspotter.table.game_log.course_facts import GameEnded
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.home import ProfileStore, home
from railspotter.table.live_table.course import undo_facts
from railspotter.table.live_table.table_view import TableView
from railspotter.table.memory import configure_malloc
from railspotter.table.own_trains import with_trains
from railspotter.table.set_up import planned_game
from railspotter.table.set_up.cameras import DEMO, NONE, PHONE
from railspotter.table.set_up.game_set_up import GameSetUp, HomeWish, SetUpWish, Wish
from railspotter.table.set_up.offers import checked_rules, rules_offered
from railspotter.vision.sources.choose import parse_source
from railspotter.vision.sources.grabber import Grabber
from railspotter.vision.sources.phone import PostedFrames
from railspotter.vision.sources.source import NoCamera, Source

from .. import arguments
from ..mqtt_options import add_mqtt, open_publisher
from ..pages import add_address, add_https, open_display, open_table_page
from ..table_service import TableService, wish_to_go_on
from ..terminal.watching import stop_on_quit, wait_for_picture

NO_SOURCE = (
    "say what watches the board: --source 0 (or leave '--no-page' out and choose on the page)"
)
# What a game that goes on has already.
OF_NEW_GAMES = "board", "edition", "players", "cards", "computer", "any_number", "house_rule"
EXCLUDED_OPTIONS = {
    DEMO: (
        (*OF_NEW_GAMES, "profile", "trains"),
        "the demo game has its own board and players: leave '--{option}' out, or name a camera"
        " with '--source'",
    ),
    NONE: (
        ("profile", "trains", "record"),
        "'--{option}' is for what a camera sees: leave it out, or name a camera with '--source'",
    ),
}


def add_to(subparsers: arguments.Subparsers) -> None:
    """Add the command to the program's parser; `args.run(args)` returns the exit code."""
    parser = subparsers.add_parser(
        "play",
        description=(
            "Watch a board while a game is played on it: every claim is saved when the hand is"
            " gone, and shown here. Nothing is lost, whatever happens:"
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
    arguments.add_edition(parser)
    parser.add_argument(
        "--source",
        type=arguments.resolve_source,
        help="a camera's number or name, a URL, a video, a folder of photos; docs/sources.md lists"
        " them. 'env:NAME' and '@FILE' read an address with a password from there. 'phone'"
        " is a phone's browser (see --https), 'demo' is a demo game, 'none' is no camera: routes"
        " are tapped on the page's map",
    )
    parser.add_argument(
        "--allow-camera",
        action="append",
        default=[],
        type=arguments.parse_camera_address,
        metavar="ADDRESS",
        help="the address of a camera that a phone may choose on the page, as"
        " http://192.168.1.20:8080/video, or 'env:NAME' or '@FILE' as with --source; may be given"
        " several times. A camera that --source names may be chosen anyway",
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
        help="where the train cards and tickets are: on the table, as printed (the default), or"
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
        "--house-rule",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a rule that the page offers as a house rule, with another value than the rulebook's,"
        " as trains=30, longest_path_bonus=off, site_points=4,4,5 or replaced_locomotive=on; may be"
        " given several times",
    )
    arguments.add_profile(parser)
    arguments.add_trains(parser)
    parser.add_argument("--name", default="", help="what the game is called in 'railspotter games'")
    parser.add_argument(
        "--resume", metavar="GAME", help="go on with a game: its id or name, or the beginning of it"
    )
    parser.add_argument(
        "--not-over",
        action="store_true",
        help="with '--resume': the game has ended by mistake and goes on, also where phones may not"
        " say so because tickets were shown",
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
    """Play games until interrupted, without a page until the source ends; return the exit code."""
    configure_malloc()
    for option in OF_NEW_GAMES if args.resume else ():
        if getattr(args, option):
            raise TableError(
                "the game has its board, players and rules already: leave '--{option}' out",
                option=option.replace("_", "-"),
            )
    store = GameStore(home())
    if args.not_over:
        _undo_end(store, args.resume)
    begin = _plan_game(args, store) if _is_complete(args) else None
    given = _parse_preset(args, store)
    source = "" if args.source == DEMO else given.choices.source
    of_all_games = replace(given, choices=planned_game.Choices(source=source), name="", game="")
    with ExitStack() as stack:
        display = stack.enter_context(open_display(args.display))
        publisher = stack.enter_context(open_publisher(args))
        is_told = args.resume or any(getattr(args, option) for option in OF_NEW_GAMES)
        wish: Wish | None = None if begin or is_told else wish_to_go_on(home(), time.time())
        if begin is None and wish is None:  # which says what is wrong with the arguments
            wish = SetUpWish(desk=stack.enter_context(GameSetUp(home(), given)))
        page = None if args.no_page else stack.enter_context(open_table_page(args, display))
        stop = threading.Event()
        service = TableService(
            page,
            stop,
            display,
            publisher,
            of_all_games,
            Path(args.record) if args.record else None,
            with_markers=not args.no_markers,
        )
        if begin is not None:
            wish = begin()
        stop_on_quit(sys.stdin, stop)
        return service.run(wish or HomeWish())


def _undo_end(store: GameStore, game: str | None) -> None:
    """Undo the end of a game; raises `TableError` if it is not over, or ended by the rules."""
    if game is None:
        raise TableError("say with '--resume' which game is not over")
    with store.open(store.find(game)) as log:
        state = log.state
        if not state.table.ended:
            raise TableError("this game is not over: leave '--not-over' out")
        ends = (seq for seq in state.undoable if isinstance(state.event(seq).fact, GameEnded))
        log.append(undo_facts(TableView(state), next(ends), HOST), time.time())


def _is_complete(args: argparse.Namespace) -> bool:
    """Tell whether the arguments define the game; without a page they must."""
    is_told = args.source == DEMO or (
        args.source and (args.resume or (args.board and args.players))
    )
    return bool(is_told or args.no_page)


def _say(said: str) -> None:
    print(f"          {said}", flush=True)


def _parse_preset(args: argparse.Namespace, store: GameStore) -> planned_game.Preset:
    """Validate the game's choices on the command line; raises `TableError`."""
    if args.computer and args.cards == "table":
        raise TableError("computers play with cards on phones: leave '--cards table' out")
    choices = planned_game.Choices(
        edition=args.edition or "",
        board=args.board or "",
        players=(
            *map(planned_game.parse_player, args.players),
            *map(planned_game.parse_computer, args.computer),
        ),
        cards=args.cards or "table",
        any_number=args.any_number,
        source=args.source or "",
        house_rules=dict(map(planned_game.parse_rule, args.house_rule)),
    )
    chosen = msgspec.to_builtins(choices)
    try:
        msgspec.convert(chosen, planned_game.Choices)
    except msgspec.ValidationError as error:
        raise TableError(misfit(chosen, planned_game.Choices)) from error
    game = store.find(args.resume) if args.resume else ""
    return planned_game.Preset(
        choices, args.profile, tuple(args.trains), args.name, game, tuple(args.allow_camera)
    )


def _plan_game(
    args: argparse.Namespace, store: GameStore
) -> Callable[[], planned_game.GameHandover]:
    """Validate a completely specified game; return a function that starts it.

    Raises `TableError` for invalid arguments.
    """
    if not args.source:
        raise TableError(NO_SOURCE)
    options, refusal = EXCLUDED_OPTIONS.get(args.source, ((), ""))
    for option in options:
        if getattr(args, option):
            raise TableError(refusal.format(option=option.replace("_", "-")))
    if args.source == PHONE and args.no_page:
        raise TableError("a phone can be the camera only through the page: leave '--no-page' out")
    if args.source == DEMO:
        return partial(planned_game.demo_handover, planned_game.demo_games(home()))
    source = parse_source(args.source, {PHONE: PostedFrames(), NONE: NoCamera()})
    if args.resume:
        found = store.find(args.resume)
        game = planned_game.PlannedGame.resumed(found, store.read(found).table)
    else:
        game = _new_game(args, _parse_preset(args, store).choices)
    profile = None
    if not isinstance(source, NoCamera):
        profile = board_choice.profile_for(game.board, ProfileStore(home()), args.profile)
        profile = with_trains(profile, args.trains)
        if note := board_choice.calibration_advice(game.edition, profile):
            _say(note)
    # Without a camera all of the edition's colours can be played.
    is_by_hand = profile is None and not game.game
    own = tuple(player.colour for player in game.players)
    known = tuple(game.edition.colours) if is_by_hand else own
    for fault in replace(game, any_number=True).faults(profile, known):
        raise TableError(fault)
    if not game.game:
        number = number_problem(game.edition, len(game.players))
        if number and not args.any_number:
            raise TableError(f"{number}; with '--any-number' they do")
        game.started(args.name).check_start()
    return partial(_start_game, store, args.name, game, source, profile)


def _start_game(
    store: GameStore,
    name: str,
    game: planned_game.PlannedGame,
    source: Source,
    profile: Profile | None,
) -> planned_game.GameHandover:
    """Wait for the camera's first picture, then start the new game or resume the old one."""
    grabber = Grabber(source)
    grabber.start()
    try:
        # A phone connects by the page, which needs a game.
        if not isinstance(source, PostedFrames | NoCamera):
            wait_for_picture(grabber, say=_say)
        game_id = game.game or planned_game.begin_game(store, game, name)
    except BaseException:
        grabber.stop()
        raise
    return planned_game.GameHandover(store, game_id, not game.game, grabber, profile)


def _new_game(args: argparse.Namespace, choices: planned_game.Choices) -> planned_game.PlannedGame:
    """Build a new game from the arguments; players without names are named by their colours."""
    if not args.board:
        raise TableError("say which board it is: --board usa")
    board = (load_board_by_name if args.source == NONE else board_choice.readable_board)(args.board)
    edition = board_choice.edition_on(board, args.edition)
    if not args.players:
        raise TableError("say who plays: --players Ann:red Bo:blue")
    players = tuple(
        one if one.computer or one.name else planned_game.ChosenPlayer(one.colour, one.colour)
        for one in choices.players
    )
    rules = checked_rules(choices.house_rules, rules_offered(edition, board))
    for gap in board_gaps(board, edition):
        _say(gap)
    return planned_game.PlannedGame(
        board, edition, players, rules, cards=choices.cards, any_number=choices.any_number
    )
