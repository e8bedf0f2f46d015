"""Drivers: how the kinds of displays are spoken to.

A driver turns scoreboards into bytes and hears what comes back. It opens no port, starts no thread
and reads no clock: the bridge does that, and tests do without.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import inf

from railspotter.scoring.sentence import NOTHING, Sentence

from .lights import DisplayMoment, Strip
from .scoreboard import Scoreboard

FRAME_S = 0.05  # between two frames: 20 a second at most
BAUD = 115200


class Driver(ABC):
    """One kind of display on one port that was just opened."""

    # The speed that the line must have now; it can change while a display is looked for.
    baud = BAUD
    title: Sentence = NOTHING  # what it is, for people; empty until the display answered
    leds = 0  # how many LEDs it has; 0 where it has none, or did not tell yet

    _began_s = inf  # when it was first spoken to

    def _waited_s(self, t_s: float) -> float:
        """Return for how long it has been spoken to."""
        self._began_s = min(self._began_s, t_s)
        return t_s - self._began_s

    @abstractmethod
    def hear(self, data: bytes, t_s: float) -> None:
        """Take what the display said."""

    @abstractmethod
    def say(self, scoreboard: Scoreboard | None, strip: Strip, moment: DisplayMoment) -> bytes:
        """Return what is to be sent now, lit as a strip is to be; empty for nothing."""

    def farewell(self) -> bytes:
        """Return what is to be sent before the port is closed; empty where all may stay."""
        return b""

    def detected_driver(self) -> Driver:
        """Return the driver to go on with: this one, or the one for what was found."""
        return self
