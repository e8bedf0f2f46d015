"""Compares frames with the settled board: which spots are moved over, covered or changed."""

from collections.abc import Collection
from dataclasses import replace
from functools import cached_property

import cv2
import numpy as np
from railspotter.calibration.arrays import Float32s, Float64s, Mask
from railspotter.calibration.pose import Pose, viewpoint
from railspotter.calibration.pyramid import Shown

from ..look.view import Pieces
from ..printed.printed_board import PrintedBoard
from .changes import Box
from .glance import CELL_MM, FEW_CELLS, CellSampler, Grid, thick_parts, things_over_board
from .motion import HAND_S, STILL, Background, LightSwitches, Motion
from .settling import FrameChanges
from .spots import Spots

AROUND_MM = 20.0  # margin around a spot in its picture
# Correlation of the ground's brightness with the print's from which it is bare: a card or an arm
# has another pattern. Chosen.
SAME_PRINT = 0.6
PLAIN_LEVELS = 3.0  # standard deviation of print below which it has no pattern
# Share of a part's changed cells from which its spot is read.
PART_CHANGED = 0.3
# The same from which a piece may have come or gone. In seven drawn games trains changed .89 and
# more, spaces beside them .6 at most, once .82; in one of real pixels trains changed .82 and
# more, on a print of their own colour .5, spaces beside them .64 at most.
PART_LAID = 0.5
# The same from which something must cover the space.
PART_COVERED = 0.85
# Time after the last movement during which every frame is compared.
WATCHFUL_S = 1.0
# Interval of comparisons after that, if nothing is open: light drifts slowly, and anything else
# moves first.
RESTING_S = 0.5
POSE_PX = 1.0  # least shift of a corner that counts as moving the board


