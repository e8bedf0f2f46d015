"""Plain text lines, for a terminal, an LCD with a serial backpack and the like."""

from math import inf
from textwrap import wrap

from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot_names import without_accents

from .driver import Driver
from .lights import DisplayMoment, Strip
from .scoreboard import Scoreboard

WIDTH = 20  # the letters of a line: LCDs of four lines have as many
PACE_S = 0.5
# Before unchanged text is resent, for a display that was plugged in late.
AGAIN_S = 10.0


def text(scoreboard: Scoreboard, *, is_blind: bool = False) -> str:
    """Format a scoreboard: a line per player, then the last turns and a blind camera.

    The pieces to lay come last. No line is longer than `WIDTH`.

    Examples
    --------
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
