"""The MQTT options of commands, and the publisher that they define."""

from __future__ import annotations

import argparse
import hashlib
import socket
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from railspotter.scoring.sentence import Sentence
from railspotter.table.errors import TableError
from railspotter.table.home import home

if TYPE_CHECKING:
    from railspotter.club.broker import BrokerAddress
    from railspotter.club.publisher import Publisher

# Options that need a broker.
BROKER_OPTIONS = ("mqtt_password_file", "mqtt_ca", "mqtt_commands", "home_assistant", "table")
MOST_LETTERS = 40  # of a table's name
MOST_ID = 64  # characters of a table's id, the limit of `railspotter.club`


def add_mqtt(parser: argparse.ArgumentParser) -> None:
    """Add `--mqtt` and its related options."""
    options = parser.add_argument_group(
        "telling others", "what happens at this table, over MQTT: docs/mqtt.md"
    )
    add_broker(options)
    options.add_argument(
        "--mqtt-commands",
        action="store_true",
        help="let others pause this table, go on, and have it look again",
    )
    options.add_argument(
        "--home-assistant",
        nargs="?",
        const="homeassistant",
        metavar="PREFIX",
        help="let the table appear in Home Assistant by itself, which looks below PREFIX"
        " (%(const)s)",
    )
    options.add_argument(
        "--table",
        type=table_name,
        metavar="NAME",
        help="what this table is called there, as 'Table 3' (default: the broker's USER, or this"
        " computer's name)",
    )


def add_broker(options: argparse._ActionsContainer, *, is_needed: bool = False) -> None:
    """Add the options for the broker's address."""
    options.add_argument(
        "--mqtt",
        metavar="URL",
        required=is_needed,
        help="a broker, as mqtt://USER@HOST:PORT/PREFIX, or mqtts:// with TLS. Its password is"
        " taken from RAILSPOTTER_MQTT_PASSWORD, or a file",
    )
    options.add_argument(
        "--mqtt-password-file", type=Path, metavar="FILE", help="a file with the password alone"
    )
    options.add_argument(
        "--mqtt-ca",
        type=Path,
        metavar="FILE",
        help="a file of certificates by which the broker's own is trusted",
    )


def broker_of(args: argparse.Namespace) -> BrokerAddress:
    """Return the broker's address from the arguments.

    Raises `ClubError` if the address, the password or the certificates cannot be used.
    """
    from railspotter.club.broker import parse_broker  # large

    return parse_broker(args.mqtt, password_file=args.mqtt_password_file, trusted=args.mqtt_ca)


def table_name(text: str) -> str:
    """Parse a table's name; raises `argparse.ArgumentTypeError` for an invalid one."""
    name = " ".join(text.split())
    if not 1 <= len(name) <= MOST_LETTERS or not name.isprintable() or not table_id(name):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no name of a table: up to {MOST_LETTERS} letters and figures"
        )
    return name


def table_id(name: str) -> str:
    """Convert a table's name to its id in topics; empty for a name without letters.

    A name with letters that ASCII cannot represent gets a hash as its suffix.

    >>> table_id("Table 3"), table_id("Tür 1"), table_id("Стол 1")
    ('table-3', 'tur-1', '1-569c5e47')
    """
    from railspotter.table.boards.tables import place_id  # large

    plain = place_id(name)
    if len(plain) <= MOST_ID and all(map(place_id, filter(str.isalnum, name))):
        return plain
    same = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    digest = hashlib.sha256(same.encode()).hexdigest()[:8]
    return f"{(plain or 'table')[: MOST_ID - 9].strip('-')}-{digest}"


@contextmanager
def open_publisher(args: argparse.Namespace) -> Iterator[Publisher | None]:
    """Open the publisher for the broker in the arguments; yield None without a broker.

    Raises `TableError` or `ClubError` if the address, the password or the outbox cannot be used.
    """
    if not args.mqtt:
        if any(getattr(args, name) for name in BROKER_OPTIONS):
            raise TableError("say which broker: --mqtt mqtt://USER@HOST/PREFIX")
        yield None
        return
    from railspotter.club.outbox import Outbox  # large
    from railspotter.club.publisher import Publisher  # large

    broker = broker_of(args)
    name = args.table or broker.user or socket.gethostname().partition(".")[0]
    table = table_id(name) or "table"
    with (
        Outbox(home() / "mqtt" / f"{table}.sqlite") as outbox,
        Publisher(
            broker,
            outbox,
            table=table,
            name=name[:MOST_LETTERS],
            lets_command=args.mqtt_commands,
            discovery=args.home_assistant,
            say=_say,
        ) as publisher,
    ):
        _say(Sentence("this table's id at the broker is {id}", id=table))
        yield publisher


def _say(sentence: Sentence) -> None:
    print(f"          {sentence}", file=sys.stderr, flush=True)
