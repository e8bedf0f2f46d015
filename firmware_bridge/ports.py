"""Ports: where displays are plugged in, and how they are opened.

Nothing here waits longer than `WAIT_S` for bytes to come and `WRITE_S` for bytes to go, except a
computer's own opening of a port; the bridge does all of it in a thread of its own.
"""

from __future__ import annotations

import errno
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

import serial
from railspotter.scoring.sentence import Sentence
from serial.tools import list_ports

from .errors import PortBusyError, PortError

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
