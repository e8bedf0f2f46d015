"""`railspotter games`: list, show, rename, export, import and delete logged games."""

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from railspotter.scoring.board import Board
from railspotter.scoring.sentence import raised_as
from railspotter.table.errors import TableError
from railspotter.table.game_log import exports
from railspotter.table.game_log.course_facts import GameRenamed
from railspotter.table.game_log.errors import BundleError
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.log import open_reading
from railspotter.table.game_text.event_lines import damage_lines, lost_lines
from railspotter.table.game_text.game_summary import game_json, game_report, list_line, summary_json
from railspotter.table.home import home
from railspotter.table.past_games.people import people_file
from railspotter.table.past_games.people_exports import take_games_in, write_games
from railspotter.table.plays.play import PLAYS, play_of

from ..arguments import Subparsers, open_input, refuse_to_overwrite, write_output
from ..command import output_errors

FORMATS = {
    "jsonl": exports.events_as_jsonl,
    "csv": exports.events_as_csv,
    "game": exports.state_as_game_text,
}  # formats that can leave out unrevealed tickets
GAME_HELP = "a game's id or name, or a beginning that no other game has"
SECRETS_HELP = "with the tickets that nobody has revealed"


def add_to(subparsers: Subparsers) -> None:
    """Add the command to the program's parser; `args.run(args)` returns the exit code."""
    parser = subparsers.add_parser(
        "games",
        description="List the games that were logged, or do something with one of them.",
        epilog="example: railspotter games show friday --json",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a game")
    parser.set_defaults(run=_list)
    actions = parser.add_subparsers(metavar="ACTION")

    def action(
        run: Callable[[argparse.Namespace], int],
        purpose: str,
        example: str,
        description: str | None = None,
        *,
        of_game: bool = True,
        json: str = "",
    ) -> argparse.ArgumentParser:
        """Add an action, with a game's name unless not `of_game`; `json` is the flag's help."""
        name, epilog = example.partition(" ")[0], f"example: railspotter games {example}"
        one = actions.add_parser(name, help=purpose, description=description, epilog=epilog)
        if of_game:
            one.add_argument("game", metavar="GAME", help=GAME_HELP)
        if json:
            # A default would override a `--json` before the action.
            one.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help=json)
        one.set_defaults(run=run)
        return one

    purpose = "list all games (this is what happens without an action)"
    action(_list, purpose, "list --json", of_game=False, json="print one JSON object a game")

    one = action(
        _show,
        "show a game and its standing, or its final score",
        "show friday",
        "Show a game and its standing, or its final score. Tickets that nobody has revealed are"
        " neither shown nor counted.",
        json="print one JSON object",
    )
    one.add_argument("--with-secrets", action="store_true", help=SECRETS_HELP)

    one = action(_rename, "give a game another name", 'rename friday "Friday night"')
    one.add_argument("name", metavar="NAME", help="up to 80 characters")

    one = action(
        _export,
        "write a game as a file",
        "export friday --to friday.railspotter",
        "Write a game as a file. bundle: the whole game, to import it on another computer; it"
        " carries everything, also the tickets that nobody has revealed and the crops of"
        " pictures. jsonl, csv: its events. game: its state, as 'railspotter score' reads it."
        " bgstats: of a game that is over a link that BG Stats opens; all of the play stands in"
        " it. bgg: the play, to fill BoardGameGeek's form from. All but the bundle leave out"
        " the tickets that nobody has revealed. Without a game: the bundles of all games that are"
        " over in one file, with everybody's name of today and no crops, for another table.",
        of_game=False,
    )
    one.add_argument("game", metavar="GAME", nargs="?", help=GAME_HELP + "; else all")
    one.add_argument("--to", metavar="FILE", help="where to write; without it, standard output")
    one.add_argument(
        "--format", choices=["bundle", *FORMATS, *PLAYS], default="bundle", help="(%(default)s)"
    )
    one.add_argument("--with-secrets", action="store_true", help=SECRETS_HELP)
    one.add_argument("--force", action="store_true", help="overwrite files that are there")

    one = action(
        _import,
        "import games from another computer",
        "import friday.railspotter",
        "Import games that were exported as bundles, all of them or none. Every event in them is"
        " checked. Games that are here already stay as they are.",
        of_game=False,
    )
    one.add_argument("file", metavar="FILE", help="bundles; - reads standard input")

    one = action(_delete, "delete a game for good", "delete friday --yes")
    one.add_argument("--yes", action="store_true", help="needed, because there is no way back")


