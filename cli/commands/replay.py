"""`railspotter replay`: print a game event by event, with times and scores."""

import argparse
import json
import sys
from typing import Any

from railspotter.table.game_log.game_state import begin
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.game_log.public_log import public_events
from railspotter.table.game_text.event_lines import event_lines, lost_lines, time_of
from railspotter.table.game_text.score_lines import scores
from railspotter.table.home import home

from ..arguments import Subparsers


def add_to(subparsers: Subparsers) -> None:
    """Add the command to the program's parser; `args.run(args)` returns the exit code."""
    parser = subparsers.add_parser(
        "replay",
        description="Tell a logged game event by event, with times and scores.",
        epilog="example: railspotter replay friday",
    )
    parser.add_argument("what", metavar="GAME", help="a game's id or name, or the beginning of it")
    parser.add_argument("--json", action="store_true", help="print JSON, a line for each event")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print a game's public events; return the exit code."""
    store = GameStore(home())
    game = store.read(store.find(args.what))
    for line in lost_lines(game):
        print(line, file=sys.stderr)
    public = {event.seq for event in public_events(game)}
    now = begin(game.events[0])
    for event in game.events:
        if event.seq > 1:
            now = now.after(event)
        if event.seq not in public:
            continue
        lines = list(event_lines(event, now))
        if args.json:
            players = now.table.score.standing.players
            told: dict[str, Any] = {
                "seq": event.seq,
                "at_s": event.at_s,
                "kind": event.fact.kind,
                "said": lines,
                "stands": event.seq not in game.undone,
                "points": {player.colour: player.total for player in players},
            }
            print(json.dumps(told, ensure_ascii=False))
            continue
        for line in lines:
            print(f"{event.seq:5}  {time_of(event.at_s)}  {line}")
        if lines and not now.table.ended:
            print(f"{'':15}  {scores(now.table)}")
    return 0
