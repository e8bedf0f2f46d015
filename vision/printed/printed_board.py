"""A board as one copy prints it, and what reading needs of its print, computed lazily."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import cv2
import msgspec
import numpy as np
import numpy.typing as npt
from railspotter.calibration.arrays import (
    AnyFloats,
    Float32s,
    Float64s,
    GreyPicture,
    Indices,
    Int32s,
    Mask,
    Picture,
)
from railspotter.calibration.profiles.darkest_print import darkest_print
from railspotter.calibration.profiles.features import Features, find_spread_features
from railspotter.calibration.profiles.profile import Profile, board_of_copy, route_of_key, space_key
from railspotter.scoring.board import Board, Route
from railspotter.scoring.spot import Spot

from ..lab import to_lab
from .board_cache import cached_per_board
from .print_windows import PrintRange, PrintWindows, grid_along, pixels_at, range_around

MARK_MM = 6.0  # radius of the mark that is printed at every place
REACH_MM = 7.0  # half the window around a place
FEATURE_CELL_MM = 12.0  # side of the cells, in each of which the two strongest features are kept
# Half the window around a space, along and across: half a train, its offset, and `LEAN_MM`, the
# most lean of its roof. For more lean windows are widened, in steps, so that a pushed camera keeps
# its board and its cache.
WINDOW_REACH_MM = (22.0, 14.0)
LEAN_MM = (4.0, 3.0)
WIDER_STEP_MM = 4.0
# Finest scale at which boards are read: at 2 px/mm no more is read, and a third slower.
READING_PX_PER_MM = 1.6
# Finest scale of windows: finer ones cost more and place trains no better.
WINDOW_PX_PER_MM = 1.25
# The part of a space that shows its colour: its outline and other routes' trains lie beyond.
MIDDLE_MM = (20.0, 6.0)
SHADOW_MM = 7.0  # most distance from a space of its train's foot, lean and shadow


@dataclass(frozen=True, eq=False)
class PrintedPlaces(PrintWindows):
    """The P places of a copy's print, and a window around each: K by K pixels, rows down the board.

    The place is in the middle of its window.
    """

    printed: "PrintedBoard"
    # (K, K, 3) uint8, BGR: the printed mark of a place, if the reference lacks it; or None.
    mark: Picture | None = None

    @cached_property
    def xy_mm(self) -> Float64s:
        """The middles of the places, (P, 2), moved like the routes that end there (median)."""
        offsets = self.printed.print_offsets_mm
        middles = []
        for place in self.printed.board.places:
            ends = [route for route in self.printed.board.routes if place.id in (route.a, route.b)]
            off = [offsets.get(route.id, (0.0, 0.0)) for route in ends] or [(0.0, 0.0)]
            middles.append(np.add(place.xy_mm, np.median(off, axis=0)))
        return np.array(middles, dtype=np.float64)

    @cached_property
    def steps_mm(self) -> Float64s:
        """The offset of each row or column of a window from its middle, (K,)."""
        half = round(REACH_MM * self.printed.steps_per_mm)
        return np.arange(-half, half + 1) / self.printed.steps_per_mm

    @cached_property
    def from_middle_mm(self) -> Float64s:
        """The distance of each pixel of a window from its middle, (K, K)."""
        return np.hypot(self.steps_mm[None, :], self.steps_mm[:, None])

    @cached_property
    def window_pixels(self) -> Int32s:
        """Indices of each window's pixels in the flattened picture, (P, K, K)."""
        around_mm = np.stack(np.meshgrid(self.steps_mm, self.steps_mm), axis=-1)
        at_mm = self.xy_mm[:, None, None] + around_mm
        return pixels_at(at_mm, self.printed.px_per_mm, self.printed.reference)

    @cached_property
    def print_range(self) -> PrintRange:
        """The range of the print at `seen_pixels`, marks included."""
        found = PrintRange.of(self.printed.reference, self.seen_pixels)
        if self.mark is not None:
            inside = self.from_middle_mm <= MARK_MM
            pixels = self.windows_of_seen[:, inside]
            for values, of_mark in zip(
                (found.low, found.high), range_around(self.mark), strict=True
            ):
                values[pixels] = of_mark[inside]
        return found


