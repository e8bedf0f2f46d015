"""The computer's own addresses, and which of them a phone may reach."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from collections.abc import Iterator
from dataclasses import dataclass

from .system_network import addresses_by_interface

# How networks are called that lead to machines inside this one, where no phone is.
FOR_MACHINES_INSIDE = ("docker", "veth", "br-", "virbr", "vmnet", "vboxnet", "lxc", "podman")


@dataclass(frozen=True)
class OwnAddress:
    """An address of this computer."""

    address: str
    interface: str = ""  # what the system calls the way to it; empty where it does not tell

    @property
    def is_for_phones(self) -> bool:
        """Whether a phone in the same network may reach it."""
        ip = ipaddress.ip_address(self.address)
        inside = self.interface.startswith(FOR_MACHINES_INSIDE)
        return not (ip.is_loopback or ip.is_link_local or ip.is_unspecified or inside)


def own_address() -> str:
    """Return the address at which others in the network find this computer.

    It is 127.0.0.1 where there is no network.
    """
    return next(_towards_others(), "127.0.0.1")


def phone_addresses() -> tuple[str, ...]:
    """Return the addresses at which phones may reach this computer, the likeliest first."""
    return tuple(own.address for own in own_addresses() if own.is_for_phones)


def own_addresses() -> tuple[OwnAddress, ...]:
    """Return this computer's IPv4 addresses, the one that others would use first.

    Nothing is sent: the system only says by which way it would.
    """
    found: dict[str, OwnAddress] = {}
    listed = {address: OwnAddress(address, name) for address, name in addresses_by_interface()}
    for address in (*_towards_others(), *listed, *_by_name()):
        found.setdefault(address, listed.get(address, OwnAddress(address)))
    return tuple(found.values())


def _towards_others() -> Iterator[str]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # RFC 5737: an address for documentation
        address = str(probe.getsockname()[0])
        if not ipaddress.ip_address(address).is_unspecified:
            yield address


def _by_name() -> Iterator[str]:
    with contextlib.suppress(OSError):
        for entry in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            yield str(entry[4][0])
