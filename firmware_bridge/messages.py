"""Messages between the program and Railspotter's own firmware.

docs/display-protocol.md specifies them byte by byte. A body is the message's kind, its number, and
its payload. Receivers ignore unknown kinds and additional bytes, so old firmware and new programs
are compatible.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from .framing import frame

VERSION = 1  # the protocol's version: it rises when older firmware would misunderstand
MOST_NAME = 32
# The number of the first hello, which any device may receive: no byte of it is a command for WLED.
HELLO_NUMBER = 3


class Kind(IntEnum):
    """The kinds of messages; those from the device have the highest bit set."""

    HELLO = 0x01
    LIGHTS = 0x02
    DIGITS = 0x03
    PING = 0x04
    CAPABILITIES = 0x81
    READY = 0x82


class ToDevice(NamedTuple):
    """A message to the device, which answers it.

    `LIGHTS` carries the colours of the strip, three bytes an LED, red first; further LEDs are dark.
    `DIGITS` carries a brightness, 0 to 15, and eight bytes of lit segments for each module.
    """

    kind: Kind
    payload: bytes = b""


HELLO = ToDevice(Kind.HELLO, bytes([VERSION]))  # a request for the device's capabilities
PING = ToDevice(Kind.PING)  # a keepalive


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The hardware of the device, and its protocol version."""

    version: int  # of the protocol
    leds: int  # of its strip
    modules: int  # of eight digits each
    name: str = ""  # of the firmware, for people
    # The number of the hello that it answers; 0 when the device says it at its start.
    answers: int = 0


@dataclass(frozen=True, slots=True)
class Ready:
    """An acknowledgement: the message was executed, and the device accepts the next one."""

    number: int  # the number of the acknowledged message


FromDevice = Capabilities | Ready


def encode(message: ToDevice, number: int) -> bytes:
    """Encode a message as a frame.

    Examples
    --------
    >>> encode(PING, number=7).hex(" ")
    '00 07 04 07 58 42 d1 bb 00'
    """
    return frame(bytes([message.kind, number]) + message.payload)


def decode_from_device(body: bytes) -> FromDevice | None:
    """Decode a body from a device; None for an unknown or malformed message."""
    if len(body) < 2:
        return None
    kind, number, said = body[0], body[1], body[2:]
    if kind == Kind.READY:
        return Ready(number)
    if kind == Kind.CAPABILITIES and len(said) >= 4:
        name = said[4 : 4 + MOST_NAME].decode("ascii", "replace")
        leds = int.from_bytes(said[1:3], "little")
        return Capabilities(said[0], leds, said[3], name, number)
    return None
