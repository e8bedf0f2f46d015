"""`railspotter hall`: all tables of a broker, on one screen."""

import argparse
from urllib.parse import quote

from railspotter.table.home import home

from ..arguments import Subparsers
from ..mqtt_options import add_broker, broker_of
from ..pages import add_address, add_https, serving_options

FOLDER = "hall"  # in the data directory: a log for each topic prefix


def add_to(subparsers: Subparsers) -> None:
    """Add the command to the program's parser; `args.run(args)` returns the exit code."""
    parser = subparsers.add_parser(
        "hall",
        description="Show all tables that tell a broker, on one screen: scores, who leads, who"
        " needs somebody. Tables tell it by 'play --mqtt'; docs/hall.md tells how a club does it.",
        epilog="example: railspotter hall --mqtt mqtt://hall@broker.local/railspotter"
        " --host 0.0.0.0",
    )
    add_broker(parser, is_needed=True)
    add_address(parser)
    add_https(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve the page of all tables until interrupted; return the exit code."""
    # Imported here, as they import the MQTT client and the server.
    from railspotter.club.hall.hall_log import HallLog
    from railspotter.webui.hall.hall_page import HallPage
    from railspotter.webui.hall.hall_session import HallSession

    broker = broker_of(args)
    file = home() / FOLDER / f"{quote(broker.prefix, safe='')}.sqlite"
    with (
        HallLog(file) as log,
        HallPage(
            HallSession(broker, log), file.with_suffix(".pairing"), serving_options(args)
        ) as page,
    ):
        page.server.wait()
    return 0
