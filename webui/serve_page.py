"""The page of `railspotter serve`: photos are read, and the past games are there; no game runs."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from railspotter.table.game_log import GameStore

from .access import Door, Opens, codes
from .app import create_app
from .feed import History
from .rooms import Score, ScoreTogether
from .serving import EVERYWHERE, Https, Server

PHONES = "page.pairing"
"""The file of the phones that opened the host's link, in the data directory."""
COOKIE = "railspotter-page"


def serve_page(
    score: Score,
    host: str,
    port: int,
    *,
    score_together: ScoreTogether | None = None,
    home: Path,
    say: Callable[[str], None],
    https: Https | None = None,
) -> None:
    """Serve the page until Ctrl-C.

    Parameters
    ----------
    home : Path
        The data directory with the games.
    say : callable
        Says something to whoever is at the computer.
    https : Https, optional
        The certificates of a page on https.

    Raises
    ------
    AddressError
        When the address or port cannot be used.
    """
    door: Door

    def say_code(opens: Opens) -> None:
        if opens == "host":
            url = codes.link(f"{door.url}history", "host", door.codes.host)
            say(f"to delete past games, take some in or make boards, open this once: {url}")

    with contextlib.suppress(OSError):  # then it says so when it has to write there
        home.mkdir(parents=True, exist_ok=True)
    door = Door(home / PHONES, COOKIE, say_code)
    app = create_app(
        score, score_together=score_together, door=door, history=History(GameStore(home))
    )
    certificate = None if https is None else https.certificate
    with ExitStack() as stack:
        server = stack.enter_context(Server(app, host, port, certificate=certificate))
        say(f"the page is at {server.url} (Ctrl-C ends it)")
        door.url = server.url
        if host in EVERYWHERE:
            door.url = server.url_at(codes.own_address())
        if https is not None:
            trust = stack.enter_context(https.trust_server(host, server.port))
            own = codes.own_address() if host in EVERYWHERE else None
            for line in https.lines(f"{trust.url_at(own) if own else trust.url}trust"):
                say(line)
        say_code("host")
        server.wait()
