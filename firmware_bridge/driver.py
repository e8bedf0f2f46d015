"""Drivers: the protocols of the kinds of displays.

A driver encodes scoreboards as bytes and decodes what the display sends. It does no I/O, starts no
thread and reads no clock: the bridge does that, and tests need none of it.
"""

from abc import ABC, abstractmethod
from math import inf

from railspotter.scoring.sentence import NOTHING, Sentence

from .lights import DisplayMoment, Strip
from .scoreboard import Scoreboard

FRAME_S = 0.05  # between two frames: 20 a second at most
BAUD = 115200


class Driver(ABC):
    """The protocol of one kind of display, on a port that was just opened."""

    # The baud rate to use now; it can change during detection.
    baud = BAUD
    title: Sentence = NOTHING  # for people; empty until the display has answered
    leds = 0  # how many; 0 for none, or before it has answered

    _began_s = inf  # when the first message was due

    def _waited_s(self, t_s: float) -> float:
        """Return the time since the first call."""
        self._began_s = min(self._began_s, t_s)
        return t_s - self._began_s

    @abstractmethod
    def receive(self, data: bytes, t_s: float) -> None:
        """Handle bytes received from the display."""

    @abstractmethod
    def encode(self, scoreboard: Scoreboard | None, strip: Strip, moment: DisplayMoment) -> bytes:
        """Return the bytes to send now for the scoreboard; empty for nothing."""

    def farewell(self) -> bytes:
        """Return the bytes to send before the port is closed; empty for nothing."""
        return b""

    def detected_driver(self) -> "Driver":
        """Return the driver to continue with: this one, or that of the detected display."""
        return self
