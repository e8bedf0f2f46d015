"""A page at a table: served while its `with` block runs, and told of at the computer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from types import TracebackType
from typing import Any, Self

from flask import Flask

from .access import Door, Opens, codes, is_this_machine
from .serving import EVERYWHERE, TABLE_THREADS, Https, Server

SAYS = {
    "join": "players scan this, or open",
    "host": "the host opens this once, on one phone",
    "camera": "the phone that is the camera opens this once",
}


class ShownPage(ABC):
    """A page at a table, while its `with` block runs.

    Parameters
    ----------
    app : Flask
    door : Door
        Who comes in.
    behind : context manager
        What runs as long as the page does.
    close : callable
        Ends what pages listen to: the server waits for it.
    host, port : str, int
        Where to listen.
    say : callable
        Says something to whoever is at the computer.
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
        app: Flask,
        door: Door,
        behind: AbstractContextManager[Any],
        close: Callable[[], None],
        host: str,
        port: int,
        *,
        say: Callable[[str], None],
        https: Https | None = None,
    ) -> None:
        self._door, self._behind, self._close = door, behind, close
        self._say, self._host, self._https = say, host, https
        certificate = None if https is None else https.certificate
        self.server = Server(app, host, port, threads=TABLE_THREADS, certificate=certificate)
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(self._behind)
            stack.enter_context(self.server)
            stack.callback(self._close)  # before the server waits for its streams
            if self._https is not None:
                trust = self._https.trust_server(self._host, self.server.port)
                stack.enter_context(trust)
                for line in self._https.lines(f"{self._for_phones(trust)}trust"):
                    self._say(line)
            self._stack = stack.pop_all()
        self._door.url = self._for_phones(self.server)
        self._say_links()
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

    @abstractmethod
    def _say_links(self) -> None:
        """Say where the page is, once it is served."""

    def _say_who_gets_in(self, others: str) -> None:
        """Say whether phones reach the page; `others` is what they may do then."""
        if is_this_machine(self._door.url):
            self._say("only this computer can open the page: '--host 0.0.0.0' lets phones in")
        else:
            self._say(others)

    def _say_code(self, opens: Opens, *, is_scanned: bool) -> None:
        url = self._door.links(self._door.url)[opens]
        if is_scanned and not is_this_machine(url):
            self._say(codes.terminal(url).rstrip("\n"))
        self._say(f"{SAYS[opens]}: {url}")

    def _for_phones(self, server: Server) -> str:
        """Return the address that phones open: this machine's own in the network."""
        return server.url_at(codes.own_address()) if self._host in EVERYWHERE else server.url
