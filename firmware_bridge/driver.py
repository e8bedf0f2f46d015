"""Drivers: how the kinds of displays are spoken to.

A driver turns scoreboards into bytes and hears what comes back. It opens no port, starts no thread
and reads no clock: the bridge does that, and tests do without.
"""

from __future__ import annotations

from typing import Protocol

from railspotter.scoring.sentence import Sentence

from .lights import DisplayMoment, Strip
from .scoreboard import Scoreboard

FRAME_S = 0.05  # between two frames: 20 a second at most
BAUD = 115200


class Driver(Protocol):
    """One kind of display on one port that was just opened.

    Attributes
    ----------
    baud : int
        The speed that the line must have now; it can change while the driver looks for its
        display.
    title : Sentence
        What it is, for people; empty until the display answered.
    leds : int
        How many LEDs it has; 0 where it has none, or did not tell yet.
    """

    @property
    def baud(self) -> int:
        """The speed that the line must have."""
        ...

    @property
    def title(self) -> Sentence:
        """What it is, for people."""
        ...

    @property
    def leds(self) -> int:
        """How many LEDs it has."""
        ...

    def set_strip(self, strip: Strip) -> None:
        """Light the strip like this from the next frame on."""
        ...

    def hear(self, data: bytes, t_s: float) -> None:
        """Take what the display said."""
        ...

    def say(self, scoreboard: Scoreboard | None, moment: DisplayMoment) -> bytes:
        """Return what is to be sent now; empty for nothing."""
        ...

    def farewell(self) -> bytes:
        """Return what is to be sent before the port is closed."""
        ...

    def detected_driver(self) -> Driver:
        """Return the driver to go on with: this one, or the one for what was found."""
        ...
