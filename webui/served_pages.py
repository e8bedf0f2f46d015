"""The page of a table, as commands serve it, and what it has in common with a hall's.

Each is served while its `with` block runs, and prints its links to the terminal.
"""

import contextlib
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from flask import Flask
from railspotter.table.display_control import DisplayControl
from railspotter.table.worker import Closable

from .access import phone_access
from .access.gate import is_this_machine
from .access.limits import Limits
from .access.phone_access import CodeKind, PhoneAccess
from .app import create_app
from .errors import AddressError
from .serving.https import Https, own_names
from .serving.server import EVERYWHERE, TABLE_THREADS, Server
from .serving.system_network import own_address, phone_addresses
from .sessions.photo_queue import PhotoQueue, PhotoReading
from .sessions.services import GameSession, Services, Session

PHONES = "page.pairing"  # the file of a table's phones, in the data directory
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
    https: Https | None = None  # the certificates for https; None for http
    limits: Limits | None = None  # rate limits; None for the default
    name: str = ""  # what the network is told that the page is of; empty to tell it nothing


class ServedPage(Closable):
    """A served page, together with the context manager `running`, while its `with` block runs.

    `running` ends what the server would wait for: the pages' open streams, queued photos. Entering
    raises `AddressError` when the address or port cannot be used, and `CertificateError` when there
    is no port for the page about trusting the certificate.
    """

    def __init__(
        self,
        app: Flask,
        phone_access: PhoneAccess,
        options: ServingOptions,
        running: AbstractContextManager[Any],
        *,
        can_let_in: bool = True,
    ) -> None:
        self._options, self._can_let_in = options, can_let_in
        self._phone_access, self._running = phone_access, running
        phone_access.on_codes = self._print_new_link
        self._say, self._https = options.say, options.https
        certificate = None if options.https is None else options.https.certificate
        self.server = Server(
            app, options.host, options.port, threads=TABLE_THREADS, certificate=certificate
        )
        self._trust: Server | None = None
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(self.server)
            stack.enter_context(self._running)  # ends before the server, which waits for it
            if self._https is not None:
                self._trust = self._https.trust_server(self._options.host, self.server.port)
                stack.enter_context(self._trust)
            self._stack = stack.pop_all()
        if (host := self._options.host) in EVERYWHERE:
            host = self._host_of_links(own_address(), *phone_addresses())
        else:
            host = self._host_of_links(host)
        self._phone_access.url = self.server.url_at(host)
        if self._can_let_in and is_this_machine(self._phone_access.url):
            self._phone_access.let_phones_in = self._let_phones_in
        self._print_links_at(host)
        own = self._options.host
        self._announce([one for one in phone_addresses() if own in (*EVERYWHERE, one)])
        return self

    def close(self) -> None:
        """Stop serving the page."""
        self._stack.close()

    def _let_phones_in(self) -> None:
        """Serve the page to the network too, as somebody at this computer asked."""
        if not (addresses := phone_addresses()):
            raise AddressError("this computer is in no network: connect it, then tap once more")
        if self._options.host not in EVERYWHERE:
            addresses = self.server.listen_at(addresses)
        first = self._host_of_links(*addresses)
        self._phone_access.url = self.server.url_at(first)
        self._phone_access.let_phones_in = None
        if self._trust is not None:
            self._trust.listen_at(addresses)
        self._print_links_at(first)
        self._announce(addresses)

    def _announce(self, addresses: Sequence[str]) -> None:
        """Tell the network of the page, if phones reach it there."""
        if addresses and self._options.name:
            from .serving.announcing import Announcement  # zeroconf takes a fifth of a second

            name, port = self._options.name, self.server.port
            told = Announcement(name, addresses, port, self._print_name, self._say)
            self._stack.enter_context(told)

    def _print_name(self, host: str) -> None:
        """Print and keep the page's URL by a name."""
        self._phone_access.named_url = self.server.url_at(host)
        self._say(f"where the network knows names: {self._phone_access.named_url}")

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
            self._phone_access.trust_url = f"{self._trust.url_at(host)}trust"
            for line in self._https.lines(self._phone_access.trust_url):
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


class TablePage(ServedPage):
    """The page of a table, whatever goes on there: nothing, a set-up, a game and the next one.

    `home` is the data directory, `reading` scores photos, `display` shows the score.
    """

    def __init__(
        self,
        home: Path,
        options: ServingOptions,
        reading: PhotoReading,
        *,
        display: DisplayControl | None = None,
    ) -> None:
        with contextlib.suppress(OSError):  # reported when it has to write there
            home.mkdir(parents=True, exist_ok=True)
        access, photos = PhoneAccess(home / PHONES), PhotoQueue(reading)
        self.services = Services(access, options.limits or Limits(), home, photos, display)
        super().__init__(create_app(self.services), access, options, closing(photos))

    @contextmanager
    def running(self, session: Session) -> Iterator[None]:
        """Show a game or a set-up while the `with` block runs, and print its links."""
        with self.services.running(session):
            if isinstance(session, GameSession) and session.phone is not None:
                self._print_code("camera", is_scanned=True)
                if self._https is None:
                    self._say(
                        "over http that phone sends photos one by one; to film, add '--https'"
                    )
            yield

    def _print_links(self) -> None:
        self._say(f"the page is at {self.url} (Ctrl-C, or 'q' here, ends it)")
        self._print_code("join", is_scanned=True)
        self._print_code("host", is_scanned=not self._phone_access.has_host)
        self._print_number()
        door = self._phone_access.devices.door
        who = "everyone in this network" if door.is_open else f"who has the word {door.word}"
        self._print_who_gets_in(f"{who} comes in")

    def _print_new_link(self, kind: CodeKind) -> None:
        self._print_code(kind, is_scanned=kind != "host")
        if kind == "host":
            self._print_number()

    def _print_number(self) -> None:
        """Print the number by which the first phone becomes the host's."""
        if not self._phone_access.has_host:
            self._say(f"or types {self._phone_access.becoming_host.number} on the page")
