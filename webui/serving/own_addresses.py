"""The IP addresses of this computer, and which of them phones can reach."""

import contextlib
import ipaddress
import socket
from collections.abc import Iterator
from dataclasses import dataclass

from .system_network import addresses_by_interface

# The prefixes of virtual interfaces, to containers and virtual machines.
VIRTUAL_INTERFACES = ("docker", "veth", "br-", "virbr", "vmnet", "vboxnet", "lxc", "podman")


@dataclass(frozen=True)
class OwnAddress:
    """An address of this computer."""

    address: str
    interface: str = ""  # empty if unknown

    @property
    def is_for_phones(self) -> bool:
        """Whether a phone in the same network may reach it."""
        ip = ipaddress.ip_address(self.address)
        is_virtual = self.interface.startswith(VIRTUAL_INTERFACES)
        return not (ip.is_loopback or ip.is_link_local or ip.is_unspecified or is_virtual)


def own_address() -> str:
    """Return this computer's main address in the network; 127.0.0.1 without a network."""
    return next(_outgoing_address(), "127.0.0.1")


def phone_addresses() -> tuple[str, ...]:
    """Return the addresses that phones can reach, the likeliest first."""
    return tuple(own.address for own in own_addresses() if own.is_for_phones)


def own_addresses() -> tuple[OwnAddress, ...]:
    """Return this computer's IPv4 addresses, the main one first; sends nothing."""
    found: dict[str, OwnAddress] = {}
    listed = {address: OwnAddress(address, name) for address, name in addresses_by_interface()}
    for address in (*_outgoing_address(), *listed, *_by_name()):
        found.setdefault(address, listed.get(address, OwnAddress(address)))
    return tuple(found.values())


def _outgoing_address() -> Iterator[str]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # RFC 5737: an address for documentation
        address = str(probe.getsockname()[0])
        if not ipaddress.ip_address(address).is_unspecified:
            yield address


def _by_name() -> Iterator[str]:
    with contextlib.suppress(OSError):
        for entry in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            yield str(entry[4][0])
