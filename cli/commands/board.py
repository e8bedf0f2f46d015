"""`railspotter board`: make a board file from a picture, check one, list what is on a board."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

from msgspec.structs import replace
from railspotter.calibration.arrays import Picture
from railspotter.calibration.board_making.draft import (
    Draft,
    board_text,
    check_size,
    draft_of,
    draft_place,
    finished_board,
)
from railspotter.calibration.board_making.printed_dots import find_dots, with_dots
from railspotter.calibration.board_making.printed_spaces import find_spaces
from railspotter.calibration.board_making.proposal_picture import draw_proposal
from railspotter.calibration.board_making.stringing import with_proposals
from railspotter.calibration.errors import BoardMakingError, OutlineError
from railspotter.scoring.board import (
    Board,
    BoardEdition,
    Place,
    board_names,
    load_board,
    parse_board,
)
from railspotter.scoring.edition import ticket_deck
from railspotter.scoring.errors import BoardError
from railspotter.scoring.gaps import board_gaps
from railspotter.scoring.json_text import decode_text
from railspotter.scoring.sentence import raised_as
from railspotter.scoring.spot_names import route_ends
from railspotter.table.boards.board_choice import edition_on, rules_for
from railspotter.table.boards.own_boards import load_board_by_name
from railspotter.table.boards.picture import corners_of_picture, rectified_board
from railspotter.table.boards.tables import parse_places, place_id
from railspotter.table.errors import DraftError, PhotoError, TableError
from railspotter.table.photo_file import check_picture_path, load_photo, save_picture

from .. import arguments

DEFAULT_BOARD = "usa"
NOT_UTF8 = "{file}: this is not text in UTF-8: save the table as CSV UTF-8"

LISTS = {
    "places": "list a board's places, as stations and tickets of a game file name them",
    "routes": "list a board's routes, as the claims of a game file name them",
    "tickets": "list an edition's tickets, as a game file has them",
}
# A list entry: as JSON, as a game file names it, and as printed on the board.
Row = tuple[dict[str, Any], str, str]
SMALLEST_MM, LARGEST_MM = 100.0, 2000.0  # limits of the sides of a board


def add_lists(actions: arguments.Subparsers) -> None:
    """Add the actions that list places, routes and tickets."""
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
            default=DEFAULT_BOARD,
            help=f"one of: {', '.join(board_names())}; or your own, by its id or file"
            " (default: %(default)s)",
        )
        if what == "tickets":
            arguments.add_edition(one)
        one.add_argument("--json", action="store_true", help="print one JSON object")
        one.set_defaults(run=run, list=what)


def run(args: argparse.Namespace) -> int:
    """Print a list of the board's places, routes or tickets; return the exit code."""
    board = load_board_by_name(args.board)
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
    if not rows:  # of an incomplete board file, or tickets that are not published
        print(f"railspotter: no {args.list} of {board.id!r} are known", file=sys.stderr)
    width = max((len(written) for _, written, _ in rows), default=0)
    for _, written, printed in rows:
        print(f"{written:{width}s}  {printed}")
    return 0


def _places(board: Board) -> Iterator[Row]:
    for place in board.places:
        yield {"id": place.id, "name": place.name}, place.id, place.name


def _routes(board: Board) -> Iterator[Row]:
    for route in board.routes:
        row = {name: getattr(route, name) for name in ("id", "a", "b", "length", "colour")}
        ends = route_ends(board, route.id)
        yield row, route.id, f"{ends}, {route.length} {route.colour}"


def _tickets(board: Board, edition: str | None) -> Iterator[Row]:
    # A map's own tickets take the place of every edition's.
    for ticket in board.tickets or ticket_deck(edition_on(board, edition), board):
        a, b = (board.place_by_id[end].name for end in (ticket.a, ticket.b))
        ends = {"a": ticket.a, "b": ticket.b}
        row = {**ends, "points": ticket.points}
        yield row, json.dumps(ends), f"{a} - {b}, {ticket.points}"


