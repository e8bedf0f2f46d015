"""Drivers: the protocols of the kinds of displays, and the simplest of them, plain lines of text.

A driver encodes scoreboards as bytes and decodes what the display sends. It does no I/O, starts no
thread and reads no clock: the bridge does that, and tests need none of it.
"""

from abc import ABC, abstractmethod
from math import inf
from textwrap import wrap

from railspotter.scoring.sentence import NOTHING, Sentence
from railspotter.scoring.spot_names import without_accents

from .lights import DisplayMoment, Strip
from .scoreboard import Scoreboard

FRAME_S = 0.05  # between two frames: 20 a second at most
BAUD = 115200
WIDTH = 20  # the letters of a line: LCDs of four lines have as many
PACE_S = 0.5
# Before unchanged text is resent, for a display that was plugged in late.
AGAIN_S = 10.0


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


def text(scoreboard: Scoreboard, *, is_blind: bool = False) -> str:
    """Format a scoreboard: a line per player, then the last turns and a blind camera.

    The pieces to lay come last. No line is longer than `WIDTH`.

    >>> from .scoreboard import PlayerScore
    >>> red = PlayerScore("red", 115, 2, has_longest_path=True)
    >>> print(text(Scoreboard((red, PlayerScore("blue", 7)), is_last_turns=True)))
    red       115 +2  *
    blue        7 +45
    last turns
    >>> from railspotter.table.display_control import PiecesToLay
    >>> lay = PiecesToLay("blue", "Denver - Kansas City", 4)
    >>> print(text(Scoreboard((PlayerScore("blue", 7, to_lay=(lay,)),))))
    blue        7 +45
    blue: lay 4
    Denver - Kansas City
    >>> lay = PiecesToLay("blue", "Denver - Kansas City", 4, standing=2, marker=7)
    >>> print(text(Scoreboard((PlayerScore("blue", 7, to_lay=(lay,)),))))
    blue        7 +45
    blue: laid 2/4
    Denver - Kansas City
    marker to 7
    """
    lines = [
        f"{player.colour[:8]:8} {player.score:4} {f'+{player.trains_left}':3}"
        + (" *" if player.has_longest_path else "")
        for player in scoreboard.players
    ]
    if scoreboard.is_last_turns:
        lines.append("last turns")
    if is_blind:
        lines.append("camera sees nothing")
    for player in scoreboard.players:
        for laying in player.to_lay:
            task = f"lay {laying.pieces}"
            if laying.standing:
                task = f"laid {laying.standing}/{laying.pieces}"
            lines.append(f"{player.colour[:8]}: {task}")
            # Many displays lack accents.
            lines += wrap(without_accents(laying.where), WIDTH)
            if laying.marker is not None:
                lines.append(f"marker to {laying.marker}")
    return "\n".join(line.rstrip() for line in lines)


class TextDisplay(Driver):
    """Sends the scoreboard as lines whenever it changes, and ignores answers."""

    title = Sentence("plain text")

    def __init__(self) -> None:
        self._said_s = -inf
        self._shown = ""

    def receive(self, data: bytes, t_s: float) -> None:
        """Ignore what the display sends."""

    def encode(self, scoreboard: Scoreboard | None, strip: Strip, moment: DisplayMoment) -> bytes:
        """Return the lines, after an empty one, if they changed or `AGAIN_S` passed."""
        since_s = moment.t_s - self._said_s
        if scoreboard is None or since_s < PACE_S:
            return b""
        now = text(scoreboard, is_blind=moment.is_blind)
        if now == self._shown and since_s < AGAIN_S:
            return b""
        self._shown, self._said_s = now, moment.t_s
        return ("\n" + now + "\n").replace("\n", "\r\n").encode("ascii", "replace")
