"""`railspotter render --board BOARD --out DIR`: render pictures of a game, with ground truth."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from railspotter.scoring.board import load_board
from railspotter.scoring.sentence import raised_as
from railspotter.simulation import virtual_game
from railspotter.table.boards.board_choice import edition_on
from railspotter.table.errors import TableError
from railspotter.table.photo_file import to_jpeg

from ..arguments import Subparsers, add_board, add_edition, whole_number, write_output

SCENES = {"lively": virtual_game.lively_game, "plain": virtual_game.plain_game}
LEAST_PX, MOST_PX = 200, 4096  # limits of a picture's sides; smaller ones cannot be read
MOST_PICTURES = 1000


def add_to(subparsers: Subparsers) -> None:
    """Add the command to the program's parser; `args.run(args)` returns the exit code."""
    parser = subparsers.add_parser(
        "render",
        description=(
            "Let virtual players play a game on a board drawn by the program, and write pictures"
            " of it, from the empty board to the final position: NAME.jpg, and beside it NAME.json"
            " with all that is true of it. The same options give the same files."
        ),
        epilog=(
            "exit codes: 0 all went well, 2 a bad argument, or files that are there already."
            " example: railspotter render --board usa --seed 7 --out pictures"
        ),
    )
    add_board(parser)
    add_edition(parser)
    parser.add_argument(
        "--seed",
        type=whole_number(0, 2**32 - 1),
        default=0,
        help="another number is another game (%(default)s)",
    )
    parser.add_argument(
        "--out", required=True, metavar="DIR", help="the folder to write to; it is made if needed"
    )
    parser.add_argument(
        "--count",
        type=whole_number(1, MOST_PICTURES),
        default=12,
        help="how many pictures, spread evenly over the game (%(default)s)",
    )
    parser.add_argument(
        "--size",
        type=_parse_size,
        default="1280x720",
        metavar="WxH",
        help="their width and height in pixels (%(default)s)",
    )
    parser.add_argument(
        "--scene",
        choices=list(SCENES),
        default="lively",
        help="lively: any light, a camera put up by eye, hands, cups and cards in the picture;"
        " plain: even light, from above, no hand (%(default)s)",
    )
    parser.add_argument("--force", action="store_true", help="overwrite files that are there")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Render the pictures; return the exit code."""
    board = load_board(args.board)
    if not board.measured:
        raise TableError(
            f"the board {args.board!r} was not measured yet: it can be scored, not drawn"
        )
    edition = edition_on(board, args.edition)
    folder = Path(args.out)
    digits = max(2, len(str(args.count - 1)))
    names = [f"{edition.id}-{args.seed}-{i:0{digits}}" for i in range(args.count)]
    _prepare_folder(folder, names, is_forced=args.force)
    game = SCENES[args.scene](edition, board, args.seed, args.size)
    for i, (name, t_s) in enumerate(
        zip(names, _moments(game, args.count, args.scene), strict=True)
    ):
        frame = game.frame_at(t_s)
        truth = virtual_game.ground_truth(f"{name}.jpg", frame, game, t_s, args.scene)
        write_output(folder / f"{name}.jpg", to_jpeg(frame.picture))
        write_output(folder / f"{name}.json", virtual_game.ground_truth_json(truth))
        end = "\r" if sys.stderr.isatty() else "\n"  # on a terminal in one line
        print(f"{i + 1} of {args.count} drawn", end=end, file=sys.stderr, flush=True)
    print(f"{args.count} pictures, each with its truth, are in {folder}", flush=True)
    return 0


def _moments(game: virtual_game.VirtualGame, count: int, scene: str) -> Iterator[float]:
    """Yield `count` moments of a game in seconds, from the empty board to the final position."""
    for i in range(count):
        t_s = game.duration_s * i / max(count - 1, 1)
        yield game.still_after(t_s) if scene == "plain" else t_s


def _prepare_folder(folder: Path, names: list[str], *, is_forced: bool) -> None:
    """Create the folder; raise an error if it has files that may not be overwritten."""
    with raised_as(TableError, OSError, "cannot write to {to}: {error}", to=repr(str(folder))):
        folder.mkdir(parents=True, exist_ok=True)
    there = [f for name in names for f in (f"{name}.jpg", f"{name}.json") if (folder / f).exists()]
    if there and not is_forced:
        raise TableError(
            f"{str(folder / there[0])!r} is there already: name another folder, or overwrite it"
            " with --force"
        )


def _parse_size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    parse_side = whole_number(LEAST_PX, MOST_PX)
    try:
        return parse_side(width), parse_side(height)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a size like 1280x720, each side {LEAST_PX} to {MOST_PX}"
        ) from None
