"""One look at a found board: everything that a reader is handed, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from railspotter.calibration.viewpoint import Viewpoint
from railspotter.scoring.board import RouteId

from .printed_board import Picture, PrintedBoard
from .reading import Colour


@dataclass(frozen=True, eq=False)
class View:
    """A photo of a found board, and what is known beforehand.

    Attributes
    ----------
    printed : PrintedBoard
    rectified : (H, W, 3) uint8 array, BGR
        The board from above, as large as the reference.
    viewpoint : Viewpoint
    colours : tuple of str
        The players' colours.
    train_size_mm : tuple of float
        Length, width and height of a train.
    exclusive : tuple of tuple of str
        Routes of which the rules give one player at most one, the lanes of double routes: a
        physical board can break the rule, so it raises a doubt and decides nothing.
    """

    printed: PrintedBoard
    rectified: Picture
    viewpoint: Viewpoint
    colours: tuple[Colour, ...]
    train_size_mm: tuple[float, float, float] = (26.0, 9.0, 9.0)
    exclusive: tuple[tuple[RouteId, ...], ...] = ()
