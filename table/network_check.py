"""What keeps a phone from reaching the page: addresses, ports, firewalls, guest networks."""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import socket
import struct
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .check_up import Finding, State

FOR_MACHINES_INSIDE = ("docker", "veth", "br-", "virbr", "vmnet", "vboxnet", "lxc", "podman")
"""How networks are called that lead to machines inside this one, where no phone is."""
ASK_FOR_ADDRESS = 0x8915
"""SIOCGIFADDR of linux/sockios.h."""
SETTINGS = Path("/etc")
RUNNING = Path("/run")
KERNEL = Path("/proc/version")
EVERYWHERE = "0.0.0.0"  # noqa: S104  # what the person is told to listen on
GUESTS = (
    "a guest Wi-Fi keeps devices apart: put the phone and this computer into the same, usual"
    " network, and switch the phone's mobile data off if the page does not open"
)


@dataclass(frozen=True)
class OwnAddress:
    """An address of this computer.

    Attributes
    ----------
    interface : str
        What the system calls the way to it; empty where it does not tell.
    """

    address: str
    interface: str = ""

    @property
    def is_for_phones(self) -> bool:
        """Whether a phone in the same network may reach it."""
        ip = ipaddress.ip_address(self.address)
        inside = self.interface.startswith(FOR_MACHINES_INSIDE)
        return not (ip.is_loopback or ip.is_link_local or ip.is_unspecified or inside)


def own_addresses() -> tuple[OwnAddress, ...]:
    """Return this computer's IPv4 addresses, the one that others would use first.

    Nothing is sent: the system only says by which way it would.
    """
    found: dict[str, OwnAddress] = {}
    listed = {own.address: own for own in _by_interface()}
    for address in (*_towards_others(), *listed, *_by_name()):
        found.setdefault(address, listed.get(address, OwnAddress(address)))
    return tuple(found.values())


def check_network(
    host: str, port: int, addresses: Sequence[OwnAddress] | None = None
) -> Iterator[Finding]:
    """Yield what is found of the network for a page on this host and port."""
    own = own_addresses() if addresses is None else tuple(addresses)
    yield _of_addresses(own, port)
    yield _of_port(host, port)
    yield from _of_host(host, own)
    yield from firewalls(port)


def firewalls(
    port: int,
    settings: Path = SETTINGS,
    running: Path = RUNNING,
    kernel: Path = KERNEL,
    system: str = sys.platform,
) -> Iterator[Finding]:
    """Yield the firewalls that may stand before the page, as far as anybody may see them."""
    if system == "win32":
        yield _hint(
            "Windows asks once whether Python may be reached: allow private networks",
            "if it was refused: Windows Security, Firewall, Allow an app, Python, Private",
        )
    if system == "darwin":
        yield _hint(
            "macOS asks once whether Python may be reached: allow it",
            "if it was refused: System Settings, Network, Firewall, Options",
        )
    if "ENABLED=yes" in _text(settings / "ufw" / "ufw.conf"):
        yield _hint(
            "the firewall ufw is on and may keep phones out", f"sudo ufw allow {port}/tcp lets them"
        )
    if (running / "firewalld").exists():
        yield _hint(
            "the firewall firewalld is on and may keep phones out",
            f"sudo firewall-cmd --add-port={port}/tcp lets them",
        )
    if "microsoft" in _text(kernel).casefold():
        yield Finding(
            "network",
            State.ATTENTION,
            "this Linux runs inside Windows (WSL), where phones do not reach it by themselves",
            ("set networkingMode=mirrored in .wslconfig, or run Railspotter in Windows itself",),
        )


def _of_addresses(own: Sequence[OwnAddress], port: int) -> Finding:
    usable = [one.address for one in own if one.is_for_phones]
    details = {"addresses": [one.address for one in own], "for_phones": usable}
    if usable:
        pages = " or ".join(f"http://{address}:{port}/" for address in usable)
        return Finding("network", State.WELL, f"a phone would open {pages}", (GUESTS,), details)
    if any(ipaddress.ip_address(one.address).is_link_local for one in own):
        said = "this computer is on a cable or Wi-Fi that gave it no address"
    else:
        said = "this computer is in no network, so that no phone can open the page"
    advice = ("join the Wi-Fi that the phones are in; the page works on this computer alone",)
    return Finding("network", State.NOTE, said, advice, details)


def _of_port(host: str, port: int) -> Finding:
    details = {"host": host, "port": port}
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as listener:
            # As the page's own server does: a port that was just given up is free.
            if sys.platform != "win32":
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, port))
            listener.listen(1)
    except (OSError, OverflowError, ValueError) as error:  # ValueError: no name at all
        return Finding("network", State.ATTENTION, *_why_not(host, port, error), details)
    return Finding("network", State.WELL, f"port {port} is free for the page", (), details)


def _why_not(host: str, port: int, error: Exception) -> tuple[str, tuple[str, ...]]:
    number = getattr(error, "errno", None)
    if number == errno.EADDRINUSE:
        return (
            f"port {port} is in use: another program has it, or Railspotter runs already",
            (f"choose another port, as --port {port + 1 if port < 65535 else 8000}",),
        )
    if number in (errno.EACCES, errno.EPERM):
        return f"port {port} is not allowed for this user", ("choose one from 1024 on",)
    return (
        f"this computer has no address {host!r} to listen on",
        (f"leave --host out, or write --host {EVERYWHERE}",),
    )


def _of_host(host: str, own: Sequence[OwnAddress]) -> Iterator[Finding]:
    if not any(one.is_for_phones for one in own):
        return
    with contextlib.suppress(ValueError):
        if host == "localhost" or ipaddress.ip_address(host).is_loopback:
            yield Finding(
                "network",
                State.NOTE,
                f"by default the page listens on {host}: this computer only",
                (f"--host {EVERYWHERE} opens it to everyone in the same network",),
            )


def _hint(said: str, advice: str) -> Finding:
    return Finding("network", State.NOTE, said, (advice,))


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


def _by_interface() -> Iterator[OwnAddress]:
    """Yield the addresses by interface, where the system is Linux."""
    if sys.platform != "linux":
        return
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode()[:15])
            with contextlib.suppress(OSError):  # it has no address
                answer = fcntl.ioctl(probe.fileno(), ASK_FOR_ADDRESS, request)
                yield OwnAddress(socket.inet_ntoa(answer[20:24]), name)


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""
