"""A page at which no game runs, as `railspotter serve` opens it: past games and The Card Game."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from flask import Flask
from msgspec.structs import replace
from no_limits import no_limits
from past_games import some_games
from phones import never
from railspotter.table.game_log.game_store import GameStore
from railspotter.webui.access.limits import Limits
from railspotter.webui.access.phone_access import PhoneAccess
from railspotter.webui.access.roles import Door
from railspotter.webui.app import create_app
from railspotter.webui.feed.history import LIST_TIMEOUT_S, History
from railspotter.webui.served_pages import PHONES
from railspotter.webui.serving.server import Server
from railspotter.webui.sessions.photo_queue import PhotoQueue, PhotoReading
from railspotter.webui.sessions.services import Services


def resting_app(
    folder: Path,
    *,
    limits: Limits | None = None,
    patience_s: float = LIST_TIMEOUT_S,
    is_open: bool = False,
) -> tuple[Flask, PhoneAccess]:
    """Return the app over what a folder keeps, and who has come in to it.

    To a table that is open, everybody in the network may come in.
    """
    services = resting_services(folder, PhotoReading(never), limits=limits)
    if is_open:
        services.phone_access.change_door(is_open=True)
    services.history = History(GameStore(folder), list_timeout_s=patience_s)
    return create_app(services), services.phone_access


def resting_services(
    folder: Path, reading: PhotoReading, *, limits: Limits | None = None
) -> Services:
    """Return the services of a table at which nothing goes on."""
    access = PhoneAccess(folder / PHONES)
    services = Services(access, limits or no_limits(), folder, PhotoQueue(reading))
    services.is_resting = True
    return services


def photo_app(reading: PhotoReading, *, limits: Limits | None = None) -> Flask:
    """Return the app of such a table, of which nothing but photos is used."""
    return create_app(photo_services(reading, limits=limits))


def photo_services(reading: PhotoReading, *, limits: Limits | None = None) -> Services:
    """Return the services of such a table, to which everybody in the network may come in."""
    folder = Path(tempfile.mkdtemp())  # a game of a photo is begun there
    services = resting_services(folder, reading, limits=limits or Limits())
    access = services.phone_access
    access.devices = replace(access.devices, door=Door(is_open=True))
    return services


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
