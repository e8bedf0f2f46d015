"""The pages that commands serve: a running game, a set-up, and photos with past games.

Each is served while its `with` block runs, and prints its links to the terminal.
"""

import contextlib
from abc import abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from flask import Flask
from railspotter.table.display_control import DisplayControl
from railspotter.table.game_log.game_store import GameStore
from railspotter.table.live_table.live_table import LiveTable
from railspotter.table.set_up.game_set_up import GameSetUp
from railspotter.table.worker import Closable

from .access import phone_access
from .access.gate import is_this_machine
from .access.limits import Limits
from .access.phone_access import CodeKind, PhoneAccess
from .app import PHOTOS, create_app
from .feed.history import History
from .serving.https import Https, own_names
from .serving.server import EVERYWHERE, TABLE_THREADS, THREADS, Server
from .serving.system_network import own_address, phone_addresses
from .sessions.photo_queue import PhotoReading
from .sessions.services import GameSession, SetUpSession

# The pairing file of the host's phones for a page without a game, in the data directory.
PHONES = "page.pairing"
COOKIE = "railspotter-page"  # the name of their cookies
# The text before each printed link.
SAYS = {
    "join": "players scan this, or open",
    "host": "the host opens this once, on one phone",
    "camera": "the phone that is the camera opens this once",
}


@dataclass(frozen=True)
class ServingOptions:
    """How to serve a page."""

    host: str = "127.0.0.1"  # the address to listen on
    port: int = 0  # 0 for any free one
    say: Callable[[str], None] = print  # prints a line to the terminal
    # A callback for when the host has let phones in, so that later pages let them in too.
    on_let_in: Callable[[], None] = lambda: None
    https: Https | None = None  # the certificates for https; None for http
    limits: Limits | None = None  # rate limits; None for the default


class ServedPage(Closable):
    """A served page, together with the context manager `running`, while its `with` block runs.

    `end_streams` ends the pages' open streams, for which the server would wait. Entering raises
    `AddressError` when the address or port cannot be used, and `CertificateError` when there is no
    port for the page about trusting the certificate.
    """

    def __init__(
        self,
        app: Flask,
        phone_access: PhoneAccess,
        options: ServingOptions,
        running: AbstractContextManager[Any],
        end_streams: Callable[[], None],
        *,
        threads: int = TABLE_THREADS,
        can_let_in: bool = True,
    ) -> None:
        self._options, self._can_let_in = options, can_let_in
        self._phone_access, self._running, self._end_streams = phone_access, running, end_streams
        phone_access.on_codes = self._print_new_link
        self._photos = app.extensions.get(PHOTOS)
        self._say, self._https = options.say, options.https
        certificate = None if options.https is None else options.https.certificate
        self.server = Server(
            app, options.host, options.port, threads=threads, certificate=certificate
        )
        self._trust: Server | None = None
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(self._running)
            stack.enter_context(self.server)
            stack.callback(self._end_streams)  # before the server stops, which waits for streams
            if self._photos is not None:
                stack.callback(self._photos.close)
            if self._https is not None:
                self._trust = self._https.trust_server(self._options.host, self.server.port)
                stack.enter_context(self._trust)
            self._stack = stack.pop_all()
        if (host := self._options.host) in EVERYWHERE:
            host = self._host_of_links(own_address(), *phone_addresses())
        else:
            host = self._host_of_links(host)
        self._phone_access.url = self.server.url_at(host)
        if self._can_let_in and is_this_machine(self._phone_access.url) and phone_addresses():
            self._phone_access.let_phones_in = self._let_phones_in
        self._print_links_at(host)
        return self

    def close(self) -> None:
        """Stop serving the page."""
        self._stack.close()

    def _let_phones_in(self) -> None:
        """Serve the page to the network too, as somebody at this computer asked."""
        addresses = self.server.listen_at(phone_addresses())
        first = self._host_of_links(*addresses)
        self._phone_access.url = self.server.url_at(first)
        self._phone_access.let_phones_in = None
        if self._trust is not None:
            self._trust.listen_at(addresses)
        self._options.on_let_in()
        self._print_links_at(first)

    def _host_of_links(self, host: str, *others: str) -> str:
        """Return the one of its hosts that links have: over https, one of the certificate's."""
        if self._https is None:
            return host
        return self._https.covered_host(host, *others, *(own_names() if others else ()))

    @property
    def url(self) -> str:
        """The page's URL on this computer."""
        return self.server.url

    @abstractmethod
    def _print_links(self) -> None:
        """Print the page's links, once it is served."""

    def _print_new_link(self, kind: CodeKind) -> None:
        """Print the host's next link; others are shown on the host's phone."""
        if kind == "host":
            self._print_code(kind, is_scanned=False)

    def _print_links_at(self, host: str) -> None:
        """Print the page's links, and how phones that open it at `host` trust its certificate."""
        self._print_links()
        if self._https is not None and self._trust is not None:
            for line in self._https.lines(f"{self._trust.url_at(host)}trust"):
                self._say(line)

    def _print_who_gets_in(self, others: str) -> None:
        """Print whether phones can reach the page; `others` is a line on what they may do then."""
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
            self._say(phone_access.qr_terminal(url).rstrip("\n"))
        self._say(f"{SAYS[kind]}: {url}")


class PlayPage(ServedPage):
    """The page of a running game.

    `reading` scores uploaded photos; `again` begins a new game with the same people.
    """

    def __init__(
        self,
        table: LiveTable,
        options: ServingOptions,
        reading: PhotoReading,
        *,
        again: Callable[[Callable[[Path], None]], None] | None = None,
        desk: DisplayControl | None = None,
    ) -> None:
        session = GameSession(table, again=again, display=desk)
        app = create_app(reading, session=session, limits=options.limits)
        super().__init__(app, session.phone_access, options, session, session.feed.close)
        self.session = session

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
    """The page of a game's set-up; `desk` must have been entered already."""

    def __init__(
        self,
        desk: GameSetUp,
        home: Path,
        options: ServingOptions,
        reading: PhotoReading,
        *,
        display: DisplayControl | None = None,
    ) -> None:
        session = SetUpSession(desk, home, display=display)
        past = History(GameStore(home))
        app = create_app(reading, set_up=session, history=past, limits=options.limits)
        super().__init__(app, session.phone_access, options, session, session.close)
        self.session = session

    def _print_links(self) -> None:
        self._print_code("host", is_scanned=True)
        self._print_who_gets_in(
            "everyone in this network can open the page; to set up the game needs the host's link"
        )


class PhotosPage(ServedPage):
    """The page without a game: scores photos, and shows past games and the board editor."""

    def __init__(self, home: Path, options: ServingOptions, reading: PhotoReading) -> None:
        with contextlib.suppress(OSError):  # reported when it has to write there
            home.mkdir(parents=True, exist_ok=True)
        access = PhoneAccess(home / PHONES, COOKIE)
        past = History(GameStore(home))
        app = create_app(reading, phone_access=access, history=past, limits=options.limits)
        super().__init__(
            app, access, options, nullcontext(), lambda: None, threads=THREADS, can_let_in=False
        )

    def _print_links(self) -> None:
        self._say(f"the page is at {self.url} (Ctrl-C ends it)")
        self._print_new_link("host")

    def _print_new_link(self, kind: CodeKind) -> None:
        if kind == "host":
            access = self._phone_access
            url = phone_access.link(f"{access.url}history", "host", access.codes.host)
            self._say(f"to delete past games, take some in or make boards, open this once: {url}")
