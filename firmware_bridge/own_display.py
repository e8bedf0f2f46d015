"""Railspotter's own firmware: its messages, and the driver that exchanges them with it.

docs/display-protocol.md specifies them byte by byte. A body is the message's kind, its number, and
its payload. Receivers ignore unknown kinds and additional bytes, so old firmware and new programs
are compatible.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from math import inf
from typing import NamedTuple

from railspotter.scoring.sentence import Sentence

from .driver import FRAME_S, Driver
from .errors import PortError
from .framing import FrameReader, frame
from .lights import DisplayMoment, Strip, lights
from .scoreboard import Scoreboard, digits

VERSION = 1  # the protocol's version: it rises when older firmware would misunderstand
MOST_NAME = 32
# The number of the first hello, which any device may receive: no byte of it is a command for WLED.
HELLO_NUMBER = 3
HELLO_S = 0.25
READY_S = 0.3  # seconds that a message may take; 100 LEDs take 31 ms, 400 some 120
PING_S = 1.0
SILENCE_S = 3.0
ANSWER_S = 4.0  # seconds to wait for the first answer: an Uno's bootloader takes 1.6 s


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


class OwnDisplay(Driver):
    """Drives our firmware: one message at a time, the newest scoreboard only."""

    def __init__(self) -> None:
        self._reader = FrameReader()
        self._has: Capabilities | None = None
        self._heard_s = inf
        self._said_s = self._frame_s = -inf
        self._number = HELLO_NUMBER
        self._awaited: tuple[int, ToDevice] | None = None
        self._wanted: list[ToDevice] = []
        self._shown: dict[Kind, ToDevice] = {}

    def receive(self, data: bytes, t_s: float) -> None:
        """Decode received messages: capabilities and acknowledgements."""
        for body in self._reader.feed(data):
            message = decode_from_device(body)
            self._heard_s = t_s
            if isinstance(message, Capabilities):
                self._meet(message)
            elif isinstance(message, Ready) and self._awaited:
                number, carried_out = self._awaited
                if message.number == number:
                    self._shown[carried_out.kind] = carried_out
                    self._awaited = None

    def _meet(self, has: Capabilities) -> None:
        """Reset the state: unrequested capabilities mean that the device has restarted.

        A late answer to a hello is ignored.
        """
        if self._has is not None and has.answers == HELLO_NUMBER:
            return
        if has.version > VERSION:
            raise PortError(
                "the display's firmware speaks version {its} of the protocol, this program"
                " {own}: update the program",
                its=has.version,
                own=VERSION,
            )
        self._has, self.leds = has, has.leds
        self.title = Sentence(
            "{name}: {leds} LEDs, {modules} modules of digits",
            name=has.name,
            leds=has.leds,
            modules=has.modules,
        )
        self._awaited = None
        self._wanted.clear()
        self._shown.clear()
        self._frame_s = -inf

    def encode(self, scoreboard: Scoreboard | None, strip: Strip, moment: DisplayMoment) -> bytes:
        """Return the next message once the firmware has acknowledged the last one."""
        t_s = moment.t_s
        if self._has is None:
            if self._waited_s(t_s) > ANSWER_S:
                raise PortError("no Railspotter firmware answers on this port")
            return self._send(HELLO, t_s) if t_s - self._said_s >= HELLO_S else b""
        if t_s - self._heard_s > SILENCE_S:
            raise PortError("the display does not answer any more")
        if self._awaited:
            if t_s - self._said_s < READY_S:
                return b""
            self._awaited = None  # the message or its answer was lost
        if scoreboard and t_s - self._frame_s >= FRAME_S:
            self._frame_s = t_s
            self._wanted = list(_frame(scoreboard, strip, moment, self._has))
        while self._wanted:
            message = self._wanted.pop(0)
            if self._shown.get(message.kind) != message:
                return self._send(message, t_s)
        return self._send(PING, t_s) if t_s - self._said_s >= PING_S else b""

    def _send(self, message: ToDevice, t_s: float) -> bytes:
        if message == HELLO:
            self._said_s = t_s
            return encode(message, HELLO_NUMBER)
        # What it shows is unknown until it acknowledges.
        self._shown.pop(message.kind, None)
        self._number = self._number % 255 + 1
        self._awaited, self._said_s = (self._number, message), t_s
        return encode(message, self._number)

    def farewell(self) -> bytes:
        """Return the messages that darken the display, whether or not it is ready."""
        if self._has is None:
            return b""
        # The digits first: they are quick, while the strip keeps the device from listening. Where
        # it does not listen now, it goes dark by itself.
        digits_out = encode(ToDevice(Kind.DIGITS, bytes(1)), 1) if self._has.modules else b""
        return digits_out + encode(ToDevice(Kind.LIGHTS), 2)


def _frame(
    scoreboard: Scoreboard, strip: Strip, moment: DisplayMoment, has: Capabilities
) -> Iterator[ToDevice]:
    if has.leds:
        shown = lights(scoreboard, replace(strip, leds=has.leds), moment)
        yield ToDevice(Kind.LIGHTS, shown.tobytes())
    if has.modules:
        brightness = 0 if moment.is_reading else round(15 * strip.brightness)
        segments = digits(scoreboard, has.modules, moment.t_s, is_blind=moment.is_blind)
        yield ToDevice(Kind.DIGITS, bytes([brightness]) + b"".join(segments))
