"""`railspotter board places|routes|tickets`: how a game file names what is on a board."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

from railspotter.scoring.board import Board, board_names
from railspotter.scoring.ticket_deck import ticket_deck
from railspotter.table.boards.board_choice import edition_on
from railspotter.table.boards.own_boards import board_called

from ..arguments import Subparsers, add_edition

USUAL = "usa"

LISTS = {
    "places": "list a board's places, as stations and tickets of a game file name them",
    "routes": "list a board's routes, as the claims of a game file name them",
    "tickets": "list an edition's tickets, as a game file has them",
}


def add_lists(actions: Subparsers) -> None:
    """Add the actions to those of `railspotter board`."""
    for what, help_text in LISTS.items():
        one = actions.add_parser(
            what,
            help=help_text,
            description=f"{help_text[0].upper()}{help_text[1:]} (docs/game-state.md): each line"
            " begins with what is written there, and says after it what is printed.",
            epilog=f"example: railspotter board {what} europe",
        )
        one.add_argument(
            "board",
            metavar="BOARD",
            nargs="?",
            default=USUAL,
            help=f"one of: {', '.join(board_names())}; or your own, by its id or file"
            " (default: %(default)s)",
        )
        if what == "tickets":
            add_edition(one)
        one.add_argument("--json", action="store_true", help="print one JSON object")
        one.set_defaults(run=run, list=what)


def run(args: argparse.Namespace) -> int:
    """Print the list; return the exit code."""
    board = board_called(args.board)
    match args.list:
        case "places":
            rows = list(_places(board))
        case "routes":
            rows = list(_routes(board))
        case _:
            rows = list(_tickets(board, args.edition))
    if args.json:
        said = {"board": board.id, args.list: [row for row, *_ in rows]}
        print(json.dumps(said, ensure_ascii=False))
        return 0
    if not rows:  # of a board that is known in part, and of tickets that nobody published
        print(f"railspotter: no {args.list} of {board.id!r} are known", file=sys.stderr)
    width = max((len(written) for _, written, _ in rows), default=0)
    for _, written, printed in rows:
        print(f"{written:{width}s}  {printed}")
    return 0


# What `--json` has, what is written into a game file, and what is printed on the board.
Row = tuple[dict[str, Any], str, str]


def _places(board: Board) -> Iterator[Row]:
    for place in board.places:
        yield {"id": place.id, "name": place.name}, place.id, place.name


def _routes(board: Board) -> Iterator[Row]:
    for route in board.routes:
        a, b = (board.place_by_id[end].name for end in (route.a, route.b))
        row = {
            "id": route.id,
            "a": route.a,
            "b": route.b,
            "length": route.length,
            "colour": route.colour,
        }
        yield row, route.id, f"{a} - {b}, {route.length} {route.colour}"


def _tickets(board: Board, edition: str | None) -> Iterator[Row]:
    # A map's own tickets take the place of every edition's.
    for ticket in board.tickets or ticket_deck(edition_on(board, edition), board):
        a, b = (board.place_by_id[end].name for end in (ticket.a, ticket.b))
        ends = {"a": ticket.a, "b": ticket.b}
        row = {**ends, "points": ticket.points}
        yield row, json.dumps(ends), f"{a} - {b}, {ticket.points}"
