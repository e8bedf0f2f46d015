"""Places trains: the best position of a box of each colour on and around every space.

A train is a box of some 26 x 9 x 9 mm, whose image leans away from the point under the camera. Each
pixel is explained once: routes are decided from the surest to the least sure, and pixels of one
route's trains count against all other routes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt
from railspotter.calibration.arrays import Float32s, Float64s, Indices, Int32s, Mask
from railspotter.calibration.pose import Viewpoint

from ..printed.printed_board import PrintedBoard
from .view import SIDELESS_MM, View

STATION = 255  # owner of a station's pixels; trains have their route's index + 1
# Lower limit of the share of a place that trains in front leave visible: means divide by it.
LEAST_OPEN = 0.5

# Sizes and positions of trains; chosen on shoot-2. "Habit" is trains' offset from their spaces.
# Along and across: the part of one colour, the most offset from its expected place, and its
# standard deviation.
BOX_MM, REACH_MM, HABIT_MM = (24.0, 8.0), (6.0, 7.0), (4.0, 3.0)
# The same of single pieces on pins, of any outline; chosen on drawn boards. Only the middle half of
# a triangle or a star is surely its colour; a pin holds it in place.
PIECE_SHARE, PIECE_REACH_MM, PIECE_HABIT_MM = 0.5, (5.0, 4.0), (3.0, 2.0)
HABIT_WEIGHT = 0.4  # weight of the cost of distance from the expected place
HIDDEN = -2.0  # evidence of a pixel that another route's train explains
CLAIM = 0.5  # mean evidence from which a route's trains are placed
LEAST_GAP = 0.8  # least distance between middles of trains side by side, in widths of a train
# Standard deviation of the kernel that averages trains' offsets: bends and leans are smooth.
HABIT_RADIUS_MM = 110.0
HABIT_PRIOR = 6.0  # weight, in trains, of an offset of zero


@dataclass(frozen=True, eq=False)
class Placements:
    """The best place of a train of each colour on each space."""

    # (N, C) float32: mean evidence of the box there, less the cost of its distance from the
    # expected place.
    score: Float32s
    # (N, C, 2) float64: from the middle of the space to that of the train's foot, on the board.
    offset_mm: Float64s


@dataclass(frozen=True, eq=False)
class StandingTrains:
    """Trains placed on the whole board, by colour alone."""

    colour: Indices  # (R,) int: the index of the colour of each route's trains, -1 for none
    # (H, W) uint8: the route whose trains each pixel of the rectified picture shows, its index + 1;
    # 0 for none.
    owner: npt.NDArray[np.uint8]
    placements: Placements  # each space's, around the other routes' trains


class TrainPlacer:
    """Places trains on one photo's spaces, by the evidence of `evidence.colour_evidence`."""

    def __init__(self, view: View, evidence: Float32s) -> None:
        self._view, self._printed, self._evidence = view, view.printed, evidence
        self._size = view.pieces.train_size_mm
        self._one_piece = view.pieces.one_piece_a_route
        self._box_mm, self._reach_mm, self._habit_mm = BOX_MM, REACH_MM, HABIT_MM
        if self._one_piece:
            self._box_mm = PIECE_SHARE * self._size[0], PIECE_SHARE * self._size[1]
            self._reach_mm, self._habit_mm = PIECE_REACH_MM, PIECE_HABIT_MM
        self._off_mm = np.zeros_like(self._printed.xy_mm)

    def place_alone(self) -> Placements:
        """Return the best place of each colour on every space, without other trains."""
        free = np.zeros(self._printed.reference.shape[:2], dtype=np.uint8)
        return self._place(free, np.arange(len(self._printed.xy_mm)))

    def place_all(self, taken: npt.NDArray[np.uint8]) -> StandingTrains:
        """Place trains on the board, the surest routes first.

        `taken` are the owners of pixels that are explained already, (H, W): `STATION` or 0.
        """
        self._off_mm = self._smoothed_offsets(self.place_alone())
        return self._place_surest_first(taken.copy())

    def _place(self, owner: npt.NDArray[np.uint8], spaces: Indices) -> Placements:
        """Return the best place of each colour on some spaces, around other routes' trains."""
        printed = self._printed
        near = self._scores_in_reach(owner, spaces)
        steps_v, steps_u = (np.arange(n) - n // 2 for n in near.shape[1:3])
        flat = near.reshape(len(spaces), -1, near.shape[-1])
        best = flat.argmax(axis=1)
        score = np.take_along_axis(flat, best[:, None], axis=1)[:, 0]
        best_v, best_u = np.unravel_index(best, (len(steps_v), len(steps_u)))
        off = (
            steps_u[best_u][..., None] * printed.along[spaces][:, None]
            + steps_v[best_v][..., None] * printed.across[spaces][:, None]
        ) / printed.steps_per_mm
        return Placements(score, off + self._off_mm[spaces][:, None])

    def _scores_in_reach(self, owner: npt.NDArray[np.uint8], spaces: Indices) -> Float32s:
        """Return the score of every place within reach, (n, across, along, C)."""
        printed = self._printed
        box_u, box_v = (round(side * printed.steps_per_mm) for side in self._box_mm)
        reach_u, reach_v = (round(reach * printed.steps_per_mm) for reach in self._reach_mm)
        room_u, room_v = reach_u + box_u // 2, reach_v + box_v // 2
        rows, columns = printed.window_shape

        # The part of each window that boxes within reach of the expected place touch.
        expected = self._off_mm[spaces] + self._view.image_shift_mm[spaces]
        at_u = _steps_from_middle(expected, printed.along[spaces], printed.steps_per_mm)
        at_v = _steps_from_middle(expected, printed.across[spaces], printed.steps_per_mm)
        middle_u = np.clip(columns // 2 + at_u, room_u, columns - 1 - room_u)
        middle_v = np.clip(rows // 2 + at_v, room_v, rows - 1 - room_v)
        every_row = (spaces * rows + middle_v)[:, None] + np.arange(-room_v, room_v + 1)
        every_column = middle_u[:, None] + np.arange(-room_u, room_u + 1)
        at = every_row[:, :, None] * columns + every_column[:, None, :]
        windows = self._evidence.take(printed.windows_of_seen.reshape(-1).take(at), axis=0)
        owned = owner.reshape(-1).take(printed.window_pixels.reshape(-1).take(at))
        own = (printed.route_of[spaces] + 1).astype(owned.dtype)
        windows[np.nonzero((owned > 0) & (owned != own[:, None, None]))] = HIDDEN
        hidden = self._may_hide[spaces[:, None, None], owned]
        windows[np.nonzero(hidden)] = 0.0
        # Trains may lie under a station: its pixels are neutral.
        windows[owned == STATION] = 0.0

        means = _box_means(windows, box_v, box_u)
        if hidden.any():
            seen = _box_means((~hidden).astype(np.float32)[..., None], box_v, box_u)
            means /= np.maximum(seen, LEAST_OPEN)
        steps_u = np.arange(-reach_u, reach_u + 1)
        steps_v = np.arange(-reach_v, reach_v + 1)
        near = means[:, room_v - reach_v :, room_u - reach_u :][:, : len(steps_v), : len(steps_u)]
        habit_u, habit_v = (habit * printed.steps_per_mm for habit in self._habit_mm)
        cost = (steps_v[:, None] / habit_v) ** 2 + (steps_u[None, :] / habit_u) ** 2
        return near - (0.5 * HABIT_WEIGHT * cost)[None, :, :, None].astype(np.float32)

    @cached_property
    def _may_hide(self) -> Mask:
        """Whether an owner's trains may hide those on a space, (N, 256): nearer to the camera.

        Seen from high above, no trains hide others.
        """
        printed, eye = self._printed, self._view.viewpoint
        away = np.linalg.norm(printed.xy_mm - (eye.x_mm, eye.y_mm), axis=1)
        apart = np.linalg.norm(printed.xy_mm[:, None] - printed.xy_mm, axis=-1)
        result = np.zeros((len(away), 256), np.bool_)
        for route in range(len(printed.board.routes)):
            of = np.flatnonzero(printed.route_of == route)
            nearest = of[apart[:, of].argmin(axis=1)]
            result[:, route + 1] = away[nearest] < away
            result[of, route + 1] = False
        result[np.linalg.norm(self._view.roof_lean_mm, axis=1) <= SIDELESS_MM] = False
        return result

    def _smoothed_offsets(self, placed: Placements) -> Float64s:
        """Return the mean offset of the sure trains around each space, (N, 2)."""
        printed = self._printed
        colour = np.argmax(self._route_scores(placed.score), axis=1)[printed.route_of]
        spaces = np.arange(len(colour))
        sure = placed.score[spaces, colour] > 2 * CLAIM
        off = placed.offset_mm[spaces, colour][sure]
        apart2 = np.sum((printed.xy_mm[:, None] - printed.xy_mm[None, sure]) ** 2, axis=-1)
        weight = np.exp(-apart2 / (2 * HABIT_RADIUS_MM**2))
        return np.asarray(weight @ off / (weight.sum(axis=1, keepdims=True) + HABIT_PRIOR))

    def _route_scores(self, score: Float32s) -> Float64s:
        """Return the score of each colour's trains on each route: (N, C) to (R, C)."""
        return self._printed.per_route_mean(score)

    def _place_surest_first(self, owner: npt.NDArray[np.uint8]) -> StandingTrains:
        """Place trains on routes that are surer than all their neighbours, and repeat."""
        printed = self._printed
        routes = np.arange(len(printed.board.routes))
        colour = np.full(len(routes), -1)
        placed = self._place(owner, np.arange(len(printed.xy_mm)))
        score, offset = placed.score.copy(), placed.offset_mm.copy()

        def place(chosen: Indices, colours: Indices) -> None:
            colour[chosen] = colours
            for route in chosen:
                spaces = np.flatnonzero(printed.route_of == route)
                for space in spaces:
                    shape = self._silhouette(space, offset[space, colour[route]])
                    cv2.fillConvexPoly(owner, shape, int(route) + 1)

        for route, chosen_colour, off_mm in self._pushed_lanes(owner, placed):
            offset[printed.route_of == route, chosen_colour] = off_mm
            place(np.array([route]), np.array([chosen_colour]))
        pushed = np.flatnonzero(np.isin(printed.route_of, np.flatnonzero(colour >= 0)))
        if len(pushed):
            again = self._place(owner, pushed)
            score[pushed], offset[pushed] = again.score, again.offset_mm
        while True:
            mean = self._route_scores(score)
            best = np.argmax(mean, axis=1)
            least = printed.per_route_min(score)[routes, best]
            value = np.where(colour < 0, mean[routes, best] + 0.25 * least, -np.inf)
            rival = np.where(printed.neighbours, value[None], -np.inf).max(axis=1)
            chosen = np.flatnonzero((value > CLAIM) & (value >= rival))
            if len(chosen) == 0:
                return StandingTrains(colour, owner, Placements(score, offset))
            place(chosen, best[chosen])
            touched = printed.neighbours[chosen].any(axis=0) & (colour < 0)
            spaces = np.flatnonzero(touched[printed.route_of])
            if len(spaces):
                again = self._place(owner, spaces)
                score[spaces], offset[spaces] = again.score, again.offset_mm

    def _pushed_lanes(
        self, owner: npt.NDArray[np.uint8], placed: Placements
    ) -> Iterator[tuple[int, int, Float64s]]:
        """Yield the trains of both lanes where pushed trains make both claim the same ones.

        Each item is a route, the colour of its trains and their offsets, (length, 2) mm.
        """
        printed = self._printed
        if self._one_piece:  # pins hold pieces in place
            return
        mean = printed.per_route_mean(placed.score)
        best = np.argmax(mean, axis=1)
        for first, second in double_routes(printed):
            wanted = best[first]
            if wanted != best[second] or min(mean[first, wanted], mean[second, wanted]) < CLAIM:
                continue
            lanes = [np.flatnonzero(printed.route_of == lane) for lane in (first, second)]
            paired = lanes[1]
            if printed.board.routes[first].a != printed.board.routes[second].a:
                paired = paired[::-1]
            way = (printed.xy_mm[paired] - printed.xy_mm[lanes[0]]).mean(axis=0)
            apart_mm = float(np.linalg.norm(way))
            scores = [self._score_towards(owner, spaces, way) for spaces in lanes]
            decided = decide_both_lanes(
                scores[0],
                scores[1],
                apart=apart_mm * printed.steps_per_mm,
                least_gap=LEAST_GAP * self._size[1] * printed.steps_per_mm,
            )
            trains = zip((first, second), lanes, decided or (), strict=False)
            for lane, spaces, (colour, step) in trains:
                off_mm = step / printed.steps_per_mm * way / apart_mm + self._off_mm[spaces]
                yield lane, colour, off_mm

    def _score_towards(
        self, owner: npt.NDArray[np.uint8], spaces: Indices, way: npt.ArrayLike
    ) -> Float32s:
        """Return the mean score of a lane's trains for every step towards `way`, (steps, C)."""
        across = self._scores_in_reach(owner, spaces).max(axis=2)
        against = self._printed.across[spaces] @ np.asarray(way) < 0
        across[against] = across[against, ::-1]
        return np.asarray(across.mean(axis=0), np.float32)

    def _silhouette(self, space: np.intp, offset_mm: Float64s) -> Int32s:
        """Return a train's outline in the rectified picture, in pixels."""
        printed = self._printed
        outline = train_corners_mm(printed, self._view.viewpoint, self._size, space, offset_mm)
        at = outline * printed.px_per_mm - 0.5
        return np.asarray(cv2.convexHull(np.rint(at).astype(np.int32)), np.int32)


def train_corners_mm(
    printed: PrintedBoard,
    viewpoint: Viewpoint,
    size_mm: tuple[float, float, float],
    space: np.intp,
    offset_mm: npt.ArrayLike = (0.0, 0.0),
) -> Float64s:
    """Return the corners of a train's image on the board, of its foot and its roof, (8, 2).

    `offset_mm` is its foot's from the middle of the space.
    """
    foot = printed.box_mm(space, np.divide(size_mm[:2], 2)) + np.asarray(offset_mm, np.float64)
    return np.vstack([foot, foot + viewpoint.lean_mm(foot, size_mm[2])])


def _steps_from_middle(mm: Float64s, direction: Float64s, steps_per_mm: float) -> Indices:
    steps = np.rint(np.einsum("ni,ni->n", mm, direction) * steps_per_mm)
    return np.asarray(steps, np.intp)


def _box_means(windows: Float32s, box_rows: int, box_columns: int) -> Float32s:
    """Return the mean of the box around every pixel of windows: (N, V, U, C), same shape.

    Boxes that reach beyond their window are meaningless and not used.
    """
    # All windows as one tall picture: boxes that mix two windows are among the unused.
    count, rows, columns, colours = windows.shape
    tall = windows.reshape(count * rows, columns, colours)
    means = cv2.blur(tall, (box_columns, box_rows), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(means, np.float32).reshape(windows.shape)


# Where the trains of a double route are all pushed to one side, both lanes fit the trains between
# them best. Deciding one lane first may give it the other's trains; here both are decided at once.


def double_routes(printed: PrintedBoard) -> Iterator[tuple[int, int]]:
    """Yield the indices of both lanes of every double route."""
    index = {route.id: r for r, route in enumerate(printed.board.routes)}
    for lanes in printed.board.lanes:
        if len(lanes) == 2 and len({printed.board.route_by_id[lane].length for lane in lanes}) == 1:
            yield index[lanes[0]], index[lanes[1]]


def decide_both_lanes(
    first: Float32s, second: Float32s, apart: float, least_gap: float
) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return the likeliest trains of both lanes of a double route, decided together.

    Of each lane the index of their colour, and their steps from the first lane towards the second;
    None if the trains of one lane alone explain as much. `first` and `second` are the mean scores
    of trains of each colour on each lane, for every such step, (S, C), the middle row for none.
    `apart` is the distance between the lanes, `least_gap` the least between two trains, in steps.

    Two trains, both a step towards the second lane.

    >>> red, blue = np.array([0.0, 0.0, 2.0]), np.array([0.0, 0.0, 1.0])
    >>> nothing = np.zeros(3)
    >>> decide_both_lanes(
    ...     np.stack([red, nothing], axis=1), np.stack([nothing, blue], axis=1), 9, 7
    ... )
    ((0, 1), (1, 1))
    """
    steps = np.arange(len(first)) - len(first) // 2
    gap = apart + steps[None, :] - steps[:, None]
    together = first[:, None, :, None] + second[None, :, None, :]
    together = np.where((gap >= least_gap)[:, :, None, None], together, -np.inf)
    # One player does not hold both lanes; two trains of one colour are one train seen twice.
    together[..., np.eye(first.shape[1], dtype=bool)] = -np.inf
    at = np.unravel_index(np.argmax(together), together.shape)
    values = first[at[0], at[2]], second[at[1], at[3]]
    if min(values) <= CLAIM or sum(values) <= max(first.max(), second.max()):
        return None
    return (int(at[2]), int(steps[at[0]])), (int(at[3]), int(steps[at[1]]))
