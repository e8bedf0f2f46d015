"""One look at a found board: everything that the reader is handed, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from railspotter.calibration.arrays import Mask, Picture
from railspotter.calibration.pose import Viewpoint
from railspotter.scoring.board import RouteId

from ..colours.learned_colours import Learned, in_photo
from ..colours.train_colours import TrainColour
from ..printed.printed_board import PrintedBoard
from ..readings import Colour


@dataclass(frozen=True)
class Pieces:
    """What may stand on a board."""

    trains: tuple[TrainColour, ...]  # what each player's look like
    # Length, width and height of a train.
    train_size_mm: tuple[float, float, float] = (26.0, 9.0, 9.0)
    # Whether one piece, on any of a route's spaces, is all that stands on it.
    one_piece_a_route: bool = False
    # Routes of which the rules give one player at most one, the lanes of double routes: a physical
    # board can break the rule, so it raises a doubt and decides nothing.
    exclusive: tuple[tuple[RouteId, ...], ...] = ()
    # Length, width and height of a station; None for a game without stations.
    station_size_mm: tuple[float, float, float] | None = None
    stations_each: int = 0  # how many each player has: more of one colour raise a doubt
    markers: bool = False  # whether everybody has a marker on the score track
    # What moves the trains' colours in each light, as a profile has it; empty where `trains` are
    # those of one photo's light already.
    learned: Learned = field(default_factory=dict)
    # Of those of `trains` whose colour nobody plays, which player's they are; None for nobody's.
    whose: Mapping[Colour, Colour | None] = field(default_factory=dict)
    others: tuple[TrainColour, ...] = ()  # what else may turn out to lie there: nobody's so far

    @cached_property
    def colours(self) -> tuple[Colour, ...]:
        """The colours of `trains`."""
        return tuple(train.name for train in self.trains)

    @cached_property
    def players(self) -> tuple[Colour, ...]:
        """The players' colours."""
        return tuple(colour for colour in self.colours if colour not in self.whose)

    def in_light_of(self, rectified: Picture, printed: PrintedBoard) -> Pieces:
        """Return the pieces with their trains as what was learned has them in a photo's light.

        Parameters
        ----------
        rectified : (H, W, 3) uint8 array, BGR
            The board from above, as large as the reference.
        """
        trains = in_photo(self.trains, self.learned, rectified, printed)
        return replace(self, trains=trains, learned={})


@dataclass(frozen=True, eq=False)
class View:
    """A photo of a found board, and what is known beforehand."""

    printed: PrintedBoard
    rectified: Picture  # (H, W, 3) uint8, BGR: the board from above, as large as the reference
    viewpoint: Viewpoint
    pieces: Pieces  # what may stand on it, in the photo's light
    # Colours of which trains are known to lie on the board; of another one a sure route must be
    # seen somewhere before its unsure ones count.
    in_play: frozenset[Colour] = frozenset()

    @cached_property
    def is_own_print(self) -> Mask:
        """Whether a route's print looks like a player's trains, (R, C)."""
        routes, trains = self.printed.board.routes, self.pieces.trains
        return np.array([[train.resembles(r.colour) for train in trains] for r in routes])
