"""Which addresses are other machines' at home: displays that a phone names stand at those alone."""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address

# A home's IPv6 addresses are global; those of one network share so many bits (RFC 4291, 2.5.4).
HOME_BITS = 64


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
    own = _own_address_towards(address)
    if own == address:
        return False
    if not address.is_global:
        return True
    shift = 128 - HOME_BITS
    return own is not None and own.version == 6 and int(own) >> shift == int(address) >> shift


def _own_address_towards(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address | None:
    """Return the address from which this computer would send there; nothing is sent."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    with socket.socket(family, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect((str(address), 9))
            return _unmapped(asked.getsockname()[0])
        except OSError:  # there is no way there
            return None


def _unmapped(text: str) -> IPv4Address | IPv6Address:
    """Return an address; IPv4 within IPv6 as what it is, and without the name of a network card."""
    address = ip_address(text.partition("%")[0])
    return getattr(address, "ipv4_mapped", None) or address
