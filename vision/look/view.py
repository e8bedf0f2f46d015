"""The input of the reader: a rectified photo, the viewpoint, and what may stand on the board."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Indices, Mask, Picture
from railspotter.calibration.pose import Pose, Viewpoint, are_in_frame, rectifying_maps, viewpoint
from railspotter.calibration.profiles.darkest_print import CELL_MM, darkest_print
from railspotter.scoring.board import RouteId

from ..colours.learned_colours import Learned, light_name, trains_in_light
from ..colours.train_colours import TrainColour
from ..printed.board_cache import cached_per_board
from ..printed.light import blue_over_red
from ..printed.printed_board import MARK_MM, PrintedBoard, places_of
from ..readings import Colour

# Light added to the darkest print, as a share of white, from which a part may be misread; and what
# the brightest of a patch must reach, since sheen of whole boards stays below it. Of 72 pictures
# with made veils nothing certain and wrong is left up to .35 and .5.
FADED_SHARE, CORE_SHARE = 0.25, 0.4
# Share of a board by which its usual light is told: a varnished copy or a pale camera adds to all
# print alike, which misleads nobody, and three quarters of a board may lie under a veil.
USUAL_QUANTILE = 0.25
# From the middle of a window how far its light is known: up to its edge but for a train's width
# and some, where one bright thing may be all that there is.
SPREAD_MM = 24.0
# Least resolution of a picture, in its worst direction, at which a board is read: two lanes lie 10
# mm apart, and each must have a pixel.
LEAST_PX_PER_MM = 0.2
SEEN_HEIGHT = 0.6  # height of the middle of a train's image, as a share of its height
# Lean of a roof, in mm, up to which `SEEN_HEIGHT` is the middle of a train's image. From lower
# angles its side is as broad as the roof, so only the roof, which no train hides, is looked at.
SIDELESS_MM = 6.0
STEP_PX = 8  # grid, in rectified pixels, on which that is measured
# Share of a space, or of a place's mark, that a photo must show: a train that shows less of itself
# may be the next lane's, or none.
LEAST_SHOWN = 0.75
# Log-odds of `View.things` from which a space is covered: stray trains beside a route have 4.6.
COVERED = 5.0


def mirrored_light(rectified: Picture, shown: Mask, printed: PrintedBoard) -> Mask:
    """Tell where so much light is mirrored that nobody can say what lies there, (H, W).

    A flash, a lamp, a window or a sleeve adds the same to all that lies there. In its pale ring
    trains look like bare print or like white ones, and as surely as elsewhere: what it lies on
    counts as not shown.

    `rectified` is the board from above, of which the pixels `shown` are in the picture. Of a print
    that nobody knows nothing is told.
    """
    if printed.darkest is None:
        return np.zeros(shown.shape, np.bool_)
    picture = rectified.copy()
    picture[~shown] = 255
    seen = darkest_print(picture, printed.px_per_mm)
    size_wh = seen.shape[1], seen.shape[0]
    is_shown = cv2.resize(shown.astype(np.uint8), size_wh, interpolation=cv2.INTER_AREA) > 0
    added = np.subtract(seen, cv2.resize(printed.darkest, size_wh), dtype=np.float32) / 255
    added[~is_shown] = 0
    print_seen = added[is_shown & (seen < 255)]  # elsewhere all of it is burnt out
    if len(print_seen):
        added -= max(0.0, float(np.quantile(print_seen, USUAL_QUANTILE)))
    window = np.ones((2 * round(SPREAD_MM / CELL_MM) + 1,) * 2, np.uint8)
    added = np.asarray(cv2.dilate(added, window), np.float32)
    _, patches = cv2.connectedComponents((added > FADED_SHARE).astype(np.uint8))
    lit = np.isin(patches, patches[added > CORE_SHARE]).astype(np.uint8)
    return np.asarray(cv2.resize(lit, shown.shape[::-1]) > 0, np.bool_)


@dataclass(frozen=True)
class Pieces:
    """What may stand on a board: its players' trains, stations and markers."""

    trains: tuple[TrainColour, ...]  # each player's colour
    # Length, width and height of a train.
    train_size_mm: tuple[float, float, float] = (26.0, 9.0, 9.0)
    net: str = "train"  # the key of `train_net.NETS` for their shape
    # Whether each route has one piece only, on any of its spaces.
    one_piece_a_route: bool = False
    # Groups of routes of which one player may hold one at most, the lanes of double routes. A real
    # board can break that rule, so a violation raises a doubt.
    exclusive: tuple[tuple[RouteId, ...], ...] = ()
    # Length, width and height of a station; None for a game without stations.
    station_size_mm: tuple[float, float, float] | None = None
    stations_each: int = 0  # stations of each player; more of one colour raise a doubt
    markers: bool = False  # whether everybody has a marker on the score track
    # Learned colours of the profile, by which `trains` are shifted for a photo's light; empty once
    # they are.
    learned: Learned = field(default_factory=dict)
    # For each colour of `trains` that is no player's own: the player it counts for, or None.
    whose: Mapping[Colour, Colour | None] = field(default_factory=dict)
    others: tuple[TrainColour, ...] = ()  # other colours that may turn out to be on the board

    @cached_property
    def colours(self) -> tuple[Colour, ...]:
        """The colours of `trains`."""
        return tuple(train.name for train in self.trains)

    @cached_property
    def players(self) -> tuple[Colour, ...]:
        """The players' colours."""
        return tuple(colour for colour in self.colours if colour not in self.whose)

    def in_light_of(self, rectified: Picture, printed: PrintedBoard) -> "Pieces":
        """Return the pieces with train colours shifted to the light of a rectified photo."""
        trains = self.trains
        if any(one.observations for lights in self.learned.values() for one in lights):
            light = light_name(blue_over_red(rectified, printed))
            trains = trains_in_light(trains, self.learned, light)
        return replace(self, trains=trains, learned={})


