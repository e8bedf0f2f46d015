"""The pages of the commands: of a running game, of one that is set up, of photos and past games.

Each is served while its `with` block runs, and told of at the computer.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from flask import Flask
from railspotter.table.display_control import DisplayControl
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.photo_file import plain_photo
from railspotter.table.set_up.game_set_up import GameSetUp

from .access import codes
from .access.codes import CodeKind
from .access.gate import is_this_machine
from .access.limits import Limits
from .access.phone_access import PhoneAccess
from .app import PHOTOS, create_app
from .feed.history import History
from .serving.https import Https
from .serving.own_addresses import own_address, phone_addresses
from .serving.server import EVERYWHERE, TABLE_THREADS, Server
from .sessions.game_session import GameSession
from .sessions.photo_queue import Plain, Score
from .sessions.set_up_session import SetUpSession

# The file of the phones that opened the host's link where no game runs, in the data directory.
PHONES = "page.pairing"
COOKIE = "railspotter-page"  # the name of their cookies
# What is said before each link.
SAYS = {
    "join": "players scan this, or open",
    "host": "the host opens this once, on one phone",
    "camera": "the phone that is the camera opens this once",
}


class ServedPage(ABC):
    """A page at a table, while its `with` block runs.

    Parameters
    ----------
    app : Flask
    phone_access : PhoneAccess
        The page's codes and phones.
    running : context manager
        What runs as long as the page does.
    close : callable
        Ends what pages listen to: the server waits for it.
    host, port : str, int
        Where to listen.
    say : callable
        Says something to whoever is at the computer.
    on_let_in : callable
        Is told when the host has let phones in: pages that follow let them in too.
    https : Https, optional
        The certificates of a page on https.
    can_let_in : bool
        Whether the host can let phones in on the page.

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
        phone_access: PhoneAccess,
        running: AbstractContextManager[Any],
        close: Callable[[], None],
        host: str,
        port: int,
        *,
        say: Callable[[str], None],
        on_let_in: Callable[[], None],
        https: Https | None = None,
        can_let_in: bool = True,
    ) -> None:
        self._can_let_in = can_let_in
        self._phone_access, self._running, self._close = phone_access, running, close
        self._on_let_in = on_let_in
        self._photos = app.extensions.get(PHOTOS)
        self._say, self._host, self._https = say, host, https
        certificate = None if https is None else https.certificate
        self.server = Server(app, host, port, threads=TABLE_THREADS, certificate=certificate)
        self._trust: Server | None = None
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(self._running)
            stack.enter_context(self.server)
            stack.callback(self._close)  # before the server waits for its streams
            if self._photos is not None:
                stack.callback(self._photos.close)
            if self._https is not None:
                self._trust = self._https.trust_server(self._host, self.server.port)
                stack.enter_context(self._trust)
                for line in self._https.lines(f"{self._for_phones(self._trust)}trust"):
                    self._say(line)
            self._stack = stack.pop_all()
        self._phone_access.url = self._for_phones(self.server)
        if self._can_let_in and is_this_machine(self._phone_access.url) and phone_addresses():
            self._phone_access.let_phones_in = self._let_phones_in
        self._print_links()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def _let_phones_in(self) -> None:
        """Serve the page in the network too: somebody at this computer has said so."""
        first, *_ = addresses = self.server.listen_at(phone_addresses())
        self._phone_access.url = self.server.url_at(first)
        self._phone_access.let_phones_in = None
        if self._trust is not None and self._https is not None:
            self._trust.listen_at(addresses)
            for line in self._https.lines(f"{self._trust.url_at(first)}trust"):
                self._say(line)
        self._on_let_in()
        self._print_links()

    @property
    def url(self) -> str:
        """The page's address for whoever sits at this computer."""
        return self.server.url

    @abstractmethod
    def _print_links(self) -> None:
        """Say where the page is, once it is served."""

    def _print_who_gets_in(self, others: str) -> None:
        """Say whether phones reach the page; `others` is what they may do then."""
        if is_this_machine(self._phone_access.url):
            how = "'--host 0.0.0.0' lets phones in"
            if self._phone_access.let_phones_in is not None:
                how += ", or the host does on the page: 'Let phones in'"
            self._say(f"only this computer can open the page: {how}")
        else:
            self._say(others)

    def _print_code(self, kind: CodeKind, *, is_scanned: bool) -> None:
        url = self._phone_access.links(self._phone_access.url)[kind]
        if is_scanned and not is_this_machine(url):
            self._say(codes.terminal(url).rstrip("\n"))
        self._say(f"{SAYS[kind]}: {url}")

    def _for_phones(self, server: Server) -> str:
        """Return the address that phones open: this machine's own in the network."""
        return server.url_at(own_address()) if self._host in EVERYWHERE else server.url


