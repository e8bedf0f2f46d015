"""`railspotter score GAME.json`: the standing, or the final score, of a game as text."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from railspotter.scoring import ScoringError
from railspotter.scoring.answer import Answer, answer, parse_game, to_json

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

OK, BAD_ARGUMENT = 0, 2


def add_to(subparsers: Subparsers) -> None:
    """Add the command to the program's parser; `args.run(args)` returns the exit code."""
    parser = subparsers.add_parser(
        "score",
        help="print the standing of a game, or its final score",
        description=(
            "Print the standing of a game in the JSON form of docs/game-state.md, or the final "
            "score when its `final` is true. An illegal position is scored, and its problems told."
        ),
        epilog="example: railspotter score game.json --json",
    )
    parser.add_argument("game", metavar="GAME.json", help="the game's file; - reads standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Score one game; return the exit code."""
    try:
        if args.game == "-":
            said = answer(parse_game(sys.stdin.buffer.read()))
        else:
            path = Path(args.game)
            said = answer(parse_game(path.read_bytes()), path.parent)
    except OSError as error:
        print(f"cannot read {args.game}: {error.strerror}", file=sys.stderr)
        return BAD_ARGUMENT
    except ScoringError as error:
        print(f"{args.game}: {error}", file=sys.stderr)
        return BAD_ARGUMENT
    print(json.dumps(to_json(said), ensure_ascii=False) if args.json else as_text(said))
    return OK


def as_text(said: Answer) -> str:
    """Return an answer for reading: a block for each player, then problems and the end.

    Examples
    --------
    >>> game = parse_game('{"edition": "usa", "claims": {"helena--seattle": "red"}}')
    >>> print(as_text(answer(game)))
    red: 15 points, 39 trains left, longest path 6
       15  route Helena - Seattle
    problem: 1 play; 2 to 5 can (For 2 - 5 players)
    """
    lines = []
    players = said.standing.players
    who = {p.colour: f"{p.name} ({p.colour})" if p.name else p.colour for p in players}
    for player in players:
        head = f"{who[player.colour]}: {player.total} points"
        # The Card Game has neither.
        if player.trains_left or player.longest_path.length:
            head += f", {player.trains_left} trains left"
            head += f", longest path {player.longest_path.length}"
        lines.append(head)
        lines += [f"{line.points:5}  {line.what}" for line in player.lines]
    for problem in said.problems:
        lines.append(f"problem: {problem.what}" + (f" ({problem.rule})" if problem.rule else ""))
    if said.low_stocks and not said.final:
        lines.append(f"the last turns have come: {', '.join(said.low_stocks)} is low on trains")
    if said.last_turns:
        lines.append(f"still to play: {', '.join(said.last_turns)}")
    if said.final:
        lines.append(f"winner: {' and '.join(who[colour] for colour in said.standing.winners)}")
    return "\n".join(lines)