@cached_per_board
def print_features(printed: "PrintedBoard") -> Features:
    """Return features spread over a board's print, at 1 px/mm, except on drawn routes."""
    if printed.drawn_features is not None:
        return printed.drawn_features
    width, height = (round(side / printed.px_per_mm) for side in printed.reference.shape[1::-1])
    grey = cv2.cvtColor(in_millimetres(printed.reference, printed.px_per_mm), cv2.COLOR_BGR2GRAY)
    cells_wh = round(width / FEATURE_CELL_MM), round(height / FEATURE_CELL_MM)
    found = find_spread_features(
        np.asarray(grey, np.uint8), 2 * cells_wh[0] * cells_wh[1], cells_wh
    )
    hidden = [r for r, route in enumerate(printed.board.routes) if route.id in printed.drawn_routes]
    drawn = printed.footprint(printed.spaces_of(hidden), 1.0, SHADOW_MM)
    column, row = found.points.astype(np.intp).T
    found = found.where(drawn[row, column] == 0)
    return replace(found, points=found.points + 0.5)


def in_millimetres(picture: Picture, px_per_mm: float) -> Picture:
    """Scale a rectified picture to a pixel a millimetre."""
    size_wh = tuple(round(side / px_per_mm) for side in picture.shape[1::-1])
    return np.asarray(cv2.resize(picture, size_wh, interpolation=cv2.INTER_AREA), np.uint8)


@cached_per_board
def places_of(printed: "PrintedBoard") -> PrintedPlaces:
    """Return a board's places, cached with the board."""
    return PrintedPlaces(printed)


