"""A page told to the network by names (mDNS, DNS-SD), so that nobody has to know its address."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing

from railspotter.scoring.sentence import Sentence
from railspotter.table.worker import Worker
from zeroconf import AddressResolver, Error, IPVersion, ServiceInfo, Zeroconf  # type: ignore[attr-defined]  # its __all__ lacks the first

from .system_network import HOST_NAMES

TYPE = "_http._tcp.local."
# How often, and how long each time, another computer with a name is given to answer: who has told
# of it just now is silent for a second (RFC 6762, section 6).
ASKINGS, ASK_MS = 6, 500
MOST_LABEL_BYTES = 63 - len(" 9")  # of a service's name, with room for a number
NOT_TOLD = Sentence("the network is not told of this page ({error}): it is opened by its address")


class Announcement(Worker):
    """Tells the network of a page on this computer while its `with` block runs.

    `name` is the table's. `on_name` is called with the computer's name once that is told, `say`
    with a sentence if nothing can be told. It is told at `interfaces`, by default the `addresses`.
    """

    def __init__(
        self,
        name: str,
        addresses: Sequence[str],
        port: int,
        on_name: Callable[[str], None],
        say: Callable[[str], None],
        interfaces: Sequence[str] = (),
    ) -> None:
        super().__init__("announcing")
        self._name, self._addresses, self._port = name, list(addresses), port
        self._on_name, self._say = on_name, say
        self._interfaces = list(interfaces or addresses)

    def _run(self) -> None:
        label = f"Railspotter ({self._name})".encode()[:MOST_LABEL_BYTES].decode(errors="ignore")
        try:
            with closing(Zeroconf(self._interfaces, ip_version=IPVersion.V4Only)) as network:
                names = (f"{label}{number}.{TYPE}" for number in ("", " 2", " 3", " 4", " 5"))
                host = self._first_free(HOST_NAMES, lambda one: AddressResolver(f"{one}."), network)
                name = self._first_free(names, lambda one: ServiceInfo(TYPE, one), network)
                page = ServiceInfo(
                    TYPE,
                    name,
                    self._port,
                    properties={"path": "/"},
                    server=f"{host}.",
                    parsed_addresses=self._addresses,
                )
                network.register_service(page, allow_name_change=True)
                self._on_name(host)
                self._stop_event.wait()
        except (OSError, Error) as error:
            self._say(NOT_TOLD.filled(error=str(error) or type(error).__name__))

    def _first_free(
        self, names: Iterable[str], other: Callable[[str], ServiceInfo], network: Zeroconf
    ) -> str:
        """Return the first name that nobody else answers to; the last one if there is none."""
        for name in names:
            found = other(name)
            asked = (found.request(network, ASK_MS) for _ in range(ASKINGS))
            is_known = any(is_known or self._stop_event.is_set() for is_known in asked)
            is_here = set(found.parsed_addresses()) <= set(self._addresses)
            if not is_known or (is_here and found.port in (None, self._port)):
                break
        return name
