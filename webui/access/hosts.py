"""Whom a request may be addressed to: this machine, by a name that no foreign site can have.

A page of another site could have its own name point to this machine and then ask it as if it were
the same site (DNS rebinding); the name that it asked for gives it away.
"""

from __future__ import annotations

import ipaddress
import socket
from functools import cache
from urllib.parse import urlsplit

LOCAL_ENDINGS = (".local", ".localhost", ".home.arpa")
"""Names under these are the local network's own: RFC 6762, RFC 6761, RFC 8375."""


def is_own(host: str) -> bool:
    """Tell whether a request's `Host` names this machine.

    Examples
    --------
    >>> [is_own(host) for host in ("192.0.2.7:8000", "[::1]:80", "localhost", "den.local:8000")]
    [True, True, True, True]
    >>> is_own("evil.example"), is_own("192.0.2.7.evil.example"), is_own("")
    (False, False, False)
    """
    name = _name_in(host.casefold())
    if name == "localhost" or name in own_names() or name.endswith(LOCAL_ENDINGS):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_this_machine(url: str) -> bool:
    """Tell whether an address opens a page on the machine only that it is opened on.

    Examples
    --------
    >>> is_this_machine("http://localhost:8000/"), is_this_machine("http://192.0.2.7:8000/")
    (True, False)
    """
    name = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


@cache
def own_names() -> frozenset[str]:
    """Return what this machine is called."""
    name = socket.gethostname().casefold()
    return frozenset({name, name.partition(".")[0]} - {""})


def _name_in(host: str) -> str:
    """Return a host's name or address without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    name, colon, port = host.rpartition(":")
    return name.removesuffix(".") if colon and port.isdigit() else host.removesuffix(".")
