"""The page of `railspotter serve`: photos are read, and the past games are there; no game runs."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from railspotter.table.game_log import GameStore

from . import codes
from .app import create_app
from .codes import Opens
from .door import Door
from .history import History
from .photo_desk import Score, ScoreTogether
from .server import EVERYWHERE, Server

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
) -> None:
    """Serve the page until Ctrl-C.

    Parameters
    ----------
    home : Path
        The data directory with the games.
    say : callable
        Says something to whoever is at the computer.

    Raises
    ------
    AddressError
        When the address or port cannot be used.
    """
    door: Door

    def say_code(opens: Opens) -> None:
        if opens == "host":
            url = codes.link(f"{door.url}history", "host", door.codes.host)
            say(f"to delete past games or take some in, open this once: {url}")

    with contextlib.suppress(OSError):  # then it says so when it has to write there
        home.mkdir(parents=True, exist_ok=True)
    door = Door(home / PHONES, COOKIE, say_code)
    app = create_app(
        score, score_together=score_together, door=door, history=History(GameStore(home))
    )
    with Server(app, host, port) as server:
        say(f"the page is at {server.url} (Ctrl-C ends it)")
        door.url = server.url
        if host in EVERYWHERE:
            door.url = f"http://{codes.own_address()}:{server.port}/"
        say_code("host")
        server.wait()