class FrameComparer:
    """Compares frames with the settled board, in one pose after another."""

    def __init__(self, printed: PrintedBoard, pieces: Pieces) -> None:
        self._printed, self._pieces = printed, pieces
        self._grid = Grid(printed.board.size_mm)
        self._motion = Motion()
        self._flashes = LightSwitches()
        self._background: Background | None = None
        self._frame_wh = (0, 0)  # until the first pose
        self._settled: FrameChanges | None = None  # the last one, if nothing is open in it
        self._lying = np.zeros(self._grid.shape, np.bool_)
        self._stirred_s = -np.inf

    @property
    def knows_settled(self) -> bool:
        """Whether it has a settled look of the board."""
        return self._background is not None

    def lost(self) -> None:
        """Process a frame in which the board was not found."""
        self._motion.forget()
        self._settled = None

    def use_pose(self, pose: Pose, frame_wh: tuple[int, int]) -> bool:
        """Prepare for frames in a pose; return whether it differs from the last one."""
        if self._frame_wh == frame_wh:
            if self._pose is pose:
                return False
            away_px = np.abs(pose.corners_px - self._pose.corners_px).max()
            if away_px < POSE_PX:
                return False
        self._pose: Pose = pose
        self._frame_wh = frame_wh
        eye = viewpoint(pose.frame_from_board, frame_wh)
        sizes = self._pieces.train_size_mm, self._pieces.station_size_mm
        self._spots = Spots.of(self._printed, eye, *sizes)
        self._sampler = CellSampler(self._grid, pose, frame_wh)
        self.lost()
        if self._background is not None:
            self._background.look_anew(np.ones(self._grid.shape, np.bool_))
        return True

    def compare(self, frame: Shown, at_s: float, undecided: Collection[int] = ()) -> FrameChanges:
        """Return what a frame shows, in the pose of `use_pose`."""
        in_frame, spots = self._sampler.in_frame, self._spots
        self._cells = self._sampler.glance(frame)
        moving = self._motion.moving(self._cells, at_s) & in_frame
        share_moving = float(moving[in_frame].mean())
        is_relit = self._flashes.is_switched(share_moving, at_s)
        if is_relit or moving.any():
            self._stirred_s = at_s
        elif self._settled is not None and self._is_at_rest(self._settled, at_s):
            return replace(self._settled, at_s=at_s)
        changed = strange = np.zeros_like(moving)
        is_anew = False
        if self._background is not None:
            if is_relit:
                self._background.look_anew(in_frame)
            changed, strange = self._background.compare(self._cells, in_frame, moving, at_s)
            if share_moving < STILL:
                bare = self._printed_parts(self._background.strange_for(HAND_S, at_s))
                self._background.take_bare(bare)
                strange &= ~bare
            is_anew = self._background.is_due_anew
            if is_anew:
                self._background.take_anew(spots.cells_of(undecided))
                changed = self._background.changed_since_relit(in_frame)
        share = spots.share(changed)
        covered = share >= PART_COVERED
        wholly_changed = spots.all_of(covered)
        shadows = self._shadows_of(wholly_changed) & ~moving
        if self._pieces.one_piece_a_route:  # on any of its spaces
            wholly_changed = spots.any_of(covered)
        over = things_over_board(changed | moving, in_frame, shadows)
        lying = thick_parts((changed | strange) & ~shadows)
        self._lying = over | lying
        is_still = share_moving < STILL
        if self._background is not None and is_still:
            self._background.cover(over | lying)
        sight = FrameChanges(
            at_s,
            disturbed=spots.touched(moving | over | lying),
            changed=spots.any_of(share >= PART_CHANGED),
            changed_parts=share >= PART_LAID,
            is_hand=bool(moving.any() or over.any()),
            stirred=spots.touched(moving),
            wholly_changed=wholly_changed,
            is_relit=is_relit,
            is_still=is_still,
            is_anew=is_anew,
        )
        if self._background is not None and self._background.is_due_to_follow(at_s):
            open_ = np.flatnonzero(sight.changed | sight.disturbed)
            self._background.follow(spots.around(open_) | over | lying, at_s)
        is_open = is_anew or over.any() or sight.changed.any() or sight.disturbed.any()
        self._settled = None if is_open else sight
        return sight

    def _shadows_of(self, wholly_changed: Mask) -> Mask:
        """Return the cells of shadows beside routes that may be full of trains now.

        A row of trains with its shadow can be as thick as a card, but a card stays so without cells
        that are merely darker. Stations have none: anything over a city would look like a station
        with its shadow.
        """
        spots = self._spots
        full = [s for s in np.flatnonzero(wholly_changed).tolist() if spots.names[s][0] == "route"]
        if self._background is None or not full:
            return np.zeros(self._grid.shape, np.bool_)
        return spots.around(full) & ~spots.cells_of(full) & self._background.shaded()

    def _is_at_rest(self, last: FrameChanges, at_s: float) -> bool:
        """Tell whether nothing has moved for long, so that the last comparison still holds."""
        return at_s - self._stirred_s > WATCHFUL_S and at_s - last.at_s < RESTING_S - 1e-9

    def begin(self) -> None:
        """Settle the whole board as it was seen last."""
        self._background = Background(self._cells, self._sampler.in_frame, self._spots.owned)
        self._settled = None

    def shows_print(self, spot: int, held: Collection[int]) -> bool:
        """Tell whether print is seen around a spot that seems covered."""
        around = self._spots.around([spot]) & ~self._spots.cells_of(held)
        return self._is_print(around & self._lying)

    def _printed_parts(self, where: Mask) -> Mask:
        """Return the connected parts of a mask in which print is seen."""
        count, labels = cv2.connectedComponents(where.view(np.uint8), connectivity=4)
        shown = [label for label in range(1, count) if self._is_print(labels == label)]
        return np.isin(labels, shown)

    def _is_print(self, where: Mask) -> bool:
        """Tell whether cells on the board look like its print."""
        where = where & self._grid.on_board
        if np.count_nonzero(where) < FEW_CELLS:
            return False
        seen, print_ = (self._cells[where].mean(axis=-1), self._print[where].mean(axis=-1))
        if np.std(seen) == 0 or np.std(print_) < PLAIN_LEVELS:
            return False
        return bool(np.corrcoef(seen, print_)[0, 1] >= SAME_PRINT)

    @cached_property
    def _print(self) -> Float32s:
        """The colours of the cells in the reference, (rows, columns, 3), repeated at its edge."""
        printed = self._printed
        cell_px = max(1, round(CELL_MM * printed.px_per_mm / 2))
        blurred = cv2.blur(printed.reference, (cell_px, cell_px))
        at_px = (self._grid.middles_mm * printed.px_per_mm - 0.5).astype(np.float32)
        cells = cv2.remap(
            blurred, at_px[..., 0], at_px[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(cells, np.float32)

    def settle(self, decided: Collection[int], undecided: Collection[int]) -> None:
        """Settle some spots as they look, with their shadows."""
        if self._background is not None:
            spots = self._spots
            around = spots.around(decided) & ~spots.cells_of(undecided)
            self._background.settle(around | spots.cells_of(decided))
            self._settled = None

    def parts(self, spot: int) -> slice:
        """Return the slice of a spot's parts in arrays of parts."""
        return self._spots.parts(spot)

    def box_px(self, spot: int) -> Box:
        """Return the box of a spot in the frame, with a margin."""
        points: Float64s = self._grid.middles_mm[self._spots.cells_of([spot])]
        low, high = points.min(axis=0) - AROUND_MM, points.max(axis=0) + AROUND_MM
        seen = self._pose.seen_at(np.array([low, (high[0], low[1]), high, (low[0], high[1])]))
        left, top = np.clip(np.floor(seen.min(axis=0)), 0, self._frame_wh).astype(int)
        right, bottom = np.clip(np.ceil(seen.max(axis=0)), 0, self._frame_wh).astype(int)
        return int(left), int(top), int(right), int(bottom)