class PlayPage(ServedPage):
    """The page of a running game, while its `with` block runs.

    Parameters
    ----------
    table : LiveTable
    host, port : str, int
        Where to listen.
    score, plain : callable
        Score photos that are sent from a phone; make one a JPEG.
    say : callable
        Says something to whoever is at the computer.
    again : callable, optional
        Begins a new game with the same people.
    desk : DisplayControl, optional
        The display beside the board.
    on_let_in : callable
        Is told when the host has let phones in: pages that follow let them in too.
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
        *,
        plain: Plain = plain_photo,
        say: Callable[[str], None],
        again: Callable[[Callable[[Path], None]], None] | None = None,
        desk: DisplayControl | None = None,
        limits: Limits | None = None,
        on_let_in: Callable[[], None] = lambda: None,
        https: Https | None = None,
    ) -> None:
        self.session = GameSession(table, again=again, display=desk, on_codes=self._print_new_link)
        app = create_app(
            score,
            plain=plain,
            session=self.session,
            limits=limits,
        )
        super().__init__(
            app,
            self.session.phone_access,
            self.session,
            self.session.feed.close,
            host,
            port,
            say=say,
            on_let_in=on_let_in,
            https=https,
        )

    def _print_links(self) -> None:
        self._print_new_link("join")
        self._print_new_link("host")
        if self.session.phone is not None:
            self._print_new_link("camera")
            if self._https is None:
                self._say("over http that phone sends photos one by one; to film, add '--https'")
        self._print_who_gets_in(
            "everyone in this network can look on; to change anything needs a code"
        )

    def _print_new_link(self, kind: CodeKind) -> None:
        self._print_code(kind, is_scanned=kind != "host")


class SetUpPage(ServedPage):
    """The page of a game that is being set up, while its `with` block runs.

    Parameters
    ----------
    desk : GameSetUp
        Opened already: its `with` block runs.
    home : Path
        The data directory.
    host, port : str, int
        Where to listen.
    score, plain : callable
        Score photos that are sent from a phone; make one a JPEG.
    say : callable
        Says something to whoever is at the computer.
    display : DisplayControl, optional
        The display beside the board.
    on_let_in : callable
        Is told when the host has let phones in: pages that follow let them in too.
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
        desk: GameSetUp,
        home: Path,
        host: str,
        port: int,
        score: Score,
        *,
        plain: Plain = plain_photo,
        say: Callable[[str], None],
        display: DisplayControl | None = None,
        limits: Limits | None = None,
        on_let_in: Callable[[], None] = lambda: None,
        https: Https | None = None,
    ) -> None:
        self.session = SetUpSession(desk, home, display=display, on_codes=self._print_new_link)
        app = create_app(
            score,
            plain=plain,
            set_up=self.session,
            history=History(GameStore(home)),
            limits=limits,
        )
        super().__init__(
            app,
            self.session.phone_access,
            self.session,
            self.session.close,
            host,
            port,
            say=say,
            on_let_in=on_let_in,
            https=https,
        )

    def _print_links(self) -> None:
        self._print_code("host", is_scanned=True)
        self._print_who_gets_in(
            "everyone in this network can open the page; to set up the game needs the host's link"
        )

    def _print_new_link(self, kind: CodeKind) -> None:
        """Say the host's next link; the camera's is shown on the host's phone."""
        if kind == "host":
            self._print_code(kind, is_scanned=False)


def serve_page(
    score: Score,
    host: str,
    port: int,
    *,
    plain: Plain = plain_photo,
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
    phone_access: PhoneAccess

    def say_code(kind: CodeKind) -> None:
        if kind == "host":
            url = codes.link(f"{phone_access.url}history", "host", phone_access.codes.host)
            say(f"to delete past games, take some in or make boards, open this once: {url}")

    with contextlib.suppress(OSError):  # then it says so when it has to write there
        home.mkdir(parents=True, exist_ok=True)
    phone_access = PhoneAccess(home / PHONES, COOKIE, say_code)
    app = create_app(
        score,
        plain=plain,
        phone_access=phone_access,
        history=History(GameStore(home)),
    )
    certificate = None if https is None else https.certificate
    with ExitStack() as stack:
        server = stack.enter_context(Server(app, host, port, certificate=certificate))
        stack.callback(app.extensions[PHOTOS].close)
        say(f"the page is at {server.url} (Ctrl-C ends it)")
        phone_access.url = server.url
        if host in EVERYWHERE:
            phone_access.url = server.url_at(own_address())
        if https is not None:
            trust = stack.enter_context(https.trust_server(host, server.port))
            own = own_address() if host in EVERYWHERE else None
            for line in https.lines(f"{trust.url_at(own) if own else trust.url}trust"):
                say(line)
        say_code("host")
        server.wait()