def add_to(subparsers: arguments.Subparsers) -> None:
    """Add the command to the program's parser; `args.run(args)` returns the exit code."""
    parser = subparsers.add_parser(
        "board",
        description="Make a board file of a printed map that the program does not know yet, check"
        " one, or list a board's places, routes and tickets as a game file names them.",
        epilog="examples: railspotter board check my-map.json; railspotter board routes europe",
    )
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    _add_propose(actions)
    one = actions.add_parser(
        "check",
        help="say what is wrong with a board file, and where",
        description="Check a board file, and say what is wrong in it and where.",
        epilog="exit codes: 0 the board can be used, 2 it cannot."
        " example: railspotter board check my-map.json",
    )
    one.add_argument("file", metavar="FILE", help="a board file; - reads standard input")
    one.set_defaults(run=_check)
    add_lists(actions)


def _add_propose(actions: arguments.Subparsers) -> None:
    one = actions.add_parser(
        "propose",
        help="find the spaces and routes on a photo or scan of a board",
        description=(
            "Find the printed spaces on a photo or scan of an empty board, string them into routes"
            " between the places of a table, and write a board file. It says what you should"
            " look at yourself."
        ),
        epilog=(
            "exit codes: 0 a board file was written, doubts or not, 2 a bad file or argument."
            " example: railspotter board propose scan.jpg --size-mm 800 530 --places places.csv"
            " -o my-map.json"
        ),
    )
    one.add_argument("photo", metavar="PHOTO", help="a photo or scan of the empty board")
    arguments.add_corners(
        one, "; without them the picture's own, as of a scan cut to the board's edge"
    )
    one.add_argument(
        "--size-mm",
        nargs=2,
        type=arguments.number(SMALLEST_MM, LARGEST_MM, "length", " mm"),
        required=True,
        metavar=("W", "H"),
        help="the printed board's width and height in millimetres",
    )
    one.add_argument(
        "--places",
        metavar="CSV",
        help="the places: a table with the columns name,x_mm,y_mm (and id, if wanted), from the"
        " board's top left corner; may be left out where --onto has them; without any, the printed"
        " dots are looked for",
    )
    one.add_argument("-o", "--out", required=True, metavar="FILE", help="the board file to write")
    one.add_argument(
        "--onto",
        metavar="BOARD",
        help="a board of which a part is known, by name or file: what is set there stays",
    )
    one.add_argument("--id", metavar="ID", help="the new board's id (default: from FILE's name)")
    one.add_argument("--title", metavar="TEXT", help="what the new board is called (default: ID)")
    one.add_argument(
        "--edition",
        choices=get_args(BoardEdition),
        help="by whose rules the board is played, as philly",
    )
    one.add_argument(
        "--space-mm",
        nargs=2,
        type=arguments.number(3.0, 100.0, "length", " mm"),
        metavar=("LENGTH", "WIDTH"),
        help="the size of a printed space; without it, it is estimated",
    )
    one.add_argument(
        "--annotate",
        metavar="OUT.png",
        help="also write the board seen from above, with the routes as they were found",
    )
    one.add_argument("--force", action="store_true", help="overwrite files that are there")
    one.set_defaults(run=_propose)


def _propose(args: argparse.Namespace) -> int:
    out = Path(args.out)
    size_mm: tuple[float, float] = tuple(args.size_mm)
    _check_outputs(args, out)
    draft = _with_places(
        draft_of(_base_board(args, out, size_mm), size_mm), _load_places(args.places, size_mm)
    )
    above = _seen_from_above(args, size_mm)
    with raised_as(TableError, BoardMakingError, "{photo}: {error}", photo=args.photo):
        spaces = find_spaces(above, size_mm, tuple(args.space_mm) if args.space_mm else None)
        check_size(draft, size_mm)
        if len(draft.placed) < 2:
            draft = with_dots(draft, find_dots(above, size_mm, spaces))
        if len(draft.placed) < 2:
            raise TableError(
                "no dots of places were found, and routes run between places: name a table of them"
                " with --places"
            )
        draft = with_proposals(draft, spaces)
        board, notes = finished_board(draft)
    arguments.write_output(out, board_text(board).encode())
    if args.annotate:
        save_picture(Path(args.annotate), draw_proposal(above, draft))
    print("\n".join(_report_lines(draft, board, notes, out)))
    return 0


