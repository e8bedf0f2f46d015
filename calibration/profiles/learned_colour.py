"""What the plastic of a user's own box looks like, learned from trains that were seen."""

from __future__ import annotations

from dataclasses import dataclass

Lab = tuple[float, float, float]
Srgb = tuple[int, int, int]


@dataclass(frozen=True)
class LearnedColour:
    """One train colour in one light.

    Attributes
    ----------
    name : str
        The train colour, as `vision/colours/plastics.json` names it, or a name of the user's own.
    light : str
        In which light it was learned, in the user's words; empty for the reference's own.
    observations : tuple of (L, a, b)
        CIE Lab of trains' tops, as they would be in the light of the reference: the newest last.
    count : int
        How many trains were seen in all; of many, only some observations are kept.
    title : str
        What the user calls the colour on the page; empty for its name.
    swatch : tuple of int, optional
        The sRGB (red, green, blue), 0 to 255, in which the page shows it; None for the usual one.
    """

    name: str
    light: str = ""
    observations: tuple[Lab, ...] = ()
    count: int = 0
    title: str = ""
    swatch: Srgb | None = None