class PinSpaces(NamedTuple):
    """The space of each route at which it is read, where one piece fills a route."""

    number: Indices  # (R,): its number in the route
    covered: Indices  # (R,): how many spaces of the route look covered


@dataclass(frozen=True, eq=False)
class View:
    """A rectified photo of a board, and what is known before it is read."""

    printed: PrintedBoard
    rectified: Picture  # (H, W, 3) uint8, BGR: the board from above, as large as the reference
    viewpoint: Viewpoint
    pieces: Pieces  # what may stand on it, in the photo's light
    # Colours whose trains are known to be on the board; others need one sure route before unsure
    # ones count.
    in_play: frozenset[Colour] = frozenset()
    shown: Mask | None = None  # (H, W): pixels of the board that the photo shows; None for all
    # (N,): log-odds that something other than trains lies over each space, once measured with the
    # players' colours: a hand may look like trains of another box.
    things: Float32s | None = None
    # Where one piece fills a route: `printed` has one space for each. None for trains.
    pins: PinSpaces | None = None

    @classmethod
    def of(
        cls,
        picture: Picture,
        pose: Pose,
        printed: PrintedBoard,
        pieces: Pieces,
        in_play: frozenset[Colour] = frozenset(),
    ) -> "View":
        """Return the view of a board that has a pose in a picture.

        Parts with too little resolution or under mirrored light count as not shown. From a low
        angle the board's windows are widened.
        """
        size_wh = (picture.shape[1], picture.shape[0])
        maps, eye = _maps_and_viewpoint(pose, size_wh, printed.px_per_mm)
        rectified = np.asarray(cv2.remap(picture, *maps, cv2.INTER_LINEAR), np.uint8)
        shown = are_in_frame(*maps, size_wh)
        shown &= ~mirrored_light(rectified, shown, printed)
        shown &= _has_resolution(maps, LEAST_PX_PER_MM / printed.px_per_mm)
        pieces = pieces.in_light_of(rectified, printed)
        printed = printed.widened_for(eye.lean_mm(printed.xy_mm, pieces.train_size_mm[2]))
        return cls(printed, rectified, eye, pieces, in_play, None if shown.all() else shown)

    @cached_property
    def roof_lean_mm(self) -> Float64s:
        """The lean of a train's roof on each space, (N, 2)."""
        return self.viewpoint.lean_mm(self.printed.xy_mm, self.pieces.train_size_mm[2])

    @cached_property
    def image_shift_mm(self) -> Float64s:
        """The shift of a train's image from its foot, on the board, for each space, (N, 2)."""
        height_mm = SEEN_HEIGHT * self.pieces.train_size_mm[2]
        middle = self.viewpoint.lean_mm(self.printed.xy_mm, height_mm)
        return np.asarray(middle + roof_shift_mm(self.roof_lean_mm))

    @cached_property
    def spaces_shown(self) -> Mask:
        """Spaces that the photo shows and nothing covers, (N,)."""
        count = len(self.printed.xy_mm)
        is_open = np.ones(count, bool) if self.things is None else self.things < COVERED
        if self.shown is None:
            return is_open
        length_mm, width_mm = self.printed.size_mm.mean(axis=0).tolist()
        middle = (slice(None), *self.printed.middle(length_mm, width_mm))
        pixels = self.printed.window_pixels[middle].reshape(count, -1)
        return np.asarray(is_open & (self.shown.reshape(-1)[pixels].mean(axis=1) >= LEAST_SHOWN))

    @cached_property
    def routes_shown(self) -> Mask:
        """Routes whose spaces are all shown, (R,)."""
        return np.asarray(np.logical_and.reduceat(self.spaces_shown, self.printed.first_space))

    @property
    def unseen(self) -> frozenset[RouteId]:
        """The ids of routes of which a space is not shown."""
        routes = zip(self.printed.board.routes, self.routes_shown, strict=True)
        return frozenset(route.id for route, is_shown in routes if not is_shown)

    @property
    def maybe_covered(self) -> frozenset[RouteId]:
        """The ids of routes that something other than trains may cover."""
        if self.things is None:
            return frozenset()
        likely = self.printed.per_route_max(self.things) > 0
        routes = zip(self.printed.board.routes, likely, strict=True)
        return frozenset(route.id for route, is_likely in routes if is_likely)

    @cached_property
    def places_shown(self) -> Mask:
        """Places whose mark is shown and most of whose first spaces are not covered, (P,)."""
        shown = np.ones(len(self.printed.board.places), bool)
        if self.shown is not None:
            places = places_of(self.printed)
            pixels = places.window_pixels[:, places.from_middle_mm <= MARK_MM]
            shown = self.shown.reshape(-1)[pixels].mean(axis=1) >= LEAST_SHOWN
        if self.things is not None:
            begins = _first_spaces(self.printed)
            shown = shown & (begins @ (self.things >= COVERED) * 2 <= begins.sum(axis=1))
        return np.asarray(shown)

    @cached_property
    def is_own_print(self) -> Mask:
        """Whether each route's print looks like each colour's trains, (R, C)."""
        routes, trains = self.printed.board.routes, self.pieces.trains
        return np.array([[train.resembles(r.colour) for train in trains] for r in routes])