@dataclass(frozen=True, eq=False)
class PrintedBoard(PrintWindows):
    """A board with its spaces where one copy prints them, and a window of pixels around each.

    N is the number of spaces, R of routes, (V, U) the size of a window in pixels: rows run across
    the route, columns along it. Windows are indices into the flattened rectified picture.
    """

    board: Board
    reference: Picture  # (H, W, 3) uint8, BGR: the empty board from above
    px_per_mm: float
    print_offsets_mm: dict[str, tuple[float, float]] = field(default_factory=dict)
    # Whether the reference was drawn by the program, without symbols or artwork.
    is_drawn: bool = False
    # Offsets by which people moved single spaces; those of whole routes are in `print_offsets_mm`.
    nudges_mm: dict[str, tuple[float, float]] = field(default_factory=dict)
    # Routes with spaces that are drawn into a photo, since trains stood there when it was taken.
    drawn_routes: frozenset[str] = frozenset()
    # Half a window, along and across.
    reach_mm: tuple[float, float] = WINDOW_REACH_MM
    # Features of the real print, in millimetres, if the reference is drawn; else None.
    drawn_features: Features | None = None
    # `darkest_print` of the real print, if the reference is drawn and it is known.
    drawn_darkest: GreyPicture | None = None

    @classmethod
    def of(
        cls, board: Board, profile: Profile, px_per_mm: float = READING_PX_PER_MM
    ) -> "PrintedBoard":
        """Return the printed board of a profile, at most at the profile's scale.

        Its board is in the copy's own millimetres, its spaces are moved by the profile's nudges.
        """
        scale = min(px_per_mm, profile.px_per_mm)
        reference = profile.reference
        if scale < profile.px_per_mm:
            size_wh = tuple(round(side * scale) for side in profile.size_mm)
            smaller = cv2.resize(reference, size_wh, interpolation=cv2.INTER_AREA)
            reference = np.asarray(smaller, np.uint8)
        board = board_of_copy(board, profile.scale)
        offsets = dict(profile.print_offsets_mm)
        nudges = dict(profile.nudges_mm)
        for route in board.routes:
            if route.id in nudges:
                dx, dy = np.add(offsets.get(route.id, (0.0, 0.0)), nudges.pop(route.id)).tolist()
                offsets[route.id] = dx, dy
        drawn = frozenset(route_of_key(key) for key in profile.unseen)
        features = profile.features if profile.is_drawn else None
        return cls(
            board,
            reference,
            scale,
            offsets,
            profile.is_drawn,
            nudges,
            drawn,
            drawn_features=features,
            drawn_darkest=profile.darkest,
        )

    @cached_property
    def spots(self) -> tuple[Spot, ...]:
        """The spot of each route: a site's, for the route of a site."""
        sites = self.board.site_by_id
        return tuple(Spot("site" if r.id in sites else "route", r.id) for r in self.board.routes)

    @cached_property
    def inks(self) -> tuple[str, ...]:
        """The printed colour of every space."""
        return tuple(self.board.routes[r].colour for r in self.route_of)

    @property
    def is_unknown(self) -> bool:
        """Whether the print is unknown, and drawn in the inks that a photo shows."""
        return self.drawn_features is not None and not len(self.drawn_features)

    @cached_property
    def xy_mm(self) -> Float64s:
        """The middles of the spaces, (N, 2)."""
        still = (0.0, 0.0)
        return np.array(
            [
                np.add(space.xy_mm, self.print_offsets_mm.get(route.id, still))
                + self.nudges_mm.get(space_key(route.id, number), still)
                for route in self.board.routes
                for number, space in enumerate(route.spaces)
            ],
            dtype=np.float64,
        )

    @cached_property
    def size_mm(self) -> Float64s:
        """Length and width of the spaces, (N, 2)."""
        return np.array([s.size_mm for r in self.board.routes for s in r.spaces], dtype=np.float64)

    @cached_property
    def along(self) -> Float64s:
        """Unit vectors along the spaces, from the route's `a` to its `b`, (N, 2)."""
        angles = np.deg2rad([s.angle_deg for r in self.board.routes for s in r.spaces])
        return np.stack([np.cos(angles), np.sin(angles)], axis=-1)

    @cached_property
    def across(self) -> Float64s:
        """Unit vectors across the spaces, to the right of `along`, (N, 2)."""
        return np.stack([-self.along[:, 1], self.along[:, 0]], axis=-1)

    @cached_property
    def route_of(self) -> Indices:
        """The index of each space's route, (N,), ascending."""
        return np.repeat(np.arange(len(self.board.routes)), [r.length for r in self.board.routes])

    @cached_property
    def first_space(self) -> Indices:
        """The index of each route's first space, (R,)."""
        starts = np.searchsorted(self.route_of, np.arange(len(self.board.routes)))
        return np.asarray(starts, np.intp)

    @cached_property
    def neighbours(self) -> Mask:
        """Whether two routes are so close that their trains can hide each other's, (R, R)."""
        apart = np.linalg.norm(self.xy_mm[:, None] - self.xy_mm[None], axis=-1)
        close = np.zeros((len(self.board.routes),) * 2, dtype=bool)
        first, second = np.nonzero(apart < 1.25 * self.size_mm[:, 0].max())
        close[self.route_of[first], self.route_of[second]] = True
        np.fill_diagonal(close, False)
        return close

    @property
    def steps_per_mm(self) -> float:
        """How many rows or columns of a window there are in a millimetre."""
        return min(self.px_per_mm, WINDOW_PX_PER_MM)

    @cached_property
    def window_shape(self) -> tuple[int, int]:
        """Rows and columns of a window, both odd: (V, U)."""
        rows, columns = (2 * round(reach * self.steps_per_mm) + 1 for reach in self.reach_mm[::-1])
        return rows, columns

    def widened_for(self, lean_mm: Float64s) -> "PrintedBoard":
        """Return the board with windows wide enough for trains with these leans, (N, 2).

        Widths grow in steps, and boards of each are cached; this one if it is wide enough.
        """
        ways = np.stack([self.along, self.across])
        furthest = np.abs(np.einsum("ni,wni->wn", lean_mm, ways)).max(axis=1)
        missing = np.maximum(0, furthest - LEAN_MM) / WIDER_STEP_MM
        steps_along, steps_across = np.rint(missing).astype(int).tolist()
        return _with_wider_windows(self, steps_along, steps_across)

    @cached_property
    def window_pixels(self) -> Int32s:
        """For each window's pixels, where they are in the flattened picture: (N, V, U)."""
        rows, columns = self.window_shape
        u = (np.arange(columns) - columns // 2) / self.steps_per_mm
        v = (np.arange(rows) - rows // 2) / self.steps_per_mm
        xy_mm = grid_along(self.xy_mm, self.along, u, v)
        return pixels_at(xy_mm, self.px_per_mm, self.reference)

    @cached_property
    def place_among_seen(self) -> Int32s:
        """Each pixel's index in `seen_pixels`, or that of the next one, (H * W,)."""
        height, width = self.reference.shape[:2]
        at = np.searchsorted(self.seen_pixels, np.arange(height * width))
        return np.minimum(at, len(self.seen_pixels) - 1).astype(np.int32)

    @cached_property
    def print_range(self) -> PrintRange:
        """The range of the print at `seen_pixels`."""
        return PrintRange.of(self.reference, self.seen_pixels)

    @cached_property
    def darkest(self) -> GreyPicture | None:
        """`darkest_print` of the empty board; None if it is drawn and no copy is known."""
        if self.is_drawn:
            return self.drawn_darkest
        return darkest_print(self.reference, self.px_per_mm)

    @cached_property
    def reference_lab(self) -> Float32s:
        """The print's colours at `seen_pixels`, (M, 3) CIE Lab."""
        return to_lab(self.reference.reshape(-1, 3)[self.seen_pixels])

    @cached_property
    def middles_of_seen(self) -> Int32s:
        """The middles of the spaces, as indices into `seen_pixels`, (N, v, u)."""
        return self.windows_of_seen[(slice(None), *self.middle(*MIDDLE_MM))]

    def middle(self, along_mm: float, across_mm: float) -> tuple[slice, slice]:
        """Return the slices (rows, columns) of a window for a part this large around its middle."""
        rows, columns = self.window_shape
        half_rows = round(across_mm * self.steps_per_mm / 2)
        half_columns = round(along_mm * self.steps_per_mm / 2)
        return (
            slice(rows // 2 - half_rows, rows // 2 + half_rows + 1),
            slice(columns // 2 - half_columns, columns // 2 + half_columns + 1),
        )

    @cached_property
    def background(self) -> Mask:
        """Ground that no train, lean or shadow reaches, (H, W)."""
        free = np.ones(self.reference.shape[:2], np.uint8)
        for space in np.arange(len(self.xy_mm)):
            box = self.box_mm(space, self.size_mm[space] / 2 + SHADOW_MM)
            cv2.fillConvexPoly(free, np.rint(box * self.px_per_mm).astype(np.int32), 0)
        return free.astype(bool)

    def spaces_of(self, routes: Collection[int]) -> Indices:
        """Return the indices of the spaces of some routes, given by indices."""
        return np.flatnonzero(np.isin(self.route_of, list(routes)))

    def box_mm(self, space: np.intp, half_mm: Collection[float]) -> Float64s:
        """Return the corners of a box along a space, (4, 2).

        Parameters
        ----------
        half_mm : collection of float
            Half its length and half its width.
        """
        along, across = (
            half * way[space] for half, way in zip(half_mm, (self.along, self.across), strict=True)
        )
        corners = np.array([along + across, along - across, -along - across, across - along])
        return np.asarray(self.xy_mm[space] + corners)

    def footprint(
        self, spaces: Indices, px_per_mm: float, margin_mm: float
    ) -> npt.NDArray[np.uint8]:
        """Return a mask of some printed spaces, in a picture of that scale.

        Parameters
        ----------
        margin_mm : float
            Ground around each space that belongs to the mask.
        """
        height, width = (
            round(side * px_per_mm / self.px_per_mm) for side in self.reference.shape[:2]
        )
        shape = np.zeros((height, width), np.uint8)
        for space in spaces:
            box = self.box_mm(space, self.size_mm[space] / 2 + margin_mm)
            cv2.fillConvexPoly(shape, np.rint(box * px_per_mm - 0.5).astype(np.int32), 1)
        return shape

    def with_moved_prints(self, moved_mm: Mapping[str, tuple[float, float]]) -> "PrintedBoard":
        """Return the board with the prints of some routes moved, in its reference too.

        Parameters
        ----------
        moved_mm : mapping of route id to (dx, dy)
            Offset from the present place.
        """
        reference = self.reference.copy()
        offsets = dict(self.print_offsets_mm)
        height, width = reference.shape[:2]
        for r, route in enumerate(self.board.routes):
            if route.id in moved_mm:
                dx, dy = moved_mm[route.id]
                offsets[route.id] = tuple(np.add(offsets.get(route.id, (0.0, 0.0)), (dx, dy)))
                by_px = np.array([[1, 0, dx], [0, 1, dy]]) * [1, 1, self.px_per_mm]
                shape = self.footprint(self.spaces_of([r]), self.px_per_mm, 2.0)
                there = cv2.bitwise_or(shape, cv2.warpAffine(shape, by_px, (width, height)))
                moved = cv2.warpAffine(self.reference, by_px, (width, height))
                reference[there > 0] = moved[there > 0]
        return replace(self, reference=reference, print_offsets_mm=offsets)

    def at_spaces(self, numbers: Indices) -> "PrintedBoard":
        """Return the board with one space a route: the one with this number in it, of (R,)."""
        routes, nudges = [], {}
        for route, number in zip(self.board.routes, numbers.tolist(), strict=True):
            spaces = (route.spaces[number],)
            routes.append(msgspec.structs.replace(route, length=1, spaces=spaces))
            if (nudge := self.nudges_mm.get(space_key(route.id, number))) is not None:
                nudges[space_key(route.id, 0)] = nudge
        board = msgspec.structs.replace(self.board, routes=tuple(routes))
        return replace(self, board=board, nudges_mm=nudges)

    def per_route_mean(self, values: AnyFloats) -> Float64s:
        """Return the mean over each route's spaces: (N, ...) to (R, ...)."""
        total = np.add.reduceat(values, self.first_space, axis=0, dtype=np.float64)
        lengths = np.array([route.length for route in self.board.routes])
        return np.asarray(total / lengths.reshape((-1,) + (1,) * (values.ndim - 1)))

    def per_route_max(self, values: AnyFloats) -> Float64s:
        """Return the maximum over each route's spaces: (N, ...) to (R, ...)."""
        return np.asarray(np.maximum.reduceat(values, self.first_space, axis=0), np.float64)

    def per_route_min(self, values: AnyFloats) -> Float64s:
        """Return the minimum over each route's spaces: (N, ...) to (R, ...)."""
        return np.asarray(np.minimum.reduceat(values, self.first_space, axis=0), np.float64)


def with_site_routes(board: Board) -> Board:
    """Return a board with its measured sites (Philly's) added as routes of one space.

    Its ends are the site's station and the site itself, so that two sites of a station are no
    double route. Its colour is `grey`: a site is printed in two colours, and a train hides both.

    >>> from railspotter.scoring.board import load_board
    >>> with_site_routes(load_board("usa")) is load_board("usa")
    True
    """
    measured = tuple(
        Route(site.id, site.station, site.id, 1, "grey", (site.space,))
        for site in board.sites
        if site.space is not None
    )
    return msgspec.structs.replace(board, routes=board.routes + measured) if measured else board


@cached_per_board
def _with_wider_windows(printed: PrintedBoard, along: int, across: int) -> PrintedBoard:
    """Return a board with windows widened by steps of `WIDER_STEP_MM` on each side."""
    if not (along or across):
        return printed
    wider = np.add(printed.reach_mm, np.multiply((along, across), WIDER_STEP_MM)).tolist()
    return replace(printed, reach_mm=(wider[0], wider[1]))
