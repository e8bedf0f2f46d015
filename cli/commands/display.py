"""`railspotter display list|test|preview`: a display beside the board."""

import argparse
import shutil
import time
from dataclasses import replace
from pathlib import Path

from railspotter.firmware_bridge.bridge import Bridge
from railspotter.firmware_bridge.errors import DisplayError
from railspotter.firmware_bridge.lights import MOST_LEDS, DisplayMoment, Strip, palettes
from railspotter.firmware_bridge.made_up_game import made_up_at, made_up_scoreboards
from railspotter.firmware_bridge.ports import found_ports
from railspotter.firmware_bridge.preview import preview, to_ansi, to_png

from ..arguments import Subparsers, number, whole_number, write_output

UPDATE_S = 0.05  # seconds between two updates of the display
CLAIM_AGE_S = 0.6  # seconds since the claim in a preview: its animation is running


def add_to(subparsers: Subparsers) -> None:
    """Add the command to the program's parser; `args.run(args)` returns the exit code."""
    parser = subparsers.add_parser(
        "display",
        description="A display beside the board: LEDs or digits that show the score.",
        epilog="example: railspotter display preview --leds 60",
    )
    verbs = parser.add_subparsers(required=True, metavar="WHAT")
    listing = verbs.add_parser(
        "list",
        help="name the ports and what may be on them",
        description="Name the serial ports, and which of them may be a display.",
        epilog="example: railspotter display list",
    )
    listing.set_defaults(run=_list)

    test = verbs.add_parser(
        "test",
        help="show a made-up game on a display",
        description="Show a made-up game on a display, and say what was found.",
        epilog=(
            "exit codes: 0 all went well, 2 a bad argument, 3 no display was found."
            " example: railspotter display test --display auto"
        ),
    )
    test.add_argument(
        "--display",
        default="auto",
        metavar="NAME",
        help="auto, own:PORT, wled:PORT, http://ADDRESS (WLED), text:PORT, or PORT (%(default)s)",
    )
    test.add_argument(
        "--seconds", type=number(1, 3600), default=20.0, help="how long it takes (%(default)s)"
    )
    _add_strip_options(test)
    test.set_defaults(run=_run_test)

    drawn = verbs.add_parser(
        "preview",
        help="draw in the terminal what a display would show",
        description="Draw in the terminal what a display would show in a made-up game.",
        epilog="example: railspotter display preview --palette red-green --png lights.png",
    )
    drawn.add_argument("--turn", type=int, metavar="N", help="how it looks after N turns")
    drawn.add_argument("--png", type=Path, metavar="FILE", help="write the strip as a picture too")
    _add_strip_options(drawn)
    drawn.set_defaults(run=_preview)


def _add_strip_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--leds",
        type=whole_number(1, MOST_LEDS),
        default=100,
        help="of the strip, where the display does not say (%(default)s)",
    )
    parser.add_argument(
        "--brightness", type=number(0, 1), default=0.25, help="0 to 1 (%(default)s)"
    )
    parser.add_argument(
        "--palette",
        choices=tuple(palettes()),
        default="plain",
        help="red-green and blue-yellow are for the colour-blind (%(default)s)",
    )
    parser.add_argument("--reversed", action="store_true", help="the strip begins at the far end")


def _strip(args: argparse.Namespace) -> Strip:
    return Strip(args.leds, args.brightness, args.palette, is_reversed=args.reversed)


def _list(args: argparse.Namespace) -> int:
    """Print the serial ports and whether a display may be on them; return the exit code."""
    ports = found_ports()
    if not ports:
        print("no serial ports: nothing is plugged in")
    for port in ports:
        likely = f"perhaps a display ({port.likely})" if port.likely else "probably not a display"
        print(f"{port.url:24} {port.about:32} {likely}")
    return 0


def _run_test(args: argparse.Namespace) -> int:
    """Show a made-up game on a display; return the exit code: 3 if none was found."""
    with Bridge(args.display, _strip(args)) as bridge:
        status = ""
        began_s = time.monotonic()
        while (t_s := time.monotonic() - began_s) < args.seconds:
            bridge.show(made_up_at(t_s, args.seconds))
            if bridge.state.text != status:
                status = bridge.state.text
                print(status, flush=True)
            time.sleep(UPDATE_S)
        return 0 if bridge.state.connections else 3


def _preview(args: argparse.Namespace) -> int:
    """Draw what a display shows after a turn of the made-up game; return the exit code."""
    if args.png is not None and args.png.suffix.lower() != ".png":
        raise DisplayError("{path} must end in .png", path=f"{str(args.png)!r}")
    boards = made_up_scoreboards()
    last = len(boards) - 1
    turn = last * 3 // 4 if args.turn is None else args.turn
    if not 0 <= turn <= last:
        raise DisplayError(f"turn {turn}: the made-up game has turns 0 to {last}")
    board = boards[turn]
    if turn > 0 and board.claims != boards[turn - 1].claims:
        board = replace(board, claimed_s=-CLAIM_AGE_S)
    shown = preview(board, _strip(args), DisplayMoment())
    print(to_ansi(shown, shutil.get_terminal_size().columns))
    for player in board.players:
        path = ", longest path" if player.has_longest_path else ""
        print(f"{player.colour}: {player.score} points, {player.trains_left} trains left{path}")
    if args.png is not None:
        write_output(args.png, to_png(shown))
    return 0
