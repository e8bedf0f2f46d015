"""`railspotter markers`: a sheet to print, by which any board is found or a lens is measured."""

import argparse
from pathlib import Path

from railspotter.calibration.sheets.lens_sheet import lens_sheet
from railspotter.calibration.sheets.marker_sheet import marker_sheet
from railspotter.calibration.sheets.sheet import PAPERS, to_pdf, to_svg
from railspotter.scoring.board import board_names, load_board
from railspotter.table.errors import TableError

from ..arguments import Subparsers, write_output

FORMATS = {"pdf": to_pdf, "svg": to_svg}


def add_to(subparsers: Subparsers) -> None:
    """Add the command to the program's parser; `args.run(args)` returns the exit code."""
    parser = subparsers.add_parser(
        "markers",
        description=(
            "Write a sheet with four markers to print, cut out and lay at the corners of a board."
            " 'railspotter calibrate --markers' then finds any board, whatever is printed on it."
            " With --charuco it is a sheet from which 'railspotter calibrate --lens-from' tells a"
            " camera's lens."
        ),
        epilog="example: railspotter markers --paper a4 -o markers.pdf",
    )
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="where to write the sheet"
    )
    parser.add_argument(
        "--paper",
        choices=list(PAPERS),
        default="a4",
        help="the paper in your printer (%(default)s)",
    )
    parser.add_argument(
        "--format",
        choices=list(FORMATS),
        help="what to write (default: by the file's name, else pdf)",
    )
    parser.add_argument(
        "--board",
        metavar="BOARD",
        help=f"name a board on the sheet: {', '.join(board_names())}; the markers fit every board",
    )
    parser.add_argument(
        "--charuco",
        action="store_true",
        help="write the chequered sheet for a camera's lens instead",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write one sheet; return the exit code."""
    path = Path(args.output)
    named = path.suffix.lower().removeprefix(".")
    kind = args.format or (named if named in FORMATS else "pdf")
    if named and named != kind and args.format is None:
        raise TableError(f"{args.output!r} must end in .pdf or .svg, or --format say which it is")
    called = load_board(args.board).title if args.board else ""
    sheet = lens_sheet(args.paper) if args.charuco else marker_sheet(args.paper, called)
    write_output(path, FORMATS[kind](sheet))
    print(f"sheet written to {path}: print it at 100 %, its line must then be 100 mm long")
    return 0
