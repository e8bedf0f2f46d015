"""Sockets and this computer's addresses on each operating system, and which phones can reach."""

import contextlib
import ipaddress
import socket
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass

# The names that the network is told of a computer with pages: the first that no other one has.
HOST_NAMES = ("railspotter.local", *(f"railspotter-{n}.local" for n in range(2, 10)))
ASK_FOR_ADDRESS = 0x8915  # SIOCGIFADDR of linux/sockios.h
# The prefixes of virtual interfaces, to containers and virtual machines.
VIRTUAL_INTERFACES = ("docker", "veth", "br-", "virbr", "vmnet", "vboxnet", "lxc", "podman")


def allow_address_reuse(listener: socket.socket) -> None:
    """Allow to listen on a port that was closed just now, as cheroot does.

    Windows does so by default; there the option would let two programs share a port.
    """
    if sys.platform != "win32":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def set_unacknowledged_timeout(listener: socket.socket, after_s: float) -> None:
    """Set how long sent data may stay unacknowledged before a connection is closed; Linux only."""
    if sys.platform == "linux":
        after_ms = round(1000 * after_s)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, after_ms)


def addresses_by_interface() -> Iterator[tuple[str, str]]:
    """Yield this computer's IPv4 addresses with their interfaces; Linux only."""
    if sys.platform != "linux":
        return
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode()[:15])
            with contextlib.suppress(OSError):  # it has no address
                answer = fcntl.ioctl(probe.fileno(), ASK_FOR_ADDRESS, request)
                yield socket.inet_ntoa(answer[20:24]), name


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
