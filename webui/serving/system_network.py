"""Sockets and network interfaces on each operating system."""

import contextlib
import socket
import struct
import sys
from collections.abc import Iterator

ASK_FOR_ADDRESS = 0x8915  # SIOCGIFADDR of linux/sockios.h


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
