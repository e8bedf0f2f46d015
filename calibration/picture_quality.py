"""How well one picture shows the board: as numbers that a person can act on."""

from __future__ import annotations

from dataclasses import dataclass

Grid = tuple[tuple[float | None, ...], ...]
"""One value for each cell of a coarse grid over the board, row by row from its top-left corner."""


@dataclass(frozen=True)
class PictureQuality:
    """How a picture shows a board.

    Attributes
    ----------
    corners_px_per_mm : tuple of float
        How many pixels of the picture a millimetre has at the board's top-left, top-right,
        bottom-right and bottom-left corner, in the direction in which it has fewer.
    px_per_mm : float
        The same for half of the board: the median over all of it.
    blur_mm : Grid
        How far the sharpest edges in a cell are smeared, as a standard deviation; None where
        nothing is printed sharply enough to tell.
    glare : Grid
        The share of a cell that is so light that nothing of the print shows, 0 to 1.
    lightness : float
        The board's median CIE L*, 0 to 100.
    tilt_deg : float
        How far from straight above the camera looks at the board's middle.
    shown : float
        Share of the board inside the picture.
    """

    corners_px_per_mm: tuple[float, float, float, float]
    px_per_mm: float
    blur_mm: Grid
    glare: Grid
    lightness: float
    tilt_deg: float
    shown: float = 1.0
