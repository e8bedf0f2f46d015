"""Palettes: which light stands for which colour of trains.

Light cannot be black, so black trains glow in a faint, cold white. What an LED shows at full
brightness is meant: dimming keeps the hue.
"""

from __future__ import annotations

from collections.abc import Mapping

from railspotter.scoring import Colour

from .errors import DisplayError

Rgb = tuple[int, int, int]

UNKNOWN: Rgb = (160, 110, 60)
"""Trains of a colour that no palette knows."""

PALETTES: Mapping[str, Mapping[Colour, Rgb]] = {
    # Close to the plastic; yellow is poor in green, since green LEDs are the brightest.
    "plain": {
        "black": (70, 80, 110),
        "blue": (0, 40, 255),
        "green": (0, 220, 20),
        "purple": (150, 0, 200),
        "red": (255, 0, 0),
        "white": (255, 255, 235),
        "yellow": (255, 170, 0),
    },
    # For red-green blindness: red goes to orange and green to bluish green, and all differ in
    # lightness too, after Okabe and Ito, "Color Universal Design", 2008.
    "red-green": {
        "black": (60, 60, 70),
        "blue": (0, 50, 255),
        "green": (0, 210, 150),
        "purple": (230, 90, 200),
        "red": (230, 60, 0),
        "white": (255, 255, 255),
        "yellow": (255, 220, 0),
    },
    # For blue-yellow blindness: red against green, and the others by lightness.
    "blue-yellow": {
        "black": (60, 60, 70),
        "blue": (0, 60, 230),
        "green": (0, 170, 60),
        "purple": (150, 0, 90),
        "red": (255, 0, 0),
        "white": (255, 255, 255),
        "yellow": (255, 170, 120),
    },
    # For those who see no colours: seven steps of lightness, ten or so of L* apart.
    "lightness": {
        "black": (20, 22, 24),
        "blue": (0, 38, 140),
        "purple": (105, 40, 140),
        "red": (240, 52, 20),
        "green": (40, 165, 60),
        "yellow": (255, 175, 40),
        "white": (255, 255, 255),
    },
}


def palette(name: str) -> Mapping[Colour, Rgb]:
    """Return a palette.

    Raises
    ------
    DisplayError
        When there is none of that name.

    Examples
    --------
    >>> palette("plain")["red"]
    (255, 0, 0)
    """
    if name not in PALETTES:
        raise DisplayError(f"there is no palette {name!r}: one of {', '.join(PALETTES)}")
    return PALETTES[name]
