"""How each player's colour is shown: never by the colour alone."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Paint:
    """A letter and a pattern that stand beside a colour's word.

    Attributes
    ----------
    letter : str
        One capital, different for every colour.
    style : str
        The suffix of the style sheet's `car-` class, which has a pattern of its own.
    """

    letter: str
    style: str


PAINTS = {
    "black": Paint("K", "black"),
    "blue": Paint("B", "blue"),
    "green": Paint("G", "green"),
    "orange": Paint("O", "orange"),
    "purple": Paint("P", "purple"),
    "red": Paint("R", "red"),
    "white": Paint("W", "white"),
    "yellow": Paint("Y", "yellow"),
}
"""K is black, as printers have it: B is blue."""


def paint_of(colour: str) -> Paint:
    """Return a colour's paint; an unknown one gets its first letter and a plain pattern.

    Examples
    --------
    >>> paint_of("black").letter, paint_of("teal")
    ('K', Paint(letter='T', style='other'))
    """
    return PAINTS.get(colour) or Paint(colour[:1].upper(), "other")
