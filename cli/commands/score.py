"""`railspotter score GAME.json`: the standing, or the final score, of a game as text."""

import argparse
import json
from pathlib import Path

from railspotter.scoring.answer import answer, parse_game, to_json
from railspotter.scoring.errors import ScoringError
from railspotter.scoring.sentence import raised_as
from railspotter.table.errors import TableError
from railspotter.table.game_text.score_lines import answer_text

from ..arguments import Subparsers, read_input


def add_to(subparsers: Subparsers) -> None:
    """Add the command to the program's parser; `args.run(args)` returns the exit code."""
    parser = subparsers.add_parser(
        "score",
        description=(
            "Print the standing of a game in the JSON form of docs/game-state.md, or the final"
            " score when its `final` is true. An illegal position is scored too, and its problems"
            " listed."
        ),
        epilog="example: railspotter score game.json --json",
    )
    parser.add_argument("game", metavar="GAME.json", help="the game's file; - reads standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Score one game; return the exit code."""
    with raised_as(TableError, ScoringError, "{file}: {error}", file=args.game):
        game = parse_game(read_input(args.game))
        said = answer(game, None if args.game == "-" else Path(args.game).parent)
    print(json.dumps(to_json(said), ensure_ascii=False) if args.json else answer_text(said))
    return 0
