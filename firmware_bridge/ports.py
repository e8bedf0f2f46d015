"""Ports: finding and opening the serial ports of displays.

Reading blocks for at most `WAIT_S` and writing for `WRITE_S`; opening can take longer. The bridge
does all of it in its own thread.
"""

import errno
import socket
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Protocol

import serial
from railspotter.scoring.sentence import Sentence
from serial.tools import list_ports

from .errors import PortBusyError, PortError

# A home's IPv6 addresses are global; those of one network share so many bits (RFC 4291, 2.5.4).
HOME_BITS = 64
WAIT_S = 0.01
WRITE_S = 1.0
# The likely device by the USB chip's vendor id and product id, None for all products.
USB_IDS: dict[tuple[int, int | None], str] = {
    (0x2341, None): "Arduino",
    (0x2A03, None): "Arduino",
    (0x1A86, 0x7523): Sentence("CH340: an Arduino's copy, or an ESP board"),
    (0x1A86, 0x55D4): Sentence("CH9102: an ESP board"),
    (0x0403, 0x6001): Sentence("FTDI: an older Arduino Nano"),
    (0x10C4, 0xEA60): Sentence("CP2102: an ESP board"),
    (0x303A, None): "Espressif",
}
# Searched for in a port's description if its ids are unknown.
NAMES = ("arduino", "wled", "railspotter")


def is_of_a_neighbour(text: str) -> bool:
    """Tell whether an IP address is in the home network and not this computer's own.

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
    """Return this computer's source address for a destination; nothing is sent."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    with socket.socket(family, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect((str(address), 9))
            return _unmapped(asked.getsockname()[0])
        except OSError:  # no route
            return None


def _unmapped(text: str) -> IPv4Address | IPv6Address:
    """Parse an address, without its zone; an IPv4-mapped IPv6 address becomes IPv4."""
    address = ip_address(text.partition("%")[0])
    return getattr(address, "ipv4_mapped", None) or address


class Port(Protocol):
    """A byte stream. Every method may raise `PortError`."""

    def read(self) -> bytes:
        """Return what has come, after waiting a moment for it."""
        ...

    def write(self, data: bytes, baud: int) -> None:
        """Send bytes at a baud rate, if the port has one."""
        ...

    def close(self) -> None:
        """Close the port; never fails."""
        ...


@dataclass(frozen=True, slots=True)
class FoundPort:
    """A port of this computer."""

    url: str  # to open it
    about: str  # the system's description
    likely: str = ""  # the likely display; empty if none


def found_ports() -> tuple[FoundPort, ...]:
    """Return the computer's ports, the likely ones first."""
    found = [
        FoundPort(port.device, port.description or "", likely_display(port.vid, port.pid, about))
        for port in list_ports.comports()
        for about in [f"{port.description} {port.product} {port.manufacturer}"]
    ]
    return tuple(sorted(found, key=lambda port: (not port.likely, port.url)))


def likely_display(vendor: int | None, product: int | None, about: str) -> str:
    """Guess the display from a USB device's ids or description; empty if none fits.

    >>> likely_display(0x2341, 0x43, ""), likely_display(0x1234, 1, "Some printer")
    ('Arduino', '')
    """
    if vendor is not None:
        for ids in ((vendor, product), (vendor, None)):
            if ids in USB_IDS:
                return USB_IDS[ids]
    return next((name for name in NAMES if name in about.lower()), "")


class SerialPort:
    """A serial port, or another URL of pyserial, opened exclusively."""

    def __init__(self, url: str, baud: int) -> None:
        self._url = url
        try:
            self._serial = serial.serial_for_url(
                url,
                baudrate=baud,
                timeout=WAIT_S,
                write_timeout=WRITE_S,
                exclusive=None if "://" in url else True,
            )
        except Exception as error:  # pyserial raises errors of many kinds
            raise _port_error(url, error) from error

    def read(self) -> bytes:
        """Return what has come, after waiting a moment for it."""
        try:
            return bytes(self._serial.read(max(1, self._serial.in_waiting)))
        except Exception as error:
            raise _port_error(self._url, error) from error

    def write(self, data: bytes, baud: int) -> None:
        """Send bytes at a baud rate; raise after `WRITE_S`."""
        try:
            if self._serial.baudrate != baud:
                self._serial.flush()
                self._serial.baudrate = baud
            self._serial.write(data)
        except Exception as error:
            raise _port_error(self._url, error) from error

    def close(self) -> None:
        """Close the port."""
        with suppress(Exception):  # it may be gone already
            self._serial.close()


def _port_error(url: str, error: Exception) -> PortError:
    """Translate an error of pyserial into one that says what to do."""
    number = getattr(error, "errno", None)
    said = str(error)
    if number in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK) or "exclusively lock" in said:
        return PortBusyError(
            "{port} is in use by another program: close it (a serial monitor, another railspotter)",
            port=url,
        )
    if number in (errno.EACCES, errno.EPERM) or "PermissionError" in said:
        return PortError(
            "{port} may not be opened: another program holds it, or this computer's user"
            " may not use it (on Linux who is not in the group 'dialout')",
            port=url,
        )
    if number == errno.ENOENT or "FileNotFoundError" in said:
        return PortError("there is no port {port}", port=url)
    return PortError(f"{url}: {said}")
