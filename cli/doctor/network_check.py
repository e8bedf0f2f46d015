"""Checks whether phones can reach the page: addresses, ports, firewalls, guest networks."""

import contextlib
import errno
import ipaddress
import socket
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from railspotter.webui.serving.system_network import OwnAddress, allow_address_reuse, own_addresses

from .report import CheckResult, State

SETTINGS = Path("/etc")
RUNNING = Path("/run")
KERNEL = Path("/proc/version")
EVERYWHERE = "0.0.0.0"  # noqa: S104  # what the person is told to listen on
GUEST_NETWORK_ADVICE = (
    "a guest Wi-Fi keeps devices apart: put the phone and this computer into the same, usual"
    " network, and switch the phone's mobile data off if the page does not open"
)


def check_network(
    host: str, port: int, addresses: Sequence[OwnAddress] | None = None
) -> Iterator[CheckResult]:
    """Check whether phones could reach a page on this host and port."""
    own = own_addresses() if addresses is None else tuple(addresses)
    yield _check_addresses(own, port)
    yield _check_port(host, port)
    yield from _check_host(host, own)
    yield from check_firewalls(port)


def check_firewalls(
    port: int,
    settings: Path = SETTINGS,
    running: Path = RUNNING,
    kernel: Path = KERNEL,
    system: str = sys.platform,
) -> Iterator[CheckResult]:
    """Yield notes about firewalls that may block the page, as far as any user can detect them."""
    if system == "win32":
        yield _note(
            "Windows asks once whether Python may be reached: allow private networks",
            "if it was refused: Windows Security, Firewall, Allow an app, Python, Private",
        )
    if system == "darwin":
        yield _note(
            "macOS asks once whether Python may be reached: allow it",
            "if it was refused: System Settings, Network, Firewall, Options",
        )
    if "ENABLED=yes" in _read_text(settings / "ufw" / "ufw.conf"):
        yield _note(
            "the firewall ufw is on and may keep phones out", f"sudo ufw allow {port}/tcp lets them"
        )
    if (running / "firewalld").exists():
        yield _note(
            "the firewall firewalld is on and may keep phones out",
            f"sudo firewall-cmd --add-port={port}/tcp lets them",
        )
    if "microsoft" in _read_text(kernel).casefold():
        yield CheckResult(
            "network",
            State.ATTENTION,
            "this Linux runs inside Windows (WSL), where phones do not reach it by themselves",
            ("set networkingMode=mirrored in .wslconfig, or run Railspotter in Windows itself",),
        )


def _check_addresses(own: Sequence[OwnAddress], port: int) -> CheckResult:
    usable = [one.address for one in own if one.is_for_phones]
    details = {"addresses": [one.address for one in own], "for_phones": usable}
    if usable:
        pages = " or ".join(f"http://{address}:{port}/" for address in usable)
        return CheckResult(
            "network", State.WELL, f"a phone would open {pages}", (GUEST_NETWORK_ADVICE,), details
        )
    if any(ipaddress.ip_address(one.address).is_link_local for one in own):
        said = "this computer is on a cable or Wi-Fi that gave it no address"
    else:
        said = "this computer is in no network, so no phone can open the page"
    advice = ("join the Wi-Fi that the phones are in; the page works on this computer alone",)
    return CheckResult("network", State.NOTE, said, advice, details)


def _check_port(host: str, port: int) -> CheckResult:
    details = {"host": host, "port": port}
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as listener:
            # As the page's server does, so that a recently closed port counts as free.
            allow_address_reuse(listener)
            listener.bind((host, port))
            listener.listen(1)
    except (OSError, OverflowError, ValueError) as error:  # ValueError: no name at all
        return CheckResult("network", State.ATTENTION, *_port_problem(host, port, error), details)
    return CheckResult("network", State.WELL, f"port {port} is free for the page", (), details)


def _port_problem(host: str, port: int, error: Exception) -> tuple[str, tuple[str, ...]]:
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


def _check_host(host: str, own: Sequence[OwnAddress]) -> Iterator[CheckResult]:
    if not any(one.is_for_phones for one in own):
        return
    with contextlib.suppress(ValueError):
        if host == "localhost" or ipaddress.ip_address(host).is_loopback:
            yield _note(
                f"by default the page listens on {host}: this computer only",
                f"--host {EVERYWHERE} opens it to everyone in the same network",
            )


def _note(said: str, advice: str) -> CheckResult:
    return CheckResult("network", State.NOTE, said, (advice,))


def _read_text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""
