"""The page of `railspotter play`: opened before the table watches, shut when it is over."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from railspotter.table.display_desk import DisplayDesk
from railspotter.table.live_table import LiveTable

from . import codes
from .app import create_app
from .codes import Opens
from .hosts import is_this_machine
from .https import Https
from .limits import Limits
from .photo_desk import Score, ScoreTogether
from .room import Room
from .server import EVERYWHERE, TABLE_THREADS, Server

SAYS = {
    "join": "players scan this, or open",
    "host": "the host opens this once, on one phone",
    "camera": "the phone that is the camera opens this once",
}


class PlayPage:
    """The page of a running game, while its `with` block runs.

    Parameters
    ----------
    table : LiveTable
    host, port : str, int
        Where to listen.
    score, score_together : callable
        Score photos that are sent from a phone.
    say : callable
        Says something to whoever is at the computer.
    again : callable, optional
        Begins a new game with the same people.
    desk : DisplayDesk, optional
        The display beside the board.
    https : Https, optional
        The certificates of a page on https.

    Raises
    ------
    AddressError
        On entering, when the address or port cannot be used.
    CertificateError
        On entering, when there is no port for the page that tells how to trust it.
    """

    def __init__(
        self,
        table: LiveTable,
        host: str,
        port: int,
        score: Score,
        score_together: ScoreTogether | None = None,
        *,
        say: Callable[[str], None],
        again: Callable[[Callable[[Path], None]], None] | None = None,
        desk: DisplayDesk | None = None,
        limits: Limits | None = None,
        https: Https | None = None,
    ) -> None:
        self.room = Room(table, again=again, desk=desk, on_codes=self._say_code)
        self._say, self._host = say, host
        app = create_app(score, score_together=score_together, room=self.room, limits=limits)
        certificate = None if https is None else https.certificate
        self.server = Server(app, host, port, threads=TABLE_THREADS, certificate=certificate)
        self._https = https
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(self.room)
            stack.enter_context(self.server)
            stack.callback(self.room.feed.close)  # before the server waits for its streams
            if self._https is not None:
                trust = self._https.trust_server(self._host, self.server.port)
                stack.enter_context(trust)
                for line in self._https.lines(f"{self._for_phones(trust)}trust"):
                    self._say(line)
            self._stack = stack.pop_all()
        self.room.url = self._for_phones(self.server)
        self._say_code("join")
        self._say_code("host")
        if self.room.phone is not None:
            self._say_code("camera")
            if self._https is None:
                self._say("over http that phone sends photos one by one; to film, add '--https'")
        if is_this_machine(self.room.url):
            self._say("only this computer can open the page: '--host 0.0.0.0' lets phones in")
        else:
            self._say("everyone in this network can look on; to change anything needs a code")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    @property
    def url(self) -> str:
        """The page's address for whoever sits at this computer."""
        return self.server.url

    def _for_phones(self, server: Server) -> str:
        """Return the address that phones open: this machine's own in the network."""
        return server.url_at(codes.own_address()) if self._host in EVERYWHERE else server.url

    def _say_code(self, opens: Opens) -> None:
        url = self.room.links(self.room.url)[opens]
        if opens != "host" and not is_this_machine(url):
            self._say(codes.terminal(url).rstrip("\n"))
        self._say(f"{SAYS[opens]}: {url}")
