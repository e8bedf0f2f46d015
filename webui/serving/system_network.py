"""Ports and interfaces: the one place where systems differ in them."""

from __future__ import annotations

import contextlib
import socket
import struct
import sys
from collections.abc import Iterator

ASK_FOR_ADDRESS = 0x8915  # SIOCGIFADDR of linux/sockios.h


def allow_address_reuse(listener: socket.socket) -> None:
    """Let a socket listen at a port that was given up just now, as cheroot does.

    On Windows that is so anyway, and asking for it would let two programs share a port.
    """
    if sys.platform != "win32":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def set_silence_timeout(listener: socket.socket, after_s: float) -> None:
    """Let connections end that were sent something and gave no sign for so long.

    Where the system cannot be asked for this, it takes its own time.
    """
    if sys.platform == "linux":
        after_ms = round(1000 * after_s)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, after_ms)


def addresses_by_interface() -> Iterator[tuple[str, str]]:
    """Yield this computer's IPv4 addresses, each with its interface, where the system is Linux."""
    if sys.platform != "linux":
        return
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode()[:15])
            with contextlib.suppress(OSError):  # it has no address
                answer = fcntl.ioctl(probe.fileno(), ASK_FOR_ADDRESS, request)
                yield socket.inet_ntoa(answer[20:24]), name
