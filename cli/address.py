"""Where a page is opened: the arguments of every command that opens one."""

from __future__ import annotations

import argparse

LOCAL = "127.0.0.1"
PORT = 8000


def add_address(parser: argparse.ArgumentParser) -> None:
    """Add `--port` and `--host`."""
    parser.add_argument(
        "--port", type=parse_port, default=PORT, help="the page's port (%(default)s)"
    )
    parser.add_argument(
        "--host",
        default=LOCAL,
        help="the address to listen on (%(default)s: this computer only;"
        " 0.0.0.0: everyone in the same network)",
    )


def add_https(parser: argparse.ArgumentParser) -> None:
    """Add `--https` and `--http-port`."""
    parser.add_argument(
        "--https",
        action="store_true",
        help="serve the page over https, as a phone that films needs it; a second page, on plain"
        " http, tells how phones trust this computer",
    )
    parser.add_argument(
        "--http-port",
        type=parse_port,
        metavar="PORT",
        help="with --https: that second page's port (default: the one after --port)",
    )


def parse_port(text: str) -> int:
    """Return a port, or say what one is."""
    if not (text.isascii() and text.isdigit() and int(text) < 2**16):
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: a number up to 65535")
    return int(text)
