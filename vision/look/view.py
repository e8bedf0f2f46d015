"""One look at a found board: everything that the reader is handed, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Mask, Picture
from railspotter.calibration.pose import Viewpoint
from railspotter.scoring.board import RouteId

from ..colours.learned_colours import Learned, in_photo
from ..colours.train_colours import TrainColour
from ..printed.board_cache import cached_per_board
from ..printed.printed_board import MARK_MM, PrintedBoard, places_of
from ..readings import Colour

# Pixels for each millimetre, in the direction in which a picture has fewest, below which a board is
# not read there: two lanes lie 10 mm apart, and of each a pixel must show.
LEAST_PX_PER_MM = 0.2
STEP_PX = 8  # how far apart a board's pixels are at which that is measured
# Share of a space, or of a place's mark, that must lie in a photo: a train of which less shows may
# be the next lane's, or none.
LEAST_SHOWN = 0.75


@dataclass(frozen=True)
class Pieces:
    """What may stand on a board."""

    trains: tuple[TrainColour, ...]  # what each player's look like
    # Length, width and height of a train.
    train_size_mm: tuple[float, float, float] = (26.0, 9.0, 9.0)
    net: str = "train"  # which of `train_net.NETS` knows their shape
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

        That is told by the board from above, as large as the reference.
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
    shown: Mask | None = None  # (H, W) bool: what of the board the photo shows; None for all of it
    # (N,) bool: which spaces lie under something that is no train; None where nothing does.
    covered_spaces: Mask | None = None
    # (N,) float32: log-odds that something lies over each space that is no train, where that is
    # known from the players' trains: a hand may look like trains of another box.
    things: Float32s | None = None

    @classmethod
    def of(
        cls,
        picture: Picture,
        maps: tuple[Float32s, Float32s],
        printed: PrintedBoard,
        viewpoint: Viewpoint,
        pieces: Pieces,
        in_play: frozenset[Colour] = frozenset(),
    ) -> View:
        """Return the view of a board in a picture, by where the picture has each of its pixels.

        What has too few pixels there is not shown. From a low angle its print has wider windows
        than the one that is given.
        """
        rectified = np.asarray(cv2.remap(picture, *maps, cv2.INTER_LINEAR), np.uint8)
        (x, y), (height, width) = maps, picture.shape[:2]
        shown = (x >= 0) & (y >= 0) & (x <= width - 1) & (y <= height - 1)
        shown &= _is_fine(maps, LEAST_PX_PER_MM / printed.px_per_mm)
        pieces = pieces.in_light_of(rectified, printed)
        printed = printed.for_leaning(viewpoint.lean_mm(printed.xy_mm, pieces.train_size_mm[2]))
        return cls(printed, rectified, viewpoint, pieces, in_play, None if shown.all() else shown)

    @cached_property
    def spaces_shown(self) -> Mask:
        """Which spaces the photo shows, (N,)."""
        count = len(self.printed.xy_mm)
        is_open = np.ones(count, bool) if self.covered_spaces is None else ~self.covered_spaces
        if self.shown is None:
            return is_open
        length_mm, width_mm = self.printed.size_mm.mean(axis=0).tolist()
        middle = (slice(None), *self.printed.middle(length_mm, width_mm))
        pixels = self.printed.window_pixels[middle].reshape(count, -1)
        return np.asarray(is_open & (self.shown.reshape(-1)[pixels].mean(axis=1) >= LEAST_SHOWN))

    @cached_property
    def routes_shown(self) -> Mask:
        """Of which routes the photo shows every space, (R,)."""
        return np.asarray(np.logical_and.reduceat(self.spaces_shown, self.printed.first_space))

    @property
    def unseen(self) -> frozenset[RouteId]:
        """The routes that the photo does not show whole."""
        routes = zip(self.printed.board.routes, self.routes_shown, strict=True)
        return frozenset(route.id for route, is_shown in routes if not is_shown)

    @property
    def maybe_covered(self) -> frozenset[RouteId]:
        """The routes over which something may lie that is no train."""
        if self.things is None:
            return frozenset()
        likely = self.printed.per_route_max(self.things) > 0
        routes = zip(self.printed.board.routes, likely, strict=True)
        return frozenset(route.id for route, is_likely in routes if is_likely)

    @cached_property
    def places_shown(self) -> Mask:
        """Of which places the photo shows the printed mark, (P,).

        A place is covered where most of the spaces are that begin there.
        """
        shown = np.ones(len(self.printed.board.places), bool)
        if self.shown is not None:
            places = places_of(self.printed)
            pixels = places.window_pixels[:, places.from_middle_mm <= MARK_MM]
            shown = self.shown.reshape(-1)[pixels].mean(axis=1) >= LEAST_SHOWN
        if self.covered_spaces is not None:
            begins = _beginning_at(self.printed)
            shown = shown & (begins @ self.covered_spaces * 2 <= begins.sum(axis=1))
        return np.asarray(shown)

    @cached_property
    def is_own_print(self) -> Mask:
        """Whether a route's print looks like a player's trains, (R, C)."""
        routes, trains = self.printed.board.routes, self.pieces.trains
        return np.array([[train.resembles(r.colour) for train in trains] for r in routes])


def _is_fine(maps: tuple[Float32s, Float32s], least: float) -> Mask:
    """Tell where neighbouring pixels of a board, (H, W), lie at least so far apart in a picture."""
    steps = (slice(None, None, STEP_PX),) * 2
    (x_down, x_right), (y_down, y_right) = (np.gradient(axis[steps], STEP_PX) for axis in maps)
    # The smaller of the singular values.
    half = (x_down**2 + x_right**2 + y_down**2 + y_right**2) / 2
    area2 = (x_down * y_right - x_right * y_down) ** 2
    smallest2 = half - np.sqrt(np.maximum(half**2 - area2, 0))
    is_fine = np.asarray(smallest2 >= least**2, np.uint8)
    size_wh = maps[0].shape[::-1]
    return np.asarray(cv2.resize(is_fine, size_wh, interpolation=cv2.INTER_NEAREST) > 0)


@cached_per_board
def _beginning_at(printed: PrintedBoard) -> Mask:
    """Tell which spaces begin at which places, (P, N)."""
    places = {place.id: p for p, place in enumerate(printed.board.places)}
    begins = np.zeros((len(places), len(printed.xy_mm)), bool)
    last = np.append(printed.first_space[1:], len(printed.xy_mm)) - 1
    for route, a, b in zip(printed.board.routes, printed.first_space, last, strict=True):
        for place, space in ((route.a, a), (route.b, b)):
            if place in places:
                begins[places[place], space] = True
    return begins
