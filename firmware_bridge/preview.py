"""The preview: what a display would show, drawn on a screen."""

import io
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from .lights import DisplayMoment, Lights, Strip, lights, segments
from .scoreboard import PlayerScore, Scoreboard, digits, to_text

LED_PX = 16
# The eye sees a light of a tenth as a third: screens know that, LEDs do not (sRGB's exponent).
EYE = 2.2
RESET = "\x1b[0m"


@dataclass(frozen=True, eq=False)
class Preview:
    """One moment of a display."""

    lights: Lights  # (N, 3) uint8, RGB, as sent to the strip
    lines: tuple[str, ...]  # the text on the modules of digits, one a player
    players: tuple[PlayerScore, ...]  # whose lines and segments these are
    is_reversed: bool = False  # whether the first light is at the far end

    @property
    def colours(self) -> Lights:
        """The lights as gamma-corrected screen colours, the brightest one at full."""
        brightest = max(1, int(self.lights.max(initial=0)))
        seen: Lights = np.rint(255 * (self.lights / brightest) ** (1 / EYE)).astype(np.uint8)
        return seen

    def segment_of(self, place: int, colours: Lights) -> Lights:
        """Return a player's part of `lights` or `colours`, starting at 0 points.

        >>> board = Scoreboard((PlayerScore("red"), PlayerScore("blue", 50)))
        >>> shown = preview(board, Strip(21, is_reversed=True), DisplayMoment())
        >>> (shown.segment_of(1, shown.lights).max(1) > 9).astype(int).tolist()
        [1, 1, 1, 1, 0, 0, 0, 0, 1, 1]
        """
        told = colours[::-1] if self.is_reversed else colours
        return told[segments(len(self.players), len(told))[place]]


def preview(scoreboard: Scoreboard, strip: Strip, moment: DisplayMoment) -> Preview:
    """Render what strip and modules show.

    >>> from .scoreboard import PlayerScore
    >>> preview(Scoreboard((PlayerScore("red", 12),)), Strip(30), DisplayMoment()).lines
    ('1 45  12',)
    """
    count, is_blind = len(scoreboard.players), moment.is_blind
    modules = digits(scoreboard, count, moment.t_s, is_blind=is_blind)
    shown = lights(scoreboard, strip, moment)
    lines = tuple(to_text(module) for module in modules)
    return Preview(shown, lines, scoreboard.players, strip.is_reversed)


def to_ansi(shown: Preview, width: int = 80) -> str:
    """Format for a terminal with 24-bit colours, the strip wrapped at `width`."""
    cells = [f"\x1b[38;2;{r};{g};{b}m●" for r, g, b in shown.colours.tolist()]
    rows = ("".join(cells[at : at + width]) + RESET for at in range(0, len(cells), width))
    return "\n".join((*rows, *shown.lines))


def to_png(shown: Preview) -> bytes:
    """Draw the strip as a PNG file."""
    width = LED_PX * len(shown.colours)
    picture = Image.new("RGB", (width, 2 * LED_PX), (24, 24, 24))
    draw = ImageDraw.Draw(picture)
    for i, colour in enumerate(shown.colours.tolist()):
        left, top = i * LED_PX + 2, LED_PX // 2 + 2
        draw.ellipse((left, top, left + LED_PX - 4, top + LED_PX - 4), tuple(colour))
    content = io.BytesIO()
    picture.save(content, "PNG")
    return content.getvalue()
