"""`railspotter display list|test|preview`: a display beside the board."""

from __future__ import annotations

import argparse
from pathlib import Path

from railspotter.firmware_bridge.lights import Strip
from railspotter.firmware_bridge.terminal import list_displays, preview_display, try_display

from ..arguments import Subparsers, number, whole_number

PALETTES = ("plain", "red-green", "blue-yellow", "lightness")
MOST_LEDS = 1000


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
    listing.set_defaults(run=run, what="list")

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
    _add_look(test)
    test.set_defaults(run=run, what="test")

    preview = verbs.add_parser(
        "preview",
        help="draw in the terminal what a display would show",
        description="Draw in the terminal what a display would show in a made-up game.",
        epilog="example: railspotter display preview --palette red-green --png lights.png",
    )
    preview.add_argument("--turn", type=int, metavar="N", help="how it looks after N turns")
    preview.add_argument(
        "--png", type=Path, metavar="FILE", help="write the strip as a picture too"
    )
    _add_look(preview)
    preview.set_defaults(run=run, what="preview")


def _add_look(parser: argparse.ArgumentParser) -> None:
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
        choices=PALETTES,
        default="plain",
        help="red-green and blue-yellow are for the colour-blind (%(default)s)",
    )
    parser.add_argument("--reversed", action="store_true", help="the strip begins at the far end")


def run(args: argparse.Namespace) -> int:
    """List, try or preview a display; return the exit code."""
    if args.what == "list":
        return list_displays()
    strip = Strip(args.leds, args.brightness, args.palette, is_reversed=args.reversed)
    if args.what == "test":
        return try_display(args.display, strip, args.seconds)
    return preview_display(strip, args.turn, args.png)