@lru_cache(maxsize=1)
def _maps_and_viewpoint(
    pose: Pose, size_wh: tuple[int, int], px_per_mm: float
) -> tuple[tuple[Float32s, Float32s], Viewpoint]:
    """Return the maps that rectify pictures, and the viewpoint; cached for a standing camera."""
    return rectifying_maps(pose, px_per_mm), viewpoint(pose.frame_from_board, size_wh)


def roof_shift_mm(lean_mm: Float64s) -> Float64s:
    """Return the shift from `SEEN_HEIGHT` to the middle of roofs, by their leans, (..., 2)."""
    far = np.linalg.norm(lean_mm, axis=-1, keepdims=True)
    further = (1 - SEEN_HEIGHT) * np.maximum(0, far - SIDELESS_MM)
    return np.asarray(lean_mm * further / np.maximum(far, SIDELESS_MM))


def _has_resolution(maps: tuple[Float32s, Float32s], least: float) -> Mask:
    """Tell where a picture has at least `least` pixels for each pixel of the board, (H, W)."""
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
def _first_spaces(printed: PrintedBoard) -> Mask:
    """Tell which spaces are the first of a route at each place, (P, N)."""
    places = {place.id: p for p, place in enumerate(printed.board.places)}
    begins = np.zeros((len(places), len(printed.xy_mm)), bool)
    last = np.append(printed.first_space[1:], len(printed.xy_mm)) - 1
    for route, a, b in zip(printed.board.routes, printed.first_space, last, strict=True):
        for place, space in ((route.a, a), (route.b, b)):
            if place in places:
                begins[places[place], space] = True
    return begins
