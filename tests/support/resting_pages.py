"""A page at which no game runs, as `railspotter serve` opens it: past games and The Card Game."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from flask import Flask
from no_limits import no_limits
from past_games import some_games
from phones import never
from railspotter.table.game_log.game_store import GameStore
from railspotter.webui.access.limits import Limits
from railspotter.webui.access.phone_access import PhoneAccess
from railspotter.webui.app import create_app
from railspotter.webui.feed.history import LIST_TIMEOUT_S, History
from railspotter.webui.serving.server import Server
from railspotter.webui.sessions.photo_queue import PhotoReading


def resting_app(
    folder: Path,
    *,
    limits: Limits | None = None,
    patience_s: float = LIST_TIMEOUT_S,
) -> tuple[Flask, PhoneAccess]:
    """Return the app over what a folder keeps, and who has come in to it."""
    access = PhoneAccess(folder / "page.pairing", "railspotter-page")
    history = History(GameStore(folder), list_timeout_s=patience_s)
    limits = limits or no_limits()
    return create_app(
        PhotoReading(never), phone_access=access, history=history, limits=limits
    ), access


@dataclass(frozen=True)
class Shelf:
    """A page with past games and no running one."""

    store: GameStore
    names: dict[str, str]
    phone_access: PhoneAccess
    url: str


@contextmanager
def shelf_in(folder: Path, *, patience_s: float = LIST_TIMEOUT_S) -> Iterator[Shelf]:
    """Serve some games of a folder."""
    store = GameStore(folder)
    names = some_games(store)
    app, access = resting_app(folder, patience_s=patience_s)
    with Server(app, "127.0.0.1", 0) as server:
        yield Shelf(store, names, access, server.url)