def _with_places(draft: Draft, table: Sequence[Place]) -> Draft:
    """Add the places of a table to a draft; those with a position keep it."""
    named = {place.id: place.xy_mm for place in table}
    known = (
        replace(place, xy_mm=named[place.id], is_placed=True)
        if not place.is_placed and place.id in named
        else place
        for place in draft.places
    )
    new = (draft_place(place) for place in table if place.id not in draft.place_by_id)
    return replace(draft, places=(*known, *new))


def _check(args: argparse.Namespace) -> int:
    try:
        board = parse_board(arguments.read_input(args.file))
    except BoardError as error:
        raise error if args.file == "-" else BoardError(f"{args.file}: {error}") from error
    spaces = sum(len(route.spaces) for route in board.routes)
    print(
        f"{board.id}: {len(board.places)} places, {len(board.routes)} routes"
        f" ({len(board.lanes)} double), {spaces} spaces, {len(board.sites)} sites"
    )
    rules = rules_for(board)
    if board.edition is None and board.id not in board_names():
        print(
            f'it does not say by which rules it is played ("edition"): here by those of {rules.id}'
        )
    else:
        print(f"it is played by the rules of {rules.title}")
    for gap in board_gaps(board, rules):
        print(gap)
    if not board.measured:
        print("it is not fully measured: it can be scored, and played without a camera, not read")
    if not board.complete:
        print('it says that it is a part: set "complete" to true when everything is listed')
    return 0


def _report_lines(draft: Draft, board: Board, notes: Sequence[str], out: Path) -> list[str]:
    """Return the report on the found routes and places, in lines."""
    length, width = draft.space_size_mm
    new = [route for route in draft.laid if not route.is_accepted]
    doubted = [route for route in new if route.doubts]
    lines = [
        f"{out}: {len(board.routes)} routes, {len(new)} of them from the picture,"
        f" {len(board.lanes)} double; spaces of {length:g} x {width:g} mm",
        f"{len(doubted)} routes should be looked at" + (":" if doubted else ""),
    ]
    for route in doubted:
        ends = f"{draft.names[route.a]} - {draft.names[route.b]}"
        lines.append(
            f"  {route.number}: {ends}, {route.length} {route.colour}: {'; '.join(route.doubts)}"
        )
    if found := sum(place.is_proposed for place in draft.places):
        lines.append(
            f"{found} places were found by their dots: look whether they are, and name them"
        )
    lines += [f"  {said}" for said in (*draft.doubts, *notes)]
    return lines


def _base_board(args: argparse.Namespace, out: Path, size_mm: tuple[float, float]) -> Board:
    if args.onto:
        if args.id or args.title:
            raise TableError("--id and --title are for a new board: --onto has its own")
        board = load_board(args.onto)
        return replace(board, edition=args.edition or board.edition)
    board_id = args.id or place_id(out.stem)
    if not board_id or place_id(board_id) != board_id:
        raise TableError(
            f"the board's id {board_id!r} must be small letters and digits, joined by hyphens:"
            " give one with --id"
        )
    title = args.title or board_id
    return Board(board_id, title, (), (), size_mm, complete=False, edition=args.edition)


def _check_outputs(args: argparse.Namespace, out: Path) -> None:
    if out.suffix.lower() != ".json":
        raise TableError(f"a board file ends in .json, which {str(out)!r} does not")
    if not out.parent.is_dir():
        raise TableError(f"cannot write {str(out)!r}: there is no such folder")
    outputs = [out]
    if args.annotate:
        check_picture_path(Path(args.annotate))
        outputs.append(Path(args.annotate))
    for path in outputs:
        arguments.refuse_to_overwrite(path, is_forced=args.force)


def _load_places(table: str | None, size_mm: tuple[float, float]) -> tuple[Place, ...]:
    if table is None:
        return ()
    content = arguments.read_input(table)
    with raised_as(TableError, UnicodeDecodeError, NOT_UTF8, file=table):
        text = decode_text(content)
    with raised_as(TableError, DraftError, "{file}: {error}", file=table):
        return parse_places(text, size_mm)


def _seen_from_above(args: argparse.Namespace, size_mm: tuple[float, float]) -> Picture:
    try:
        # Without corners, EXIF tells the orientation.
        photo = load_photo(args.photo, as_stored=args.corners is not None)
        return rectified_board(photo, args.corners or corners_of_picture(photo), size_mm)
    except (OutlineError, PhotoError) as error:
        raise type(error)(f"{args.photo}: {error}") from error
