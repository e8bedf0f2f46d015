"""The probe: finds out what kind of display is on a port."""

from __future__ import annotations

from math import inf

from .driver import BAUD, Driver
from .errors import PortError
from .framing import FrameReader
from .lights import Moment, Strip
from .messages import HELLO_NUMBER, Capabilities, Hello, decode_from_device, encode
from .own_display import OwnDisplay
from .scoreboard import Scoreboard
from .wled_cable import WledOnCable

ASK_S = 0.4
ANSWER_S = 3.0
"""Longer than an Uno's bootloader takes."""


class Probe:
    """Asks in both languages at once; each kind passes over the question that it does not know."""

    baud = BAUD
    title = ""
    leds = 0

    def __init__(self, strip: Strip) -> None:
        self._strip = strip
        self._reader = FrameReader()
        self._heard = b""
        self._found: Driver | None = None
        self._began_s = inf
        self._asked_s = -inf

    def relight(self, strip: Strip) -> None:
        """Hand it on to whoever is found."""
        self._strip = strip
        if self._found:
            self._found.relight(strip)

    def hear(self, data: bytes, t_s: float) -> None:
        """Take what was said, and hand it on to the right driver."""
        if self._found:
            self._found.hear(data, t_s)
            return
        self._heard = (self._heard + data)[-200:]
        for body in self._reader.feed(data):
            if isinstance(decode_from_device(body), Capabilities):
                self._found = OwnDisplay(self._strip)
        if b"WLED " in self._heard and b"\n" in self._heard.split(b"WLED ", 1)[1]:
            self._found = WledOnCable(self._strip)
        if self._found:
            self._found.hear(self._heard, t_s)

    def say(self, scoreboard: Scoreboard | None, moment: Moment) -> bytes:
        """Return the questions, now and then."""
        t_s = moment.t_s
        self._began_s = min(self._began_s, t_s)
        if t_s - self._began_s > ANSWER_S:
            raise PortError("no display that this program knows answers on this port")
        if t_s - self._asked_s < ASK_S:
            return b""
        self._asked_s = t_s
        return b"v" + encode(Hello(), HELLO_NUMBER)

    def farewell(self) -> bytes:
        """Return nothing: nobody was found."""
        return b""

    def settled(self) -> Driver:
        """Return the driver of what was found, this one until then."""
        return self._found or self
