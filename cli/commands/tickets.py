"""`railspotter tickets PHOTO...`: tell which tickets lie in photos."""

import argparse
import json
import sys
from pathlib import Path

from railspotter.table.boards import board_choice
from railspotter.table.boards.own_boards import load_board_by_name
from railspotter.table.errors import TableError
from railspotter.table.photo_file import check_picture_path
from railspotter.table.photos.photo_files import open_photos
from railspotter.table.ticket_photos.reading import read_tickets

from .. import ticket_photos
from ..arguments import Subparsers, add_board, add_edition
from .read import BAD_FILE, NOT_FOUND, OK, check_output_names, named_board


def add_to(subparsers: Subparsers) -> None:
    """Add the command to the program's parser; `args.run(args)` returns the exit code."""
    parser = subparsers.add_parser(
        "tickets",
        description=(
            "Read which tickets lie in photos, by the names on them, and print them with their"
            " points, then what is still in doubt. Photos of one hand count a ticket once."
        ),
        epilog=(
            "exit codes: 0 tickets were found, 3 none was, 2 a bad file or argument."
            " example: railspotter tickets hand.jpg --board europe"
        ),
    )
    parser.add_argument("photos", nargs="+", metavar="PHOTO", help="a photo of tickets, face up")
    add_board(parser, default="that of --edition")
    add_edition(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object for all photos")
    parser.add_argument(
        "--annotate",
        metavar="OUT.png",
        help="write the photo with what was read drawn into it; of several photos each gets its own"
        " name added",
    )
    parser.set_defaults(run=run, profile=None)


def run(args: argparse.Namespace) -> int:
    """Read the photos; return the exit code."""
    if args.annotate:
        check_picture_path(Path(args.annotate), args.photos)
        check_output_names(dict.fromkeys(args.photos))
    name = named_board(args)
    if name is None:
        raise TableError("say with --board whose tickets they are")
    board = load_board_by_name(name)
    edition = board_choice.edition_on(board, args.edition)
    deck = ticket_photos.deck_for(edition, board)
    pictures, unusable = open_photos(dict.fromkeys(args.photos), as_stored=False)
    for photo, reason in unusable.items():
        print(f"railspotter: {photo}: {reason}", file=sys.stderr, flush=True)
    if not pictures:
        return BAD_FILE
    seen, names = read_tickets(pictures.values(), deck), list(pictures)
    is_empty = not seen.tickets and not seen.doubts
    if is_empty:
        why = ticket_photos.nothing_seen(pictures.values())
        print(
            f"railspotter: {', '.join(names)}: no ticket of {deck.title} is seen: {why}",
            file=sys.stderr,
            flush=True,
        )
    if args.json:
        line = {"photos": names, "board": board.id, "edition": edition.id}
        print(json.dumps(line | ticket_photos.hand_json(seen, names)), flush=True)
    elif not is_empty:
        points = sum(ticket.points for ticket in seen.tickets)
        count = f"{len(seen.tickets)} ticket{'s' * (len(seen.tickets) != 1)}"
        print(f"{' and '.join(names)}: {deck.title}, {count}, {points} points")
        print("\n".join(ticket_photos.hand_lines(seen, deck)), flush=True)
    if args.annotate:
        ticket_photos.annotate(Path(args.annotate), pictures, seen, deck)
    if unusable:
        return BAD_FILE
    return NOT_FOUND if is_empty else OK
