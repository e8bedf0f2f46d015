"""Which hosts are opened, and how: a name is resolved once, and what was checked is connected to.

The terminal may name any address. A phone may name what the terminal vouches for, and addresses of
the internet, which it reaches without this computer as well. What is at home, the computer itself
above all, trusts this computer with more than it trusts a phone.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

from railspotter.scoring.sentence import Sentence

from .errors import HostNotAllowedError, SourceUnusableError

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

AT_HOME = Sentence(
    "{host} is in the home network, or this computer itself: start the program with"
    " '--allow-camera {host}', then a phone may choose it"
)
HOME_BITS = 64
"""A home's IPv6 addresses are global; those of one network share so many bits (RFC 4291, 2.5.4)."""


@dataclass(frozen=True)
class AllowedHosts:
    """The hosts at which phones may choose a camera, though they are at home.

    Attributes
    ----------
    names : frozenset of str
    networks : tuple of IPv4Network or IPv6Network
        A single address is one too.
    """

    names: frozenset[str] = frozenset()
    networks: tuple[Network, ...] = ()

    @classmethod
    def parse(cls, texts: Iterable[str]) -> AllowedHosts:
        """Read what stands behind `--allow-camera`.

        Raises
        ------
        SourceUnusableError
            When one is neither a name nor an address nor a network.

        Examples
        --------
        >>> hosts = AllowedHosts.parse(["Cam.local", "192.168.1.0/24", "::1"])
        >>> hosts.vouch_for("cam.local"), hosts.vouch_for("192.168.1.20"), hosts.vouch_for("[::1]")
        (True, True, True)
        >>> hosts.vouch_for("192.168.2.20"), hosts.vouch_for("other.local")
        (False, False)
        """
        names, networks = set(), []
        for text in texts:
            try:
                networks.append(ip_network(text.strip("[]"), strict=False))
            except ValueError:
                is_name = text.isascii() and text.isprintable() and not set(text) & set(" /:@?#[]")
                if not (text and is_name):
                    said = f"{text!r} is no host: write a name, an address or a network"
                    raise SourceUnusableError(said) from None
                names.add(_plain(text))
        return cls(frozenset(names), tuple(networks))

    def and_host_of(self, source: str) -> AllowedHosts:
        """Return these, and the host of a source that the terminal named; it may have none.

        Examples
        --------
        >>> AllowedHosts().and_host_of("http://cam.local:8080/video").vouch_for("cam.local")
        True
        >>> AllowedHosts().and_host_of("game.mp4") == AllowedHosts()
        True
        """
        try:
            host = urlsplit(source).hostname
        except ValueError:
            host = None
        if not host:
            return self
        address = _written_address(host)
        if address is None:
            return AllowedHosts(self.names | {_plain(host)}, self.networks)
        return AllowedHosts(self.names, (*self.networks, ip_network(address)))

    def vouch_for(self, host: str) -> bool:
        """Tell whether the terminal answers for a host as it is written, wherever a name leads."""
        address = _written_address(host)
        return self.include(address) if address else _plain(host) in self.names

    def include(self, address: Address) -> bool:
        """Tell whether an address was allowed."""
        return any(address in network for network in self.networks)

    def check(self, host: str) -> None:
        """Refuse an address at home that was not allowed; a name is judged when it is resolved.

        Raises
        ------
        HostNotAllowedError
            With what to type.
        """
        address = _written_address(host)
        if address and not self.include(address) and _is_at_home(address):
            raise HostNotAllowedError(AT_HOME.filled(host=str(address)))


def connected(
    host: str, port: int, timeout_s: float, allowed: AllowedHosts | None = None
) -> socket.socket:
    """Connect to the first address of a host that may be opened and answers.

    Parameters
    ----------
    allowed : AllowedHosts or None
        What phones may choose; None where the terminal vouches for the host, wherever it leads.

    Raises
    ------
    HostNotAllowedError
        When all its addresses are at home, and not allowed.
    OSError
        When none answers, or there is no such host.
    """
    found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
    if allowed is not None:
        found = [one for one in found if _may_open(str(one[4][0]), allowed)]
        if not found:
            raise HostNotAllowedError(AT_HOME.filled(host=host))
    fault = OSError("it has no address")
    # The addresses themselves: asked again for the name, a server might say another.
    for family, kind, protocol, _, address in found:
        connection = socket.socket(family, kind, protocol)
        try:
            connection.settimeout(timeout_s)
            connection.connect(address)
        except OSError as error:
            connection.close()
            fault = error
        else:
            return connection
    raise fault


def _may_open(text: str, allowed: AllowedHosts) -> bool:
    address = _unmapped(text)
    return allowed.include(address) or not _is_at_home(address)


def _is_at_home(address: Address) -> bool:
    """Tell whether an address is this computer's, its network's, or none of the internet's.

    Examples
    --------
    >>> [_is_at_home(ip_address(a)) for a in ("127.0.0.2", "169.254.169.254", "10.1.2.3", "::1")]
    [True, True, True, True]
    >>> [_is_at_home(ip_address(a)) for a in ("0.0.0.0", "100.64.0.1", "224.0.0.1", "fd00::1")]
    [True, True, True, True]
    >>> _is_at_home(ip_address("9.9.9.9"))
    False
    """
    if not address.is_global or address.is_multicast:
        return True
    own = _own_address_towards(address)
    if own is None or own.version != address.version:
        return False
    if own.version == 4:
        return own == address
    shift = 128 - HOME_BITS
    return int(own) >> shift == int(address) >> shift


def is_of_a_neighbour(text: str) -> bool:
    """Tell whether an address, written in numbers, is at home and not this computer's own.

    Examples
    --------
    >>> [is_of_a_neighbour(a) for a in ("192.168.1.7", "127.0.0.1", "169.254.169.254", "9.9.9.9")]
    [True, False, False, False]
    >>> [is_of_a_neighbour(a) for a in ("::1", "::ffff:127.0.0.1", "0.0.0.0", "fd00::7")]
    [False, False, False, True]
    """
    address = _unmapped(text)
    is_somewhere = not (address.is_loopback or address.is_link_local or address.is_multicast)
    if not is_somewhere or address.is_unspecified:
        return False
    return _is_at_home(address) and _own_address_towards(address) != address


def _own_address_towards(address: Address) -> Address | None:
    """Return the address from which this computer would send there; nothing is sent."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    with socket.socket(family, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect((str(address), 9))
            return _unmapped(asked.getsockname()[0])
        except OSError:  # there is no way there
            return None


def _written_address(host: str) -> Address | None:
    """Return the address that a host is written as, in any of the ways that there are.

    Examples
    --------
    >>> _written_address("[::ffff:127.0.0.1]"), _written_address("0x7f.1")
    (IPv4Address('127.0.0.1'), IPv4Address('127.0.0.1'))
    >>> _written_address("cam.local")
    """
    try:
        found = socket.getaddrinfo(host.strip("[]"), None, flags=socket.AI_NUMERICHOST)
    except OSError:
        return None
    return _unmapped(str(found[0][4][0]))


def _unmapped(text: str) -> Address:
    """Return an address; IPv4 within IPv6 as what it is, and without the name of a network card."""
    address = ip_address(text.partition("%")[0])
    return getattr(address, "ipv4_mapped", None) or address


def _plain(name: str) -> str:
    return name.casefold().rstrip(".")