def _list(args: argparse.Namespace) -> int:
    store = GameStore(home())
    for name, state in store.all():
        print(_json(summary_json(name, state)) if args.json else list_line(name, state))
    if not store.ids():  # on stderr, as programs read the output
        print("no games yet: 'railspotter play' begins one", file=sys.stderr)
    return 0


def _show(args: argparse.Namespace) -> int:
    store = GameStore(home())
    name = store.find(args.game)
    tell = game_json if args.json else game_report
    with open_reading(store.path(name)) as reading:
        told = tell(name, reading.state, with_secrets=args.with_secrets, unsealed=reading.unsealed)
    print(_json(told) if args.json else told)
    return 0


def _rename(args: argparse.Namespace) -> int:
    store = GameStore(home())
    with store.open(store.find(args.game)) as log:
        for line in damage_lines(log):
            print(line, file=sys.stderr)
        log.append([GameRenamed(args.name)], time.time())
    return 0


def _export(args: argparse.Namespace) -> int:
    store, files = GameStore(home()), dict[Path, bytes]()
    if args.game is not None:
        name = store.find(args.game)
        state = store.read(name)
        for line in lost_lines(state):
            print(line, file=sys.stderr)
    elif args.format != "bundle":
        raise TableError("name a game: all of them are written as bundles only")
    if args.game is None:
        content = b"".join(write_games(store, people_file(home()).load()))
    elif args.format == "bundle":
        content = b"".join(exports.write_bundle(store.path(name)))
    else:
        if args.format in PLAYS:
            score = state.table.full_score if args.with_secrets else state.table.score
            said = PLAYS[args.format](play_of(name, state, score), str)
            content = f"{said.rstrip()}\n".encode()
        else:
            content = FORMATS[args.format](state, with_secrets=args.with_secrets).encode()
        if (secret := state.table.unrevealed) and not args.with_secrets:
            said = f"tickets not revealed and left out: {secret} (--with-secrets puts them in)"
            print(said, file=sys.stderr)
        if args.format == "game" and (board := state.table.started.board) is not None:
            files = _board_file(args.to, board)
    if args.to is None:
        with output_errors():
            sys.stdout.buffer.write(content)
            sys.stdout.flush()
        return 0
    files[Path(args.to)] = content
    _write(files, is_forced=args.force)
    return 0


def _board_file(to: str | None, board: Board) -> dict[Path, bytes]:
    """Return the board file of a game with its own board, to be written beside the game's file."""
    path = Path(to or "").parent / f"{board.id}.json"
    if to is None or path == Path(to):
        raise TableError(
            "the game has a board of its own: name a file with --to, the board's goes beside it as"
            f" {path.name}"
        )
    return {path: msgspec.json.format(msgspec.json.encode(board), indent=2) + b"\n"}


def _write(files: dict[Path, bytes], *, is_forced: bool) -> None:
    for path, content in files.items():
        refuse_to_overwrite(path, is_forced=is_forced or _has_content(path, content))
    for path, content in files.items():
        write_output(path, content)


def _has_content(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() == content
    except OSError:
        return False


def _import(args: argparse.Namespace) -> int:
    store = GameStore(home())
    named = raised_as(BundleError, BundleError, "{file}: {error}", file=args.file)
    with named, open_input(args.file) as file:
        new, _ = take_games_in(store, people_file(home()).load(), file)
    if not new:
        raise TableError("all of this is here already")
    for game in new:
        print(list_line(game, store.read(game)))
    return 0


def _delete(args: argparse.Namespace) -> int:
    store = GameStore(home())
    name = store.find(args.game)
    if not args.yes:
        raise TableError(
            f"nothing was deleted; {list_line(name, store.read(name))!r} goes for good with --yes"
        )
    store.delete(name)
    return 0


def _json(told: object) -> str:
    return json.dumps(told, ensure_ascii=False)
