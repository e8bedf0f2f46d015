"""Ports: where displays are plugged in, and how they are opened.

Nothing here waits longer than `WAIT_S` for bytes to come and `WRITE_S` for bytes to go, except a
computer's own opening of a port; the bridge does all of it in a thread of its own.
"""

from __future__ import annotations

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
# Vendor's and product's number of the USB chip, None for all products; what it is likely to be.
USB_IDS: dict[tuple[int, int | None], str] = {
    (0x2341, None): "Arduino",
    (0x2A03, None): "Arduino",
    (0x1A86, 0x7523): Sentence("CH340: an Arduino's copy, or an ESP board"),
    (0x1A86, 0x55D4): Sentence("CH9102: an ESP board"),
    (0x0403, 0x6001): Sentence("FTDI: an older Arduino Nano"),
    (0x10C4, 0xEA60): Sentence("CP2102: an ESP board"),
    (0x303A, None): "Espressif",
}
# What a port's description may say where its numbers are unknown.
NAMES = ("arduino", "wled", "railspotter")


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


class Port(Protocol):
    """Anything that bytes go into and come out of. Every method may raise PortError."""

    def read(self) -> bytes:
        """Return what has come, after waiting a moment for it."""
        ...

    def write(self, data: bytes, baud: int) -> None:
        """Send bytes at a speed, where the port has one."""
        ...

    def close(self) -> None:
        """Give the port back; it never fails."""
        ...


@dataclass(frozen=True, slots=True)
class FoundPort:
    """A port of this computer."""

    url: str  # what it is opened by
    about: str  # what the system says of it
    likely: str = ""  # what display it may be; empty where nothing speaks for one


def found_ports() -> tuple[FoundPort, ...]:
    """Return the computer's ports, the likely ones first."""
    found = [
        FoundPort(port.device, port.description or "", likely_display(port.vid, port.pid, about))
        for port in list_ports.comports()
        for about in [f"{port.description} {port.product} {port.manufacturer}"]
    ]
    return tuple(sorted(found, key=lambda port: (not port.likely, port.url)))


def likely_display(vendor: int | None, product: int | None, about: str) -> str:
    """Return what display a USB device may be.

    Examples
    --------
    >>> likely_display(0x2341, 0x43, ""), likely_display(0x1234, 1, "Some printer")
    ('Arduino', '')
    """
    if vendor is not None:
        for ids in ((vendor, product), (vendor, None)):
            if ids in USB_IDS:
                return USB_IDS[ids]
    return next((name for name in NAMES if name in about.lower()), "")


class SerialPort:
    """A serial port, or what pyserial takes for one, opened for this program alone."""

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
        except Exception as error:  # pyserial lets errors of many kinds through
            raise _port_error(url, error) from error

    def read(self) -> bytes:
        """Return what has come, after waiting a moment for it."""
        try:
            return bytes(self._serial.read(max(1, self._serial.in_waiting)))
        except Exception as error:
            raise _port_error(self._url, error) from error

    def write(self, data: bytes, baud: int) -> None:
        """Send bytes at a speed; what cannot go within a second is an error."""
        try:
            if self._serial.baudrate != baud:
                self._serial.flush()
                self._serial.baudrate = baud
            self._serial.write(data)
        except Exception as error:
            raise _port_error(self._url, error) from error

    def close(self) -> None:
        """Give the port back."""
        with suppress(Exception):  # it may be gone already
            self._serial.close()


def _port_error(url: str, error: Exception) -> PortError:
    """Return what a person can do about an error of pyserial's."""
    number = getattr(error, "errno", None)
    said = str(error)
    if number in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK) or "exclusively lock" in said:
        return PortBusyError(
            "{port} is in use by another program: close it (a serial monitor, another railspotter)",
            port=url,
        )
    if number in (errno.EACCES, errno.EPERM) or "PermissionError" in said:
        return PortError(
            "{port} may not be opened: another program holds it, or on Linux you are not"
            " in its group (sudo usermod -aG dialout $USER, then log in again)",
            port=url,
        )
    if number == errno.ENOENT or "FileNotFoundError" in said:
        return PortError("there is no port {port}", port=url)
    return PortError(f"{url}: {said}")
